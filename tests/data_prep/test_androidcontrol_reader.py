"""AndroidControl: the fixtures are written from its documented fields (README of android_control)."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("google_crc32c")
pytest.importorskip("google.protobuf")
from made_images import SIZE, encoded
from made_tfrecord import example, write_tfrecord

from data_prep.readers.androidcontrol import read_androidcontrol
from viscritic.actions import Action
from viscritic.errors import DataError

ACTIONS = [
    {"action_type": "open_app", "app_name": "Zoho Meeting"},
    {"action_type": "click", "x": 30, "y": 20},
    {"action_type": "input_text", "text": "hello"},
    {"action_type": "scroll", "direction": "down"},
    {"action_type": "navigate_back"},
    {"action_type": "wait"},
]


def episode(actions=ACTIONS, *, number: int = 7, screens: int | None = None, **more):
    count = len(actions) + 1 if screens is None else screens
    fields = {
        "episode_id": number,
        "goal": "Join the meeting",
        "screenshots": [encoded(index) for index in range(count)],
        "accessibility_trees": [b"\x0a\x02\x08\x01"] * count,
        "screenshot_widths": [SIZE[0]] * count,
        "screenshot_heights": [SIZE[1]] * count,
        "actions": [action if isinstance(action, str | bytes) else json.dumps(action) for action in actions],
        "step_instructions": [f"step {index}" for index in range(len(actions))],
    }
    return example(**(fields | more))


def test_an_episode_has_one_screen_more_than_actions(tmp_path):
    write_tfrecord(tmp_path / "android_control-00000-of-00020", [episode(), episode(ACTIONS[1:3], number=8)])
    first, second = read_androidcontrol(tmp_path, strict=True)
    assert (first.id, first.app, first.task, first.success) == ("7", "Zoho Meeting", "Join the meeting", True)
    assert [step.actions[0] for step in first.steps] == [
        Action("open_app", text="Zoho Meeting"),
        Action("click", 30, 20),
        Action("type", text="hello"),
        Action("scroll", dy=500),
        Action("back"),
        Action("wait"),
    ]
    assert [(step.pre, step.post) for step in first.steps] == [(encoded(i), encoded(i + 1)) for i in range(6)]
    assert all(step.success and step.size == SIZE for step in first.steps)
    assert first.steps[1].instruction == "step 1"
    assert (second.id, second.app, len(second.steps)) == ("8", "android", 2)


@pytest.mark.parametrize(
    ("broken", "kept", "told"),
    [
        (episode(screens=3), 0, "3 screenshots do not fit 6 actions"),
        (episode(episode_id=[]), 0, "episode_id is missing"),
        (episode(goal=[]), 0, "goal is missing"),
        (episode([*ACTIONS[:2], {"action_type": "dance"}, *ACTIONS[3:]]), 5, "action_type"),
        (episode([*ACTIONS[:2], "{", *ACTIONS[3:]]), 5, "not JSON"),
        (episode([*ACTIONS[:2], b"\xff", *ACTIONS[3:]]), 5, "androidcontrol"),
        (episode(screenshots=[*map(encoded, range(6)), b"GIF"]), 5, "cannot be read"),
    ],
)
def test_a_broken_episode_or_step_is_left_out_and_told_of(tmp_path, broken, kept, told):
    write_tfrecord(tmp_path / "x", [broken, episode(number=9)])
    first, second = read_androidcontrol(tmp_path)
    assert len(first.steps) == kept
    assert len(first.notes) == 1
    assert told in first.notes[0]
    assert (second.id, len(second.steps), second.notes) == ("9", 6, ())
    with pytest.raises(DataError):
        list(read_androidcontrol(tmp_path, strict=True))


def test_other_folders_are_refused(tmp_path):
    with pytest.raises(DataError, match="no TFRecord file"):
        list(read_androidcontrol(tmp_path))
