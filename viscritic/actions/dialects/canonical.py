"""The canonical form, `Action.to_dict`: {"kind": "click", "x": 848, "y": 204}. Pixels; an unknown key is an error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from viscritic.actions.action import Action, Size
from viscritic.actions.dialects.dialect import Dialect
from viscritic.actions.gesture import Event


def _claims(obj: Any) -> bool:
    return isinstance(obj, Mapping) and "kind" in obj


def _read(obj: Any, size: Size | None) -> list[Event]:
    del size  # pixels already
    return [Action.from_dict(obj)]


DIALECT = Dialect("viscritic", "what Action.to_dict writes; pixels", _claims, _read)
