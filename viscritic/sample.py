"""Samples: transitions with labels and their origin, and the folder that holds them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

from viscritic.actions import Action
from viscritic.trajectory import Box, Outcome, Platform

Origin = Literal["weak", "observed"]
Change = Literal["visual", "textual", "semantic", "none"]
Split = Literal["train", "val", "test"]
ORIGINS: Final[tuple[Origin, ...]] = get_args(Origin)
CHANGES: Final[tuple[Change, ...]] = get_args(Change)
SPLITS: Final[tuple[Split, ...]] = get_args(Split)


@dataclass(frozen=True, slots=True)
class Sample:
    """One labelled transition, as a line of `samples.jsonl` holds it.

    Attributes:
        id: unique in the folder; deterministic in its contents.
        pre, post, burst, idle: names of files under `screens/`, by content hash.
        action: the batch of actions between pre and post.
        success: the label in [0, 1]; fractions are a confidence.
        progress: the label in [-1, 1], or None where unknown (its loss is masked).
        outcome: the label, or None where unknown (its loss is masked).
        cause: how the sample came about ("positive", "action_mismatch", ...).
        noise: the kind of ambient change that was added, "" for none.
    """

    id: str
    app: str
    platform: Platform
    source: str
    trajectory: str
    step: int
    pre: str
    post: str
    action: tuple[Action, ...]
    success: float
    progress: float | None
    outcome: Outcome | None
    cause: str
    origin: Origin
    split: Split
    burst: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()
    instruction: str = ""
    task: str = ""
    change: Change | None = None
    target_box: Box | None = None
    noise: str = ""
