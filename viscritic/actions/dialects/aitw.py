"""Android in the Wild (AITW) and its subset AITZ: numbered actions with points as (y, x) in 0..1.

AITW: {"action_type": 4, "yx_touch": [0.5, 0.2], "yx_lift": [0.5, 0.2], "type_action": ""}, the names with or without
the `results/` of its records. AITZ: {"result_action_type": 4, "result_touch_yx": "[0.5, 0.2]", ...}, its lists as JSON
text. A dual point whose touch and lift are at most 0.04 apart is a tap at the touch, else a swipe. Fields that are not
part of the action are left alone: a whole step can be given. Sources: android_in_the_wild's action_type.py and
action_matching.py of google-research, coat/action_utils.py of CoAT.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final

from viscritic.actions.action import Action, Point, Size, as_int
from viscritic.actions.dialects.dialect import Dialect
from viscritic.actions.dialects.fields import Fields, as_pair, to_pixels
from viscritic.actions.gesture import Event
from viscritic.actions.jsontext import load_json
from viscritic.actions.shown import shown

_TAP: Final = 0.04  # longest distance of touch and lift in a tap, in screens
_NUMBERS: Final = {
    3: "TYPE", 4: "DUAL_POINT", 5: "PRESS_BACK", 6: "PRESS_HOME", 7: "PRESS_ENTER", 10: "STATUS_TASK_COMPLETE",
    11: "STATUS_TASK_IMPOSSIBLE",
}  # fmt: skip
_NAMES: Final = tuple(_NUMBERS.values())
_PREFIX: Final = "results/"
_OF_WEBARENA: Final = ("coords", "element_id", "pw_code", "key_comb", "raw_prediction", "nth")


def _claims_aitw(obj: Any) -> bool:
    if not isinstance(obj, Mapping) or any(name in obj for name in _OF_WEBARENA):
        return False
    kind = obj.get(_PREFIX + "action_type", obj.get("action_type"))
    return as_int(kind) is not None or (isinstance(kind, str) and kind in _NAMES)


def _claims_aitz(obj: Any) -> bool:
    return isinstance(obj, Mapping) and "result_action_type" in obj


def _read_aitw(obj: Any, size: Size | None) -> list[Event]:
    fields = Fields(obj, AITW.name)
    if any(isinstance(name, str) and name.startswith(_PREFIX) for name in fields.obj):
        plain = {name.removeprefix(_PREFIX): value for name, value in fields.obj.items() if isinstance(name, str)}
        fields = Fields(plain, AITW.name)
    return [_read(fields, ("action_type", "type_action", "yx_touch", "yx_lift"), size, obj)]


def _read_aitz(obj: Any, size: Size | None) -> list[Event]:
    fields = Fields(obj, AITZ.name)
    return [_read(fields, ("result_action_type", "result_action_text", "result_touch_yx", "result_lift_yx"), size, obj)]


def _read(fields: Fields, keys: tuple[str, str, str, str], size: Size | None, raw: Any) -> Action:
    kind, text, touch, lift = keys
    match _read_kind(fields, kind):
        case "TYPE":
            return Action("type", text=fields.text(text), raw=raw)
        case "DUAL_POINT":
            start, end = _read_point(fields, touch), _read_point(fields, lift)
            is_tap = math.dist(start, end) <= _TAP
            x, y = to_pixels(start, 1, size, touch, fields.dialect)
            if is_tap:
                return Action("click", x, y, raw=raw)
            return Action("swipe", x, y, *to_pixels(end, 1, size, lift, fields.dialect), raw=raw)
        case "PRESS_BACK":
            return Action("back", raw=raw)
        case "PRESS_HOME":
            return Action("home", raw=raw)
        case "PRESS_ENTER":
            return Action("key", keys=("enter",), raw=raw)
        case status:
            return Action("done", text="infeasible" if status == "STATUS_TASK_IMPOSSIBLE" else None, raw=raw)


def _read_kind(fields: Fields, name: str) -> str:
    value = fields.need(name)
    number = as_int(value)
    if number is not None:
        value = _NUMBERS.get(number, value)
    if not isinstance(value, str) or value not in _NAMES:
        known = ", ".join(f"{number} ({word})" for number, word in _NUMBERS.items())
        raise fields.error(f"must be one of {known}; got {shown(value)}", name)
    return value


def _read_point(fields: Fields, name: str) -> Point:
    value = fields.need(name)
    if isinstance(value, str):
        value = load_json(value, field=name)
    y, x = as_pair(value, name, fields.dialect)
    return x, y


AITW = Dialect("aitw", "Android in the Wild; (y, x) in 0..1", _claims_aitw, _read_aitw)
AITZ = Dialect("aitz", "Android in the Zoo; (y, x) in 0..1, as text", _claims_aitz, _read_aitz)
