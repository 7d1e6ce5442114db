"""Cradle's skill calls: `click_at_position(x=0.5, y=0.2, mouse_button='left')`. Points in 0..1 of the window.

Skills on a label of its set-of-marks have no point; the label stays in `raw`. Source:
cradle/environment/software/atomic_skills/base.py and the interact.py of its applications.
"""

from __future__ import annotations

from typing import Any, Final

from viscritic.actions.action import Action, Point, Size
from viscritic.actions.dialects.calls import Call, read_calls, seems_to_call
from viscritic.actions.dialects.dialect import Dialect
from viscritic.actions.dialects.fields import Fields, to_pixels
from viscritic.actions.dialects.pointer import at_pointer, click_kind, read_button, scroll
from viscritic.actions.gesture import Event, Half
from viscritic.errors import ActionError

_PARAMETERS: Final[dict[str, tuple[str, ...]]] = {
    "move_mouse_to_position": ("x", "y"),
    "click_at_position": ("x", "y", "mouse_button"),
    "double_click_at_position": ("x", "y", "mouse_button"),
    "mouse_drag": ("source_x", "source_y", "target_x", "target_y", "mouse_button"),
    "mouse_scroll_up": ("distance",),
    "mouse_scroll_down": ("distance",),
    "click_on_label": ("label_id", "mouse_button"),
    "double_click_on_label": ("label_id", "mouse_button"),
    "hover_on_label": ("label_id",),
    "mouse_drag_with_label": ("source_label_id", "target_label_id", "mouse_button"),
    "press_key": ("key",),
    "hold_key": ("key",),
    "release_key": ("key",),
    "press_keys_combined": ("keys",),
    "type_text": ("text",),
}


def _claims(obj: Any) -> bool:
    return seems_to_call(obj, _PARAMETERS)


def _read(obj: Any, size: Size | None) -> list[Event]:
    return [_read_call(call, size) for call in read_calls(obj, DIALECT.name)]


def _read_call(call: Call, size: Size | None) -> Event:
    if call.name not in _PARAMETERS:
        raise ActionError(f"{DIALECT.name} has no skill {call.name}; known: {', '.join(_PARAMETERS)}")
    fields, raw = call.bind(*_PARAMETERS[call.name]), call.source
    match call.name:
        case "move_mouse_to_position":
            return Action("move", *_point(fields, "x", "y", size), raw=raw)
        case "click_at_position" | "double_click_at_position":
            kind = click_kind(read_button(fields, "mouse_button"), 1 if call.name == "click_at_position" else 2)
            return Action(kind, *_point(fields, "x", "y", size), raw=raw)
        case "mouse_drag":
            start = _point(fields, "source_x", "source_y", size)
            return Action("drag", *start, *_point(fields, "target_x", "target_y", size), raw=raw)
        case "mouse_scroll_up" | "mouse_scroll_down":
            direction = call.name.removeprefix("mouse_scroll_")
            return at_pointer(scroll(direction, fields.number("distance"), raw=raw))
        case "press_key" | "hold_key" | "release_key" | "press_keys_combined" | "type_text":
            return _read_keyboard(call.name, fields, raw)
        case _:
            return _read_label(call.name, fields, raw)


def _read_keyboard(name: str, fields: Fields, raw: str) -> Event:
    match name:
        case "press_key":
            return Action("key", keys=(fields.key("key"),), raw=raw)
        case "hold_key":
            return Half("key_down", keys=(fields.key("key"),), raw=raw)
        case "release_key":
            return Half("key_up", keys=(fields.key("key"),), raw=raw)
        case "press_keys_combined":
            return Action("key", keys=fields.chord("keys", separator=","), raw=raw)
        case _:
            return Action("type", text=fields.text("text"), raw=raw)


def _read_label(name: str, fields: Fields, raw: str) -> Action:
    for parameter in _PARAMETERS[name]:
        if parameter != "mouse_button":
            fields.need(parameter)
    match name:
        case "hover_on_label":
            return Action("move", raw=raw)
        case "mouse_drag_with_label":
            return Action("drag", raw=raw)
        case _:
            return Action(
                click_kind(read_button(fields, "mouse_button"), 1 if name == "click_on_label" else 2), raw=raw
            )


def _point(fields: Fields, x: str, y: str, size: Size | None) -> Point:
    point = fields.xy(x, y)
    return to_pixels(point, 1, size, x if not 0 <= point[0] <= 1 else y, DIALECT.name)


DIALECT = Dialect("cradle", "skill calls of Cradle; 0..1", _claims, _read)
