"""The gui-control agent's JSON: {"action": "click", "x": 960, "y": 540}. Pixels; an unknown field is an error.

`scroll` turns the wheel by `amount` clicks, and as in pyautogui, which executes it, a positive amount scrolls up.
"""

from __future__ import annotations

from typing import Any, Final

from viscritic.actions.action import Action, Kind, Size
from viscritic.actions.dialects.dialect import Dialect, names
from viscritic.actions.dialects.fields import Fields
from viscritic.actions.dialects.pointer import NOTCH, at_pointer
from viscritic.actions.gesture import Event

_POINTED: Final[dict[str, Kind]] = {
    "click": "click",
    "right_click": "right_click",
    "double_click": "double_click",
    "move": "move",
}
_NAMES: Final = (*_POINTED, "type", "key", "scroll", "navigate", "wait", "done")


def _claims(obj: Any) -> bool:
    return names(obj, "action", _NAMES)


def _read(obj: Any, size: Size | None) -> list[Event]:
    del size  # pixels already
    fields = Fields(obj, DIALECT.name)
    name = fields.word("action", _NAMES)
    if name in _POINTED:
        fields.only("action", "x", "y")
        return [Action(_POINTED[name], *fields.xy(), raw=obj)]
    match name:
        case "type":
            fields.only("action", "text")
            return [Action("type", text=fields.text("text"), raw=obj)]
        case "key":
            fields.only("action", "keys")
            return [Action("key", keys=fields.chord("keys"), raw=obj)]
        case "scroll":
            fields.only("action", "amount", "x", "y")
            x, y = fields.xy_or_none() or (None, None)
            return [at_pointer(Action("scroll", x, y, dy=-fields.number("amount") * NOTCH, raw=obj))]
        case "navigate":
            fields.only("action", "url")
            return [Action("navigate", url=fields.text("url"), raw=obj)]
        case "wait":
            fields.only("action", "ms")
            seconds = fields.number("ms") / 1000 if fields.has("ms") else None
            return [Action("wait", seconds=seconds, raw=obj)]
        case _:
            fields.only("action", "note")
            return [Action("done", text=fields.text_or_none("note"), raw=obj)]


DIALECT = Dialect("gui-control", "JSON of the gui-control agent; pixels", _claims, _read)
