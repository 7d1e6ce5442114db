"""What lies at a path: counts of its trajectories and steps, what is wrong with it, and steps to look at."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final

from data_prep.detect import detect_format
from data_prep.soundness import keep_decodable
from data_prep.sources import SOURCES
from viscritic.errors import DataError
from viscritic.trajectory import Step, Trajectory

MOST_NOTES: Final = 200
_RESULTS: Final = {True: "success", False: "failure", None: "unknown"}


@dataclass(slots=True)
class Inspection:
    """Counts of what a reader gave. The memory does not grow with the data set, but with its applications.

    Attributes:
        format: the name in `data_prep.sources.SOURCES`.
        empty: trajectories without a readable step.
        broken: rows that were left out.
        steps_by_result, trajectories_by_result: "success", "failure" and "unknown".
        without_after: steps without a screen after.
        without_point: clicks of a kind that hits a point, but whose point is not known.
        outside: steps with a point off the screen.
        marked: steps whose screens show an agent's marks.
        notes: at most `MOST_NOTES`.
        samples: steps to look at, drawn evenly from all, each with its trajectory's id.
    """

    path: Path
    format: str
    trajectories: int = 0
    empty: int = 0
    steps: int = 0
    broken: int = 0
    actions: Counter[str] = field(default_factory=Counter)
    sizes: Counter[str] = field(default_factory=Counter)
    apps: Counter[str] = field(default_factory=Counter)
    platforms: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)
    steps_by_result: Counter[str] = field(default_factory=Counter)
    trajectories_by_result: Counter[str] = field(default_factory=Counter)
    without_after: int = 0
    without_point: int = 0
    outside: int = 0
    marked: int = 0
    with_instruction: int = 0
    notes: list[str] = field(default_factory=list)
    samples: list[tuple[str, Step]] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """All but the samples, as plain JSON values; counts by name, the most frequent first."""
        told: dict[str, Any] = {"path": str(self.path), "format": self.format, "home": SOURCES[self.format].home}
        for name in self.__slots__:
            value = getattr(self, name)
            if name not in ("path", "format", "samples"):
                told[name] = dict(value.most_common()) if isinstance(value, Counter) else value
        return told


def inspect(
    path: Path | str,
    name: str | None = None,
    *,
    strict: bool = False,
    limit: int | None = None,
    samples: int = 12,
    watch: Callable[[Iterable[Trajectory]], Iterable[Trajectory]] = iter,
) -> Inspection:
    """Read a data set through, its screens included, and count.

    Every screen is decoded: one whose file is whole may be broken inside.

    Args:
        name: of its format in `SOURCES`; None finds it out.
        strict: the first broken row is an error.
        limit: so many trajectories are read at most.
        samples: so many steps are kept to be looked at.
        watch: passes on the trajectories, for a progress bar.

    Raises:
        DataError: an unknown format, nothing of it at `path`; or the first broken row where `strict`.
    """
    if name is None:
        name = detect_format(path)
    if name not in SOURCES:
        raise DataError(f"unknown format {name!r}; known: {', '.join(SOURCES)}")
    found = Inspection(Path(path), name)
    chosen = _Reservoir(samples)
    for read in watch(islice(SOURCES[name].read(Path(path), strict=strict), limit)):
        trajectory = keep_decodable(read, strict=strict)
        _count(trajectory, found)
        for step in trajectory.steps:
            chosen.offer(trajectory.id, step)
    found.samples = chosen.kept()
    return found


def _count(trajectory: Trajectory, found: Inspection) -> None:
    found.trajectories += 1
    found.empty += not trajectory.steps
    found.broken += trajectory.broken
    found.notes += trajectory.notes[: MOST_NOTES - len(found.notes)]
    found.trajectories_by_result[_RESULTS[trajectory.success]] += 1
    found.platforms[trajectory.platform] += 1
    found.apps[trajectory.app] += 1
    for step in trajectory.steps:
        found.steps += 1
        found.actions.update(action.kind for action in step.actions)
        found.sizes[f"{step.size[0]}x{step.size[1]}"] += 1
        found.steps_by_result[_RESULTS[step.success]] += 1
        found.outcomes.update([step.outcome] if step.outcome else [])
        found.without_after += step.post is None
        found.without_point += any(_lacks_point(step))
        found.outside += any(_off_screen(step))
        found.marked += step.marked
        found.with_instruction += bool(step.instruction)


def _lacks_point(step: Step) -> Iterator[bool]:
    return (
        action.point is None for action in step.actions if action.kind.endswith(("click", "press", "swipe", "drag"))
    )


def _off_screen(step: Step) -> Iterator[bool]:
    width, height = step.size
    for action in step.actions:
        for point in (action.point, action.end):
            if point is not None:
                yield not (0 <= point[0] < width and 0 <= point[1] < height)


class _Reservoir:
    """Draws evenly from a stream of unknown length, the same steps at every run."""

    def __init__(self, size: int) -> None:
        self.size, self.seen = size, 0
        self.items: list[tuple[int, str, Step]] = []
        self.random = random.Random(0)

    def offer(self, name: str, step: Step) -> None:
        """One more of the stream."""
        self.seen += 1
        item = (self.seen, name, step)
        if len(self.items) < self.size:
            self.items.append(item)
        elif (place := self.random.randrange(self.seen)) < self.size:
            self.items[place] = item

    def kept(self) -> list[tuple[str, Step]]:
        """What was drawn, in the order of the stream."""
        ordered: Iterable[tuple[int, str, Step]] = sorted(self.items, key=lambda item: item[0])
        return [(name, step) for _, name, step in ordered]
