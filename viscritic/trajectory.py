"""A task's steps in order: what every reader yields and every sample is built from."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, get_args

from viscritic.actions import Action

Outcome = Literal["success", "no_op", "wrong_target", "page_error", "timeout"]
OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)
Platform = Literal["web", "mobile", "desktop"]
PLATFORMS: Final[tuple[Platform, ...]] = get_args(Platform)
Box = tuple[float, float, float, float]  # x, y, width, height in pixels of the pre screen


@dataclass(frozen=True, slots=True)
class Element:
    """Something on a screen that could be acted on: where it is, and what it is called ("" where that is not known)."""

    box: Box
    name: str = ""


@dataclass(frozen=True, slots=True)
class Step:
    """One step: the screens around it, what was done, what was meant, and what is known of its result.

    Attributes:
        index: position in the trajectory, from 0.
        pre, post: image files, or encoded image bytes where the data set embeds them; post may be None.
        size: (width, height) of pre in pixels.
        actions: what was sent between the two screens, in order; never empty.
        instruction: the step's intent in words, "" where the data set has none.
        success: what the data set says of the step, None where it says nothing.
        target_box: the element that was meant, where known.
        idle: screens taken before the action while nothing was done, oldest first; pre itself is not among them.
        outcome: how it ended, where the data set says more than success ("no_op" of two equal states).
        marked: whether pre or post shows marks that an agent drew over the target; they give the action away.
        elements: what else is known to be on pre, the target itself among it where it is known.
    """

    index: int
    pre: Path | bytes
    post: Path | bytes | None
    size: tuple[int, int]
    actions: tuple[Action, ...]
    instruction: str = ""
    success: bool | None = None
    target_box: Box | None = None
    idle: tuple[Path | bytes, ...] = ()
    outcome: Outcome | None = None
    marked: bool = False
    elements: tuple[Element, ...] = ()


@dataclass(frozen=True, slots=True)
class Trajectory:
    """A task's steps with its end result.

    Attributes:
        id: unique within its source.
        source: the data set's name ("screenagent").
        app: the application (or web site) it ran in; evaluations report by it. Splits go by trajectory, see
            `data_prep.splits`.
        platform: web, mobile or desktop.
        task: the whole goal in words.
        steps: empty where no row of it could be read; the notes say why.
        success: whether the task was reached, None where unknown.
        notes: rows that were left out and why, and what else its reader has to tell.
        broken: how many rows were left out because they are broken.
    """

    id: str
    source: str
    app: str
    platform: Platform
    task: str
    steps: tuple[Step, ...]
    success: bool | None = None
    notes: tuple[str, ...] = field(default=())
    broken: int = 0
