"""UI-TARS: `click(point='<point>500 300</point>')`, alone or after "Thought: ... Action:". Two dialects, one grammar.

The text does not tell what its numbers mean, so a point is ambiguous until the dialect is named:

- `ui-tars`: 0..1000 of the screen's width and height (UI-TARS 1, and Doubao through its API);
- `ui-tars-1.5`: pixels of the screen after the `smart_resize` of Qwen2.5-VL (UI-TARS 1.5 with open weights).

Both need the size. A box "(x1,y1,x2,y2)" stands for its middle. Source: codes/ui_tars of bytedance/UI-TARS.
"""

from __future__ import annotations

import math
import re
from typing import Any, Final

from viscritic.actions.action import Action, Kind, Point, Size, check_number
from viscritic.actions.dialects.calls import Call, read_calls, seems_to_call
from viscritic.actions.dialects.dialect import Dialect
from viscritic.actions.dialects.fields import Fields, to_pixels
from viscritic.actions.dialects.pointer import DIRECTIONS, scroll
from viscritic.actions.gesture import Event, Half
from viscritic.actions.shown import shown
from viscritic.errors import ActionError

_RELATIVE: Final = "ui-tars"
_RESIZED: Final = "ui-tars-1.5"
_POINTED: Final[dict[str, Kind]] = {
    "click": "click",
    "left_single": "click",
    "left_double": "double_click",
    "right_single": "right_click",
    "hover": "move",
    "long_press": "long_press",
}
_AT: Final = ("point", "start_box")
_FROM_TO: Final = ("start_point", "start_box", "end_point", "end_box")
_PARAMETERS: Final[dict[str, tuple[str, ...]]] = {
    **dict.fromkeys(_POINTED, _AT),
    "long_press": (*_AT, "time"),
    "drag": _FROM_TO,
    "select": _FROM_TO,
    "scroll": (*_AT, "direction"),
    "hotkey": ("key",),
    **dict.fromkeys(("press", "keydown", "release", "keyup"), ("key",)),
    "type": ("content",),
    "open_app": ("app_name",),
    **dict.fromkeys(("wait", "call_user", "press_home", "press_back"), ()),
    "finished": ("content",),
}
_BEFORE_ACTION: Final = re.compile(r"\A.*\bAction:\s*", re.DOTALL)
_TAGS: Final = re.compile(r"</?(?:point|bbox)>|<\|box_(?:start|end)\|>")
_NUMBERS: Final = re.compile(r"[\[(]?\s*(-?\d+(?:\.\d+)?(?:[,\s]+-?\d+(?:\.\d+)?)*)\s*[\])]?")
_FACTOR: Final = 28  # smart_resize: multiples of a patch, within these numbers of pixels
_FEWEST, _MOST = 100 * _FACTOR**2, 16384 * _FACTOR**2


def _action_text(text: str) -> str:
    """What stands after the thought."""
    return _BEFORE_ACTION.sub("", text, count=1).removesuffix("[EOS]").strip()


def _claims(obj: Any) -> bool:
    return isinstance(obj, str) and seems_to_call(_action_text(obj), _PARAMETERS, by_keyword=True)


def _read(obj: Any, size: Size | None, dialect: str) -> list[Event]:
    text = _action_text(obj) if isinstance(obj, str) else obj
    return [_read_call(call, size) for call in read_calls(text, dialect)]


def _read_call(call: Call, size: Size | None) -> Event:
    if call.name not in _PARAMETERS:
        raise ActionError(f"{call.dialect} has no action {call.name}; known: {', '.join(_PARAMETERS)}")
    if call.args:
        raise ActionError(
            f"{call.dialect}: {call.name} names its arguments, as in click(point=...): {shown(call.source)}"
        )
    fields = call.bind(*_PARAMETERS[call.name])
    raw = call.source
    if call.name in _POINTED:
        seconds = _read_seconds(fields)
        return Action(_POINTED[call.name], *_read_point(fields, _AT, size), seconds=seconds, raw=raw)
    match call.name:
        case "drag" | "select":
            start, end = _read_point(fields, _FROM_TO[:2], size), _read_point(fields, _FROM_TO[2:], size)
            return Action("drag", *start, *end, raw=raw)
        case "scroll":
            at = _read_point(fields, _AT, size) if any(fields.has(name) for name in _AT) else None
            return scroll(fields.word("direction", DIRECTIONS), at=at, raw=raw)
        case "hotkey" | "press" | "keydown" | "release" | "keyup":
            return _read_keys(call.name, fields, raw)
        case _:
            return _read_rest(call.name, fields, raw)


def _read_rest(name: str, fields: Fields, raw: str) -> Action:
    match name:
        case "type":
            return Action("type", text=fields.text("content"), raw=raw)
        case "open_app":
            return Action("open_app", text=fields.text("app_name"), raw=raw)
        case "press_home":
            return Action("home", raw=raw)
        case "press_back":
            return Action("back", raw=raw)
        case "wait":
            return Action("wait", raw=raw)
        case "call_user":
            return Action("other", text="call the user", raw=raw)
        case _:
            return Action("done", text=fields.text_or_none("content"), raw=raw)


def _read_keys(name: str, fields: Fields, raw: str) -> Event:
    keys = fields.chord("key", separator="+" if "+" in fields.text("key").strip("+ ") else " ")
    if name == "hotkey":
        return Action("key", keys=keys, raw=raw)
    return Half("key_down" if name in ("press", "keydown") else "key_up", keys=keys, raw=raw)


def _read_seconds(fields: Fields) -> float | None:
    value = fields.get("time")
    if not isinstance(value, str):
        return fields.number_or_none("time")
    try:
        return check_number(float(value), "time")
    except ValueError:
        raise fields.error(f"must be a number of seconds, got {shown(value)}", "time") from None


def _read_point(fields: Fields, names: tuple[str, ...], size: Size | None) -> Point:
    name = next((name for name in names if fields.has(name)), names[0])
    text = _TAGS.sub(" ", fields.text(name)).strip()
    match = _NUMBERS.fullmatch(text)
    numbers = re.split(r"[,\s]+", match[1]) if match else []
    if len(numbers) not in (2, 4):
        raise fields.error(f"must hold a point such as '<point>500 300</point>', got {shown(text)}", name)
    values = [check_number(float(number), name) for number in numbers]
    point = ((values[0] + values[-2]) / 2, (values[1] + values[-1]) / 2)
    if fields.dialect == _RELATIVE:
        return to_pixels(point, 1000, size, name, fields.dialect)
    return _from_resized(point, size)


def _from_resized(point: Point, size: Size | None) -> Point:
    if size is None:
        raise ActionError(f"{_RESIZED} writes pixels of a resized screen: give its size=(width, height)", field="size")
    resized = _smart_resize(size)
    return point[0] * size[0] / resized[0], point[1] * size[1] / resized[1]


def _smart_resize(size: Size) -> Size:
    """The (width, height) in which Qwen2.5-VL sees a screen: whole patches, neither too few nor too many of them."""
    width, height = (max(_FACTOR, round(extent / _FACTOR) * _FACTOR) for extent in size)
    if width * height > _MOST:
        shrink = math.sqrt(size[0] * size[1] / _MOST)
        width, height = (max(1, math.floor(extent / shrink / _FACTOR)) * _FACTOR for extent in size)
    elif width * height < _FEWEST:
        grow = math.sqrt(_FEWEST / (size[0] * size[1]))
        width, height = (math.ceil(extent * grow / _FACTOR) * _FACTOR for extent in size)
    return width, height


RELATIVE = Dialect(_RELATIVE, "UI-TARS 1 and Doubao; 0..1000", _claims, lambda obj, size: _read(obj, size, _RELATIVE))
RESIZED = Dialect(
    _RESIZED, "UI-TARS 1.5; pixels of the resized screen", _claims, lambda obj, size: _read(obj, size, _RESIZED)
)
