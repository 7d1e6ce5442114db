"""Numbered screens with actions.json or actions.jsonl."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from made_images import SIZE, write_image

from data_prep.readers.numbered import read_numbered
from viscritic.actions import Action
from viscritic.errors import DataError

ENTRIES = [
    {"action": "click", "x": 30, "y": 20},  # an action of its own
    {
        "action": {"action": "type", "text": "hi"},
        "instruction": "Say hi",
        "success": True,
        "target_box": [1, 2, 30, 10],
    },
    {"action": "click('a51')", "success": False},
    "pyautogui.press('enter')",
    [{"kind": "move", "x": 1, "y": 2}, {"kind": "click", "x": 1, "y": 2}],
]


def write(folder, entries, *, screens: int = 6, name="actions.json", image="screen_{}.png"):
    for number in range(screens):
        write_image(folder / image.format(number), number)
    text = entries if isinstance(entries, str) else json.dumps(entries)
    (folder / name).write_text(text)


@pytest.mark.parametrize("image", ["{}.png", "screen_{}.png", "shot-00{}.jpg", "a1_{}.JPG"])
def test_a_list_of_actions_in_any_dialect_is_read(tmp_path, image):
    write(tmp_path / "run", ENTRIES, image=image)
    [trajectory] = read_numbered(tmp_path, strict=True)
    assert (trajectory.id, trajectory.app, trajectory.platform, trajectory.task) == ("run", "run", "desktop", "")
    assert [step.actions for step in trajectory.steps] == [
        (Action("click", 30, 20),),
        (Action("type", text="hi"),),
        (Action("click"),),
        (Action("key", keys=("enter",)),),
        (Action("move", 1, 2), Action("click", 1, 2)),
    ]
    assert [step.success for step in trajectory.steps] == [None, True, False, None, None]
    assert (trajectory.steps[1].instruction, trajectory.steps[1].target_box) == ("Say hi", (1, 2, 30, 10))
    paths = [tmp_path / "run" / image.format(number) for number in range(6)]
    assert [(step.pre, step.post) for step in trajectory.steps] == list(pairwise(paths))
    assert all(step.size == SIZE for step in trajectory.steps)


def test_lines_of_json_are_read_and_screens_sorted_by_number(tmp_path):
    lines = "\n".join(json.dumps(ENTRIES[0] | {"x": number}) for number in range(11))
    write(tmp_path, lines, screens=12, name="actions.jsonl", image="{}.png")
    [trajectory] = read_numbered(tmp_path, strict=True)
    assert [step.pre.stem for step in trajectory.steps] == [str(number) for number in range(11)]
    assert [step.actions[0].x for step in trajectory.steps] == list(range(11))


def test_an_object_tells_of_the_whole(tmp_path):
    whole = {"task": "Buy it", "app": "shop", "platform": "mobile", "success": False, "dialect": "androidworld"}
    entries = [{"action_type": "click", "x": 3, "y": 4}, {"action_type": "navigate_back"}]
    write(tmp_path, whole | {"steps": entries}, screens=2)  # the last one has no screen after
    [trajectory] = read_numbered(tmp_path, strict=True)
    assert (trajectory.task, trajectory.app, trajectory.platform, trajectory.success) == (
        "Buy it",
        "shop",
        "mobile",
        False,
    )
    assert [step.actions[0].kind for step in trajectory.steps] == ["click", "back"]
    assert trajectory.steps[1].post is None


def test_many_folders_are_many_trajectories(tmp_path):
    for name in ("b", "a/1"):
        write(tmp_path / name, ENTRIES)
    assert [trajectory.id for trajectory in read_numbered(tmp_path, strict=True)] == ["a/1", "b"]
    assert [trajectory.id for trajectory in read_numbered(tmp_path / "b" / "actions.json")] == ["b"]


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({"action": "fly"}, "action"),
        ({"action": {"kind": "click", "x": "left"}}, "x"),
        ({"action": {"kind": "click"}, "note": "?"}, "unknown key 'note'"),
        ({"action": {"kind": "click"}, "success": "yes"}, "success must be"),
        ({"action": {"kind": "click"}, "target_box": [1, 2]}, "target_box must be"),
        ({"action": {"kind": "click"}, "instruction": 5}, "instruction must be text"),
        ({"action_type": 10}, "ambiguous"),
        (5, "no dialect"),
    ],
)
def test_a_broken_entry_is_left_out_and_told_of(tmp_path, entry, told):
    write(tmp_path, [*ENTRIES[:2], entry, *ENTRIES[3:]])
    [trajectory] = read_numbered(tmp_path)
    assert len(trajectory.steps) == 4
    assert told in trajectory.notes[0]
    with pytest.raises(DataError, match="entry 2"):
        list(read_numbered(tmp_path, strict=True))


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        (ENTRIES[:2], "6 screens do not fit 2 actions"),
        ("{", "not JSON|cannot be read as JSON"),
        ({"steps": ENTRIES, "goal": "?"}, "unknown key 'goal'"),
        ({"steps": ENTRIES, "platform": "fridge"}, "platform must be one of"),
        ({"steps": ENTRIES, "success": 1}, "success must be"),
        ({"task": "x"}, "steps must be a list"),
        ("5", "must be an object"),
    ],
)
def test_a_broken_folder_is_told_of(tmp_path, entries, told):
    write(tmp_path, entries)
    [trajectory] = read_numbered(tmp_path)
    assert trajectory.steps == ()
    assert trajectory.broken >= 1
    with pytest.raises(DataError, match=told):
        list(read_numbered(tmp_path, strict=True))


def test_other_folders_are_refused(tmp_path):
    with pytest.raises(DataError, match="no folder of numbered screens"):
        list(read_numbered(tmp_path))
