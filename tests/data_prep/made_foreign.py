"""Classes of packages that are not installed, and pickles of them.

Their modules exist only while something is pickled: a reader that imported them would fail.
"""

from __future__ import annotations

import pickle
import sys
import types
from dataclasses import dataclass, make_dataclass
from typing import Any

_CLASSES: list[type] = []


def foreign(module: str, name: str, *fields: str) -> type:
    """A dataclass that says it is `module.name`; all fields default to None."""
    made = make_dataclass(name, [(field, object, None) for field in fields])
    made.__module__ = module
    _CLASSES.append(made)
    return made


def pickled(value: Any, protocol: int = pickle.DEFAULT_PROTOCOL) -> bytes:
    added = []
    for made in _CLASSES:
        parts = made.__module__.split(".")
        for end in range(1, len(parts) + 1):
            path = ".".join(parts[:end])
            if path not in sys.modules:
                sys.modules[path] = types.ModuleType(path)
                added.append(path)
        setattr(sys.modules[made.__module__], made.__name__, made)
    try:
        return pickle.dumps(value, protocol)
    finally:
        for path in added:
            del sys.modules[path]


@dataclass
class Poison:
    """Calls what it is given when a usual unpickler reads it."""

    call: object
    args: tuple

    def __reduce__(self):
        return self.call, self.args
