"""Where the time of one verdict goes, beside the least that it could take."""

from __future__ import annotations

import functools
import importlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any, Final
from unittest.mock import patch

import numpy as np
import onnxruntime

from viscritic.bench.speed.clock import CLOCKS, Clock
from viscritic.bench.speed.scores import SIZES, score_pair
from viscritic.bench.speed.screens import CHANGES, Change, Pair, Scene
from viscritic.runtime import Critic

_PREPARE: Final = "viscritic.preprocess.transition"
_GRAPHS: Final = "viscritic.runtime.graphs:Graphs"
# Stage: where its functions are looked up, and their names.
STAGES: Final = {
    "selection": (_PREPARE, ("change_amounts", "choose_places")),
    "cut": (_PREPARE, ("cut_patches", "cut_thumbnail")),
    "reading": (_PREPARE, ("read_transition", "reading_facts", "intent_facts")),
    "encoders": (_GRAPHS, ("encode",)),
    "head": (_GRAPHS, ("judge",)),
}


@dataclass(frozen=True, slots=True)
class Shares:
    """One kind of verdict.

    Attributes:
        whole: median milliseconds.
        stages: median milliseconds of each of `STAGES`, and of the rest.
        sessions: the bare runs of encoder and head on the same inputs, milliseconds.
        reader: those of the text encoder and the text recogniser.
        passing: one pass over both screens, milliseconds.
    """

    whole: float
    stages: dict[str, float]
    sessions: float
    reader: float
    passing: float

    @property
    def ratio(self) -> float:
        """The whole to the bare sessions of encoder and head and one pass over both screens."""
        return self.whole / (self.sessions + self.passing)

    @property
    def ratio_reading(self) -> float:
        """The same with the bare sessions of the reader and the text encoder in the floor."""
        return self.whole / (self.sessions + self.reader + self.passing)


def measure_stages(bundle: str | None, threads: int, rounds: int, clock: Clock) -> dict[str, Shares]:
    """The stages of a verdict on a 1920x1080 pair, by what changed."""
    critic = Critic.load(bundle, threads=threads, cache=0)
    scene = Scene(*SIZES["1920x1080"])
    return {change: _measure(critic, scene, change, rounds, clock) for change in CHANGES}


def _measure(critic: Critic, scene: Scene, change: Change, rounds: int, clock: Clock) -> Shares:
    now = CLOCKS[clock]
    rows: list[dict[str, float]] = []
    for turn in range(rounds + 1):
        pair = scene.pair(change, turn)
        call = score_pair(critic, pair, turn)
        with _recorded() as runs:
            call()
        with _timed(now) as spent:
            start = now()
            call()
            whole = 1000 * (now() - start)
        row = {name: spent[name] for name in STAGES} | {"whole": whole, "passing": _pass_over(pair, now)}
        row |= _replay(runs, now)
        rows.append(row)
    median = {name: float(np.median([row[name] for row in rows[1:]])) for name in rows[0]}
    stages = {name: median[name] for name in STAGES}
    stages["rest"] = median["whole"] - sum(stages.values())
    return Shares(median["whole"], stages, median["sessions"], median["reader"], median["passing"])


@contextmanager
def _timed(now: Callable[[], float]) -> Iterator[dict[str, float]]:
    """Milliseconds spent in each stage while the block runs; no stage calls another."""
    spent: dict[str, float] = defaultdict(float)

    def wrap(stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def timed(*args: Any, **kwargs: Any) -> Any:
            start = now()
            try:
                return function(*args, **kwargs)
            finally:
                spent[stage] += 1000 * (now() - start)

        return timed

    with ExitStack() as stack:
        for stage, (home, names) in STAGES.items():
            module, _, owner = home.partition(":")
            place = getattr(importlib.import_module(module), owner) if owner else importlib.import_module(module)
            for name in names:
                stack.enter_context(patch.object(place, name, wrap(stage, getattr(place, name))))
        yield spent


@contextmanager
def _recorded() -> Iterator[list[tuple[Any, ...]]]:
    """Every run of a session while the block runs: the session and its arguments."""
    runs: list[tuple[Any, ...]] = []
    run = onnxruntime.InferenceSession.run

    def record(*args: Any) -> Any:
        runs.append(args)
        return run(*args)

    with patch.object(onnxruntime.InferenceSession, "run", record):
        yield runs


def _replay(runs: list[tuple[Any, ...]], now: Callable[[], float]) -> dict[str, float]:
    """Milliseconds of the same runs one after the other, by whether they are of the encoder and the head."""
    spent = {"sessions": 0.0, "reader": 0.0}
    for session, *arguments in runs:
        start = now()
        session.run(*arguments)
        kind = "sessions" if {"patches", "geometry"} & set(arguments[1]) else "reader"
        spent[kind] += 1000 * (now() - start)
    return spent


def _pass_over(pair: Pair, now: Callable[[], float]) -> float:
    """Milliseconds to look at every byte of both screens once."""
    out = np.empty_like(pair.pre)
    start = now()
    np.bitwise_xor(pair.pre, pair.post, out=out)
    return 1000 * (now() - start)
