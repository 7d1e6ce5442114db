"""What is wrong with the rows of a data set: collected as notes, or raised at the first where that is wanted."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from viscritic.errors import DataError
from viscritic.trajectory import Trajectory

_MOST: Final = 100  # notes that are kept word by word; a broken file of millions of rows must not fill the memory
_LONGEST: Final = 500  # characters of a note: errors may quote what strangers wrote


class Problems:
    """The notes of one trajectory after the other.

    Args:
        strict: `add` raises a DataError instead.
    """

    def __init__(self, strict: bool) -> None:
        self.strict = strict
        self._notes: list[str] = []
        self._more = 0
        self.broken = 0  # rows and episodes since the last `attach`

    def add(self, where: str, reason: object) -> None:
        """A row or episode that is left out because it is broken.

        Raises:
            DataError: where the reader is strict.
        """
        if isinstance(reason, _ToldError):
            raise reason
        message = _cut(f"{where}: {reason}")
        if self.strict:
            raise _ToldError(message)
        self.broken += 1
        self._keep(message)

    def mention(self, message: str) -> None:
        """What a user should know, though nothing is broken; never raises."""
        self._keep(_cut(message))

    def attach(self, trajectory: Trajectory) -> Trajectory:
        """The trajectory with what was told since the last call."""
        notes = tuple(self._notes) + ((f"and {self._more} more",) if self._more else ())
        told = replace(trajectory, notes=notes, broken=self.broken)
        self._notes, self._more, self.broken = [], 0, 0
        return told

    def _keep(self, message: str) -> None:
        if len(self._notes) < _MOST:
            self._notes.append(message)
        else:
            self._more += 1


class _ToldError(DataError):
    """Has its place in its message: it passes through whoever else would add one."""


def _cut(message: str) -> str:
    line = " ".join(message.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 3] + "..."
