"""ScreenAgent: {"action_type": "MouseAction", "mouse_action_type": "click", "mouse_position": {"width": 8, ...}}.

Pixels: `width` is x and `height` is y. A step holds several actions, alone in a list or in a record's `actions`; `move`
and `drag`, or `down` and `up`, make one drag. Plans and evaluations are no actions on the GUI and are left out. Lists
of keys are chords. A scroll turns the wheel by `scroll_repeat` clicks. Source: client/action.py of ScreenAgent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from viscritic.actions.action import Action, Point, Size
from viscritic.actions.dialects.dialect import Dialect, names
from viscritic.actions.dialects.fields import Fields
from viscritic.actions.dialects.pointer import at_pointer, click_kind, read_button, scroll
from viscritic.actions.gesture import Event, Half
from viscritic.actions.shown import shown

_THOUGHTS: Final = ("PlanAction", "EvaluateSubTaskAction")
_TYPES: Final = ("MouseAction", "KeyboardAction", "WaitAction", *_THOUGHTS)
_MOUSE: Final = ("down", "up", "scroll_up", "scroll_down", "move", "drag", "click", "double_click")
_KEYBOARD: Final = ("down", "up", "press", "text", "input")
_KEPT: Final = ("action_type", "action_time", "before_action_obs", "after_action_obs")  # every action may carry these
_MOUSE_FIELDS: Final = ("mouse_action_type", "mouse_button", "mouse_position", "scroll_repeat", "clickable_area")
_KEYBOARD_FIELDS: Final = ("keyboard_action_type", "keyboard_key", "keyboard_text", "keyboard_input")


def _claims(obj: Any) -> bool:
    if names(obj, "action_type", _TYPES):
        return True
    actions = obj.get("actions") if isinstance(obj, Mapping) else None
    return isinstance(actions, list | tuple) and bool(actions) and names(actions[0], "action_type", _TYPES)


def _read(obj: Any, size: Size | None) -> list[Event]:
    del size  # pixels already
    record = Fields(obj, DIALECT.name)
    if not record.has("actions"):
        return _read_action(record)
    actions = record.need("actions")
    if not isinstance(actions, list | tuple):
        raise record.error(f"must be a list of actions, got {shown(actions)}", "actions")
    return [event for action in actions for event in _read_action(Fields(action, DIALECT.name))]


def _read_action(fields: Fields) -> list[Event]:
    match fields.word("action_type", _TYPES):
        case "MouseAction":
            fields.only(*_KEPT, *_MOUSE_FIELDS)
            return [_read_mouse(fields)]
        case "KeyboardAction":
            fields.only(*_KEPT, *_KEYBOARD_FIELDS)
            return [_read_keyboard(fields)]
        case "WaitAction":
            fields.only(*_KEPT, "wait_time")
            return [Action("wait", seconds=fields.number_or_none("wait_time"), raw=fields.obj)]
        case _:
            return []


def _read_mouse(fields: Fields) -> Event:
    raw = fields.obj
    kind = fields.word("mouse_action_type", _MOUSE)
    button = read_button(fields, "mouse_button")
    x, y = _read_position(fields) or (None, None)
    match kind:
        case "click" | "double_click":
            return at_pointer(Action(click_kind(button, 1 if kind == "click" else 2), x, y, raw=raw))
        case "scroll_up" | "scroll_down":
            at = None if x is None or y is None else (x, y)
            return at_pointer(scroll(kind.removeprefix("scroll_"), fields.number_or("scroll_repeat", 1), at, raw))
        case "down":
            return Half("mouse_down", x, y, button=button, raw=raw)
        case "up":
            return Half("mouse_up", x, y, button=button, raw=raw)
    if x is None:
        raise fields.error("is missing", "mouse_position")
    return Action("move", x, y, raw=raw) if kind == "move" else Half("drag_to", x, y, button=button, raw=raw)


def _read_position(fields: Fields) -> Point | None:
    if not fields.has("mouse_position"):
        return None
    return Fields(fields.need("mouse_position"), DIALECT.name).xy("width", "height")


def _read_keyboard(fields: Fields) -> Event:
    raw = fields.obj
    implied = "press" if fields.has("keyboard_key") else "text"  # as ScreenAgent does where the type is missing
    kind = fields.word("keyboard_action_type", _KEYBOARD) if fields.has("keyboard_action_type") else implied
    match kind:
        case "press":
            return Action("key", keys=fields.chord("keyboard_key"), raw=raw)
        case "down":
            return Half("key_down", keys=fields.chord("keyboard_key"), raw=raw)
        case "up":
            return Half("key_up", keys=fields.chord("keyboard_key"), raw=raw)
        case _:
            name = (
                "keyboard_text" if fields.has("keyboard_text") or not fields.has("keyboard_input") else "keyboard_input"
            )
            return Action("type", text=fields.text(name), raw=raw)


DIALECT = Dialect("screenagent", "actions of the ScreenAgent data set; pixels", _claims, _read)
