"""Figures of a measurement of label noise: how often weak labels are right, by class and by what really happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from PIL import Image

from data_prep.contact_sheet import draw_sheet
from data_prep.draft import CAUSES
from data_prep.noise import Judged, Measured
from viscritic.trajectory import OUTCOMES, Step

PAPER: Final = 0.814  # of 500 of the paper's samples, checked by hand, so many had the right label
_RESAMPLES: Final = 2000
_Z: Final = 1.96  # standard deviations of a normal distribution: 95 % lie within
_UNKNOWN: Final = "unknown"


@dataclass(frozen=True, slots=True)
class Rate:
    """How often the weak labels of some samples are right.

    Attributes:
        judged: samples.
        agreement: the fraction whose label says the same of success as the truth; NaN of none.
        low, high: its 95 % interval. Whole walks are drawn (bootstrap by cluster: A. C. Davison and D. V. Hinkley,
            Bootstrap Methods and their Application, 1997, 3.8), since the samples of one share their screens. Where all
            are right, or none, that says nothing: there it is Wilson's (E. B. Wilson, J. Am. Stat. Assoc. 22, 1927) for
            as many draws as there are walks.
        claimed: what the labels themselves say of their agreement: the mean of max(success, 1 - success).
    """

    name: str
    judged: int
    agreement: float
    low: float
    high: float
    claimed: float


@dataclass(frozen=True, slots=True)
class Report:
    """What there is to say.

    Attributes:
        overall: of all judged samples, and of those whose truth was observed.
        classes, happened: by the weak label's class, and by the cause of the observed step behind it.
        outcomes: of the failures that both call a failure, observed: how often the kind of failure is right too.
        confusion: observed samples by (weak outcome, true outcome).
        made: samples by class, whether they can be judged or not.
        measured: whose figures these are.
    """

    overall: tuple[Rate, ...]
    classes: tuple[Rate, ...]
    happened: tuple[Rate, ...]
    outcomes: Rate
    confusion: dict[tuple[str, str], int]
    made: dict[str, int]
    measured: Measured

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain JSON values."""
        measured = self.measured
        return {
            "walks": measured.walks,
            "observed": measured.observed,
            "runs": dict(measured.runs),
            "made": self.made,
            "left_out": dict(measured.left_out),
            "paper": PAPER,
            "overall": [_row(rate) for rate in self.overall],
            "classes": [_row(rate) for rate in self.classes],
            "happened": [_row(rate) for rate in self.happened],
            "outcomes": _row(self.outcomes),
            "confusion": [{"weak": a, "true": b, "samples": n} for (a, b), n in self.confusion.items()],
        }


def report_of(measured: Measured) -> Report:
    """The figures of a measurement."""
    judged = measured.judged
    observed = [item for item in judged if item.evidence == "observed"]
    failures = [item for item in observed if item.truth != "success" and item.draft.success < 0.5]
    weak: list[str] = [*OUTCOMES, _UNKNOWN]
    confusion: dict[tuple[str, str], int] = {
        (said, truth): number
        for said in weak
        for truth in OUTCOMES
        if (number := sum((item.draft.outcome or _UNKNOWN) == said and item.truth == truth for item in observed))
    }
    return Report(
        overall=(_rate("all judged", judged), _rate("all observed", observed)),
        classes=tuple(_rates(judged, lambda item: item.draft.cause, CAUSES)),
        happened=tuple(_rates(observed, lambda item: item.happened, sorted({item.happened for item in observed}))),
        outcomes=_rate("kind of failure", failures, lambda item: item.draft.outcome == item.truth),
        confusion=confusion,
        made={cause: measured.made[cause] for cause in CAUSES if measured.made[cause]},
        measured=measured,
    )


def draw_disagreements(judged: Sequence[Judged], title: str, most: int = 24) -> Image.Image:
    """A sheet of samples whose weak label is wrong, evenly drawn; each is titled with its class and the truth."""
    wrong = [item for item in judged if not item.agrees]
    chosen = [wrong[i] for i in np.linspace(0, len(wrong) - 1, min(most, len(wrong))).round().astype(int)]
    return draw_sheet([(_title(item), _shown(item)) for item in chosen], title)


def _title(item: Judged) -> str:
    return f"{item.draft.trajectory.app}: {item.draft.cause}, but truly {item.truth} ({item.happened})"


def _shown(item: Judged) -> Step:
    draft = item.draft
    return replace(
        draft.step,
        pre=draft.pre,
        post=draft.post,
        actions=draft.actions,
        instruction=draft.instruction,
        target_box=draft.target_box,
        success=draft.success >= 0.5,
        outcome=draft.outcome,
    )


def _rates(items: Sequence[Judged], key: Callable[[Judged], str], names: Sequence[str]) -> list[Rate]:
    groups = {name: [item for item in items if key(item) == name] for name in names}
    return [_rate(name, group) for name, group in groups.items() if group]


def _rate(name: str, items: Sequence[Judged], is_right: Callable[[Judged], bool] = lambda item: item.agrees) -> Rate:
    if not items:
        return Rate(name, 0, *[float("nan")] * 4)
    walks = {walk: number for number, walk in enumerate(dict.fromkeys(item.walk for item in items))}
    right, all_ = np.zeros(len(walks)), np.zeros(len(walks))
    for item in items:
        right[walks[item.walk]] += is_right(item)
        all_[walks[item.walk]] += 1
    low, high = _interval(right, all_)
    claimed = np.mean([max(item.draft.success, 1 - item.draft.success) for item in items])
    return Rate(name, len(items), float(right.sum() / all_.sum()), low, high, float(claimed))


def _interval(right: npt.NDArray[np.float64], all_: npt.NDArray[np.float64]) -> tuple[float, float]:
    """The 95 % interval of a rate from the counts of each walk, (W,)."""
    walks, share = len(all_), right.sum() / all_.sum()
    if share in (0.0, 1.0):
        missed = _Z**2 / (walks + _Z**2)
        return (0.0, float(missed)) if share == 0.0 else (float(1 - missed), 1.0)
    draws = np.random.default_rng(0).multinomial(walks, np.full(walks, 1 / walks), _RESAMPLES)
    low, high = np.percentile((draws @ right) / (draws @ all_), (2.5, 97.5))
    return float(low), float(high)


def _row(rate: Rate) -> dict[str, Any]:
    """A rate as JSON; without samples its figures are null."""
    values = {name: getattr(rate, name) for name in ("agreement", "low", "high", "claimed")}
    return {
        "name": rate.name,
        "judged": rate.judged,
        **{name: round(value, 4) if rate.judged else None for name, value in values.items()},
    }
