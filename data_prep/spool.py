"""Trajectories on disk while a build is at work, a line of JSON each, in the order in which they were read.

Their screens lie beside them, in a folder, under names by content hash, each once. A line is whole or not there: what a
kill cut short is removed when the spool is opened again, and reading goes on after the last whole line.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from data_prep.similarity import Source
from viscritic.actions import Action
from viscritic.errors import DataError
from viscritic.sample_writer import screen_name
from viscritic.trajectory import Element, Step, Trajectory

Pairs = dict[tuple[Any, ...], float | bool]


@dataclass(frozen=True, slots=True)
class Entry:
    """One trajectory of the spool.

    Attributes:
        trajectory: its screens are names, as paths without a folder; no steps where it was skipped.
        reason: why it was skipped, "" where it was not.
        pairs: what was measured on its screens (`data_prep.similarity.Memory.pairs`).
    """

    trajectory: Trajectory
    reason: str = ""
    pairs: Pairs | None = None


class Spool:
    """The spool's file; a context manager.

    Args:
        path: the file; made where it is missing, continued where it is there.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.open("a+b")
        self.length = 0
        end = 0
        self._file.seek(0)
        for line in self._file:
            if not line.endswith(b"\n"):
                break
            self.length += 1
            end += len(line)
        self._file.truncate(end)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def add(self, entry: Entry) -> None:
        """Write an entry; a kill does not lose it afterwards."""
        row = {
            "trajectory": _write_trajectory(entry.trajectory),
            "reason": entry.reason,
            "pairs": [[_write_key(key), value] for key, value in (entry.pairs or {}).items()],
        }
        self._file.write(json.dumps(row).encode() + b"\n")
        self._file.flush()
        self.length += 1

    def __iter__(self) -> Iterator[Entry]:
        for entry, _ in self.with_places():
            yield entry

    def first(self, number: int) -> Iterator[Entry]:
        """So many entries from the beginning; more may be added meanwhile."""
        return islice(self, number)

    def with_places(self) -> Iterator[tuple[Entry, int]]:
        """The entries, each with the place that `at` takes."""
        with self._path.open("rb") as file:
            place = 0
            for line in file:
                yield _read_entry(line), place
                place += len(line)

    def at(self, place: int) -> Entry:
        """The entry of one place."""
        with self._path.open("rb") as file:
            file.seek(place)
            return _read_entry(file.readline())


def map_screens(trajectory: Trajectory, change: Callable[[Source], Source]) -> Trajectory:
    """The trajectory with other sources of its screens."""
    steps = tuple(
        replace(
            step,
            pre=change(step.pre),
            post=None if step.post is None else change(step.post),
            idle=tuple(change(screen) for screen in step.idle),
        )
        for step in trajectory.steps
    )
    return replace(trajectory, steps=steps)


def screens_in(trajectory: Trajectory) -> list[Source]:
    """Every screen of a trajectory once, in the order of time."""
    screens = (screen for step in trajectory.steps for screen in (*step.idle, step.pre, step.post))
    return list(dict.fromkeys(screen for screen in screens if screen is not None))


def store_screen(source: Source, folder: Path) -> tuple[str, bytes]:
    """Put an encoded screen into the folder, whole and once; its name there and its bytes.

    Raises:
        DataError: it cannot be read, or is no image.
    """
    try:
        data = source if isinstance(source, bytes) else source.read_bytes()
    except OSError as error:
        raise DataError(f"the screen {source!r} cannot be read: {error.strerror}") from error
    try:
        name = screen_name(data)
    except DataError as error:
        raise error if isinstance(source, bytes) else DataError(f"the screen {source}: {error}") from error
    if not (folder / name).exists():
        part = folder / f".{name}.{os.getpid()}"
        part.write_bytes(data)
        part.replace(folder / name)
    return name, data


def _write_trajectory(trajectory: Trajectory) -> dict[str, Any]:
    row = {f.name: getattr(trajectory, f.name) for f in fields(trajectory)}
    row["steps"] = [_write_step(step) for step in trajectory.steps]
    return row


def _write_step(step: Step) -> dict[str, Any]:
    row = {f.name: getattr(step, f.name) for f in fields(step)}
    row["pre"], row["post"] = str(step.pre), None if step.post is None else str(step.post)
    row["idle"] = [str(screen) for screen in step.idle]
    row["actions"] = [action.to_dict() for action in step.actions]
    row["elements"] = [[element.box, element.name] for element in step.elements]
    return row


def _read_entry(line: bytes) -> Entry:
    row = json.loads(line)
    trajectory = row["trajectory"]
    trajectory["steps"] = tuple(_read_step(step) for step in trajectory["steps"])
    trajectory["notes"] = tuple(trajectory["notes"])
    return Entry(Trajectory(**trajectory), row["reason"], {_read_key(key): value for key, value in row["pairs"]})


def _read_step(row: dict[str, Any]) -> Step:
    row["pre"], row["post"] = Path(row["pre"]), None if row["post"] is None else Path(row["post"])
    row["idle"] = tuple(map(Path, row["idle"]))
    row["size"] = tuple(row["size"])
    row["actions"] = tuple(map(Action.from_dict, row["actions"]))
    row["elements"] = tuple(Element(tuple(box), name) for box, name in row["elements"])
    row["target_box"] = None if row["target_box"] is None else tuple(row["target_box"])
    return Step(**row)


def _write_key(key: Any) -> Any:
    """Tuples as lists, screens as objects of one entry."""
    if isinstance(key, Path):
        return {"screen": str(key)}
    return [_write_key(part) for part in key] if isinstance(key, tuple) else key


def _read_key(key: Any) -> Any:
    if isinstance(key, dict):
        return Path(key["screen"])
    return tuple(_read_key(part) for part in key) if isinstance(key, list) else key
