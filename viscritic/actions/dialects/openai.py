"""OpenAI computer use: {"type": "click", "button": "left", "x": 1, "y": 2}, or a call item that carries such actions.

A `computer_call` holds `action` or, batched, `actions`. Pixels of the screenshot that the model saw. Sources: the types
`ComputerAction` and `ResponseComputerToolCall` of openai-python.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from viscritic.actions.action import Action, Point, Size
from viscritic.actions.dialects.dialect import Dialect, names
from viscritic.actions.dialects.fields import Fields, as_pair
from viscritic.actions.dialects.pointer import click_kind, read_button
from viscritic.actions.gesture import Event
from viscritic.actions.shown import shown

_NAMES: Final = ("click", "double_click", "drag", "keypress", "move", "screenshot", "scroll", "type", "wait")
_NAVIGATING: Final = ("back", "forward")  # buttons on the side of a mouse


def _claims(obj: Any) -> bool:
    if names(obj, "type", (*_NAMES, "computer_call")):
        return True
    if not isinstance(obj, Mapping):
        return False
    actions = obj.get("actions")
    first = actions[0] if isinstance(actions, list | tuple) and actions else obj.get("action")
    return names(first, "type", _NAMES)


def _read(obj: Any, size: Size | None) -> list[Event]:
    del size  # pixels already
    fields = Fields(obj, DIALECT.name)
    if fields.has("actions"):
        actions = fields.need("actions")
        if not isinstance(actions, list | tuple):
            raise fields.error(f"must be a list of actions, got {shown(actions)}", "actions")
        return [_read_action(Fields(action, DIALECT.name)) for action in actions]
    if fields.has("action"):
        return [_read_action(Fields(fields.need("action"), DIALECT.name))]
    return [_read_action(fields)]


def _read_action(fields: Fields) -> Event:
    raw = fields.obj
    match fields.word("type", _NAMES):
        case "click":
            return _read_click(fields)
        case "double_click" | "move" as kind:
            fields.only("type", "x", "y", "keys")
            return Action(kind, *fields.xy(), keys=fields.held("keys"), raw=raw)
        case "drag":
            fields.only("type", "path", "keys")
            return Action("drag", *_read_path(fields), keys=fields.held("keys"), raw=raw)
        case "keypress":
            fields.only("type", "keys")
            return Action("key", keys=fields.chord("keys"), raw=raw)
        case "scroll":
            fields.only("type", "x", "y", "scroll_x", "scroll_y", "keys")
            dx, dy = fields.xy("scroll_x", "scroll_y")
            keys = fields.held("keys")
            return Action("scroll", *fields.xy(), dx=dx or None, dy=dy or None, keys=keys, raw=raw)
        case "type":
            fields.only("type", "text")
            return Action("type", text=fields.text("text"), raw=raw)
        case "wait":
            fields.only("type")
            return Action("wait", raw=raw)
        case _:
            fields.only("type")
            return Action("other", text="screenshot", raw=raw)


def _read_click(fields: Fields) -> Event:
    fields.only("type", "button", "x", "y", "keys")
    button = fields.get("button")
    if button in _NAVIGATING:
        point = fields.xy()
        text = "go forward" if button == "forward" else None
        return Action("back" if text is None else "other", *point, text=text, raw=fields.obj)
    kind = click_kind(read_button(fields))
    return Action(kind, *fields.xy(), keys=fields.held("keys"), raw=fields.obj)


def _read_path(fields: Fields) -> tuple[float, float, float, float]:
    path = fields.need("path")
    if not isinstance(path, list | tuple) or len(path) < 2:
        raise fields.error(f"must be a list of two points or more, got {shown(path)}", "path")
    start, end = _read_stop(path[0]), _read_stop(path[-1])
    return *start, *end


def _read_stop(stop: Any) -> Point:
    if isinstance(stop, Mapping):
        return Fields(stop, DIALECT.name).xy()
    return as_pair(stop, "path", DIALECT.name)


DIALECT = Dialect("openai", "computer use of OpenAI's Responses API; pixels", _claims, _read)
