"""What a build of samples is made with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from viscritic.errors import ConfigError
from viscritic.trajectory import OUTCOMES, Outcome

PERTURBATIONS: Final = (
    "action_mismatch",
    "neighbour",
    "no_op",
    "state_mismatch",
    "state_back",
    "state_near",
    "state_scrolled",
)


@dataclass(frozen=True, slots=True)
class Shares:
    """How the negatives divide among the perturbations; only the ratios matter. Failed steps are all taken."""

    action_mismatch: float = 0.25
    neighbour: float = 0.15
    no_op: float = 0.25
    state_mismatch: float = 0.15
    state_back: float = 0.08
    state_near: float = 0.06
    state_scrolled: float = 0.06

    def __post_init__(self) -> None:
        values = [getattr(self, name) for name in PERTURBATIONS]
        if min(values) < 0 or sum(values) <= 0:
            raise ConfigError(
                f"shares must not be negative, nor all zero: {dict(zip(PERTURBATIONS, values, strict=True))}"
            )


@dataclass(frozen=True, slots=True)
class Outcomes:
    """The outcome label of each cause; None leaves it unknown, which masks its loss."""

    action_mismatch: Outcome | None = "wrong_target"
    neighbour: Outcome | None = "wrong_target"
    no_op: Outcome | None = "no_op"
    state_mismatch: Outcome | None = "wrong_target"
    state_back: Outcome | None = "wrong_target"
    state_near: Outcome | None = "wrong_target"
    state_scrolled: Outcome | None = "wrong_target"
    diverged: Outcome | None = "wrong_target"

    def __post_init__(self) -> None:
        for name in (*PERTURBATIONS, "diverged"):
            value = getattr(self, name)
            if value is not None and (value not in OUTCOMES or value == "success"):
                raise ConfigError(f"outcomes.{name} must be an outcome other than success, or null; got {value!r}")


@dataclass(frozen=True, slots=True)
class Divergence:
    """How failed runs are compared with successful ones of the same task, and what is made of them.

    `data_prep.divergence` has the formulas.

    Attributes:
        actions: the weight [0, 1] of actions in the distance of two steps; the rest is that of screens.
        gap: the cost of a step without a partner; two steps whose distance is above twice as much are no partners.
        far: screens whose thumbnails differ in this fraction or more are wholly different.
        aligned: the confidence in a step before the divergence, as a success.
        diverged: the confidence in the first step after it, as a failure.
        decay: after so many steps on wholly different screens that confidence has dropped to 1/e of it.
        least: steps of less confidence are left out.
        kept: the fraction of the steps after the divergence that is used, the first ones; 0 for none.
    """

    actions: float = 0.45
    gap: float = 0.2
    far: float = 0.1
    aligned: float = 0.8
    diverged: float = 0.9
    decay: float = 3.0
    least: float = 0.3
    kept: float = 1.0

    def __post_init__(self) -> None:
        for name in ("actions", "gap", "aligned", "diverged", "least", "kept"):
            if not 0 <= getattr(self, name) <= 1:
                raise ConfigError(f"divergence.{name} must be in [0, 1], got {getattr(self, name)}")
        for name in ("far", "decay"):
            if not 0 < getattr(self, name) < float("inf"):
                raise ConfigError(f"divergence.{name} must be above 0, got {getattr(self, name)}")


@dataclass(frozen=True, slots=True)
class BuildConfig:
    """How samples are made.

    Attributes:
        seed: decides every choice.
        ratio: negatives for each positive, in every trajectory as far as it has them.
        shares: how the negatives divide.
        outcomes: the outcome label of each kind of negative.
        trust: the confidence in steps of which their data set says nothing, but that their run succeeded.
        divergence: what is made of runs that failed.
        ssim: above it two screens with nothing done between them show a natural no-op.
        idle: the fraction of no-ops that take such a natural pair where there is one; the others repeat the screen.
        val, test: their part of the positives; the rest is for training.
        near: screens whose thumbnails differ in a smaller fraction are near-duplicates; sessions that share one share
            a split.
    """

    seed: int = 0
    ratio: float = 1.6
    shares: Shares = Shares()
    outcomes: Outcomes = Outcomes()
    trust: float = 0.9
    divergence: Divergence = Divergence()
    ssim: float = 0.98
    idle: float = 0.7
    val: float = 0.15
    test: float = 0.15
    near: float = 0.03

    def __post_init__(self) -> None:
        if not 0 <= self.ratio <= 10:
            raise ConfigError(f"ratio must be in [0, 10], got {self.ratio}")
        for name in ("trust", "ssim", "idle", "val", "test", "near"):
            if not 0 <= getattr(self, name) <= 1:
                raise ConfigError(f"{name} must be in [0, 1], got {getattr(self, name)}")
        if self.val + self.test >= 1:
            raise ConfigError(f"val and test leave nothing for training: {self.val} + {self.test}")
