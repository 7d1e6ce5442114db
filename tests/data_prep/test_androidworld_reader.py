"""AndroidWorld: the fixtures are pickled as its checkpointer does (a list of episodes, gzip).

Its own classes (UIElement, BoundingBox, JSONAction) are stand-ins of the same names and fields, from
representation_utils.py and json_action.py; marks are drawn as m3a_utils.add_ui_element_mark draws them.
"""

from __future__ import annotations

import datetime
import gzip
import os

import numpy as np
import pytest
from made_foreign import Poison, foreign, pickled
from made_images import SIZE, is_shown, pixels
from PIL import Image, ImageDraw

from data_prep.readers.androidworld import read_androidworld
from viscritic.actions import Action
from viscritic.errors import DataError

WIDTH, HEIGHT = SIZE


UI = "android_world.env.representation_utils"
Box = foreign(UI, "BoundingBox", "x_min", "x_max", "y_min", "y_max")
Element = foreign(UI, "UIElement", "text", "bbox_pixels", "is_visible", "package_name")
JSONAction = foreign(
    "android_world.env.json_action",
    "JSONAction",
    *("action_type", "index", "x", "y", "text", "direction", "goal_status", "app_name", "keycode", "clear_text"),
)
ELEMENTS = [
    Element("status", Box(0, 96, 0, 8), True, "com.android.systemui"),
    Element("Start", Box(20, 60, 20, 40), True, "com.google.android.deskclock"),
]


def marked(number: int, index: int = 1) -> np.ndarray:
    """A screen with the frame and the number that the agents draw over an element."""
    image = Image.fromarray(pixels(number))
    draw = ImageDraw.Draw(image)
    box = ELEMENTS[index].bbox_pixels
    draw.rectangle((box.x_min, box.y_min, box.x_max, box.y_max), outline=(0, 255, 0), width=2)
    draw.rectangle((box.x_min + 1, box.y_min + 1, box.x_min + 14, box.y_min + 10), fill="white")
    draw.text((box.x_min + 2, box.y_min), str(index), fill="black")
    return np.asarray(image)


def said(action: str) -> str:
    return f"Reason: To go  on.\nAction: {action}"


def m3a(*rows):
    """Rows of (raw_screenshot, action_output_json or None, action_output)."""
    return {
        "raw_screenshot": [row[0] for row in rows],
        "before_screenshot_with_som": [marked(90) for _ in rows],
        "after_screenshot_with_som": [marked(91) for _ in rows],
        "before_ui_elements": [ELEMENTS for _ in rows],
        "action_output_json": [row[1] for row in rows],
        "action_output": [row[2] for row in rows],
        "summary": ["" for _ in rows],
        "step_number": list(range(len(rows))),
    }


def t3a(*rows):
    """Rows of (before_screenshot, after_screenshot, action_output)."""
    return {
        "before_screenshot": [row[0] for row in rows],
        "after_screenshot": [row[1] for row in rows],
        "before_element_list": [ELEMENTS for _ in rows],
        "after_element_list": [ELEMENTS for _ in rows],
        "action_output": [row[2] for row in rows],
        "step_number": list(range(len(rows))),
    }


def episode(data, **more):
    return {
        "goal": "Start the stopwatch.",
        "task_template": "ClockStopWatchRunning",
        "instance_id": 0,
        "episode_data": data,
        "is_successful": 1.0,
        "episode_length": 3,
        "run_time": 12.5,
        "agent_name": "M3A",
        "exception_info": None,
        "screen_config": {"width": 1080, "height": 2400, "orientation": "portrait", "config_name": "default"},
        "seed": 30,
        "aux_data": None,
        "finish_dtime": datetime.datetime(2024, 5, 1, 12),
    } | more


def write(path, episodes):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(pickled(episodes), 5))


CLICK = '{"action_type": "click", "index": 1}'
DONE = '{"action_type": "status", "goal_status": "complete"}'


def test_m3a_takes_the_next_raw_screen_and_tells_of_its_marks(tmp_path):
    data = m3a(
        (pixels(0), JSONAction("open_app", app_name="Clock"), said('{"action_type": "open_app", "app_name": "Clock"}')),
        (marked(1), JSONAction("click", index=1), said(CLICK)),
        (pixels(2), JSONAction("wait"), said('{"action_type": "wait"}')),
        (pixels(3), JSONAction("status", goal_status="complete"), said(DONE)),
    )
    write(tmp_path / "run_1" / "ClockStopWatchRunning_0.pkl.gz", [episode(data)])
    [trajectory] = read_androidworld(tmp_path, strict=True)
    assert (trajectory.id, trajectory.task) == ("run_1/ClockStopWatchRunning_0", "Start the stopwatch.")
    assert (trajectory.app, trajectory.success) == ("com.google.android.deskclock", True)
    opened, clicked, _, done = trajectory.steps
    assert [step.actions[0] for step in trajectory.steps] == [
        Action("open_app", text="Clock"),
        Action("click", 40, 30),
        Action("wait"),
        Action("done"),
    ]
    assert clicked.target_box == (20, 20, 40, 20)
    assert clicked.instruction == "To go on."
    assert is_shown(opened.pre, 0)
    assert is_shown(clicked.post, 2), "not the screen after with marks, but the next raw one"
    assert (done.post, done.size) == (None, SIZE)
    assert [step.marked for step in trajectory.steps] == [True, True, False, False], "the raw screen is drawn into"
    assert [step.success for step in trajectory.steps] == [None] * 4


def test_t3a_has_clean_screens_after_which_stand_in_for_marked_ones(tmp_path):
    data = t3a(
        (marked(0), pixels(1), said(CLICK)),
        (marked(2), pixels(3), said(CLICK)),
        (pixels(4), pixels(5), said('{"action_type": "input_text", "text": "hi", "index": 1}')),
        (pixels(6), None, said(DONE)),
    )
    write(tmp_path / "ClockStopWatchRunning_0.pkl.gz", [episode(data, is_successful=0.0)])
    [trajectory] = read_androidworld(tmp_path / "ClockStopWatchRunning_0.pkl.gz", strict=True)
    first, second, third, last = trajectory.steps
    assert trajectory.success is False
    assert is_shown(first.post, 1)
    assert is_shown(second.pre, 1), "the drawn-over screen before is that after the step before"
    assert is_shown(second.post, 3)
    assert (is_shown(third.pre, 4), is_shown(third.post, 5)) == (True, True)
    assert [step.marked for step in trajectory.steps] == [True, False, False, False]
    assert third.actions == (Action("type", 40, 30, text="hi\n"),)
    assert [(element.name, element.box) for element in third.elements] == [
        ("status", (0, 0, 96, 8)),
        ("Start", third.target_box),
    ]
    assert last.post is None


def test_an_episode_that_crashed_has_no_steps_but_a_note(tmp_path):
    nan = float("nan")
    crashed = episode(
        np.nan, is_successful=np.nan, episode_length=np.nan, exception_info="Traceback\nTimeoutError: adb"
    )
    del crashed["screen_config"]
    write(tmp_path / "A_0.pkl.gz", [crashed, episode(m3a((pixels(0), JSONAction("wait"), "")), is_successful=nan)])
    first, second = read_androidworld(tmp_path, strict=True)
    assert (first.steps, first.success) == ((), None)
    assert "TimeoutError: adb" in first.notes[0]
    assert (second.id, second.success, len(second.steps)) == ("A_0#1", None, 1)


def test_an_action_without_its_own_field_is_read_from_the_answer(tmp_path):
    data = m3a((pixels(0), None, said(CLICK)), (pixels(1), None, said('{"action_type": "swipe", "direction": "up"}')))
    del data["action_output_json"]
    write(tmp_path / "A_0.pkl.gz", [episode(data)])
    [trajectory] = read_androidworld(tmp_path, strict=True)
    assert [step.actions[0].kind for step in trajectory.steps] == ["click", "swipe"]
    assert trajectory.steps[0].actions[0].point == (40, 30)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ((None, JSONAction("wait"), ""), "no screen"),
        ((pixels(0).astype(float), JSONAction("wait"), ""), "uint8"),
        ((pixels(0), None, "I do not know"), "no action"),
        ((pixels(0), None, None), "no action"),
        ((pixels(0), JSONAction("dance"), ""), "action_type"),
        ((pixels(0), JSONAction("click"), ""), "needs x and y, or an index"),
    ],
)
def test_a_broken_step_is_left_out_and_told_of(tmp_path, row, told):
    good = (pixels(1), JSONAction("wait"), "")
    write(tmp_path / "A_0.pkl.gz", [episode(m3a(good, row, good))])
    [trajectory] = read_androidworld(tmp_path)
    assert len(trajectory.steps) == 2
    assert told in trajectory.notes[0]
    with pytest.raises(DataError, match="A_0, step 1"):
        list(read_androidworld(tmp_path, strict=True))


def test_a_poisoned_pickle_does_nothing(tmp_path):
    marker = tmp_path / "ran"
    write(
        tmp_path / "A_0.pkl.gz",
        [episode(m3a((pixels(0), JSONAction("wait"), "")), seed=Poison(os.system, (f"touch {marker}",)))],
    )
    write(tmp_path / "B_0.pkl.gz", [episode(m3a((pixels(0), JSONAction("wait"), "")))])
    poisoned, good = read_androidworld(tmp_path)
    assert (poisoned.id, poisoned.steps) == ("A_0", ())
    assert "wants to call 'posix.system'" in poisoned.notes[0]
    assert len(good.steps) == 1
    with pytest.raises(DataError, match="wants to call"):
        list(read_androidworld(tmp_path, strict=True))
    assert not marker.exists()


@pytest.mark.parametrize("stored", [{"not": "a list"}, [5], [{}], [{"episode_data": {"raw_screenshot": 5}}]])
def test_other_pickles_never_end_in_another_error(tmp_path, stored):
    write(tmp_path / "A_0.pkl.gz", stored)
    trajectories = list(read_androidworld(tmp_path))
    assert all(t.steps == () for t in trajectories)


def test_other_folders_are_refused(tmp_path):
    (tmp_path / "step_0.pkl.gz").touch()  # of BrowserGym
    with pytest.raises(DataError, match="no episode of AndroidWorld"):
        list(read_androidworld(tmp_path))
