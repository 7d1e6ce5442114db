"""OSWorld: {"action_type": "CLICK", "x": 1, "y": 2}, pyautogui code, or one of the words WAIT, DONE and FAIL. Pixels.

The dict form is the action space `computer_13`; its parameters stand beside the type or in `parameters`. Source:
`desktop_env/actions.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from viscritic.actions.action import Action, Size
from viscritic.actions.dialects import pyautogui
from viscritic.actions.dialects.dialect import Dialect, names
from viscritic.actions.dialects.fields import Fields
from viscritic.actions.dialects.pointer import NOTCH, at_pointer, click_kind, read_button
from viscritic.actions.gesture import Event, Half
from viscritic.actions.shown import shown

_NAMES: Final = (
    "MOVE_TO", "CLICK", "MOUSE_DOWN", "MOUSE_UP", "RIGHT_CLICK", "DOUBLE_CLICK", "DRAG_TO", "SCROLL", "TYPING", "PRESS",
    "KEY_DOWN", "KEY_UP", "HOTKEY", *pyautogui.WORDS,
)  # fmt: skip
_PARAMETERS: Final = ("x", "y", "button", "num_clicks", "clicks", "dx", "dy", "text", "key", "keys")


def _claims(obj: Any) -> bool:
    return names(obj, "action_type", _NAMES) or pyautogui.DIALECT.claims(obj)


def _read(obj: Any, size: Size | None) -> list[Event]:
    if not isinstance(obj, Mapping):
        return pyautogui.DIALECT.read(obj, size)
    name = Fields(obj, DIALECT.name).word("action_type", _NAMES)
    given = obj.get("parameters", obj)
    fields = Fields(given, DIALECT.name)
    fields.only("action_type", "parameters", *_PARAMETERS)
    if name in pyautogui.WORDS:
        return pyautogui.read_word(name, obj)
    if name in ("TYPING", "PRESS", "KEY_DOWN", "KEY_UP", "HOTKEY"):
        return [_read_keyboard(name, fields, obj)]
    return [_read_pointer(name, fields, obj)]


def _read_keyboard(name: str, fields: Fields, raw: Any) -> Event:
    match name:
        case "TYPING":
            return Action("type", text=fields.text("text"), raw=raw)
        case "HOTKEY":
            return Action("key", keys=fields.chord("keys"), raw=raw)
        case "PRESS":
            return Action("key", keys=(fields.key("key"),), raw=raw)
        case _:
            return Half("key_down" if name == "KEY_DOWN" else "key_up", keys=(fields.key("key"),), raw=raw)


def _read_pointer(name: str, fields: Fields, raw: Any) -> Event:
    match name:
        case "MOVE_TO":
            return Action("move", *fields.xy(), raw=raw)
        case "DRAG_TO":
            return Half("drag_to", *fields.xy(), raw=raw)
        case "MOUSE_DOWN" | "MOUSE_UP":
            x, y = _point(fields)
            return Half("mouse_down" if name == "MOUSE_DOWN" else "mouse_up", x, y, button=read_button(fields), raw=raw)
        case "SCROLL":
            return Half("at_pointer", action=_scroll(fields, raw), raw=raw)
        case _:
            return _read_click(name, fields, raw)


def _scroll(fields: Fields, raw: Any) -> Action:
    """`clicks` in the documents, `dx` and `dy` in the controller's code; positive scrolls up, as in pyautogui."""
    if fields.has("clicks"):
        return Action("scroll", dy=-fields.number("clicks") * NOTCH, raw=raw)
    dx, dy = fields.number_or("dx", 0.0), fields.number("dy")
    return Action("scroll", dx=dx * NOTCH or None, dy=-dy * NOTCH or None, raw=raw)


def _point(fields: Fields) -> tuple[float, float] | tuple[None, None]:
    return fields.xy_or_none() or (None, None)


def _read_click(name: str, fields: Fields, raw: Any) -> Event:
    x, y = _point(fields)
    if name == "RIGHT_CLICK":
        return at_pointer(Action("right_click", x, y, raw=raw))
    if name == "DOUBLE_CLICK":
        return at_pointer(Action("double_click", x, y, raw=raw))
    clicks = fields.number_or("num_clicks", 1)
    if clicks not in (1, 2, 3):
        raise fields.error(f"must be 1, 2 or 3, got {shown(clicks)}", "num_clicks")
    return at_pointer(Action(click_kind(read_button(fields), clicks), x, y, raw=raw))


DIALECT = Dialect("osworld", "OSWorld's dicts, pyautogui code and words; pixels", _claims, _read)
