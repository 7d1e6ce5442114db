"""Mouse buttons and wheels as dialects name them."""

from __future__ import annotations

from typing import Any, Final

from viscritic.actions.action import Action, Kind, Point
from viscritic.actions.dialects.fields import Fields
from viscritic.actions.gesture import CLICKS, Button, Event, Half
from viscritic.actions.shown import shown

NOTCH: Final = 100.0  # pixels that one click of a mouse wheel scrolls, as browsers do by default (100 to 120)
NOTCHES: Final = 5  # where a dialect says the direction alone; what UI-TARS's own executor turns
_TOWARDS: Final = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
DIRECTIONS: Final = tuple(_TOWARDS)
_BUTTONS: Final[dict[Any, Button]] = {
    "left": "left", "primary": "left", 1: "left",
    "middle": "middle", "wheel": "middle", 2: "middle",
    "right": "right", "secondary": "right", 3: "right",
}  # fmt: skip
_REPEATED: Final[dict[int, Kind]] = {2: "double_click", 3: "triple_click"}


def read_button(fields: Fields, name: str = "button") -> Button:
    """The mouse button of a field, left where missing.

    Raises:
        ActionError: another value than a button's name or number.
    """
    value = fields.get(name)
    if value is None:
        return "left"
    if isinstance(value, bool) or not isinstance(value, str | int) or value not in _BUTTONS:
        raise fields.error(f"must be left, middle or right, got {shown(value)}", name)
    return _BUTTONS[value]


def click_kind(button: Button, clicks: float = 1) -> Kind:
    """The kind of a click; only the left button tells double and triple clicks from single ones."""
    return _REPEATED.get(int(clicks), "click") if button == "left" else CLICKS[button]


def scroll(direction: str, notches: float = NOTCHES, at: Point | None = None, raw: Any = None) -> Action:
    """A scroll by clicks of the wheel; `direction` is where the newly shown content lies."""
    right, down = _TOWARDS[direction]
    x, y = at or (None, None)
    return Action("scroll", x, y, dx=right * notches * NOTCH or None, dy=down * notches * NOTCH or None, raw=raw)


def at_pointer(action: Action) -> Event:
    """The action as it is where it has a point, else to be done wherever the pointer is."""
    return action if action.point else Half("at_pointer", action=action, raw=action.raw)
