"""The action that was sent to a GUI, in one form whatever dialect it came in."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from numbers import Integral, Real
from typing import Any, Final, Literal, Self, get_args

from viscritic.actions.keys import normalise_key
from viscritic.actions.shown import shown
from viscritic.errors import ActionError

Kind = Literal[
    "click", "double_click", "triple_click", "right_click", "middle_click", "long_press",
    "move", "drag", "swipe", "scroll", "type", "key", "select", "navigate", "back", "home",
    "open_app", "wait", "done", "other",
]  # fmt: skip
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
Size = tuple[int, int]  # (width, height) of the pre screen, pixels
Point = tuple[float, float]  # (x, y), pixels of the pre screen unless said otherwise
_MOST_KEYS: Final = 16  # in a chord; nobody has more fingers to spare
LIMIT: Final = 1e6  # no screen is wider; beyond it a number is a mistake
_NUMBERS: Final = ("x", "y", "x2", "y2", "dx", "dy", "seconds")


@dataclass(frozen=True, slots=True)
class Action:
    """One action. Points are pixels of the pre screen, origin at its top left; what does not apply is None.

    Numbers become floats, empty text becomes None and keys get the names of `viscritic.actions.keys`, so that equal
    actions compare and hash alike whatever they were made from. A point may lie off the screen: such an action was sent
    all the same, and most likely did nothing.

    Attributes:
        kind: one of `KINDS`.
        x, y: where it acts, or where a drag or swipe starts.
        x2, y2: where a drag or swipe ends.
        text: what is typed (a final newline presses Enter), the option that is selected, the app that is opened, the
            answer of `done`, or for `other` what it does, in words ("new tab").
        keys: the chord that is pressed together, or held while the pointer acts; lower case ("ctrl", "c").
        dx, dy: scroll in pixels; positive shows what lies further right or down.
        url: where `navigate` goes.
        seconds: how long `wait` or `long_press` lasts, or a key is held.
        raw: what it was parsed from; ignored by comparison and hash, and not part of `to_dict`.
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
        if not isinstance(self.kind, str) or self.kind not in KINDS:
            raise ActionError(f"unknown action kind {shown(self.kind)}; known: {', '.join(KINDS)}", field="kind")
        for name in _NUMBERS:
            value = getattr(self, name)
            object.__setattr__(self, name, None if value is None else check_number(value, name))
        for a, b in (("x", "y"), ("x2", "y2")):
            if (getattr(self, a) is None) != (getattr(self, b) is None):
                raise ActionError(f"a point needs both {a} and {b}", field=a if getattr(self, a) is None else b)
        if self.seconds is not None and self.seconds < 0:
            raise ActionError(f"seconds must not be negative, got {self.seconds:g}", field="seconds")
        for name in ("text", "url"):
            value = getattr(self, name)
            if value is not None and not isinstance(value, str):
                raise ActionError(f"{name} must be text, got {shown(value)}", field=name)
            object.__setattr__(self, name, value or None)
        if not isinstance(self.keys, list | tuple):
            raise ActionError(f"keys must be a tuple of key names, got {shown(self.keys)}", field="keys")
        if len(self.keys) > _MOST_KEYS:
            raise ActionError(f"a chord has at most {_MOST_KEYS} keys, got {len(self.keys)}", field="keys")
        object.__setattr__(self, "keys", tuple(normalise_key(key) for key in self.keys))

    @classmethod
    def parse(cls, obj: Any, dialect: str | None = None, size: Size | None = None) -> Action:
        """The one action that `obj` means, in any dialect of `viscritic.actions.dialects`.

        Args:
            obj: an Action, a dict, JSON text, or the text of a dialect that writes calls ("click('a51')").
            dialect: its name; guessed where None, and refused where the guesses disagree.
            size: (width, height) of the pre screen in pixels; dialects with relative coordinates need it.

        Raises:
            ActionError: it cannot be understood, is ambiguous, or means several actions (see `parse_batch`).
        """
        from viscritic.actions.reading import read_one  # noqa: PLC0415  # the dialects build Actions

        return read_one(obj, dialect, size)

    @classmethod
    def parse_batch(cls, obj: Any, dialect: str | None = None, size: Size | None = None) -> tuple[Action, ...]:
        """Every action that `obj` means, in order; `obj` may also be a list of what `parse` takes. Never empty.

        A press, a move and a release of the mouse button become one drag, held keys one chord
        (`viscritic.actions.gesture`).

        Raises:
            ActionError: it cannot be understood, is ambiguous, or holds no action at all.
        """
        from viscritic.actions.reading import read_batch  # noqa: PLC0415  # the dialects build Actions

        return read_batch(obj, dialect, size)

    @classmethod
    def from_dict(cls, obj: Any) -> Self:
        """The action that `to_dict` wrote. Strict: an unknown key is an error.

        Raises:
            ActionError: with the offending `field`.
        """
        if not isinstance(obj, Mapping):
            raise ActionError(f"an action's canonical form is an object with the key 'kind', got {shown(obj)}")
        for key in obj:
            if key not in _DICT_KEYS:
                raise ActionError(
                    f"unknown key {shown(key)}; known: {', '.join(_DICT_KEYS)}", field=shown(key).strip("'")
                )
        if "kind" not in obj:
            raise ActionError(f"an action needs a kind: one of {', '.join(KINDS)}", field="kind")
        return cls(**obj, raw=obj)

    def to_dict(self) -> dict[str, Any]:
        """A dict for JSON without what is None or empty; whole numbers are ints. `raw` is left out."""
        written: dict[str, Any] = {}
        for name in _DICT_KEYS:
            value = getattr(self, name)
            if isinstance(value, float) and value.is_integer():
                value = int(value)
            if value is not None and value != ():
                written[name] = list(value) if isinstance(value, tuple) else value
        return written

    @property
    def point(self) -> Point | None:
        """Where it acts, for a drag or swipe where it starts; None where the dialect names no point."""
        return None if self.x is None or self.y is None else (self.x, self.y)

    @property
    def end(self) -> Point | None:
        """Where a drag or swipe ends."""
        return None if self.x2 is None or self.y2 is None else (self.x2, self.y2)

    @property
    def may_be_invisible(self) -> bool:
        """Whether it can succeed with no visible change (`viscritic.actions.visibility`)."""
        from viscritic.actions.visibility import may_be_invisible  # noqa: PLC0415  # it imports this module

        return may_be_invisible((self,))

    def describe(self, size: Size | None = None) -> str:
        """One plain English sentence without a full stop (`viscritic.actions.sentence`): "Click at (848, 204)"."""
        from viscritic.actions.sentence import describe  # noqa: PLC0415  # it imports this module

        return describe(self, size)


_DICT_KEYS: Final = tuple(f.name for f in fields(Action) if f.name != "raw")


def check_number(value: Any, name: str) -> float:
    """The value as a float, where it is a finite number of at most `LIMIT`.

    Raises:
        ActionError: with `field` set to `name`.
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ActionError(f"{name} must be a number, got {shown(value)}", field=name)
    try:
        number = float(value)
    except (OverflowError, ValueError):
        number = math.inf
    if not math.isfinite(number) or abs(number) > LIMIT:
        raise ActionError(f"{name} must be a finite number of at most {LIMIT:g}, got {shown(value)}", field=name)
    return number + 0.0  # turns -0.0 into 0.0


def check_size(size: Any) -> Size | None:
    """The size as two plain ints, or None.

    Raises:
        ActionError: with `field` "size".
    """
    if size is None:
        return None
    if not isinstance(size, list | tuple) or len(size) != 2 or not all(_is_extent(n) for n in size):
        raise ActionError(f"size must be (width, height) in whole pixels, got {shown(size)}", field="size")
    return int(size[0]), int(size[1])


def _is_extent(value: Any) -> bool:
    number = as_int(value)
    return number is not None and 0 < number <= LIMIT


def as_int(value: Any) -> int | None:
    """A whole number of any type (numpy's, too) as an int; None for everything else, and for a bool."""
    if isinstance(value, bool):
        return None
    return int(value) if isinstance(value, Integral) else None
