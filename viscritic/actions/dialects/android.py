"""AndroidWorld's JSONAction and AndroidControl's actions: {"action_type": "click", "x": 1, "y": 2}. Pixels.

Both share most words. Where the harness of AndroidWorld does more than the word says, the action says what it does:
`input_text` taps a field, types and presses Enter; `swipe` crosses the whole screen, with left and right as its code
has them (a swipe "left" moves the finger to the right). AndroidControl's `input_text` types alone, without a point; its
`type` taps, types and presses Enter. `scroll` names where the newly shown content lies. An action on an element's
`index` has no point; the index stays in `raw`. Sources: android_world/env/json_action.py and actuation.py, the README
of android_control.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from viscritic.actions.action import Action, Kind, Size
from viscritic.actions.dialects.dialect import Dialect, names
from viscritic.actions.dialects.fields import Fields
from viscritic.actions.dialects.pointer import DIRECTIONS, scroll
from viscritic.actions.gesture import Event
from viscritic.actions.jsontext import load_json
from viscritic.errors import ActionError

_TAPS: Final[dict[str, Kind]] = {"click": "click", "double_tap": "double_click", "long_press": "long_press"}
_SHARED: Final = ("scroll", "open_app", "navigate_home", "navigate_back", "wait", "input_text")
_WORLD: Final = (*_TAPS, *_SHARED, "answer", "keyboard_enter", "status", "swipe", "press_keyboard", "unknown")
_CONTROL: Final = ("click", "long_press", *_SHARED, "type")
_BUTTONS: Final[dict[str, Kind]] = {"KEYCODE_HOME": "home", "KEYCODE_BACK": "back"}
_KEYCODES: Final = {
    "del": "backspace", "forward_del": "delete", "move_home": "home", "move_end": "end", "dpad_center": "enter",
    "dpad_up": "up", "dpad_down": "down", "dpad_left": "left", "dpad_right": "right",
}  # fmt: skip
_WORLD_FIELDS: Final = (
    "action_type", "index", "x", "y", "text", "direction", "goal_status", "app_name", "keycode", "clear_text",
)  # fmt: skip
_CONTROL_FIELDS: Final = ("action_type", "x", "y", "text", "direction", "app_name")
_BEFORE_ACTION: Final = "Action:"  # agents answer with a reason, then this, then the JSON


def _has_target(obj: Mapping[str, Any]) -> bool:
    return any(obj.get(name) is not None for name in ("index", "x", "y"))


def _claims_world(obj: Any) -> bool:
    if isinstance(obj, str):
        return '"action_type"' in obj and _BEFORE_ACTION in obj
    return names(obj, "action_type", _WORLD) and (obj["action_type"] != "input_text" or _has_target(obj))


def _claims_control(obj: Any) -> bool:
    return names(obj, "action_type", _CONTROL) and (obj["action_type"] != "input_text" or not _has_target(obj))


def _read_world(obj: Any, size: Size | None) -> list[Event]:
    raw = obj
    if isinstance(obj, str):
        obj = load_json(obj.rpartition(_BEFORE_ACTION)[2].strip())
    fields = Fields(obj, WORLD.name)
    fields.only(*_WORLD_FIELDS)
    name = fields.word("action_type", _WORLD)
    x, y = fields.xy_or_none() or (None, None)
    if name in _TAPS:
        if x is None and not fields.has("index"):
            raise fields.error("is missing: a tap needs x and y, or an index", "x")
        return [Action(_TAPS[name], x, y, raw=raw)]
    match name:
        case "input_text":
            return [Action("type", x, y, text=fields.text("text") + "\n", raw=raw)]
        case "answer":
            return [Action("done", text=fields.text("text"), raw=raw)]
        case "status":
            status = fields.text("goal_status")
            return [Action("done", text=None if status == "complete" else status, raw=raw)]
        case "keyboard_enter":
            return [Action("key", keys=("enter",), raw=raw)]
        case "press_keyboard":
            return [_read_keycode(fields, raw)]
        case "swipe":
            return [_read_swipe(fields, size, raw)]
        case "unknown":
            return [Action("other", text="an unknown action", raw=raw)]
        case _:
            return [_read_shared(name, fields, raw)]


def _read_control(obj: Any, size: Size | None) -> list[Event]:
    del size  # pixels already
    fields = Fields(obj, CONTROL.name)
    fields.only(*_CONTROL_FIELDS)
    name = fields.word("action_type", _CONTROL)
    match name:
        case "click" | "long_press":
            return [Action(_TAPS[name], *fields.xy(), raw=obj)]
        case "type":
            return [Action("type", *fields.xy(), text=fields.text("text") + "\n", raw=obj)]
        case "input_text":
            return [Action("type", text=fields.text("text"), raw=obj)]
        case _:
            return [_read_shared(name, fields, obj)]


def _read_shared(name: str, fields: Fields, raw: Any) -> Action:
    match name:
        case "scroll":
            at = None if fields.has("index") else fields.xy_or_none()
            return scroll(fields.word("direction", DIRECTIONS), at=at, raw=raw)
        case "open_app":
            return Action("open_app", text=fields.text("app_name"), raw=raw)
        case "navigate_home":
            return Action("home", raw=raw)
        case "navigate_back":
            return Action("back", raw=raw)
        case _:
            return Action("wait", raw=raw)


def _read_keycode(fields: Fields, raw: Any) -> Action:
    code = fields.text("keycode")
    if not code.startswith("KEYCODE_"):
        raise fields.error(f"must start with KEYCODE_, got {code[:50]!r}", "keycode")
    if code in _BUTTONS:
        return Action(_BUTTONS[code], raw=raw)
    name = code.removeprefix("KEYCODE_").lower()
    return Action("key", keys=(Fields({"keycode": _KEYCODES.get(name, name)}, WORLD.name).key("keycode"),), raw=raw)


def _read_swipe(fields: Fields, size: Size | None, raw: Any) -> Action:
    direction = fields.word("direction", DIRECTIONS)
    if size is None:
        raise ActionError("a swipe of AndroidWorld crosses the screen: give its size=(width, height)", field="size")
    right, bottom = size[0] - 1.0, size[1] - 1.0
    x, y = size[0] / 2, size[1] / 2
    start_and_end = {
        "down": (x, 0.0, x, bottom),
        "up": (x, bottom, x, 0.0),
        "left": (0.0, y, right, y),
        "right": (right, y, 0.0, y),
    }
    return Action("swipe", *start_and_end[direction], raw=raw)


WORLD = Dialect("androidworld", "AndroidWorld's JSONAction; pixels", _claims_world, _read_world)
CONTROL = Dialect("androidcontrol", "actions of the AndroidControl data set; pixels", _claims_control, _read_control)
