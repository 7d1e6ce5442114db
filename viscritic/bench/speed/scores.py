"""Whole verdicts, from arrays to `Verdict`."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Final

from viscritic.bench.speed.clock import Clock, Contestant, Times, take_turns
from viscritic.bench.speed.rivals import Compare, find_rivals
from viscritic.bench.speed.screens import CHANGES, Change, Pair, Scene
from viscritic.runtime import Critic, Transition

MAIN: Final = "score, a dialog, 1920x1080"
FOLLOWING: Final = "score, a dialog, 1920x1080, pre was the last post"
SIZES: Final = {"1920x1080": (1920, 1080), "3840x2160": (3840, 2160), "412x915": (412, 915)}
BATCHES: Final = (1, 4, 16)


def measure_scores(bundle: str | None, threads: int, rounds: int, clock: Clock, dense: bool) -> dict[str, Times]:
    """Milliseconds of whole verdicts and of the rivals, taking turns.

    Args:
        dense: with the dense Siamese, which takes seconds a round.
    """
    critic = Critic.load(bundle, threads=threads, cache=0)
    scenes = {name: Scene(*size) for name, size in SIZES.items()}
    contestants: dict[str, Contestant] = {}
    for change in CHANGES:
        contestants[f"score, {change}, 1920x1080"] = _scoring(critic, scenes["1920x1080"], change)
    contestants[FOLLOWING] = _following(Critic.load(bundle, threads=threads), scenes["1920x1080"])
    for name in ("3840x2160", "412x915"):
        contestants[f"score, a dialog, {name}"] = _scoring(critic, scenes[name], "a dialog")
    for name, compare in find_rivals(threads, dense).items():
        contestants[name] = _rival(compare, scenes["1920x1080"])
    return take_turns(contestants, rounds, clock)


def measure_many(bundle: str | None, threads: int, pairs: int) -> dict[str, float]:
    """Pairs a second of `score_many` by how many it is given at once."""
    scene = Scene(*SIZES["1920x1080"])
    critic = Critic.load(bundle, threads=threads, cache=0)
    found = {}
    for batch in BATCHES:
        transitions = [_transition(scene.pair("a dialog", turn), turn) for turn in range(batch)]
        critic.score_many(transitions[:1])
        turns = max(1, pairs // batch)
        start = time.perf_counter()
        for _ in range(turns):
            critic.score_many(transitions)
        found[f"score_many, {batch} at once"] = turns * batch / (time.perf_counter() - start)
    return found


def score_pair(critic: Critic, pair: Pair, turn: int) -> Callable[[], object]:
    """A verdict on a pair, to be called; each turn's instruction is another, as each step's is."""
    step = _transition(pair, turn)
    return partial(critic.score, step.pre, step.post, step.action, step.instruction)


def _transition(pair: Pair, turn: int) -> Transition:
    x, y = pair.point
    return Transition(pair.pre, pair.post, {"kind": "click", "x": x, "y": y}, f"Click 'Save {turn}'")


def _scoring(critic: Critic, scene: Scene, change: Change) -> Contestant:
    return lambda turn: score_pair(critic, scene.pair(change, turn), turn)


def _following(critic: Critic, scene: Scene) -> Contestant:
    def prepare(turn: int) -> Callable[[], object]:
        first, second = scene.walk(turn)
        score_pair(critic, first, turn)()
        return score_pair(critic, second, turn + 1)

    return prepare


def _rival(compare: Compare, scene: Scene) -> Contestant:
    def prepare(turn: int) -> Callable[[], object]:
        pair = scene.pair("a dialog", turn)
        return partial(compare, pair.pre, pair.post)

    return prepare
