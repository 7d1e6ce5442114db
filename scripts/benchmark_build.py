"""What building samples costs: samples a second, peak memory, and the ratio to decoding the screens once.

`python scripts/benchmark.py build --source DIR` runs it on made-up trajectories of real screens: DIR is the ScreenAgent
data set. Its sessions are cut out of the screens at several places, and each trajectory takes some steps in a row
of one of them. Steps of which the data set says nothing count as successes, so that there are enough.
"""

from __future__ import annotations

import json
import multiprocessing
import random
import resource
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from PIL import Image

from data_prep.build import build_samples
from data_prep.config import BuildConfig
from data_prep.engines import EngineConfig
from data_prep.readers.screenagent import read_screenagent
from data_prep.spool import map_screens, screens_in
from viscritic.actions import Action
from viscritic.trajectory import Step, Trajectory

SIZE = (640, 480)  # px; what is cut out of the screens, which have 1024x768
PLACES = [(0, 0), (352, 0), (32, 256), (352, 240)]  # px; left and upper edge
STEPS = range(4, 13)  # of a trajectory


def bench_build(source: Path, work: Path, sizes: list[int], workers: int) -> dict[str, Any]:
    """The figures of each size, measured in a process of its own.

    Args:
        work: where screens and samples are written; what is there already is used.
        sizes: numbers of samples that are asked for.
    """
    cut_screens(source, work / "screens")
    rows: dict[str, Any] = {}
    for size in sizes:
        for measure in (partial(measure_build, workers=workers), measure_decoding):
            with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
                found = pool.submit(measure, source, work, size).result()
            rows |= {f"{size}: {name}": value for name, value in found.items()}
        decoding = rows[f"{size}: ms to decode a screen"] * rows[f"{size}: screens looked at"] / 1000
        rows[f"{size}: ratio to decoding once"] = rows[f"{size}: s of processor"] / decoding
        print(json.dumps({name: rows[name] for name in rows if name.startswith(f"{size}:")}), flush=True)
    return rows


def cut_screens(source: Path, folder: Path) -> None:
    """Write every screen of the data set as it looks from each place."""
    for number, (left, top) in enumerate(PLACES):
        place = folder / str(number)
        if place.is_dir():
            continue
        part = folder / f"{number}.part"
        part.mkdir(parents=True, exist_ok=True)
        for trajectory in read_screenagent(source):
            for screen in screens_in(trajectory):
                with Image.open(screen) as image:
                    cut = image.convert("RGB").crop((left, top, left + SIZE[0], top + SIZE[1]))
                    cut.save(part / f"{trajectory.id}-{Path(str(screen)).name}", quality=85)
        part.rename(place)


def make_trajectories(source: Path, folder: Path, samples: int) -> Iterator[Trajectory]:
    """Trajectories that make about so many samples: 2.4 of a step that succeeded."""
    sessions = list(read_screenagent(source))
    rng = random.Random(0)
    steps = number = 0
    while steps < samples / 2.4:
        session, place = rng.choice(sessions), rng.randrange(len(PLACES))
        length = rng.choice(STEPS)
        first = rng.randrange(max(len(session.steps) - length, 0) + 1)
        chosen = [_cut(step, place, index) for index, step in enumerate(session.steps[first : first + length])]
        made = replace(session, id=f"{session.id}-{number}", steps=tuple(chosen))
        yield map_screens(made, lambda s, p=place, t=session.id: folder / str(p) / f"{t}-{Path(str(s)).name}")
        steps += sum(step.success is True for step in chosen)
        number += 1


def _cut(step: Step, place: int, index: int) -> Step:
    left, top = PLACES[place]
    actions = tuple(_moved(action, left, top) for action in step.actions)
    return replace(step, index=index, size=SIZE, actions=actions, success=step.success is not False)


def _moved(action: Action, left: int, top: int) -> Action:
    point = {"x": action.x, "x2": action.x2}, {"y": action.y, "y2": action.y2}
    moved = {name: None if value is None else max(value - left, 0) for name, value in point[0].items()}
    moved |= {name: None if value is None else max(value - top, 0) for name, value in point[1].items()}
    return replace(action, **moved)


def measure_build(source: Path, work: Path, size: int, workers: int) -> dict[str, float]:
    """Build once; the processor's time counts, that of all processes, since others may use the machine."""
    clock = time.perf_counter()
    manifest = build_samples(
        make_trajectories(source, work / "screens", size), work / f"samples-{size}", BuildConfig(), progress=False,
        engine=EngineConfig(workers=workers),
    )  # fmt: skip
    own, theirs = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    used = own.ru_utime + own.ru_stime + theirs.ru_utime + theirs.ru_stime
    return {
        "samples": manifest["samples"],
        "screens": manifest["screens"],
        "trajectories": manifest["trajectories"],
        "s of processor": used,
        "s by the clock": time.perf_counter() - clock,
        "samples/s of one core": manifest["samples"] / used,
        "peak memory, MB": own.ru_maxrss / 1024,
        "peak memory of a worker, MB": theirs.ru_maxrss / 1024,
    }


def measure_decoding(source: Path, work: Path, size: int) -> dict[str, float]:
    """What it takes to decode a screen, and how many there are, each once in a trajectory."""
    looked = decoded = 0
    used = 0.0
    for number, trajectory in enumerate(make_trajectories(source, work / "screens", size)):
        screens = screens_in(trajectory)
        looked += len(screens)
        if number % max(size // 10_000, 1) == 0:
            decoded += len(screens)
            start = time.process_time()
            for screen in screens:
                with Image.open(screen) as image:
                    image.load()
            used += time.process_time() - start
    return {"screens looked at": looked, "ms to decode a screen": 1000 * used / decoded}
