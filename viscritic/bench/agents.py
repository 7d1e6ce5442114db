"""What every base agent is: it proposes a step and hears what came of it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from viscritic.actions import Action
from viscritic.agent import GateDecision
from viscritic.bench.world import World

PAUSE: Final = 0.15  # seconds between two steps of an agent that does not look


@dataclass(frozen=True, slots=True)
class Proposal:
    """A step that an agent wants.

    Attributes:
        actions: sent one after the other.
        instruction: the intent in words.
        element: role and name of what it acts on.
    """

    actions: tuple[Action, ...]
    instruction: str
    element: str = ""


class Agent(Protocol):
    """A base agent in an episode."""

    def propose(self) -> Proposal | None:
        """The next step; None where it has no more."""

    def hear(self, decision: GateDecision | None) -> None:
        """What a verifier says of the step; None where there is none: the agent takes it for done."""

    def doubt(self) -> None:
        """The step was refused before it was sent."""


class Plannable(Protocol):
    """A step of a plan."""

    def ground(self, world: World) -> Proposal | None:
        """The step on the screen as it is; None where its element is not there."""


class PlanAgent:
    """Follows a plan without looking: it has no eyes of its own, so a verifier can help.

    It finds each step's element anew when the step's turn comes. A step is done again only where that does no harm: the
    verifier has undone it, nothing at all has changed, or a banner took it.

    Args:
        tries: how often a step is done again.
    """

    def __init__(self, world: World, steps: Sequence[Plannable], tries: int) -> None:
        self._world, self._steps, self._tries = world, list(steps), tries
        self._at = self._tried = 0

    def propose(self) -> Proposal | None:
        """The plan's step, as long as there is one whose element is found."""
        while self._at < len(self._steps):
            if self._tried <= self._tries:
                self._tried += 1
                proposal = self._steps[self._at].ground(self._world)
                if proposal is not None:
                    return proposal
                time.sleep(PAUSE)
            else:
                self._advance()
        return None

    def hear(self, decision: GateDecision | None) -> None:
        """Go on, or do the step again."""
        if decision is None or decision.move in ("stop", "proceed"):
            self._advance()
            return
        banner = self._world.close_banner()
        if not (banner or decision.restored or decision.changed is False):
            self._advance()

    def doubt(self) -> None:
        """It has nothing better: after its tries the step is left out."""

    def _advance(self) -> None:
        self._at, self._tried = self._at + 1, 0
