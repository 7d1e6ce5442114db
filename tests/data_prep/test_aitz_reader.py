"""AITZ: the rows are those of its own example (data-example/ of CoAT), with small screens beside them."""

from __future__ import annotations

import json

import pytest
from made_images import SIZE, write_image

from data_prep.readers.aitz import read_aitz
from viscritic.actions import Action
from viscritic.errors import DataError

NAME = "GOOGLE_APPS-523638528775825151"


def row(step: int, kind: int, touch: str = "[-1.0, -1.0]", lift: str = "[-1.0, -1.0]", **more):
    return {
        "episode_id": "523638528775825151",
        "episode_length": 4,
        "step_id": step,
        "instruction": 'open app "Clock" (install if not already installed)',
        "ui_positions": "[[54, 17, 8, 12]]",
        "ui_text": '["M"]',
        "ui_types": '["TEXT"]',
        "result_action_type": kind,
        "result_action_text": "",
        "result_touch_yx": touch,
        "result_lift_yx": lift,
        "image_path": f"google_apps/{NAME}/{NAME}_{step}.png",
        "coat_action_desc": f"description {step}",
    } | more


ROWS = [
    row(0, 6),
    row(1, 4, "[0.75, 0.5]", "[0.25, 0.5]"),
    row(2, 4, "[0.49836206436157227, 0.6069772839546204]", "[0.49669790267944336, 0.6069772839546204]"),
    row(3, 10),
]


def write_episode(root, rows, name=NAME):
    folder = root / "train" / "google_apps" / name
    for step in range(4):
        write_image(folder / f"{name}_{step}.png", step)
    (folder / f"{name}.json").write_text(json.dumps(rows))
    return folder


def test_an_episode_is_read_in_pixels(tmp_path):
    folder = write_episode(tmp_path, ROWS)
    [trajectory] = read_aitz(tmp_path, strict=True)
    assert (trajectory.id, trajectory.app, trajectory.success) == ("523638528775825151", "google_apps", True)
    assert trajectory.task == 'open app "Clock" (install if not already installed)'
    home, swipe, tap, done = trajectory.steps
    assert home.actions == (Action("home"),)
    assert swipe.actions == (Action("swipe", 48, 48, 48, 16),)
    assert tap.actions[0].point == pytest.approx((0.60698 * SIZE[0], 0.49836 * SIZE[1]), abs=0.01)
    assert (done.actions, done.post, done.success) == ((Action("done"),), None, None)
    assert [step.pre for step in trajectory.steps] == [folder / f"{NAME}_{i}.png" for i in range(4)]
    assert [step.post for step in trajectory.steps[:3]] == [folder / f"{NAME}_{i}.png" for i in range(1, 4)]
    assert [step.success for step in trajectory.steps[:3]] == [True] * 3
    assert tap.instruction == "description 2"
    assert list(read_aitz(folder / f"{NAME}.json")) == [trajectory]


def test_screens_are_found_by_their_path_as_well(tmp_path):
    for step in range(4):
        write_image(tmp_path / "train" / "google_apps" / NAME / f"{NAME}_{step}.png", step)
    (tmp_path / "train" / "all.json").write_text(json.dumps(ROWS))
    [trajectory] = read_aitz(tmp_path, strict=True)
    assert len(trajectory.steps) == 4


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"result_touch_yx": "[0.5"}, "result_touch_yx|JSON"),
        ({"result_action_type": 8}, "result_action_type"),
        ({"image_path": "../../../../etc/passwd"}, "leads out"),
        ({"image_path": "google_apps/absent.png"}, "missing"),
        ({"image_path": 5}, "image_path"),
        ({"step_id": "two"}, "step_id"),
        ({"coat_action_desc": ["a"]}, "coat_action_desc"),
    ],
)
def test_a_broken_row_is_left_out_and_told_of(tmp_path, change, told):
    write_episode(tmp_path, [*ROWS[:2], ROWS[2] | change, ROWS[3]])
    [trajectory] = read_aitz(tmp_path)
    assert [step.actions[0].kind for step in trajectory.steps] == ["home", "swipe", "done"]
    assert len(trajectory.notes) == 1
    with pytest.raises(DataError, match=told):
        list(read_aitz(tmp_path, strict=True))


def test_a_file_that_breaks_off_keeps_what_was_read(tmp_path):
    folder = write_episode(tmp_path, ROWS)
    (folder / f"{NAME}.json").write_text(json.dumps([*ROWS, 5])[:-30])
    [trajectory] = read_aitz(tmp_path)
    assert len(trajectory.steps) == 3
    assert "JSON" in trajectory.notes[0]


def test_other_folders_are_refused(tmp_path):
    (tmp_path / "a.json").write_text("[1]")
    with pytest.raises(DataError, match="no episode of AITZ"):
        list(read_aitz(tmp_path))
