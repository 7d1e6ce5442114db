"""Calls of Playwright's protocol as actions: `Frame.click`, `Page.keyboardPress` and the like."""

from __future__ import annotations

from typing import Any, Final

from viscritic.actions import Action
from viscritic.actions.action import Kind
from viscritic.actions.dialects.fields import Fields
from viscritic.actions.dialects.pointer import click_kind, read_button

_TAPS: Final[dict[str, Kind]] = {
    "dblclick": "double_click", "tap": "click", "check": "click", "uncheck": "click", "hover": "move",
    "touchscreenTap": "click", "mouseMove": "move",
}  # fmt: skip
_OTHERS: Final = {
    "reload": "reload the page", "goForward": "go forward", "setInputFiles": "upload a file",
    "focus": "focus an element", "mouseDown": "press the mouse button", "mouseUp": "release the mouse button",
}  # fmt: skip
_TYPING: Final = {"fill": "value", "type": "text", "keyboardType": "text", "keyboardInsertText": "text"}
_PRESSES: Final = ("press", "keyboardPress", "keyboardDown")
# Calls that act on the page; all others only look, wait or prepare something.
ACTING: Final = frozenset(
    {
        *_TAPS, *_OTHERS, *_TYPING, *_PRESSES, "click", "mouseClick", "mouseWheel", "selectOption", "goto", "goBack",
        "dragAndDrop",
    }
)  # fmt: skip


def read_call(method: str, params: dict[str, Any]) -> Action:
    """The action that a call of `ACTING` means, its points in CSS pixels.

    Raises:
        ActionError: a parameter that is missing or of the wrong type.
    """
    fields = Fields(params, "playwright")
    raw = {"method": method, "params": params}
    x, y = (fields.xy_or_none() or (None, None)) if method.startswith(("mouse", "touch")) else (None, None)
    if method in _TAPS:
        return Action(_TAPS[method], x, y, raw=raw)
    if method in _TYPING:
        return Action("type", text=fields.text(_TYPING[method]), raw=raw)
    if method in _PRESSES:
        return Action("key", keys=fields.chord("key"), raw=raw)
    if method in ("click", "mouseClick"):
        kind = click_kind(read_button(fields), fields.number_or("clickCount", 1))
        return Action(kind, x, y, keys=fields.held("modifiers"), raw=raw)
    return _read_other(method, fields, Action("other", x, y, text=_OTHERS.get(method, method), raw=raw))


def _read_other(method: str, fields: Fields, other: Action) -> Action:
    match method:
        case "mouseWheel":
            dx, dy = fields.number_or("deltaX", 0.0), fields.number_or("deltaY", 0.0)
            return Action("scroll", dx=dx or None, dy=dy or None, raw=other.raw)
        case "selectOption":
            return Action("select", text=_options(fields.get("options")), raw=other.raw)
        case "goto":
            return Action("navigate", url=fields.text("url"), raw=other.raw)
        case "goBack":
            return Action("back", raw=other.raw)
        case "dragAndDrop":
            return Action("drag", raw=other.raw)
        case _:
            return other


def _options(options: Any) -> str:
    """The labels or values that are chosen."""
    listed = [option for option in options if isinstance(option, dict)] if isinstance(options, list) else []
    chosen = [option.get("valueOrLabel") or option.get("label") or option.get("value") for option in listed]
    return ", ".join(str(option) for option in chosen if option)
