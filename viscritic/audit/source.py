"""What is to be audited: trajectories of any layout that the readers know."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import Final

from data_prep.detect import detect_format
from data_prep.sources import SOURCES
from viscritic.errors import DataError
from viscritic.trajectory import Trajectory

_RECORDINGS: Final = (".mp4", ".m4v", ".mov", ".webm", ".mkv", ".avi")


def read_trajectories(path: Path, name: str | None = None, limit: int | None = None) -> tuple[str, list[Trajectory]]:
    """The format of what lies at `path`, and its trajectories with their steps; those without any are left out.

    Args:
        name: of the format in `data_prep.sources.SOURCES`; None finds it out.
        limit: so many trajectories at most.

    Raises:
        DataError: an unknown format, nothing of it at `path`, or no step that could be read.
        MissingExtraError: its reader needs an extra that is not installed.
    """
    if name is None and path.is_file() and path.suffix.lower() in _RECORDINGS:
        raise DataError(f"{path} is a screen recording: cut it first, with  viscritic data cut {path} --out FOLDER")
    if name is None:
        name = detect_format(path)
    if name not in SOURCES:
        raise DataError(f"unknown format {name!r}; known: {', '.join(SOURCES)}")
    notes: list[str] = []
    found: list[Trajectory] = []
    for trajectory in islice(SOURCES[name].read(path), limit):
        notes += trajectory.notes[:1]
        if trajectory.steps:
            found.append(trajectory)
    if not found:
        reason = notes[0] if notes else "it holds no action between two screens"
        raise DataError(f"{path} was read as {name}, but there is no step to judge: {reason}")
    return name, found
