"""What a dialect is: a name, a test for its own, and a reader."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from viscritic.actions.action import Size
from viscritic.actions.gesture import Event


@dataclass(frozen=True, slots=True)
class Dialect:
    """One way of writing actions.

    Attributes:
        name: what `Action.parse(dialect=...)` takes.
        about: one line on where it comes from and what its coordinates are.
        claims: whether an object looks like this dialect's; it never raises, and a claimed object may still be bad.
        read: the events of one object, none where it holds no action on the GUI; raises ActionError alone.
    """

    name: str
    about: str
    claims: Callable[[Any], bool]
    read: Callable[[Any, Size | None], list[Event]]


def names(obj: Any, key: str, known: Collection[str]) -> bool:
    """Whether `obj` is an object whose `key` is one of the known words."""
    value = obj.get(key) if isinstance(obj, Mapping) else None
    return isinstance(value, str) and value in known
