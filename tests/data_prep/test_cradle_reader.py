"""Cradle: the fixtures are written as local_memory.py grows and saves its history, turn by turn (app_runner.py)."""

from __future__ import annotations

import json

import pytest
from made_images import write_image

from data_prep.readers.cradle import read_cradle
from viscritic.actions import Action
from viscritic.errors import DataError

TURNS = [  # the skills of a turn, its error, and the verdict that the next turn gives
    (["click_at_position(x=0.5, y=0.25, mouse_button='left') # clicked\nand more"], "", "True"),
    (["type_text(text='a # b')", "press_key(key='enter')"], "", "False"),
    ([], "", "True"),
    (["mouse_drag(source_x=0, source_y=0, target_x=1, target_y=1)"], "Error executing skill", "True"),
    (["mouse_scroll_down(distance=3)"], "", "maybe"),
]


def write_run(run, turns=TURNS, *, most: int = 100, reflection: bool = True, checkpoints: bool = False):
    history: dict = {
        key: []
        for key in (
            "image",
            "augmented_image",
            "action",
            "action_error",
            "success_detection",
            "task_description",
            "self_reflection_reasoning",
            "cur_screenshot_path",
        )
    }

    def add(key, value):
        history[key] = [*history[key], value][-most:]

    add("task_description", "Draw a circle")
    for number in range(len(turns) + 1):
        write_image(run / f"screen_17180000{number}.5.jpg", number)
        for kind in ("som", "with_mouse", "som_with_mouse"):
            write_image(run / f"screen_17180000{number}.5_{kind}.jpg", 50 + number)
    paths = [f"D:\\Cradle\\runs\\1718000000\\screen_17180000{number}.5.jpg" for number in range(len(turns) + 1)]
    for number, (skills, error, _) in enumerate(turns):
        add("image", paths[number])
        add(
            "augmented_image",
            {
                "aug_base_image_path": paths[number],
                "aug_mouse_img_path": paths[number].replace(".jpg", "_with_mouse.jpg"),
            },
        )
        add("success_detection", turns[number - 1][2] if reflection and number else False)
        if reflection and number:
            add("self_reflection_reasoning", "because")
        add("action", skills)
        add("action_error", error)
        add("cur_screenshot_path", paths[number + 1])
        if checkpoints:
            (run / "checkpoints").mkdir(exist_ok=True)
            (run / "checkpoints" / f"checkpoint_{number + 1:06d}.json").write_text(json.dumps(history))
    (run / "memory.json").write_text(json.dumps(history, indent=4))


def test_a_run_is_read_in_pixels(tmp_path):
    run = tmp_path / "runs" / "1718000000.1"
    write_run(run)
    [trajectory] = read_cradle(tmp_path, strict=True)
    assert (trajectory.id, trajectory.task) == ("runs/1718000000.1", "Draw a circle")
    click, typed, drag, scroll = trajectory.steps
    assert click.actions == (Action("click", 48, 16),)
    assert typed.actions == (Action("type", text="a # b"), Action("key", keys=("enter",)))
    assert drag.actions == (Action("drag", 0, 0, 95, 63),)
    assert scroll.actions[0].kind == "scroll"
    assert [step.pre.name for step in trajectory.steps] == [f"screen_17180000{n}.5.jpg" for n in (0, 1, 3, 4)]
    assert [step.post.name for step in trajectory.steps] == [f"screen_17180000{n}.5.jpg" for n in (1, 2, 4, 5)]
    assert [step.success for step in trajectory.steps] == [True, False, False, None]


def test_verdicts_without_reflection_are_fillers(tmp_path):
    write_run(tmp_path, reflection=False)
    [trajectory] = read_cradle(tmp_path, strict=True)
    assert [step.success for step in trajectory.steps] == [None, None, False, None]


def test_a_short_memory_holds_the_last_turns_and_checkpoints_the_rest(tmp_path):
    write_run(tmp_path / "short", most=2)
    write_run(tmp_path / "long", most=2, checkpoints=True)
    long, short = read_cradle(tmp_path, strict=True)
    assert [step.actions[0].kind for step in short.steps] == ["drag", "scroll"]
    assert [step.success for step in short.steps] == [False, None]
    assert [step.actions[0].kind for step in long.steps] == ["click", "type", "drag", "scroll"]
    assert [step.index for step in long.steps] == [0, 1, 2, 3]
    assert [step.success for step in long.steps][:2] == [True, False]


def test_leaving_the_application_leaves_no_screen_after(tmp_path):
    write_run(tmp_path, TURNS[:1])
    memory = json.loads((tmp_path / "memory.json").read_text())
    memory["cur_screenshot_path"] = ["./res/software/samples/out_of_target_screen.jpg"]
    (tmp_path / "memory.json").write_text(json.dumps(memory))
    [trajectory] = read_cradle(tmp_path, strict=True)
    assert trajectory.steps[0].post is None


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("action", ["fly_away(x=1)"], "fly_away"),
        ("action", ["click_at_position(x=2, y=0.5)"], "0..1"),
        ("action", [5], "text"),
        ("image", "/runs/1/screen_171800001.5_som.jpg", "as it was taken"),
        ("image", "../../../etc/passwd", "as it was taken"),
        ("image", "/runs/1/screen_9.jpg", "missing"),
    ],
)
def test_a_broken_turn_is_left_out_and_told_of(tmp_path, key, value, told):
    write_run(tmp_path)
    memory = json.loads((tmp_path / "memory.json").read_text())
    memory[key][1] = value
    (tmp_path / "memory.json").write_text(json.dumps(memory))
    [trajectory] = read_cradle(tmp_path)
    assert [step.actions[0].kind for step in trajectory.steps] == ["click", "drag", "scroll"]
    assert told in trajectory.notes[0]
    with pytest.raises(DataError, match=", turn of "):
        list(read_cradle(tmp_path, strict=True))


@pytest.mark.parametrize("text", ["{", "[]", "null", '{"image": 5, "action": {}}'])
def test_a_broken_memory_is_told_of(tmp_path, text):
    write_run(tmp_path)
    (tmp_path / "memory.json").write_text(text)
    [trajectory] = read_cradle(tmp_path)
    assert trajectory.steps == ()


def test_other_folders_are_refused(tmp_path):
    (tmp_path / "memory.json").write_text("{}")  # without screens
    with pytest.raises(DataError, match="no run of Cradle"):
        list(read_cradle(tmp_path))
