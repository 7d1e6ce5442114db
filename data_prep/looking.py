"""The work on one trajectory's pixels: a pure function of it, run here, by other processes, or all over a cluster."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from data_prep.config import BuildConfig
from data_prep.perturb import candidates
from data_prep.similarity import Features, Memory, Source, features, grey
from data_prep.spool import Pairs, map_screens, screens_in, store_screen
from viscritic.errors import DataError
from viscritic.trajectory import Trajectory


@dataclass(frozen=True, slots=True)
class Job:
    """A trajectory whose screens are names, as paths without a folder, and what they hold.

    Attributes:
        reason: why it cannot be looked at, "" where it can.
        places: where each screen came from, to be named where it is broken.
    """

    trajectory: Trajectory
    screens: dict[str, bytes]
    reason: str = ""
    places: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Looked:
    """What was seen: the features of every screen, and what was measured on pairs of them; or why it was not."""

    features: dict[str, Features]
    pairs: Pairs
    reason: str = ""


def pack(trajectory: Trajectory, folder: Path) -> Job:
    """Store the screens of a trajectory in a folder, and make of it what any process can work on."""
    names: dict[Source, str] = {}
    screens: dict[str, bytes] = {}
    places: dict[str, str] = {}
    try:
        for source in screens_in(trajectory):
            name, data = store_screen(source, folder)
            names[source], screens[name] = name, data
            places[name] = "among its embedded ones" if isinstance(source, bytes) else str(source)
    except DataError as error:
        return Job(trajectory, {}, str(error))
    return Job(map_screens(trajectory, lambda source: Path(names[source])), screens, places=places)


def look(job: Job, config: BuildConfig) -> Looked:
    """Decode the screens of a trajectory, each once, and find out all that making samples of it will ask for."""
    if job.reason:
        return Looked({}, {}, job.reason)
    memory = Memory(locate=lambda source: job.screens[str(source)])
    try:
        with memory.used():
            candidates(job.trajectory, config)  # for what it asks; its results come when the splits are known
            for screen in screens_in(job.trajectory):
                features(screen)
    except DataError as error:
        reason = str(error)
        for name, place in job.places.items():
            reason = reason.replace(name, place)
        return Looked({}, {}, reason)
    finally:
        grey.cache_clear()
    return Looked({str(screen): found for screen, found in memory.features.items()}, memory.pairs)
