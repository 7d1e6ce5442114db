"""GUI-Odyssey: the fixtures are written from its documented fields (introduction.md) and what its converter reads."""

from __future__ import annotations

import json

import pytest
from made_images import SIZE, write_image

from data_prep.readers.guiodyssey import read_guiodyssey
from viscritic.actions import Action
from viscritic.errors import DataError


def step(number: int, action: str, info, **more):
    return {
        "step": number,
        "screenshot": f"0000_{number}.png",
        "action": action,
        "info": info,
        "ps": "",
        "description": "a screen",
        "intention": "to go on",
        "context": "",
        "low_level_instruction": f"do {number}",
        "sam2_bbox": [],
    } | more


STEPS = [
    step(0, "CLICK", [[500, 250]], sam2_bbox=[450, 200, 550, 300]),
    step(1, "TEXT", "fashion week"),
    step(2, "SCROLL", [[500, 750], [500, 250]]),
    step(3, "CLICK", "KEY_HOME"),
    step(4, "LONG_PRESS", [[1000, 1000], [1000, 1000]]),
    step(5, "TYPE", "tick"),
    step(6, "CLICK", "KEY_APPSELECT"),
    step(7, "COMPLETE", ""),
]


def write_episode(root, steps=STEPS, *, folder="screenshots", name="0000", **more):
    for number in range(8):
        write_image(root / folder / f"{name}_{number}.png", number)
    (root / "annotations").mkdir(exist_ok=True)
    record = {
        "episode_id": name,
        "device_info": {"product": "x", "release_version": "14", "w": 1080, "h": 2400, "device_name": "Pixel 7 Pro"},
        "task_info": {
            "category": "Multi_Apps",
            "app": ["DuckDuckGo", "TickTick"],
            "meta_task": "Search for the next {}.",
            "task": "Search for the next show.",
            "instruction": "Utilize DuckDuckGo to find the next show.",
        },
        "step_length": len(steps),
        "steps": steps,
    }
    (root / "annotations" / f"{name}.json").write_text(json.dumps(record | more))


@pytest.mark.parametrize("folder", ["screenshots", "screenshots/data_3"])
def test_an_episode_is_read_in_pixels(tmp_path, folder):
    write_episode(tmp_path, folder=folder)
    [trajectory] = read_guiodyssey(tmp_path, strict=True)
    assert (trajectory.id, trajectory.app, trajectory.success) == ("0000", "DuckDuckGo+TickTick", True)
    assert trajectory.task == "Utilize DuckDuckGo to find the next show."
    assert [step.actions[0] for step in trajectory.steps] == [
        Action("click", 48, 16),
        Action("type", text="fashion week"),
        Action("swipe", 48, 48, 48, 16),
        Action("home"),
        Action("long_press", 95, 63),
        Action("type", text="tick"),
        Action("other", text="show the recent apps"),
        Action("done"),
    ]
    assert trajectory.steps[0].target_box == pytest.approx((43.2, 12.8, 9.6, 6.4))
    assert trajectory.steps[0].post == tmp_path / folder / "0000_1.png"
    assert trajectory.steps[0].instruction == "do 0"
    assert [step.success for step in trajectory.steps] == [True] * 7 + [None]
    assert trajectory.steps[-1].post is None
    assert all(step.size == SIZE for step in trajectory.steps)


@pytest.mark.parametrize("word", ["INCOMPLETE", "IMPOSSIBLE"])
def test_an_episode_that_was_given_up_is_no_success(tmp_path, word):
    write_episode(tmp_path, [STEPS[0], step(1, word, "")])
    [trajectory] = read_guiodyssey(tmp_path, strict=True)
    assert trajectory.success is False
    assert [step.success for step in trajectory.steps] == [None, None]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"action": "JUMP"}, "action"),
        ({"info": [[1, 2, 3]]}, "info"),
        ({"info": [[500, 1200]]}, "1000"),
        ({"info": [[1, 2], [3, 4]]}, "info"),
        ({"screenshot": "absent.png"}, "missing"),
        ({"screenshot": "../annotations/0000.json"}, "missing|cannot be read"),
        ({"screenshot": None}, "not the name of a file"),
    ],
)
def test_a_broken_step_is_left_out_and_told_of(tmp_path, change, told):
    steps = [*STEPS[:4], step(4, "CLICK", [[1, 1]]) | change, *STEPS[5:]]
    write_episode(tmp_path, steps)
    [trajectory] = read_guiodyssey(tmp_path)
    assert len(trajectory.steps) == 7
    assert len(trajectory.notes) == 1
    with pytest.raises(DataError, match=told):
        list(read_guiodyssey(tmp_path, strict=True))


@pytest.mark.parametrize("change", [{"steps": "none"}, {"steps": [1, "x"]}, {"task_info": None}])
def test_a_broken_episode_is_told_of(tmp_path, change):
    write_episode(tmp_path)
    write_episode(tmp_path, name="0001", **change)
    good, bad = read_guiodyssey(tmp_path)
    assert len(good.steps) == 8
    assert bad.notes
    assert bad.steps == ()


def test_other_folders_are_refused(tmp_path):
    (tmp_path / "a.json").write_text("{}")
    with pytest.raises(DataError, match="no episode of GUI-Odyssey"):
        list(read_guiodyssey(tmp_path))
