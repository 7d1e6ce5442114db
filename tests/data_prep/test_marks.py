"""Marks drawn on real screens: found where they are, and nowhere else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("scipy")
from PIL import Image, ImageDraw, ImageFont

from data_prep.marks import find_marks, has_set_of_marks, has_tap_markers, watch_for_marks
from viscritic.actions import Action
from viscritic.screen import load_screen
from viscritic.trajectory import Step, Trajectory

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*/*.webp"))[::8]
BOXES = [
    (20, 40, 90, 30),
    (130, 60, 60, 24),
    (40, 150, 24, 24),
    (200, 100, 80, 40),
    (60, 300, 100, 30),
    (250, 260, 60, 60),
]
COLOURS = ["#e6194b", "#3c14c8", "#11a911", "#f58200", "#911eb4", "#00a0f0"]
FONT = ImageFont.load_default(12)


def draw_marks(pixels: np.ndarray, kind: str) -> np.ndarray:
    image = Image.fromarray(pixels).copy()
    draw = ImageDraw.Draw(image)
    for number, (x, y, width, height) in enumerate(BOXES):
        corner = (x + width, y + height)
        match kind:
            case "red frames and black tags below":  # as OSWorld draws them
                draw.rectangle((x, y, *corner), outline="red")
                draw.rectangle((x, corner[1], x + 14, corner[1] + 12), fill="black")
                draw.text((x + 2, corner[1] - 1), str(number), fill="white", font=FONT)
            case "frames and tags of many colours":  # as VisualWebArena does
                draw.rectangle((x, y, *corner), outline=COLOURS[number], width=3)
                draw.rectangle((x, y - 14, x + 16, y), fill=COLOURS[number])
                draw.text((x + 2, y - 14), str(number), fill="white", font=FONT)
            case "green frames and white tags":  # as the agents of AndroidWorld do
                draw.rectangle((x, y, *corner), outline=(0, 255, 0), width=2)
                draw.rectangle((x, y, x + 14, y + 13), fill="white")
                draw.text((x + 1, y), str(number), fill="black", font=FONT)
            case "one frame with focus":
                if number == 0:
                    draw.rectangle((x, y, *corner), outline=(0, 0, 255), width=2)
            case "rounded buttons":
                draw.rounded_rectangle((x, y, *corner), 6, outline="#0d6efd")
            case "coloured buttons":
                draw.rectangle((x, y, *corner), fill=COLOURS[number])
                draw.text((x + 8, y + 4), "Save", fill="white", font=FONT)
            case "black keys":
                draw.rounded_rectangle((x, y, x + 60, y + 40), 4, fill="black")
                draw.text((x + 20, y + 10), str(number), fill="white", font=FONT)
    return np.asarray(image)


@pytest.mark.parametrize(
    "kind", ["red frames and black tags below", "frames and tags of many colours", "green frames and white tags"]
)
def test_sets_of_marks_are_found(kind):
    assert len(EXAMPLES) >= 3
    for path in EXAMPLES:
        assert has_set_of_marks(draw_marks(load_screen(path), kind)), path


def test_marks_that_browsergym_drew_are_found():
    marked = load_screen(ROOT / "tests" / "data_prep" / "recorded" / "marks" / "browsergym_som.png")
    assert has_set_of_marks(marked)
    assert not has_set_of_marks(load_screen(ROOT / "examples" / "todo-ticked" / "pre.webp")[:480, :640])


@pytest.mark.parametrize(
    "kind", ["nothing", "one frame with focus", "rounded buttons", "coloured buttons", "black keys"]
)
def test_what_designers_draw_is_no_mark(kind):
    for path in EXAMPLES:
        assert not has_set_of_marks(draw_marks(load_screen(path), kind)), path


def test_real_desktops_have_no_marks(screenagent_dir):
    for path in sorted(screenagent_dir.glob("train/*/images/*.jpg"))[::60]:
        assert not has_set_of_marks(load_screen(path)), path


POINTS = [(100, 100), (300, 120), (160, 300), (330, 400), (90, 500)]


def make_run(tmp_path, draw_at) -> Trajectory:
    """Five clicks on one screen, each with something drawn where `draw_at` says for its number and point."""
    pixels = load_screen(ROOT / "examples" / "todo-ticked" / "pre.webp")
    steps = []
    for number, point in enumerate(POINTS):
        image = Image.fromarray(pixels).copy()
        draw_at(ImageDraw.Draw(image), number, *point)
        image.save(tmp_path / f"{number}.png")
        steps.append(
            Step(number, tmp_path / f"{number}.png", None, image.size, (Action("click", x=point[0], y=point[1]),))
        )
    return Trajectory("t", "made", "app", "web", "", tuple(steps))


def ring(draw, number, x, y):
    draw.ellipse((x - 12, y - 12, x + 12, y + 12), outline="red", width=3)


def dot(draw, number, x, y):
    draw.ellipse((x - 6, y - 6, x + 6, y + 6), fill=(255, 60, 40))


def wide_button(draw, number, x, y):
    draw.rectangle((x - 80, y - 30, x + 80, y + 30), fill="#0d6efd")


def own_colour(draw, number, x, y):
    draw.ellipse((x - 12, y - 12, x + 12, y + 12), fill=COLOURS[number])


@pytest.mark.parametrize("marker", [ring, dot])
def test_tap_markers_are_found_by_what_many_points_share(tmp_path, marker):
    run = make_run(tmp_path, marker)
    assert has_tap_markers(run.steps)
    assert not has_tap_markers(run.steps[:3]), "three may share a look by chance"
    told = find_marks(run)
    assert all(step.marked for step in told.steps)
    assert "tap markers" in told.notes[-1]
    assert find_marks(told) == told


@pytest.mark.parametrize("thing", [lambda *_: None, wide_button, own_colour])
def test_what_is_clicked_is_no_marker(tmp_path, thing):
    run = make_run(tmp_path, thing)
    assert find_marks(run) == run


def test_a_run_whose_screens_are_marked_makes_no_samples_and_says_why(tmp_path):
    def frames(draw, number, x, y):
        for box in BOXES:
            draw.rectangle((box[0], box[1], box[0] + box[2], box[1] + box[3]), outline="red")

    run = make_run(tmp_path, frames)
    [told] = watch_for_marks(lambda path, *, strict: iter([run]))(tmp_path)
    assert all(step.marked for step in told.steps)
    assert "sets of marks" in told.notes[-1]


def test_screens_that_cannot_be_read_are_left_to_others(tmp_path):
    run = make_run(tmp_path, ring)
    broken = replace(run, steps=tuple(replace(step, pre=b"no image") for step in run.steps))
    assert find_marks(broken) == broken
    assert find_marks(replace(run, steps=())).notes == ()
