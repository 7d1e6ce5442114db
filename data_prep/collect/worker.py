"""A worker process of a collection: takes walks until it is told to stop.

    python -m data_prep.collect.worker '{"out": ..., "cache": ..., "worker": 0, ...}'

It reads the names of walks from standard input ("app seed" a line) and prints one JSON line for each: `begin` when it
starts and `end` when it is done. Whoever started it ends it with all its children when no line comes for too long.
"""

from __future__ import annotations

import json
import sys
import traceback
from pathlib import Path
from typing import Any

from data_prep.collect.application import Application
from data_prep.collect.apps import APPLICATIONS
from data_prep.collect.driver import HungError
from data_prep.collect.folder import CollectFolder
from data_prep.collect.samples import walk_samples
from data_prep.collect.walk import take_walk


def walk_name(app: str, seed: int) -> str:
    """The name of a walk in its folder."""
    return f"{app}-{seed:05}"


def work(out: Path, cache: Path, worker: int) -> None:
    """Take the walks that standard input names."""
    folder = CollectFolder(out)
    app: Application | None = None
    try:
        for line in sys.stdin:
            name, seed = line.split()
            _say(begin=walk_name(name, int(seed)))
            if app is None or app.name != name:
                if app is not None:
                    app.stop()
                app = APPLICATIONS[name]()
                app.start(cache)
            try:
                walk = take_walk(app, int(seed))
            except Exception as error:  # a page may do anything: the walk is lost, the others are not
                if not isinstance(error, HungError):
                    traceback.print_exc()
                app.stop()
                app = None
                _say(end=walk_name(name, int(seed)), samples=0, error=f"{type(error).__name__}: {error}"[:300])
                continue
            trajectory = walk_name(name, int(seed))
            samples = walk_samples(app, walk, trajectory, folder.store)
            folder.add_walk(worker, trajectory, samples, walk.dropped)
            _say(end=trajectory, samples=len(samples))
    finally:
        if app is not None:
            app.stop()


def _say(**words: Any) -> None:
    sys.stdout.write(json.dumps(words) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    settings = json.loads(sys.argv[1])
    work(Path(settings["out"]), Path(settings["cache"]), settings["worker"])
