"""BrowserGym's action strings: `click('a51')`, `mouse_click(887.2, 68)`. Pixels of the page.

Actions on an element's bid have no point; the bid stays in `raw`. Several calls make a batch. Source:
browsergym/core/src/browsergym/core/action/functions.py.
"""

from __future__ import annotations

from typing import Any, Final

from viscritic.actions.action import Action, Size
from viscritic.actions.dialects.calls import Call, read_calls, seems_to_call
from viscritic.actions.dialects.dialect import Dialect
from viscritic.actions.dialects.fields import Fields
from viscritic.actions.dialects.pointer import click_kind, read_button
from viscritic.actions.gesture import Event, Half
from viscritic.actions.shown import shown

_PARAMETERS: Final[dict[str, tuple[str, ...]]] = {
    "noop": ("wait_ms",),
    "click": ("bid", "button", "modifiers"),
    "dblclick": ("bid", "button", "modifiers"),
    "hover": ("bid",),
    "check": ("bid",),
    "uncheck": ("bid",),
    "focus": ("bid",),
    "clear": ("bid",),
    "fill": ("bid", "value", "enable_autocomplete_menu"),
    "select_option": ("bid", "options"),
    "press": ("bid", "key_comb"),
    "drag_and_drop": ("from_bid", "to_bid"),
    "upload_file": ("bid", "file"),
    "scroll": ("delta_x", "delta_y"),
    "mouse_move": ("x", "y"),
    "mouse_up": ("x", "y", "button"),
    "mouse_down": ("x", "y", "button"),
    "mouse_click": ("x", "y", "button"),
    "mouse_dblclick": ("x", "y", "button"),
    "mouse_drag_and_drop": ("from_x", "from_y", "to_x", "to_y"),
    "mouse_upload_file": ("x", "y", "file"),
    "keyboard_press": ("key",),
    "keyboard_down": ("key",),
    "keyboard_up": ("key",),
    "keyboard_type": ("text",),
    "keyboard_insert_text": ("text",),
    "goto": ("url",),
    "go_back": (),
    "go_forward": (),
    "new_tab": (),
    "tab_close": (),
    "tab_focus": ("index",),
    "send_msg_to_user": ("text",),
    "report_infeasible": ("reason",),
}
_OTHERS: Final = {
    "focus": "focus an element", "upload_file": "upload a file", "mouse_upload_file": "upload a file",
    "go_forward": "go forward", "new_tab": "open a new tab", "tab_close": "close the tab",
    "tab_focus": "switch to another tab",
}  # fmt: skip


def _claims(obj: Any) -> bool:
    return seems_to_call(obj, _PARAMETERS)


def _read(obj: Any, size: Size | None) -> list[Event]:
    del size  # pixels already
    return [_read_call(call) for call in read_calls(obj, DIALECT.name)]


def _read_call(call: Call) -> Event:
    if call.name not in _PARAMETERS:
        raise Fields({}, DIALECT.name).error(f"has no action {call.name}; known: {', '.join(_PARAMETERS)}")
    fields = call.bind(*_PARAMETERS[call.name])
    if "bid" in _PARAMETERS[call.name]:
        fields.text("bid")
    if call.name.startswith("mouse_"):
        return _read_mouse(call.name, fields, call.source)
    if call.name.startswith("keyboard_"):
        return _read_keyboard(call.name, fields, call.source)
    if "bid" in fields.obj or call.name == "drag_and_drop":
        return _read_element(call.name, fields, call.source)
    return _read_page(call.name, fields, call.source)


def _read_element(name: str, fields: Fields, raw: str) -> Action:
    match name:
        case "click" | "dblclick":
            kind = click_kind(read_button(fields), 1 if name == "click" else 2)
            return Action(kind, keys=fields.held("modifiers"), raw=raw)
        case "check" | "uncheck":
            return Action("click", raw=raw)
        case "hover":
            return Action("move", raw=raw)
        case "fill":
            return Action("type", text=fields.text("value"), raw=raw)
        case "clear":
            return Action("type", raw=raw)
        case "select_option":
            return Action("select", text=_read_options(fields), raw=raw)
        case "press":
            return Action("key", keys=fields.chord("key_comb"), raw=raw)
        case "drag_and_drop":
            fields.text("from_bid"), fields.text("to_bid")
            return Action("drag", raw=raw)
        case _:
            return Action("other", text=_OTHERS[name], raw=raw)


def _read_options(fields: Fields) -> str:
    options = fields.need("options")
    chosen = options if isinstance(options, list) else [options]
    if not all(isinstance(option, str) for option in chosen):
        raise fields.error(f"must be text or a list of texts, got {shown(options)}", "options")
    return ", ".join(chosen)


def _read_mouse(name: str, fields: Fields, raw: str) -> Event:
    if name == "mouse_drag_and_drop":
        return Action("drag", *fields.xy("from_x", "from_y"), *fields.xy("to_x", "to_y"), raw=raw)
    x, y = fields.xy()
    match name:
        case "mouse_move":
            return Action("move", x, y, raw=raw)
        case "mouse_click" | "mouse_dblclick":
            return Action(click_kind(read_button(fields), 1 if name == "mouse_click" else 2), x, y, raw=raw)
        case "mouse_down" | "mouse_up":
            what: Any = name
            return Half(what, x, y, button=read_button(fields), raw=raw)
        case _:
            return Action("other", x, y, text=_OTHERS[name], raw=raw)


def _read_keyboard(name: str, fields: Fields, raw: str) -> Event:
    match name:
        case "keyboard_press":
            return Action("key", keys=fields.chord("key"), raw=raw)
        case "keyboard_down":
            return Half("key_down", keys=(fields.key("key"),), raw=raw)
        case "keyboard_up":
            return Half("key_up", keys=(fields.key("key"),), raw=raw)
        case _:
            return Action("type", text=fields.text("text"), raw=raw)


def _read_page(name: str, fields: Fields, raw: str) -> Action:
    match name:
        case "noop":
            return Action("wait", seconds=fields.number_or("wait_ms", 1000.0) / 1000, raw=raw)
        case "scroll":
            dx, dy = fields.xy("delta_x", "delta_y")
            return Action("scroll", dx=dx or None, dy=dy or None, raw=raw)
        case "goto":
            return Action("navigate", url=fields.text("url"), raw=raw)
        case "go_back":
            return Action("back", raw=raw)
        case "send_msg_to_user":
            return Action("done", text=fields.text("text"), raw=raw)
        case "report_infeasible":
            return Action("done", text=fields.text("reason"), raw=raw)
        case _:
            return Action("other", text=_OTHERS[name], raw=raw)


DIALECT = Dialect("browsergym", "BrowserGym's calls; bids, or pixels of the page", _claims, _read)
