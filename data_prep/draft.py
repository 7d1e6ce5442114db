"""A sample in the making: whose step it is, how it came about, and its screens where they lie."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from data_prep.config import PERTURBATIONS
from data_prep.similarity import Source
from viscritic.actions import Action
from viscritic.sample import Change
from viscritic.trajectory import Outcome, Step, Trajectory

CAUSES: Final = ("positive", *PERTURBATIONS, "failed")
# A step that means to leave may well end on a foreign or an earlier screen.
_LEAVING: Final = re.compile(r"\b(?:clos|exit|quit|leav|return|back|undo|cancel|minimi[sz]|home)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Draft:
    """A sample before its screens are stored."""

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

    @property
    def place(self) -> tuple[int, int]:
        """Sorts the drafts of a trajectory: by step, then by `CAUSES`."""
        return self.step.index, CAUSES.index(self.cause)


def means_to_leave(step: Step) -> bool:
    """Whether the step may well end on a foreign or an earlier screen."""
    return bool(_LEAVING.search(step.instruction))
