"""One episode of one agent under one verifier."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from viscritic.agent import CriticGate, GatePolicy, Scorer
from viscritic.bench.agents import PAUSE, Agent, Proposal
from viscritic.bench.config import BenchConfig
from viscritic.bench.goals import Goal
from viscritic.bench.verifiers import Foresight, TrueOutcome
from viscritic.bench.world import World

# Here the way back is a replay, exact and free of harm, so that every failure is undone, however sure.
POLICY: Final = GatePolicy(waits=(0.3, 0.6, 1.2), patience=0.5, settle_seconds=1.0, failures=6, rollback_below=1.0)
_MOST_DOUBTS: Final = 2  # steps in a row that are refused before they are sent


@dataclass(frozen=True, slots=True)
class Row:
    """What became of an episode.

    Attributes:
        group: what kind of task it is.
        won: the task was reached.
        steps: actions that were sent.
        seconds: wall time, without starting the application.
        cpu: processor seconds of this process and of those that it waited for; a browser's are not among them.
        moves: the gate's decisions, counted; and how often a way back did not lead there.
    """

    agent: str
    verifier: str
    task: str
    seed: int
    group: str
    won: bool
    steps: int
    seconds: float
    cpu: float
    moves: dict[str, int] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str, str, int]:
        """What tells it from all others."""
        return self.agent, self.verifier, self.task, self.seed

    def to_dict(self) -> dict[str, Any]:
        """JSON-able form."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Played:
    """How an episode ended; the attributes are those of `Row`."""

    won: bool
    steps: int
    seconds: float
    cpu: float
    moves: dict[str, int]


def play(
    world: World, goal: Goal, agent: Agent, verifier: str, scorer: Scorer | Foresight | None, config: BenchConfig
) -> Played:
    """Play it to its end.

    Args:
        scorer: of the verifier; None for "none" and "retry", which look at nothing, and for "truth".
    """
    start, used = time.monotonic(), time.process_time()
    foresight = scorer if isinstance(scorer, Foresight) else None
    judge = TrueOutcome(goal) if verifier == "truth" else None if isinstance(scorer, Foresight) else scorer
    gate = None if judge is None else CriticGate(judge, POLICY, task=goal.words)
    steps, doubts, moves = 0, 0, Counter[str]()
    while steps < config.steps and not goal.done:
        proposal = agent.propose()
        if proposal is None:
            break
        if foresight is not None and doubts < _MOST_DOUBTS and foresight.doubts(world.screen(), proposal):
            doubts += 1
            moves["doubt"] += 1
            agent.doubt()
            continue
        doubts = 0
        steps += 1
        world.begin(proposal.actions)
        if gate is not None:
            decision = gate.step(
                world, proposal.actions, proposal.instruction, element=proposal.element, rollback=world
            )
            moves[decision.move] += 1
            moves["not restored"] += decision.restored is False
            agent.hear(decision)
            continue
        _send(world, proposal)
        if verifier == "retry" and not goal.done:
            steps += 1
            _send(world, proposal)
        agent.hear(None)
    world.flush()
    time.sleep(PAUSE)
    return Played(goal.won, steps, time.monotonic() - start, time.process_time() - used, dict(+moves))


def _send(world: World, proposal: Proposal) -> None:
    for action in proposal.actions:
        world.act(action)
    time.sleep(PAUSE)
