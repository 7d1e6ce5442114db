"""Typed reading of foreign objects: what is missing or of the wrong type ends in an ActionError that names it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from viscritic.actions.action import Point, Size, check_number
from viscritic.actions.keys import normalise_key, read_chord
from viscritic.actions.shown import shown
from viscritic.errors import ActionError


class Fields:
    """The fields of one object of a dialect. A value of None counts as missing.

    Every reader raises ActionError with `field` set to the field's name.
    """

    def __init__(self, obj: Any, dialect: str) -> None:
        if not isinstance(obj, Mapping):
            raise ActionError(f"a {dialect} action is an object with named fields, got {shown(obj)}")
        self.obj = obj
        self.dialect = dialect

    def get(self, name: str) -> Any:
        """The raw value, None where missing."""
        return self.obj.get(name)

    def has(self, name: str) -> bool:
        """Whether it is there and not None."""
        return self.obj.get(name) is not None

    def only(self, *known: str) -> None:
        """Refuse every field but these."""
        for name in self.obj:
            if name not in known:
                raise self.error(f"has no field {shown(name)} here; known: {', '.join(known)}", shown(name).strip("'"))

    def error(self, message: str, field: str | None = None) -> ActionError:
        """An error that names the dialect."""
        return ActionError(f"{self.dialect}: {f'{field} ' if field else ''}{message}", field=field)

    def need(self, name: str) -> Any:
        """The raw value of a field that must be there."""
        value = self.obj.get(name)
        if value is None:
            raise self.error("is missing", name)
        return value

    def number(self, name: str) -> float:
        """A finite number."""
        return check_number(self.need(name), name)

    def number_or_none(self, name: str) -> float | None:
        """A finite number, None where missing."""
        return self.number(name) if self.has(name) else None

    def number_or(self, name: str, default: float) -> float:
        """A finite number, or the default where missing."""
        return self.number(name) if self.has(name) else default

    def text(self, name: str) -> str:
        """Text, which may be empty."""
        value = self.need(name)
        if not isinstance(value, str):
            raise self.error(f"must be text, got {shown(value)}", name)
        return value

    def text_or_none(self, name: str) -> str | None:
        """Text, None where missing."""
        return self.text(name) if self.has(name) else None

    def word(self, name: str, known: Collection[str]) -> str:
        """One of the known words."""
        value = self.need(name)
        if not isinstance(value, str) or value not in known:
            raise self.error(f"must be one of {', '.join(known)}; got {shown(value)}", name)
        return value

    def key(self, name: str) -> str:
        """One key."""
        return normalise_key(self.need(name), field=name)

    def chord(self, name: str, separator: str = "+") -> tuple[str, ...]:
        """A chord of keys: text with separators, or a list."""
        return read_chord(self.need(name), separator=separator, field=name)

    def held(self, name: str) -> tuple[str, ...]:
        """The keys that are held meanwhile, () where missing or empty."""
        value = self.get(name)
        return () if value is None or value in ("", [], ()) else self.chord(name)

    def xy(self, x: str = "x", y: str = "y") -> Point:
        """A point in two fields."""
        return self.number(x), self.number(y)

    def xy_or_none(self, x: str = "x", y: str = "y") -> Point | None:
        """A point in two fields, None where both are missing."""
        return self.xy(x, y) if self.has(x) or self.has(y) else None

    def pair(self, name: str) -> Point:
        """A point as a list of two numbers."""
        return as_pair(self.need(name), name, self.dialect)

    def pair_or_none(self, name: str) -> Point | None:
        """A point as a list of two numbers, None where missing."""
        return self.pair(name) if self.has(name) else None


def as_pair(value: Any, field: str, dialect: str) -> Point:
    """Two numbers of a list.

    Raises:
        ActionError: with `field`.
    """
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise ActionError(f"{dialect}: {field} must be a list of two numbers, got {shown(value)}", field=field)
    return check_number(value[0], field), check_number(value[1], field)


def to_pixels(point: Point, span: float, size: Size | None, field: str, dialect: str) -> Point:
    """A point of a dialect whose screens are `span` wide and high, in pixels. The far edge is the last pixel.

    Args:
        point: (x, y) in 0..span.
        span: 1 or 1000.
        size: of the screen in pixels.
        field: what a point out of range is blamed on.
        dialect: for the message.

    Raises:
        ActionError: the size is unknown (`field` "size") or the point is out of range.
    """
    if not all(0 <= value <= span for value in point):
        raise ActionError(f"{dialect}: {field} must lie in 0..{span:g}, got {shown(point)}", field=field)
    if size is None:
        raise ActionError(
            f"{dialect} writes points in 0..{span:g}: give size=(width, height) of the screen in pixels", field="size"
        )
    x, y = (min(value / span * extent, extent - 1) for value, extent in zip(point, size, strict=True))
    return x, y
