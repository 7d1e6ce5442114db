"""How foreign values appear in error messages: short, and without failing themselves."""

from __future__ import annotations

import reprlib
from typing import Any


def shown(value: Any) -> str:
    """`repr(value)` cut to a readable length, whatever the value is: huge, deeply nested, or with a broken `repr`."""
    try:
        return reprlib.repr(value)
    except Exception:  # a huge int has no decimal form, and a stranger's __repr__ may raise anything
        return f"a {type(value).__name__}"
