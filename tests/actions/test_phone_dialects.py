"""AndroidWorld, AndroidControl, AITW, AITZ and GUI-Odyssey."""

import json

import numpy as np
import pytest
from dialect_checks import SIZE, check, gesture, refuse

from viscritic.actions import Action


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"action_type": "click", "x": 1, "y": 2}, Action("click", 1, 2)),
        ({"action_type": "click", "index": 3}, Action("click")),
        ({"action_type": "double_tap", "x": 1, "y": 2}, Action("double_click", 1, 2)),
        ({"action_type": "long_press", "x": 1, "y": 2}, Action("long_press", 1, 2)),
        ({"action_type": "input_text", "text": "hi", "index": 3}, Action("type", text="hi\n")),
        ({"action_type": "input_text", "text": "hi", "x": 1, "y": 2}, Action("type", 1, 2, text="hi\n")),
        ({"action_type": "scroll", "direction": "down"}, Action("scroll", dy=500)),
        ({"action_type": "scroll", "direction": "left", "index": 2}, Action("scroll", dx=-500)),
        ({"action_type": "swipe", "direction": "up"}, Action("swipe", 1000, 999, 1000, 0)),
        ({"action_type": "swipe", "direction": "left"}, Action("swipe", 0, 500, 1999, 500)),
        ({"action_type": "open_app", "app_name": "Clock"}, Action("open_app", text="Clock")),
        ({"action_type": "navigate_home"}, Action("home")),
        ({"action_type": "navigate_back"}, Action("back")),
        ({"action_type": "keyboard_enter"}, Action("key", keys=("enter",))),
        ({"action_type": "press_keyboard", "keycode": "KEYCODE_DEL"}, Action("key", keys=("backspace",))),
        ({"action_type": "press_keyboard", "keycode": "KEYCODE_DPAD_UP"}, Action("key", keys=("up",))),
        ({"action_type": "press_keyboard", "keycode": "KEYCODE_BACK"}, Action("back")),
        ({"action_type": "wait"}, Action("wait")),
        ({"action_type": "answer", "text": "42"}, Action("done", text="42")),
        ({"action_type": "status", "goal_status": "complete"}, Action("done")),
        ({"action_type": "status", "goal_status": "infeasible"}, Action("done", text="infeasible")),
        ({"action_type": "unknown"}, Action("other", text="an unknown action")),
        ({"action_type": "click", "x": 1, "y": 2, "text": None, "keycode": None}, Action("click", 1, 2)),
    ],
)
def test_androidworld(given, expected):
    check("androidworld", given, expected, size=SIZE)
    answer = "Reason: because.\nAction: " + json.dumps(given)
    check("androidworld", answer, expected, size=SIZE)
    assert Action.parse(given, size=SIZE).raw == given


@pytest.mark.parametrize(
    ("given", "field", "size"),
    [
        ({"action_type": "click", "x": 1}, "y", SIZE),
        ({"action_type": "click"}, "x", SIZE),
        ({"action_type": "input_text", "index": 3}, "text", SIZE),
        ({"action_type": "scroll"}, "direction", SIZE),
        ({"action_type": "scroll", "direction": "in"}, "direction", SIZE),
        ({"action_type": "swipe", "direction": "up"}, "size", None),
        ({"action_type": "open_app"}, "app_name", SIZE),
        ({"action_type": "press_keyboard", "keycode": "ENTER"}, "keycode", SIZE),
        ({"action_type": "press_keyboard"}, "keycode", SIZE),
        ({"action_type": "fly"}, "action_type", SIZE),
        ({"action_type": "wait", "seconds": 2}, "seconds", SIZE),
        ("Reason: because.\nAction: {click}", None, SIZE),
    ],
)
def test_androidworld_refuses(given, field, size):
    refuse("androidworld", given, field, size)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"action_type": "click", "x": 1, "y": 2}, Action("click", 1, 2)),
        ({"action_type": "long_press", "x": 1, "y": 2}, Action("long_press", 1, 2)),
        ({"action_type": "type", "x": 1, "y": 2, "text": "hi"}, Action("type", 1, 2, text="hi\n")),
        ({"action_type": "input_text", "text": "hi"}, Action("type", text="hi")),
        ({"action_type": "scroll", "direction": "up"}, Action("scroll", dy=-500)),
        ({"action_type": "open_app", "app_name": "Clock"}, Action("open_app", text="Clock")),
        ({"action_type": "navigate_home"}, Action("home")),
        ({"action_type": "navigate_back"}, Action("back")),
        ({"action_type": "wait"}, Action("wait")),
    ],
)
def test_androidcontrol(given, expected):
    check("androidcontrol", given, expected)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"action_type": "click", "index": 5}, "index"),
        ({"action_type": "click", "x": 5}, "y"),
        ({"action_type": "type", "text": "a"}, "x"),
        ({"action_type": "input_text"}, "text"),
    ],
)
def test_androidcontrol_refuses(given, field):
    refuse("androidcontrol", given, field)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (gesture([0.25, 0.5], [0.25, 0.5]), Action("click", 1000, 250)),
        (gesture([0.25, 0.5], [0.25, 0.539]), Action("click", 1000, 250)),
        (gesture([0.25, 0.5], [0.25, 0.541]), Action("swipe", 1000, 250, 1082, 250)),
        (gesture([0.75, 0.5], [0.25, 0.5]), Action("swipe", 1000, 750, 1000, 250)),
        (gesture([1.0, 1.0], [1.0, 1.0]), Action("click", 1999, 999)),
        (
            {"action_type": 3, "type_action": "hi", "yx_touch": [-1.0, -1.0], "yx_lift": [-1, -1]},
            Action("type", text="hi"),
        ),
        ({"action_type": 5, "yx_touch": [-1, -1]}, Action("back")),
        ({"action_type": 6, "yx_touch": [-1, -1]}, Action("home")),
        ({"action_type": 7, "yx_touch": [-1, -1]}, Action("key", keys=("enter",))),
        ({"action_type": 10, "yx_touch": [-1, -1]}, Action("done")),
        ({"action_type": 11, "yx_touch": [-1, -1]}, Action("done", text="infeasible")),
        ({"action_type": "DUAL_POINT", "yx_touch": [0, 0], "yx_lift": [0, 0]}, Action("click", 0, 0)),
    ],
)
def test_aitw(given, expected):
    check("aitw", given, expected, size=SIZE)
    prefixed = {f"results/{name}": value for name, value in given.items()}
    check("aitw", {**prefixed, "goal_info": "open the clock"}, expected, size=SIZE)


def test_aitw_takes_numbers_of_numpy():
    given = {
        "action_type": np.int64(4),
        "yx_touch": [np.float32(0.25), np.float32(0.5)],
        "yx_lift": [np.float32(0.25), 0.5],
    }
    assert Action.parse(given, size=SIZE) == Action("click", 1000, 250)


@pytest.mark.parametrize(
    ("given", "field", "size"),
    [
        (gesture([0.5, 0.5], [0.5, 0.5]), "size", None),
        (gesture([0.5, 1.5], [0.5, 1.5]), "yx_touch", SIZE),
        (gesture([0.5, 0.5], [-1, 0.5]), "yx_lift", SIZE),
        (gesture([0.5], [0.5, 0.5]), "yx_touch", SIZE),
        (gesture(None, [0.5, 0.5]), "yx_touch", SIZE),
        (gesture([0.5, "0.5"], [0.5, 0.5]), "yx_touch", SIZE),
        ({"action_type": 3}, "type_action", SIZE),
        ({"action_type": 99}, "action_type", SIZE),
        ({"action_type": True}, "action_type", SIZE),
        ({"action_type": 10**5000}, "action_type", SIZE),
        ({}, "action_type", SIZE),
    ],
)
def test_aitw_refuses(given, field, size):
    refuse("aitw", given, field, size)


@pytest.mark.parametrize(
    ("kind", "text", "touch", "lift", "expected"),
    [
        (4, "", "[0.25, 0.5]", "[0.25, 0.5]", Action("click", 1000, 250)),
        (4, "", "[0.75, 0.5]", "[0.25, 0.5]", Action("swipe", 1000, 750, 1000, 250)),
        (4, "", [0.25, 0.5], [0.25, 0.5], Action("click", 1000, 250)),
        (3, "hi", "[-1.0, -1.0]", "[-1.0, -1.0]", Action("type", text="hi")),
        (6, "", "[-1.0, -1.0]", "[-1.0, -1.0]", Action("home")),
        (10, "", "[-1.0, -1.0]", "[-1.0, -1.0]", Action("done")),
    ],
)
def test_aitz(kind, text, touch, lift, expected):
    given = {"result_action_type": kind, "result_action_text": text, "result_touch_yx": touch, "result_lift_yx": lift}
    check("aitz", {**given, "coat_action_desc": "press the home button", "step_id": 0}, expected, size=SIZE)


@pytest.mark.parametrize(
    "touch", ["0.5, 0.5", "[0.5", "[NaN, 0.5]", "[" * 10**5, "", "[0.5, 0.5, 0.5]", '"[0.5, 0.5]"']
)
def test_aitz_refuses(touch):
    given = {"result_action_type": 4, "result_touch_yx": touch, "result_lift_yx": "[0.5, 0.5]"}
    refuse("aitz", given, "result_touch_yx")


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"action": "CLICK", "info": [[500, 300]]}, Action("click", 1000, 300)),
        ({"action": "CLICK", "info": [[1000, 1000]]}, Action("click", 1999, 999)),
        ({"action": "LONG_PRESS", "info": [[500, 300]]}, Action("long_press", 1000, 300)),
        ({"action": "CLICK", "info": "KEY_HOME"}, Action("home")),
        ({"action": "CLICK", "info": "KEY_BACK"}, Action("back")),
        ({"action": "CLICK", "info": "KEY_APPSELECT"}, Action("other", text="show the recent apps")),
        ({"action": "SCROLL", "info": [[500, 800], [500, 300]]}, Action("swipe", 1000, 800, 1000, 300)),
        ({"action": "TEXT", "info": "hi"}, Action("type", text="hi")),
        ({"action": "TYPE", "info": "hi"}, Action("type", text="hi")),
        ({"action": "HOME", "info": ""}, Action("home")),
        ({"action": "BACK", "info": ""}, Action("back")),
        ({"action": "COMPLETE", "info": "", "ps": "done"}, Action("done")),
        ({"action": "INCOMPLETE", "info": ""}, Action("done", text="infeasible")),
        ({"action": "IMPOSSIBLE", "info": ""}, Action("done", text="infeasible")),
    ],
)
def test_gui_odyssey(given, expected):
    check("gui-odyssey", {**given, "step": 0, "screenshot": "a.png"}, expected, size=SIZE)


@pytest.mark.parametrize(
    ("given", "field", "size"),
    [
        ({"action": "CLICK", "info": [[500, 300]]}, "size", None),
        ({"action": "CLICK", "info": [[1001, 300]]}, "info", SIZE),
        ({"action": "CLICK", "info": [500, 300]}, "info", SIZE),
        ({"action": "CLICK", "info": []}, "info", SIZE),
        ({"action": "CLICK"}, "info", SIZE),
        ({"action": "CLICK", "info": "KEY_POWER"}, "info", SIZE),
        ({"action": "SCROLL", "info": [[1, 2]]}, "info", SIZE),
        ({"action": "TYPE", "info": [[1, 2]]}, "info", SIZE),
        ({"action": "FLY", "info": ""}, "action", SIZE),
    ],
)
def test_gui_odyssey_refuses(given, field, size):
    refuse("gui-odyssey", given, field, size)
