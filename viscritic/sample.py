"""Samples: transitions with labels and their origin, one line of `samples.jsonl` each."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from typing import Any, Final, Literal, Self, get_args

from viscritic.actions import Action
from viscritic.errors import ActionError, DataError
from viscritic.trajectory import OUTCOMES, PLATFORMS, Box, Outcome, Platform

Origin = Literal["weak", "observed"]
Change = Literal["visual", "textual", "semantic", "none"]
Split = Literal["train", "val", "test"]
ORIGINS: Final[tuple[Origin, ...]] = get_args(Origin)
CHANGES: Final[tuple[Change, ...]] = get_args(Change)
SPLITS: Final[tuple[Split, ...]] = get_args(Split)

_TEXTS: Final = ("id", "app", "source", "trajectory", "pre", "post", "cause", "instruction", "task", "noise")
_NOT_EMPTY: Final = ("id", "app", "source", "trajectory", "pre", "post", "cause")
_CHOICES: Final[dict[str, tuple[tuple[str, ...], bool]]] = {  # field -> (allowed words, may be null)
    "platform": (PLATFORMS, False),
    "origin": (ORIGINS, False),
    "split": (SPLITS, False),
    "outcome": (OUTCOMES, True),
    "change": (CHANGES, True),
}


@dataclass(frozen=True, slots=True)
class Sample:
    """One labelled transition, as a line of `samples.jsonl` holds it.

    Attributes:
        id: unique in the folder; deterministic in its contents.
        pre, post, burst, idle: names of files under `screens/`, by content hash.
        action: the batch of actions between pre and post.
        success: the label in [0, 1]; fractions are a confidence.
        progress: the label in [-1, 1], or None where unknown (its loss is masked).
        outcome: the label, or None where unknown (its loss is masked).
        cause: how the sample came about ("positive", "action_mismatch", ...).
        noise: the kind of ambient change that was added, "" for none.
    """

    id: str
    app: str
    platform: Platform
    source: str
    trajectory: str
    step: int
    pre: str
    post: str
    action: tuple[Action, ...]
    success: float
    progress: float | None
    outcome: Outcome | None
    cause: str
    origin: Origin
    split: Split
    burst: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    instruction: str = ""
    task: str = ""
    change: Change | None = None
    target_box: Box | None = None
    noise: str = ""

    def to_dict(self) -> dict[str, Any]:
        """The row of `samples.jsonl`: every field under its own name, as plain JSON values."""
        row: dict[str, Any] = {f.name: getattr(self, f.name) for f in fields(self)}
        row["action"] = [action.to_dict() for action in self.action]
        row["burst"], row["idle"] = list(self.burst), list(self.idle)
        row["target_box"] = None if self.target_box is None else list(self.target_box)
        return row

    @classmethod
    def from_dict(cls, row: Any) -> Self:
        """Read a row strictly.

        Raises:
            DataError: an unknown or missing field, or a value outside its range; the message names the sample's id
                and the field.
        """
        if not isinstance(row, Mapping):
            raise DataError(f"a sample must be a JSON object, got {row!r}")
        name = f"sample {row.get('id')!r}"
        _check_fields(row, name)
        values = dict(row)
        values["action"] = _read_actions(row["action"], name)
        for key in ("burst", "idle"):
            values[key] = _read_names(row.get(key, []), name, key)
        values["success"] = _read_number(row["success"], 0.0, name, "success")
        if row["progress"] is not None:
            values["progress"] = _read_number(row["progress"], -1.0, name, "progress")
        if row.get("target_box") is not None:
            values["target_box"] = _read_box(row["target_box"], name)
        return cls(**values)


def _check_fields(row: Mapping[str, Any], name: str) -> None:
    known = {f.name: f.default is MISSING for f in fields(Sample)}
    if unknown := sorted(set(row) - set(known), key=str):
        raise DataError(f"{name}: unknown field {unknown[0]!r}; known: {', '.join(known)}")
    if missing := [key for key, required in known.items() if required and key not in row]:
        raise DataError(f"{name}: the field {missing[0]!r} is missing")
    for key in _TEXTS:
        value = row.get(key, "")
        if not isinstance(value, str) or (key in _NOT_EMPTY and not value):
            raise DataError(
                f"{name}: {key} must be {'text' if key not in _NOT_EMPTY else 'non-empty text'}, got {value!r}"
            )
    for key, (words, may_be_null) in _CHOICES.items():
        value = row.get(key)
        if value not in words and not (value is None and may_be_null):
            raise DataError(f"{name}: {key} must be one of {', '.join(words)}{' or null' * may_be_null}, got {value!r}")
    step = row["step"]
    if not isinstance(step, int) or isinstance(step, bool) or step < 0:
        raise DataError(f"{name}: step must be a whole number from 0, got {step!r}")


def _read_actions(value: Any, name: str) -> tuple[Action, ...]:
    if not isinstance(value, list) or not value:
        raise DataError(f"{name}: action must be a non-empty list of actions, got {value!r}")
    try:
        return tuple(Action.from_dict(item) for item in value)
    except ActionError as error:
        raise DataError(f"{name}: action: {error}") from error


def _read_names(value: Any, name: str, key: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
        raise DataError(f"{name}: {key} must be a list of screen names, got {value!r}")
    return tuple(value)


def _read_number(value: Any, low: float, name: str, key: str) -> float:
    # `not (low <= value <= 1)` also refuses NaN.
    if isinstance(value, bool) or not isinstance(value, int | float) or not (low <= value <= 1.0):
        raise DataError(f"{name}: {key} must be a number in [{low:g}, 1], got {value!r}")
    return float(value)


def _read_box(value: Any, name: str) -> Box:
    numbers: list[Any] = value if isinstance(value, list) and len(value) == 4 else [None]
    if any(isinstance(n, bool) or not isinstance(n, int | float) or not math.isfinite(n) for n in numbers):
        raise DataError(f"{name}: target_box must be [x, y, width, height] in pixels or null, got {value!r}")
    x, y, width, height = (float(n) for n in numbers)
    if width < 0 or height < 0:
        raise DataError(f"{name}: target_box has a negative size: {value!r}")
    return x, y, width, height
