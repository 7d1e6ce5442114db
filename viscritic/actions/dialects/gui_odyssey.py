"""GUI-Odyssey steps: {"action": "CLICK", "info": [[500, 300]]}. Points (x, y) in 0..1000.

A click's `info` may also name a button of the phone. SCROLL holds where the finger goes down and up. The documents
write TYPE and IMPOSSIBLE where the converter reads TEXT and INCOMPLETE: both are taken. Fields that are not part of the
action are left alone: a whole step can be given. Sources: introduction.md and data/format_converter.py of GUI-Odyssey.
"""

from __future__ import annotations

from typing import Any, Final

from viscritic.actions.action import Action, Point, Size
from viscritic.actions.dialects.dialect import Dialect, names
from viscritic.actions.dialects.fields import Fields, as_pair, to_pixels
from viscritic.actions.gesture import Event
from viscritic.actions.shown import shown

_NAMES: Final = (
    "CLICK", "LONG_PRESS", "SCROLL", "TYPE", "TEXT", "HOME", "BACK", "COMPLETE", "INCOMPLETE", "IMPOSSIBLE",
)  # fmt: skip
_BUTTONS: Final = ("KEY_HOME", "KEY_BACK", "KEY_APPSELECT")


def _claims(obj: Any) -> bool:
    return names(obj, "action", _NAMES)


def _read(obj: Any, size: Size | None) -> list[Event]:
    fields = Fields(obj, DIALECT.name)
    match fields.word("action", _NAMES):
        case "CLICK" if isinstance(fields.get("info"), str):
            return [_read_button(fields.word("info", _BUTTONS), obj)]
        case "CLICK" | "LONG_PRESS" as name:
            (point,) = _read_points(fields, 1, size)
            return [Action("click" if name == "CLICK" else "long_press", *point, raw=obj)]
        case "SCROLL":
            start, end = _read_points(fields, 2, size)
            return [Action("swipe", *start, *end, raw=obj)]
        case "TYPE" | "TEXT":
            return [Action("type", text=fields.text("info"), raw=obj)]
        case "HOME" | "BACK" as name:
            return [_read_button(f"KEY_{name}", obj)]
        case "COMPLETE":
            return [Action("done", raw=obj)]
        case _:
            return [Action("done", text="infeasible", raw=obj)]


def _read_button(name: str, raw: Any) -> Action:
    match name:
        case "KEY_HOME":
            return Action("home", raw=raw)
        case "KEY_BACK":
            return Action("back", raw=raw)
        case _:
            return Action("other", text="show the recent apps", raw=raw)


def _read_points(fields: Fields, count: int, size: Size | None) -> list[Point]:
    info = fields.need("info")
    if not isinstance(info, list | tuple) or len(info) != count:
        raise fields.error(f"must be a list of {count} point{'s' * (count > 1)} [x, y], got {shown(info)}", "info")
    return [to_pixels(as_pair(point, "info", DIALECT.name), 1000, size, "info", DIALECT.name) for point in info]


DIALECT = Dialect("gui-odyssey", "steps of the GUI-Odyssey data set; 0..1000", _claims, _read)
