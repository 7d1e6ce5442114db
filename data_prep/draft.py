"""What weak labels are made of: steps with a screen after, and samples whose screens are not stored yet."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from data_prep.config import PERTURBATIONS
from data_prep.similarity import Source, is_equal
from viscritic.actions import Action, may_be_invisible
from viscritic.sample import Change
from viscritic.trajectory import Box, Outcome, Step, Trajectory

CAUSES: Final = ("positive", "aligned", *PERTURBATIONS, "failed", "diverged")
# A step that means to leave may well end on a foreign or an earlier screen.
_LEAVING: Final = re.compile(r"\b(?:clos|exit|quit|leav|return|back|undo|cancel|minimi[sz]|home)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Draft:
    """A sample before its screens are stored.

    Attributes:
        success: the label in [0, 1], see `label`.
        progress: the label in [-1, 1].
        target_box: the element that `actions` mean, where it is known.
    """

    trajectory: Trajectory
    step: Step
    cause: str
    pre: Source
    post: Source
    actions: tuple[Action, ...]
    instruction: str
    success: float
    progress: float
    outcome: Outcome | None
    change: Change | None
    target_box: Box | None = None

    @property
    def place(self) -> tuple[int, int]:
        """Sorts the drafts of a trajectory: by step, then by `CAUSES`."""
        return self.step.index, CAUSES.index(self.cause)

    @property
    def counts_as_right(self) -> bool:
        """Whether it is a step as it happened that counts as a success: others may be made of it."""
        return self.cause in ("positive", "aligned")


@dataclass(frozen=True, slots=True)
class Case:
    """A step that has a screen after, in its trajectory."""

    trajectory: Trajectory
    step: Step

    @property
    def post(self) -> Source:
        """The step's screen after."""
        assert self.step.post is not None
        return self.step.post

    @property
    def key(self) -> str:
        """Names the step among those of all data sets."""
        return f"{self.trajectory.source}/{self.trajectory.id}/{self.step.index}"

    @property
    def contradicts_success(self) -> bool:
        """Whether nothing changed, not a pixel, though a success would show."""
        return should_show(self.step) and is_equal(self.step.pre, self.post)


def label(success: bool, confidence: float) -> float:
    """The success label that says `success` with a confidence c in [0, 1]: (1 + c) / 2 or (1 - c) / 2.

    At confidence 1 it is 1 or 0, at confidence 0 it is 1/2, which says nothing.
    """
    return round((1 + confidence if success else 1 - confidence) / 2, 4)


def draft_of(
    case: Case,
    cause: str,
    outcome: Outcome | None,
    *,
    pre: Source | None = None,
    post: Source | None = None,
    success: float = 0.0,
    progress: float = 0.0,
) -> Draft:
    """A sample of the step's action and instruction, between its own or other screens."""
    step = case.step
    before, after = step.pre if pre is None else pre, case.post if post is None else post
    return Draft(
        trajectory=case.trajectory,
        step=step,
        cause=cause,
        pre=before,
        post=after,
        actions=step.actions,
        instruction=step.instruction,
        success=success,
        progress=round(progress, 4) + 0.0,  # no -0.0
        outcome=outcome,
        change="none" if is_equal(before, after) else None,
        target_box=step.target_box,
    )


def should_show(step: Step) -> bool:
    """Whether a success of the step would be seen."""
    return not may_be_invisible(step.actions, step.instruction)


def means_to_leave(step: Step) -> bool:
    """Whether the step may well end on a foreign or an earlier screen."""
    return bool(_LEAVING.search(step.instruction))
