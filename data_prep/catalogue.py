"""What is to be known of all trajectories together before samples are made: their groups, splits, runs of one task.

It takes some hundred bytes of memory for each trajectory, whatever its steps and screens.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from data_prep.choice import rank
from data_prep.config import BuildConfig
from data_prep.divergence import MOST, task_of
from data_prep.feature_store import FeatureStore
from data_prep.near import Union, join_near
from data_prep.progress import Watch
from data_prep.splits import assign_splits
from data_prep.spool import Entry, Spool, screens_in
from viscritic.sample import Split
from viscritic.trajectory import Trajectory

_MOST_NOTES: Final = 1000
_MOST_GROUPS: Final = 100  # of trajectories that are named in the manifest, and of names in each
_RESULTS: Final = {True: "success", False: "failure", None: "unknown"}


class Catalogue:
    """Made by one pass over the spool.

    Attributes:
        splits: of each trajectory that was not skipped, by its number in the spool.
    """

    def __init__(self, spool: Spool, store: FeatureStore, config: BuildConfig, watch: Watch = iter) -> None:
        self._spool = spool
        self._names: list[tuple[str, str]] = []
        self._steps = array("L")
        self._skipped = array("L")
        self._results: Counter[str] = Counter()
        self._notes: list[str] = []
        self._more_notes = self._broken = 0
        self._succeeded: dict[int, list[tuple[int, int]]] = {}  # task -> number and place of each run
        self._failed: set[int] = set()  # tasks
        owners = array("q", [-1]) * len(store)
        union = Union(spool.length)
        for number, (entry, place) in enumerate(spool.with_places()):
            self._add(number, place, entry)
            for screen in screens_in(entry.trajectory):
                at = store.number(str(screen))
                if owners[at] < 0:
                    owners[at] = number
                union.join(owners[at], number)
        join_near(store, owners, union, config.near, watch)
        skipped = set(self._skipped)
        groups: dict[int, list[int]] = {}
        for number in range(spool.length):
            if number not in skipped:
                groups.setdefault(union.find(number), []).append(number)
        self._groups = list(groups.values())
        self.splits: dict[int, Split] = assign_splits(self._groups, self._steps, self._names, config)
        self._succeeded = {task: runs for task, runs in self._succeeded.items() if task in self._failed}
        self._read = lru_cache(maxsize=64)(lambda place: spool.at(place).trajectory)

    def _add(self, number: int, place: int, entry: Entry) -> None:
        trajectory = entry.trajectory
        self._names.append((trajectory.source, trajectory.id))
        self._steps.append(len(trajectory.steps))
        if entry.reason:
            self._skipped.append(number)
            self._note(f"{trajectory.source}/{trajectory.id} was left out: {entry.reason}")
        for note in trajectory.notes:
            self._note(note)
        self._broken += trajectory.broken
        self._results.update(_RESULTS[step.success] for step in trajectory.steps)
        if (task := _task_number(trajectory)) is None or entry.reason:
            return
        if trajectory.success:
            self._succeeded.setdefault(task, []).append((number, place))
        elif trajectory.success is False:
            self._failed.add(task)

    def _note(self, note: str) -> None:
        if len(self._notes) < _MOST_NOTES:
            self._notes.append(note)
        else:
            self._more_notes += 1

    def references(self, number: int, trajectory: Trajectory) -> Sequence[Trajectory]:
        """The runs that a failed one is compared with: the first of its task and split that succeeded."""
        task = _task_number(trajectory)
        if trajectory.success is not False or task is None:
            return ()
        runs = [place for other, place in self._succeeded.get(task, ()) if self.splits[other] == self.splits[number]]
        return [self._read(place) for place in runs[:MOST]]

    @property
    def skipped(self) -> int:
        """How many trajectories were left out as a whole."""
        return len(self._skipped)

    @property
    def notes(self) -> Sequence[str]:
        """Why trajectories and rows were left out."""
        return [*self._notes, *([f"and {self._more_notes} more"] if self._more_notes else [])]

    def facts(self) -> Mapping[str, Any]:
        """What the manifest says of the sources."""
        shared = [group for group in self._groups if len(group) > 1]
        return {
            "sources": sorted({source for source, _ in self._names}),
            "trajectories": len(self._names) - self.skipped,
            "skipped": self.skipped,
            "broken_rows": self._broken,
            "steps": {name: self._results[name] for name in _RESULTS.values()},
            "groups": len(self._groups),
            "shared_screens": [
                [self._names[number][1] for number in group[:_MOST_GROUPS]] for group in shared[:_MOST_GROUPS]
            ],
            "notes": self.notes,
        }


def _task_number(trajectory: Trajectory) -> int | None:
    task = task_of(trajectory)
    return None if task is None else rank(0, *task)
