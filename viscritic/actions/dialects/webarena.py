"""WebArena: dicts with a number of its `ActionTypes`, {"action_type": 6, "element_id": "51"}, and `click [51]` texts.

`coords` are (left, top) in 0..1 of the viewport, and [0, 0] where an element is named: such an action has no point, the
element stays in `raw`. A dict's `text` is a list of character ids, or text. In texts `type` presses Enter unless its
last bracket is [0]. Sources: browser_env/actions.py and constants.py of webarena.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from viscritic.actions.action import Action, Kind, Point, Size, as_int
from viscritic.actions.dialects.dialect import Dialect, names
from viscritic.actions.dialects.fields import Fields, to_pixels
from viscritic.actions.dialects.pointer import scroll
from viscritic.actions.gesture import Event
from viscritic.actions.jsontext import LONGEST
from viscritic.actions.keys import read_chord
from viscritic.actions.shown import shown
from viscritic.errors import ActionError

_TYPES: Final = (
    "NONE", "SCROLL", "KEY_PRESS", "MOUSE_CLICK", "KEYBOARD_TYPE", "MOUSE_HOVER", "CLICK", "TYPE", "HOVER",
    "PAGE_FOCUS", "NEW_TAB", "GO_BACK", "GO_FORWARD", "GOTO_URL", "PAGE_CLOSE", "CHECK", "SELECT_OPTION", "STOP",
)  # fmt: skip
_OWN: Final = ("coords", "element_id", "element_role", "pw_code", "key_comb", "page_number", "raw_prediction", "nth")
_OF_AITW: Final = ("yx_touch", "yx_lift", "type_action")
_POINTED: Final[dict[str, Kind]] = {
    "CLICK": "click", "MOUSE_CLICK": "click", "CHECK": "click", "HOVER": "move", "MOUSE_HOVER": "move",
}  # fmt: skip
_OTHERS: Final = {
    "NONE": "do nothing", "PAGE_FOCUS": "switch to another tab", "NEW_TAB": "open a new tab",
    "GO_FORWARD": "go forward", "PAGE_CLOSE": "close the tab",
}  # fmt: skip
_SPECIAL: Final = 15  # ids below are keys; then chr(32..127), chr(129..999), and last the newline
_CHARACTERS: Final = 96 + 871
_TYPED_KEYS: Final = {0: "\n", 1: "\t", _SPECIAL + _CHARACTERS: "\n"}  # Enter, Tab, and the newline
_PAGE: Final = 8.0  # clicks of the wheel that make WebArena's scroll by one viewport, about 800 pixels
_TEXT: Final = re.compile(
    r"(?P<name>click|hover|type|press|scroll|goto|tab_focus|page_focus|stop)\s*\[(?P<rest>.*)\]"
    r"|(?P<bare>new_tab|go_back|go_forward|close_tab|stop|none)",
    re.DOTALL,
)
_WHERE: Final = re.compile(r"(?<=\]) where \[[^\]]*\] is .*", re.DOTALL)  # what the element is, for the reader's sake
_TYPED: Final = re.compile(
    r"(?P<element>[^\]]*)\]\s*\[(?P<text>.*?)(?:\]\s*\[(?P<enter>[01]|press_enter_after=[01]))?", re.DOTALL
)


def _claims(obj: Any) -> bool:
    if isinstance(obj, str):
        return len(obj) <= LONGEST and _match(obj) is not None
    if names(obj, "action_type", _TYPES):
        return any(name in obj for name in _OWN)
    if not isinstance(obj, Mapping) or as_int(obj.get("action_type")) is None:
        return False
    return not any(name in obj for name in _OF_AITW)


def _read(obj: Any, size: Size | None) -> list[Event]:
    if isinstance(obj, str):
        return [_read_text(obj)]
    fields = Fields(obj, DIALECT.name)
    kind = fields.need("action_type")
    number = as_int(kind)
    if number is not None and 0 <= number < len(_TYPES):
        kind = _TYPES[number]
    if not isinstance(kind, str) or kind not in _TYPES:
        raise fields.error(
            f"must be 0 to {len(_TYPES) - 1} or one of {', '.join(_TYPES)}; got {shown(kind)}", "action_type"
        )
    return [_read_dict(kind, fields, size)]


def _read_dict(kind: str, fields: Fields, size: Size | None) -> Action:
    raw = fields.obj
    x, y = _read_coords(kind, fields, size) or (None, None)
    if kind in _POINTED:
        return Action(_POINTED[kind], x, y, raw=raw)
    match kind:
        case "TYPE" | "KEYBOARD_TYPE":
            return Action("type", x, y, text=_read_characters(fields), raw=raw)
        case "KEY_PRESS":
            return Action("key", keys=fields.chord("key_comb"), raw=raw)
        case "SCROLL":
            return scroll(_direction(fields.text("direction")), _PAGE, raw=raw)
        case "GOTO_URL":
            return Action("navigate", url=fields.text("url"), raw=raw)
        case "GO_BACK":
            return Action("back", raw=raw)
        case "SELECT_OPTION":
            return Action("select", x, y, text=fields.text_or_none("pw_code"), raw=raw)
        case "STOP":
            return Action("done", text=fields.text_or_none("answer"), raw=raw)
        case _:
            return Action("other", text=_OTHERS[kind], raw=raw)


def _direction(text: str) -> str:
    """Texts say "down" or "direction=down"."""
    direction = text.rpartition("=")[2].strip()
    if direction not in ("up", "down"):
        message = f"{DIALECT.name}: direction must be up or down, got {shown(text)}"
        raise ActionError(message, field="direction")
    return direction


def _read_coords(kind: str, fields: Fields, size: Size | None) -> Point | None:
    if kind.startswith("MOUSE_"):
        return to_pixels(fields.pair("coords"), 1, size, "coords", DIALECT.name)
    point = fields.pair_or_none("coords")
    return to_pixels(point, 1, size, "coords", DIALECT.name) if point and any(point) else None


def _read_characters(fields: Fields) -> str:
    ids = fields.need("text")
    if isinstance(ids, str):
        return ids
    if not isinstance(ids, list | tuple):
        raise fields.error(f"must be text or a list of character ids, got {shown(ids)}", "text")
    return "".join(_character(number, fields) for number in ids)


def _character(value: Any, fields: Fields) -> str:
    number = as_int(value)
    if number is not None and number in _TYPED_KEYS:
        return _TYPED_KEYS[number]
    if number is None or not _SPECIAL <= number < _SPECIAL + _CHARACTERS:
        raise fields.error(f"holds {shown(value)}, which is the id of no character", "text")
    plain = number - _SPECIAL
    return chr(plain + (32 if plain < 96 else 33))  # 128 is left out


def _read_text(text: str) -> Action:
    match = _match(text)
    if match is None:
        raise ActionError(f"{DIALECT.name} writes actions as in 'click [51]', got {shown(text)}")
    rest = match["rest"] or ""
    match match["name"] or match["bare"]:
        case "click" | "hover" as name:
            return Action("click" if name == "click" else "move", raw=text)
        case "type":
            return _read_typed(rest, text)
        case "press":
            return Action("key", keys=read_chord(rest), raw=text)
        case "scroll":
            return scroll(_direction(rest), _PAGE, raw=text)
        case "goto":
            return Action("navigate", url=rest, raw=text)
        case "go_back":
            return Action("back", raw=text)
        case "stop":
            return Action("done", text=rest, raw=text)
        case name:
            words = {"tab_focus": "PAGE_FOCUS", "close_tab": "PAGE_CLOSE"}.get(name, name.upper())
            return Action("other", text=_OTHERS[words], raw=text)


def _match(text: str) -> re.Match[str] | None:
    return _TEXT.fullmatch(_WHERE.sub("", text.strip(), count=1))


def _read_typed(rest: str, raw: str) -> Action:
    match = _TYPED.fullmatch(rest)
    if match is None:
        raise ActionError(f"{DIALECT.name} types as in 'type [51] [text] [1]', got {shown(raw)}", field="text")
    presses_enter = not (match["enter"] or "1").endswith("0")
    return Action("type", text=match["text"] + "\n" * presses_enter, raw=raw)


DIALECT = Dialect("webarena", "WebArena's dicts and bracket texts; elements, or 0..1", _claims, _read)
