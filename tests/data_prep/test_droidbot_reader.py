"""DroidBot: the fixtures are written as EventLog.to_dict (input_event.py) and DeviceState.to_dict (device_state.py)."""

from __future__ import annotations

import json

import pytest
from made_images import SIZE, write_image

from data_prep.readers.droidbot import read_droidbot
from viscritic.actions import Action
from viscritic.errors import DataError

VIEW = {"class": "android.widget.Button", "bounds": [[10, 20], [50, 40]], "text": "OK", "view_str": "abc"}


def touch(**more):
    return {"event_type": "touch", "x": None, "y": None, "view": VIEW} | more


EVENTS = [
    ({"event_type": "intent", "intent": "am start com.foo.bar/com.foo.bar.Main"}, "s0", "s1"),
    (touch(), "s1", "s2"),
    (touch(x=5.5, y=6.5, view=None), "s2", "s2"),
    ({"event_type": "long_touch", "x": None, "y": None, "view": VIEW, "duration": 2000}, "s2", "s1"),
    (
        {
            "event_type": "swipe",
            "start_x": 1,
            "start_y": 2,
            "start_view": None,
            "end_x": None,
            "end_y": None,
            "end_view": VIEW,
            "duration": 1000,
        },
        "s1",
        "s2",
    ),
    ({"event_type": "scroll", "x": None, "y": None, "view": VIEW, "direction": "DOWN"}, "s2", "s1"),
    ({"event_type": "set_text", "x": None, "y": None, "view": VIEW, "text": "Hello World"}, "s1", "s2"),
    ({"event_type": "key", "name": "BACK"}, "s2", "s1"),
    ({"event_type": "key", "name": "MENU"}, "s1", "s1"),
    ({"event_type": "manual", "time": 1.5}, "s1", "s1"),
    ({"event_type": "intent", "intent": "am force-stop com.foo.bar"}, "s1", "s0"),
]


def write_run(run, events=EVENTS):
    for number, state in enumerate(("s0", "s1", "s2")):
        tag = f"2024-01-01_12000{number}"
        write_image(run / "states" / f"screen_{tag}.{'jpg' if number else 'png'}", number)
        activity = "com.foo.bar/.Main" if number else "com.google.android.apps.nexuslauncher/.NexusLauncherActivity"
        record = {
            "tag": tag,
            "state_str": state,
            "foreground_activity": activity,
            "width": 96,
            "height": 64,
            "views": [],
        }
        (run / "states" / f"state_{tag}.json").write_text(json.dumps(record))
    (run / "events").mkdir()
    for number, (event, start, stop) in enumerate(events):
        tag = f"2024-01-01_1200{number + 10}"
        record = {"tag": tag, "event": event, "start_state": start, "stop_state": stop, "event_str": "x"}
        (run / "events" / f"event_{tag}.json").write_text(json.dumps(record))


def test_a_run_is_one_trajectory(tmp_path):
    write_run(tmp_path / "out")
    [trajectory] = read_droidbot(tmp_path, strict=True)
    assert (trajectory.id, trajectory.app, trajectory.task, trajectory.success) == ("out", "com.foo.bar", "", None)
    assert [step.actions[0] for step in trajectory.steps] == [
        Action("open_app", text="com.foo.bar"),
        Action("click", 30, 30),
        Action("click", 5.5, 6.5),
        Action("long_press", 30, 30, seconds=2),
        Action("swipe", 1, 2, 30, 30),
        Action("scroll", 30, 30, dy=500),
        Action("type", 30, 30, text="Hello World"),
        Action("back"),
        Action("key", keys=("menu",)),
        Action("other", text="stop the app"),
    ]
    opened, touched = trajectory.steps[:2]
    assert opened.pre == tmp_path / "out" / "states" / "screen_2024-01-01_120000.png"
    assert opened.post == touched.pre == tmp_path / "out" / "states" / "screen_2024-01-01_120001.jpg"
    assert (touched.size, touched.target_box) == (SIZE, (10, 20, 40, 20))
    assert [t.id for t in read_droidbot(tmp_path / "out")] == ["out"]


def test_an_equal_state_is_a_no_op_and_nothing_else_is_known(tmp_path):
    write_run(tmp_path)
    [trajectory] = read_droidbot(tmp_path)
    told = {index: (step.success, step.outcome) for index, step in enumerate(trajectory.steps)}
    assert told.pop(2) == told.pop(8) == (False, "no_op")
    assert set(told.values()) == {(None, None)}
    assert trajectory.steps[2].post == trajectory.steps[2].pre


@pytest.mark.parametrize(
    ("event", "told"),
    [
        ((touch(view=VIEW | {"bounds": [1, 2]}), "s1", "s2"), "bounds"),
        ((touch(), "unknown", "s2"), "start_state"),
        (({"event_type": "dance"}, "s1", "s2"), "dance"),
        (({"event_type": "scroll", "direction": "SIDEWAYS"}, "s1", "s2"), "direction"),
        (("no object", "s1", "s2"), "event must be an object"),
    ],
)
def test_a_broken_event_is_left_out_and_told_of(tmp_path, event, told):
    write_run(tmp_path, [EVENTS[1], event, EVENTS[3]])
    [trajectory] = read_droidbot(tmp_path)
    assert len(trajectory.steps) == 2
    assert told in trajectory.notes[0]
    with pytest.raises(DataError, match="event_2024"):
        list(read_droidbot(tmp_path, strict=True))


def test_a_state_without_its_screen_is_told_of(tmp_path):
    write_run(tmp_path)
    (tmp_path / "states" / "screen_2024-01-01_120002.jpg").unlink()
    [trajectory] = read_droidbot(tmp_path)
    assert any("screen_2024-01-01_120002.jpg is missing" in note for note in trajectory.notes)
    assert trajectory.steps[1].post is None


def test_other_folders_are_refused(tmp_path):
    with pytest.raises(DataError, match="no run of DroidBot"):
        list(read_droidbot(tmp_path))
