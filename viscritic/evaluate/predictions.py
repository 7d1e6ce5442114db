"""What one system says of many samples: the only thing that evaluation needs to know of it."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

import numpy as np
import numpy.typing as npt

from viscritic import files
from viscritic.errors import DataError
from viscritic.trajectory import OUTCOMES

Floats = npt.NDArray[np.float64]
_SUM_TOLERANCE: Final = 1e-3  # float16 softmaxes sum to 1 within this
_KEYS: Final = {"id", "success", "progress", "outcome_probs"}


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """Predictions for N samples; the arrays are copied and read-only.

    Attributes:
        ids: the N samples' ids, each once.
        success: (N,) float64 in [0, 1].
        progress: (N,) float64 in [-1, 1], NaN where the system says nothing of progress.
        outcome_probs: (N, 5) float64, rows sum to 1, columns in the order of `OUTCOMES`; None for a system that
            knows no outcomes.

    Raises:
        DataError: if a shape, a range or an id is wrong.
    """

    ids: tuple[str, ...]
    success: Floats
    progress: Floats
    outcome_probs: Floats | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "ids", tuple(self.ids))
        self._check_ids()
        count = len(self.ids)
        success = _array("success", self.success, (count,))
        self._check_range("success", success, 0.0, 1.0)
        progress = _array("progress", self.progress, (count,))
        self._check_range("progress", np.where(np.isnan(progress), 0.0, progress), -1.0, 1.0)
        object.__setattr__(self, "success", success)
        object.__setattr__(self, "progress", progress)
        if self.outcome_probs is not None:
            probs = _array("outcome_probs", self.outcome_probs, (count, len(OUTCOMES)))
            self._check_range("outcome_probs", probs, 0.0, 1.0)
            off = np.flatnonzero(np.abs(probs.sum(axis=1) - 1.0) > _SUM_TOLERANCE)
            if off.size:
                row = int(off[0])
                raise DataError(
                    f"outcome_probs of {self.ids[row]!r} sum to {probs[row].sum():.6g}, not 1: pass probabilities "
                    "(a softmax), not logits"
                )
            object.__setattr__(self, "outcome_probs", probs)

    def _check_ids(self) -> None:
        wrong = next((i for i in self.ids if not isinstance(i, str) or not i), None)
        if wrong is not None:
            raise DataError(f"an id of predictions must be a non-empty text, got {wrong!r}")
        if len(set(self.ids)) != len(self.ids):
            twice = next(i for i in self.ids if self.ids.count(i) > 1)
            raise DataError(f"predictions hold the id {twice!r} more than once; one sample has one prediction")

    def _check_range(self, name: str, values: Floats, low: float, high: float) -> None:
        """Raise for the first value outside [low, high]; NaN is outside."""
        bad = np.argwhere(~((values >= low) & (values <= high)))
        if bad.size:
            position = tuple(bad[0])
            identifier = self.ids[position[0]]
            raise DataError(
                f"{name} of {identifier!r} must be a number from {low:g} to {high:g}, got {values[position]!s}"
            )

    def __len__(self) -> int:
        return len(self.ids)

    def select(self, ids: Sequence[str]) -> Self:
        """The predictions of exactly `ids`, in that order; those of other samples are left out.

        Raises:
            DataError: if an id has no prediction.
        """
        position = {identifier: row for row, identifier in enumerate(self.ids)}
        missing = [i for i in ids if i not in position]
        if missing:
            raise DataError(
                f"{len(missing)} of {len(ids)} samples have no prediction, the first is {missing[0]!r}; "
                "predict the same split that you evaluate"
            )
        rows = np.array([position[i] for i in ids], dtype=np.intp)
        probs = None if self.outcome_probs is None else self.outcome_probs[rows]
        return type(self)(tuple(ids), self.success[rows], self.progress[rows], probs)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write one JSON object a line, atomically; `load` reads back the identical numbers."""
        lines = []
        for row, identifier in enumerate(self.ids):
            progress = float(self.progress[row])
            line = {
                "id": identifier,
                "success": float(self.success[row]),
                "progress": None if np.isnan(progress) else progress,
                "outcome_probs": None if self.outcome_probs is None else self.outcome_probs[row].tolist(),
            }
            lines.append(json.dumps(line, allow_nan=False) + "\n")
        files.write_text(path, "".join(lines))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read what `save` wrote.

        Raises:
            DataError: if the file is missing or a line is not such an object; the message names the line.
        """
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise DataError(f"cannot read predictions from {os.fspath(path)}: {error}") from error
        # Not splitlines(): JSON allows a raw U+2028 inside a text.
        numbered = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
        rows = [_parse_line(line, f"{os.fspath(path)}, line {number}") for number, line in numbered]
        with_probs = [row["outcome_probs"] is not None for row in rows]
        if any(with_probs) and not all(with_probs):
            raise DataError(
                f"{os.fspath(path)}: outcome_probs is null in line {numbered[with_probs.index(False)][0]} but not in "
                "others; a system has it for all samples or for none"
            )
        return cls(
            tuple(row["id"] for row in rows),
            np.array([row["success"] for row in rows], dtype=np.float64),
            np.array([np.nan if row["progress"] is None else row["progress"] for row in rows], dtype=np.float64),
            np.array([row["outcome_probs"] for row in rows], dtype=np.float64) if any(with_probs) else None,
        )


def _array(name: str, values: Any, shape: tuple[int, ...]) -> Floats:
    """A read-only float64 copy of `values`, whose shape must be `shape`."""
    try:
        array = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(f"{name} must be numbers of shape {shape}: {error}") from error
    if array.shape != shape:
        raise DataError(f"{name} must have shape {shape} to match the {shape[0]} ids, got {array.shape}")
    array.flags.writeable = False
    return array


def _parse_line(line: str, place: str) -> dict[str, Any]:
    """One line's object with its types checked; ranges are checked later, for all rows at once."""
    try:
        row = json.loads(line, parse_int=float)  # a whole number of any length is at worst infinite
    except (ValueError, RecursionError) as error:
        raise DataError(f"{place}: not JSON ({error})") from error
    if not isinstance(row, dict) or set(row) != _KEYS:
        raise DataError(f"{place}: expected an object with the keys {', '.join(sorted(_KEYS))}")
    probs = row["outcome_probs"]
    if not isinstance(row["success"], float):
        raise DataError(f"{place}: success must be a number, got {row['success']!r}")
    if row["progress"] is not None and not isinstance(row["progress"], float):
        raise DataError(f"{place}: progress must be a number or null, got {row['progress']!r}")
    if probs is not None and (
        not isinstance(probs, list) or len(probs) != len(OUTCOMES) or not all(isinstance(p, float) for p in probs)
    ):
        raise DataError(f"{place}: outcome_probs must be {len(OUTCOMES)} numbers or null, got {probs!r}")
    return row
