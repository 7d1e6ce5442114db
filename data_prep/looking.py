"""The work on one trajectory's pixels: a pure function of it, run here, by other processes, or all over a cluster."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from data_prep.config import BuildConfig
from data_prep.perturb import candidates
from data_prep.similarity import Features, Memory, Source, features, grey
from data_prep.soundness import keep_decodable
from data_prep.spool import Pairs, map_screens, screens_in, store_screen
from viscritic.errors import DataError
from viscritic.trajectory import Trajectory


@dataclass(frozen=True, slots=True)
class Job:
    """A trajectory whose screens are names, as paths without a folder, and what they hold.

    Attributes:
        places: where each screen came from, to be named where it is broken.
    """

    trajectory: Trajectory
    screens: dict[str, bytes]
    places: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Looked:
    """What was seen: the features of every screen, and what was measured on pairs of them.

    Attributes:
        trajectory: that of the job, without the steps whose screens cannot be decoded; its notes tell of them.
    """

    trajectory: Trajectory
    features: dict[str, Features]
    pairs: Pairs


def pack(trajectory: Trajectory, folder: Path, *, strict: bool = False) -> Job:
    """Store the screens of a trajectory in a folder, and make of it what any process can work on.

    Steps whose screens cannot be read are left out; the notes tell of them.

    Raises:
        DataError: there are such, and `strict`.
    """
    names: dict[Source, str] = {}
    screens: dict[str, bytes] = {}
    places: dict[str, str] = {}

    def store(source: Source) -> None:
        name, data = store_screen(source, folder)
        names[source], screens[name] = name, data
        places[name] = "among its embedded ones" if isinstance(source, bytes) else str(source)

    kept = keep_decodable(trajectory, store, strict=strict)
    return Job(map_screens(kept, lambda source: Path(names[source])), screens, places)


def look(job: Job, config: BuildConfig) -> Looked:
    """Decode the screens of a trajectory, each once, and find out all that making samples of it will ask for."""
    memory = Memory(locate=lambda source: job.screens[str(source)])
    kept = job.trajectory
    try:
        with memory.used():
            try:
                _ask(kept, config)
            except DataError:  # rare: now each screen is tried by itself
                kept = _named(keep_decodable(kept, features), job)
                _ask(kept, config)
    finally:
        grey.cache_clear()
    return Looked(kept, {str(screen): found for screen, found in memory.features.items()}, memory.pairs)


def _ask(trajectory: Trajectory, config: BuildConfig) -> None:
    """Have everything measured; what comes of it is made again when the splits are known."""
    candidates(trajectory, config)
    for screen in screens_in(trajectory):
        features(screen)


def _named(trajectory: Trajectory, job: Job) -> Trajectory:
    """The trajectory with its screens named in its notes as they were where they came from."""
    notes = list(trajectory.notes)
    for name, place in job.places.items():
        notes = [note.replace(name, place) for note in notes]
    return replace(trajectory, notes=tuple(notes))
