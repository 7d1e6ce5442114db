"""The collection: workers that take walks side by side, watched, resumable."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from data_prep.collect.apps import APPLICATIONS
from data_prep.collect.folder import CollectFolder
from data_prep.collect.processes import adopt_orphans, end_orphans, end_tree
from data_prep.collect.selection import near_names
from data_prep.collect.worker import walk_name
from viscritic.errors import ConfigError

WALKS_EACH: Final = 3  # walks in one application before the next has its turn
WALKS_A_LIFE: Final = 90  # walks after which a worker is replaced, so that its memory stays bounded
SILENCE: Final = 120.0  # seconds without a word after which a worker has hung
_HOPELESS: Final = 3  # walks that every application must have lost before a collection gives up
PUBLISH_EVERY: Final = 300.0  # seconds


@dataclass(frozen=True, slots=True)
class CollectConfig:
    """What a collection is made with.

    Attributes:
        apps: names of `APPLICATIONS`; their walks take turns.
        hours: it ends when so much time has passed.
        samples: it ends when it holds so many samples; 0 for no such end.
        workers: processes side by side.
        seed: number of the first walk of every application: another seed, other walks.
    """

    apps: tuple[str, ...]
    hours: float
    samples: int = 0
    workers: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        if unknown := [name for name in self.apps if name not in APPLICATIONS]:
            raise ConfigError(f"unknown application {unknown[0]!r}; {near_names(unknown[0])}")
        if not self.apps:
            raise ConfigError("no application is named")
        if not 0 < self.hours <= 1000:
            raise ConfigError(f"hours must be above 0, got {self.hours}")
        if not 1 <= self.workers <= 64:
            raise ConfigError(f"workers must be in [1, 64], got {self.workers}")


@dataclass(slots=True, eq=False)
class _Worker:
    """A running worker process, seen from outside."""

    number: int
    process: subprocess.Popen[str]
    heard: float
    queued: int = 0  # walks that it was given and has not finished
    given: int = 0
    current: str = ""
    lines: queue.SimpleQueue[str] = field(default_factory=queue.SimpleQueue)


def collect(out: Path, cache: Path, config: CollectConfig, *, command: str, progress: bool = True) -> dict[str, Any]:
    """Collect until the time is over, or the samples are enough; the manifest.

    A folder that was collected before is continued: walks that are in it are not taken again. Where every walk of an
    application failed, `failed_apps` of the manifest has its name and the first reason; where that is so for all of
    them, the collection ends.
    """
    folder = CollectFolder(out)
    adopt_orphans()
    facts = {"command": command, "seed": config.seed, "configuration": _plain(config), "sources": []}
    folder.publish(facts, clean=True)
    crew = _Crew(out, cache, config, folder)
    before = signal.signal(signal.SIGTERM, _leave)  # a polite kill must not leave browsers behind
    try:
        crew.run(facts, progress)
    finally:
        signal.signal(signal.SIGTERM, before)
        crew.close()
        failures = {"failed": dict(crew.failed), "failed_apps": crew.failed_apps()}
        manifest = folder.publish({**facts, **failures}, clean=True)
    return manifest


def _leave(*_: object) -> None:
    raise SystemExit(1)


class _Crew:
    """The workers of a collection."""

    def __init__(self, out: Path, cache: Path, config: CollectConfig, folder: CollectFolder) -> None:
        self._out, self._cache, self._config, self._folder = out, cache, config, folder
        walks = list(folder.walks())
        self._samples = sum(len(walk["rows"]) for walk in walks)
        self._orders = _orders(config, {walk["walk"] for walk in walks})
        self._workers: list[_Worker] = []
        self._batches: dict[int, Iterator[tuple[str, int]]] = {}
        self.failed: Counter[str] = Counter()  # why walks were lost
        self._lost: dict[str, list[str]] = {}  # application -> why its walks were lost, the first first
        self._taken: set[str] = set()  # applications that finished a walk

    def run(self, facts: Mapping[str, Any], progress: bool) -> None:
        end = time.monotonic() + 3600 * self._config.hours
        published = time.monotonic()
        self._workers = [self._start(number) for number in range(self._config.workers)]
        seconds = round(3600 * self._config.hours)
        columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True), disable=not progress) as bar:
            task = bar.add_task("collecting", total=seconds)
            while time.monotonic() < end and not self._is_enough() and not self._is_hopeless():
                for index, worker in enumerate(self._workers):
                    self._workers[index] = self._tend(worker)
                left = max(0.0, end - time.monotonic())
                bar.update(task, completed=seconds - left, description=f"{self._samples} samples")
                if time.monotonic() - published > PUBLISH_EVERY:
                    self._folder.publish(facts)
                    published = time.monotonic()
                time.sleep(0.1)

    def _is_enough(self) -> bool:
        return 0 < self._config.samples <= self._samples

    def _is_hopeless(self) -> bool:
        return all(len(self._lost.get(app, ())) >= _HOPELESS and app not in self._taken for app in self._config.apps)

    def failed_apps(self) -> dict[str, str]:
        """The applications of which every walk failed, and why the first one did."""
        return {app: lost[0] for app, lost in sorted(self._lost.items()) if app not in self._taken}

    def _lose(self, walk: str, why: str, told: str = "") -> None:
        """Count a walk that was lost."""
        self.failed[told or why] += 1
        self._lost.setdefault(walk.rpartition("-")[0], []).append(why)

    def _start(self, number: int) -> _Worker:
        settings = {"out": str(self._out), "cache": str(self._cache), "worker": number}
        environment = os.environ | {"OMP_NUM_THREADS": "1"}
        process = subprocess.Popen(  # its own process group: Ctrl-C reaches the parent alone
            [sys.executable, "-m", "data_prep.collect.worker", json.dumps(settings)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True,
        )  # fmt: skip
        worker = _Worker(number, process, time.monotonic())
        threading.Thread(target=_listen, args=(worker,), daemon=True).start()
        return worker

    def _tend(self, worker: _Worker) -> _Worker:
        """Hear a worker, give it work, and replace it where it has ended, hung or grown old."""
        while not worker.lines.empty():
            words = json.loads(worker.lines.get())
            worker.heard = time.monotonic()
            worker.current = words.get("begin", "")
            if "end" in words:
                worker.queued -= 1
                self._samples += words["samples"]
                if "error" in words:
                    self._lose(words["end"], words["error"])
                else:
                    self._taken.add(words["end"].rpartition("-")[0])
        old = worker.given >= WALKS_A_LIFE and worker.queued == 0
        if old or worker.process.poll() is not None or time.monotonic() - worker.heard > SILENCE:
            if worker.current:
                self._lose(worker.current, "it hung", f"hung: {worker.current.rpartition('-')[0]}")
            end_tree(worker.process.pid)
            worker.process.wait()
            end_orphans({other.process.pid for other in self._workers if other is not worker})
            return self._start(worker.number)
        while worker.queued < 2 and worker.given < WALKS_A_LIFE:
            app, seed = self._next(worker.number)
            try:
                assert worker.process.stdin is not None
                worker.process.stdin.write(f"{app} {seed}\n")
                worker.process.stdin.flush()
            except OSError:  # it has just ended; the next round replaces it
                break
            worker.queued += 1
            worker.given += 1
        return worker

    def _next(self, number: int) -> tuple[str, int]:
        """The worker's next walk: batches of one application, so that a browser is not started for each."""
        while True:
            for order in self._batches.get(number, iter(())):
                return order
            self._batches[number] = iter(next(self._orders))

    def close(self) -> None:
        for worker in self._workers:
            end_tree(worker.process.pid)
            worker.process.wait()
        end_orphans(set())


def _orders(config: CollectConfig, done: set[str]) -> Iterator[list[tuple[str, int]]]:
    """Batches of walks that are not done yet, the applications in turn, without end."""
    for turn in count():
        for app in config.apps:
            first = config.seed + turn * WALKS_EACH
            batch = [(app, seed) for seed in range(first, first + WALKS_EACH) if walk_name(app, seed) not in done]
            if batch:
                yield batch


def _listen(worker: _Worker) -> None:
    assert worker.process.stdout is not None
    for line in worker.process.stdout:
        if line.startswith("{"):
            worker.lines.put(line)


def _plain(config: CollectConfig) -> dict[str, Any]:
    return {
        "apps": list(config.apps), "hours": config.hours, "samples": config.samples, "workers": config.workers,
        "seed": config.seed,
    }  # fmt: skip
