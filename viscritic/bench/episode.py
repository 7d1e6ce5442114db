"""One episode of one agent under one verifier."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import Any, Final

from viscritic.agent import CriticGate, GatePolicy, Scorer
from viscritic.bench.config import BenchConfig
from viscritic.bench.dom_agent import close_banner, ground, make_plan
from viscritic.bench.miniwob import Episode, TrueOutcome

POLICY: Final = GatePolicy(waits=(0.3, 0.6, 1.2), patience=0.5, settle_seconds=1.0, failures=6)
_PAUSE: Final = 0.15  # seconds between two steps of an agent that does not look


@dataclass(frozen=True, slots=True)
class Row:
    """What became of an episode.

    Attributes:
        won: the task was reached.
        steps: actions that were sent.
        seconds: wall time, without starting the page.
        moves: the gate's decisions, counted.
    """

    agent: str
    verifier: str
    task: str
    seed: int
    won: bool
    steps: int
    seconds: float
    moves: dict[str, int]

    def to_dict(self) -> dict[str, Any]:
        """JSON-able form."""
        return asdict(self)


def play(episode: Episode, agent: str, verifier: str, scorer: Scorer | None, config: BenchConfig) -> tuple[Any, ...]:
    """Play it to its end; returns (won, steps, seconds, moves).

    Args:
        scorer: None for "none" and "retry", which look at nothing, and for "truth".
    """
    start, moves = time.monotonic(), dict[str, int]()
    if verifier == "truth":
        scorer = TrueOutcome(episode)
    gate = CriticGate(scorer, POLICY, task=episode.utterance) if scorer is not None else None
    steps = 0
    for step in make_plan(episode):
        for _ in range(config.tries + 1):
            if episode.done or steps >= config.steps:
                break
            action, element = ground(episode, step)
            if action is None:
                time.sleep(_PAUSE)
                continue
            steps += 1
            if gate is None:
                episode.act(action)
                time.sleep(_PAUSE)
                if verifier == "retry" and not episode.done:
                    episode.act(action)
                    steps += 1
                    time.sleep(_PAUSE)
                break
            decision = gate.step(episode, action, step.instruction, element=element)
            moves[decision.move] = moves.get(decision.move, 0) + 1
            if decision.move in ("stop", "proceed"):
                break
            _recover(episode)
    episode.flush()
    time.sleep(_PAUSE)
    return episode.won, steps, time.monotonic() - start, moves


def _recover(episode: Episode) -> None:
    """What the agent does when it is told to look again: it closes what covers the page."""
    banner = close_banner(episode)
    if banner is not None:
        episode.act(banner)
