"""Mind2Web operations: {"op": "TYPE", "original_op": "TYPE", "value": "shoes"}, or the action record around one.

The point is the middle of the element's box in pixels of the whole page, which is what its screenshots show. The box is
a `bounding_box` {x, y, width, height} beside the operation (the raw dump), else `bounding_box_rect` "x,y,w,h" of the
first of `pos_candidates`, whose `attributes` are JSON text. Without a box, or with the -1 of an invisible element,
there is no point. `original_op` tells the hovers and presses of Enter that `op` calls clicks. In Multimodal-Mind2Web
`operation` and the candidates are JSON text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from viscritic.actions.action import Action, Point, Size, check_number
from viscritic.actions.dialects.dialect import Dialect, names
from viscritic.actions.dialects.fields import Fields
from viscritic.actions.gesture import Event
from viscritic.actions.jsontext import load_json
from viscritic.actions.shown import shown
from viscritic.errors import ActionError

_OPS: Final = ("CLICK", "TYPE", "SELECT", "HOVER", "ENTER")


def _claims(obj: Any) -> bool:
    return names(obj, "op", _OPS) or (
        isinstance(obj, Mapping) and isinstance(obj.get("operation"), str | Mapping) and "kind" not in obj
    )


def _read(obj: Any, size: Size | None) -> list[Event]:
    del size  # pixels already
    record = Fields(obj, DIALECT.name)
    operation = record
    if record.has("operation"):
        operation = Fields(_decoded(record.need("operation"), "operation"), DIALECT.name)
    name = operation.word("original_op" if operation.has("original_op") else "op", _OPS)
    x, y = _read_point(record) or (None, None)
    match name:
        case "CLICK":
            return [Action("click", x, y, raw=obj)]
        case "HOVER":
            return [Action("move", x, y, raw=obj)]
        case "ENTER":
            return [Action("key", x, y, keys=("enter",), raw=obj)]
        case "TYPE":
            return [Action("type", x, y, text=operation.text("value"), raw=obj)]
        case _:
            return [Action("select", x, y, text=operation.text("value"), raw=obj)]


def _decoded(value: Any, field: str) -> Any:
    return load_json(value, field=field) if isinstance(value, str) else value


def _read_point(record: Fields) -> Point | None:
    if record.has("bounding_box"):
        box = Fields(record.need("bounding_box"), DIALECT.name)
        return _middle(*(box.number(name) for name in ("x", "y", "width", "height")))
    candidates = _decoded(record.get("pos_candidates"), "pos_candidates")
    if not candidates:
        return None
    if not isinstance(candidates, list | tuple):
        raise record.error(f"must be a list, got {shown(candidates)}", "pos_candidates")
    candidate = Fields(_decoded(candidates[0], "pos_candidates"), DIALECT.name)
    attributes = Fields(_decoded(candidate.get("attributes") or {}, "attributes"), DIALECT.name)
    rect = attributes.text_or_none("bounding_box_rect")
    return _middle(*_read_rect(rect)) if rect else None


def _read_rect(rect: str) -> tuple[float, float, float, float]:
    try:
        x, y, width, height = (check_number(float(part), "bounding_box_rect") for part in rect.split(","))
    except ValueError as error:  # ActionError is one, too
        message = f"{DIALECT.name}: bounding_box_rect must be 'x,y,width,height', got {rect[:50]!r}"
        raise ActionError(message, field="bounding_box_rect") from error
    return x, y, width, height


def _middle(x: float, y: float, width: float, height: float) -> Point | None:
    return None if width < 0 or height < 0 else (x + width / 2, y + height / 2)


DIALECT = Dialect("mind2web", "operations of Mind2Web; pixels of the whole page", _claims, _read)
