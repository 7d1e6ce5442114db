"""BrowserGym's elements: from the bid that an action names to the place of the element on the screen."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Final

from data_prep.readers.inert_pickle import field_of
from viscritic.actions import Action
from viscritic.actions.dialects.calls import read_calls
from viscritic.errors import ActionError
from viscritic.trajectory import Box, Element

Placed = tuple[Action, Box | None]
_BIDS: Final = dict.fromkeys(
    (
        "click",
        "dblclick",
        "hover",
        "check",
        "uncheck",
        "focus",
        "clear",
        "fill",
        "select_option",
        "press",
        "upload_file",
    ),
    ("bid",),
) | {"drag_and_drop": ("from_bid", "to_bid")}


def place(action: Action, properties: Any) -> Placed:
    """The action at the middle of its element, and the element's box; the action as it was where that is not known.

    Args:
        action: of the dialect `browsergym`, with its call as `raw`.
        properties: `extra_element_properties` of the observation: bid -> `bbox` [x, y, width, height].
    """
    if action.point is not None or not isinstance(action.raw, str):
        return action, None
    first, second = _bids(action.raw)
    box, end = (box_of(field_of(properties, bid)) if bid else None for bid in (first, second))
    if box is not None:
        action = replace(action, x=box[0] + box[2] / 2, y=box[1] + box[3] / 2)
    if end is not None:
        action = replace(action, x2=end[0] + end[2] / 2, y2=end[1] + end[3] / 2)
    return action, box


def _bids(call: str) -> tuple[str, str]:
    """The bids of a call: of its element, and of the one that something is dropped on; "" for none."""
    try:
        (read,) = read_calls(call, "browsergym")
    except (ActionError, ValueError):
        return "", ""
    names = _BIDS.get(read.name, ())
    given = dict(zip(names, read.args, strict=False)) | read.keywords
    first, second = (given.get(name) for name in (*names, "", "")[:2])
    return first if isinstance(first, str) else "", second if isinstance(second, str) else ""


def elements_of(properties: Any) -> tuple[Element, ...]:
    """The visible elements that can be clicked; what they are called is not among their properties."""
    listed = properties.values() if isinstance(properties, dict) else ()
    clickable = (element for element in listed if field_of(element, "clickable") is not False)
    return tuple(Element(box) for element in clickable if (box := box_of(element)) is not None)


def box_of(properties: Any) -> Box | None:
    """The box of an element's properties; None where it is invisible."""
    box = field_of(properties, "bbox")
    if not isinstance(box, list | tuple) or len(box) != 4:
        return None
    if not all(isinstance(n, int | float) and math.isfinite(n) and abs(n) < 1e6 for n in box):
        return None
    x, y, width, height = (float(n) for n in box)
    return (x, y, width, height) if width > 0 and height > 0 else None
