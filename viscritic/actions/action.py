"""The action that was sent to a GUI, in one form whatever dialect it came in."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields
from typing import Any, Final, Self, get_args, Literal

from viscritic.errors import ActionError

Kind = Literal[
    "click", "double_click", "triple_click", "right_click", "middle_click", "long_press",
    "move", "drag", "swipe", "scroll", "type", "key", "select", "navigate", "back", "home",
    "open_app", "wait", "done", "other",
]  # fmt: skip
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
Size = tuple[int, int]  # (width, height) of the pre screen, pixels
_NUMBERS: Final = ("x", "y", "x2", "y2", "dx", "dy", "seconds")
_LIMIT: Final = 1e6  # no screen is wider; beyond it a number is a mistake


@dataclass(frozen=True, slots=True)
class Action:
    """One action. Points are pixels of the pre screen, origin at its top left; what does not apply is None.

    Attributes:
        kind: one of `KINDS`.
        x, y: where it acts, or where a drag or swipe starts.
        x2, y2: where a drag or swipe ends.
        text: what is typed, the option that is selected, the app that is opened, or the answer of `done`.
        keys: the chord that is pressed together, lower case ("ctrl", "c").
        dx, dy: scroll in pixels; positive shows what lies further right or down.
        url: where `navigate` goes.
        seconds: how long `wait` or `long_press` lasts.
        raw: what it was parsed from; ignored by comparison and hash.
    """

    kind: Kind
    x: float | None = None
    y: float | None = None
    x2: float | None = None
    y2: float | None = None
    text: str | None = None
    keys: tuple[str, ...] = ()
    dx: float | None = None
    dy: float | None = None
    url: str | None = None
    seconds: float | None = None
    raw: Any = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ActionError(f"unknown action kind {self.kind!r}; known: {', '.join(KINDS)}", field="kind")
        for name in _NUMBERS:
            self._check_number(name)
        for a, b in (("x", "y"), ("x2", "y2")):
            if (getattr(self, a) is None) != (getattr(self, b) is None):
                raise ActionError(f"a point needs both {a} and {b}", field=a if getattr(self, a) is None else b)
        for name in ("text", "url"):
            value = getattr(self, name)
            if value is not None and not isinstance(value, str):
                raise ActionError(f"{name} must be text, got {type(value).__name__}", field=name)
        if isinstance(self.keys, str) or not all(isinstance(k, str) for k in self.keys):
            raise ActionError(f"keys must be a tuple of key names, got {self.keys!r}", field="keys")
        object.__setattr__(self, "keys", tuple(self.keys))

    def _check_number(self, name: str) -> None:
        value = getattr(self, name)
        if value is None:
            return
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ActionError(f"{name} must be a number, got {value!r}", field=name)
        if not math.isfinite(value) or abs(value) > _LIMIT:
            raise ActionError(f"{name} must be a finite number of at most {_LIMIT:g}, got {value!r}", field=name)
