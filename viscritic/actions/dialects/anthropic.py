"""Anthropic computer use: {"action": "left_click", "coordinate": [1, 2]}, or the `tool_use` block that carries it.

Pixels of the screenshot that the model saw. A click, scroll, press or drag without a coordinate is done where the
pointer is. A click's `text` is the key that is held. `key` takes names as xdotool does; several with blanks between
them are pressed one after the other. Source: the computer tool of anthropic-quickstarts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from viscritic.actions.action import Action, Kind, Size
from viscritic.actions.dialects.dialect import Dialect, names
from viscritic.actions.dialects.fields import Fields
from viscritic.actions.dialects.pointer import DIRECTIONS, at_pointer, scroll
from viscritic.actions.gesture import Event, Half
from viscritic.actions.keys import read_chord

_CLICKS: Final[dict[str, Kind]] = {
    "left_click": "click",
    "right_click": "right_click",
    "middle_click": "middle_click",
    "double_click": "double_click",
    "triple_click": "triple_click",
}
_LOOKING: Final = ("screenshot", "cursor_position", "zoom")
_NAMES: Final = (
    *_CLICKS, *_LOOKING, "key", "hold_key", "type", "mouse_move", "left_click_drag", "left_mouse_down", "left_mouse_up",
    "scroll", "wait",
)  # fmt: skip


def _claims(obj: Any) -> bool:
    return names(obj, "action", _NAMES) or (names(obj, "type", ("tool_use",)) and _is_ours(obj))


def _is_ours(block: Any) -> bool:
    return names(block.get("input"), "action", _NAMES) or names(block, "name", (*_NAMES, "computer"))


def _read(obj: Any, size: Size | None) -> list[Event]:
    del size  # pixels already
    fields = Fields(obj, DIALECT.name)
    if fields.get("type") == "tool_use":
        given = fields.need("input")
        if isinstance(given, Mapping) and "action" not in given:  # the tools of a toolset are named one by one
            given = {"action": fields.need("name"), **given}
        fields = Fields(given, DIALECT.name)
    name = fields.word("action", _NAMES)
    if name in _CLICKS:
        fields.only("action", "coordinate", "text")
        x, y = fields.pair_or_none("coordinate") or (None, None)
        return [at_pointer(Action(_CLICKS[name], x, y, keys=fields.held("text"), raw=obj))]
    if name in _LOOKING:
        fields.only("action", "region", "coordinate")
        return [Action("other", text=name.replace("_", " "), raw=obj)]
    if name in ("key", "hold_key", "type", "wait"):
        return _read_keyboard(name, fields, obj)
    return [_read_pointer(name, fields, obj)]


def _read_keyboard(name: str, fields: Fields, raw: Any) -> list[Event]:
    match name:
        case "key":
            fields.only("action", "text")
            text = fields.text("text")
            chords = text.split() or [text]
            return [Action("key", keys=read_chord(chord, field="text"), raw=raw) for chord in chords]
        case "hold_key":
            fields.only("action", "text", "duration")
            return [Action("key", keys=fields.chord("text"), seconds=fields.number_or_none("duration"), raw=raw)]
        case "type":
            fields.only("action", "text")
            return [Action("type", text=fields.text("text"), raw=raw)]
        case _:
            fields.only("action", "duration")
            return [Action("wait", seconds=fields.number_or_none("duration"), raw=raw)]


def _read_pointer(name: str, fields: Fields, raw: Any) -> Event:
    match name:
        case "mouse_move":
            fields.only("action", "coordinate")
            return Action("move", *fields.pair("coordinate"), raw=raw)
        case "left_click_drag":
            fields.only("action", "start_coordinate", "coordinate", "text")
            end = fields.pair("coordinate")
            if start := fields.pair_or_none("start_coordinate"):
                return Action("drag", *start, *end, keys=fields.held("text"), raw=raw)
            return Half("drag_to", *end, raw=raw)
        case "scroll":
            fields.only("action", "coordinate", "scroll_direction", "scroll_amount", "text")
            direction = fields.word("scroll_direction", DIRECTIONS)
            at = fields.pair_or_none("coordinate")
            return at_pointer(scroll(direction, fields.number("scroll_amount"), at, raw))
        case _:
            fields.only("action", "coordinate")
            x, y = fields.pair_or_none("coordinate") or (None, None)
            return Half("mouse_down" if name == "left_mouse_down" else "mouse_up", x, y, raw=raw)


DIALECT = Dialect("anthropic", "Anthropic's computer use tool; pixels", _claims, _read)
