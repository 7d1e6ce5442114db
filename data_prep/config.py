"""What a build of samples is made with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from viscritic.errors import ConfigError
from viscritic.trajectory import OUTCOMES, Outcome

PERTURBATIONS: Final = ("action_mismatch", "no_op", "state_mismatch", "state_back")


@dataclass(frozen=True, slots=True)
class Shares:
    """How the negatives divide among the perturbations; only the ratios matter. Failed steps are all taken."""

    action_mismatch: float = 0.35
    no_op: float = 0.3
    state_mismatch: float = 0.2
    state_back: float = 0.15

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
    no_op: Outcome | None = "no_op"
    state_mismatch: Outcome | None = "wrong_target"
    state_back: Outcome | None = "wrong_target"

    def __post_init__(self) -> None:
        for name in PERTURBATIONS:
            value = getattr(self, name)
            if value is not None and (value not in OUTCOMES or value == "success"):
                raise ConfigError(f"outcomes.{name} must be an outcome other than success, or null; got {value!r}")


@dataclass(frozen=True, slots=True)
class BuildConfig:
    """How samples are made.

    Attributes:
        seed: decides every choice.
        ratio: negatives for each positive, in every split.
        shares: how the negatives divide.
        outcomes: the outcome label of each kind of negative.
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
    ssim: float = 0.98
    idle: float = 0.7
    val: float = 0.15
    test: float = 0.15
    near: float = 0.03

    def __post_init__(self) -> None:
        if not 0 <= self.ratio <= 10:
            raise ConfigError(f"ratio must be in [0, 10], got {self.ratio}")
        for name in ("ssim", "idle", "val", "test", "near"):
            if not 0 <= getattr(self, name) <= 1:
                raise ConfigError(f"{name} must be in [0, 1], got {getattr(self, name)}")
        if self.val + self.test >= 1:
            raise ConfigError(f"val and test leave nothing for training: {self.val} + {self.test}")
