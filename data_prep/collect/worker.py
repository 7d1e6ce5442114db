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
from data_prep.collect.web_application import WebApplication
from viscritic.errors import VisCriticError


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
            trajectory = walk_name(name, int(seed))
            _say(begin=trajectory)
            try:
                if app is None or app.name != name:
                    old, app = app, APPLICATIONS[name]()
                    _start(app, cache, old)
                walk = take_walk(app, int(seed))
            except Exception as error:  # a page may do anything: the walk is lost, the others are not
                if not isinstance(error, HungError | VisCriticError):
                    traceback.print_exc()
                if app is not None:
                    app.stop()
                    app = None
                why = str(error) if isinstance(error, VisCriticError) else f"{type(error).__name__}: {error}"
                _say(end=trajectory, samples=0, error=" ".join(why.split())[:300])
                continue
            samples = walk_samples(app, walk, trajectory, folder.store)
            folder.add_walk(worker, trajectory, samples, walk.dropped)
            _say(end=trajectory, samples=len(samples))
    finally:
        if app is not None:
            app.stop()


def _start(app: Application, cache: Path, old: Application | None) -> None:
    """Start an application in place of another; one browser serves both, where they see it alike: it starts slowly."""
    if isinstance(app, WebApplication) and isinstance(old, WebApplication) and app.headed == old.headed:
        app.start(cache, old.hand_over())
    else:
        if old is not None:
            old.stop()
        app.start(cache)


def _say(**words: Any) -> None:
    sys.stdout.write(json.dumps(words) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    settings = json.loads(sys.argv[1])
    work(Path(settings["out"]), Path(settings["cache"]), settings["worker"])
