"""One system's report: every figure on a set of samples, with intervals, and cut by what the samples have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from sklearn.metrics import confusion_matrix

from viscritic.errors import ConfigError, DataError
from viscritic.evaluate import measures
from viscritic.evaluate.bootstrap import RESAMPLES, SEED, Resampler
from viscritic.evaluate.measures import Bools, Floats, Ints, Metric
from viscritic.evaluate.predictions import Predictions
from viscritic.sample import Sample
from viscritic.trajectory import OUTCOMES

CUTS: Final[Mapping[str, Callable[[Sample], str]]] = {
    "app": lambda sample: sample.app,
    "platform": lambda sample: sample.platform,
    "change": lambda sample: sample.change or "unknown",
    "cause": lambda sample: sample.cause,
    "origin": lambda sample: sample.origin,
    "noise": lambda sample: sample.noise or "none",
}


@dataclass(frozen=True, slots=True)
class Cut:
    """The figures on a part of the samples, at the same threshold."""

    n: int
    positives: int
    f1: Metric
    auroc: Metric
    accuracy: Metric

    def to_dict(self) -> dict[str, Any]:
        """JSON-able form."""
        figures = {name: getattr(self, name).to_dict() for name in ("f1", "auroc", "accuracy")}
        return {"n": self.n, "positives": self.positives, **figures}


@dataclass(frozen=True, slots=True)
class Report:
    """What one system is worth on a set of samples.

    Attributes:
        n, positives: samples, and those with success >= 0.5.
        trajectories: clusters of the bootstrap; with few of them the intervals are too narrow rather than too wide.
        threshold: a success was said at or above it.
        metrics: f1, f1_sure (the tenth nearest to the threshold set aside), precision, recall, accuracy, auroc,
            average_precision, ece, brier, macro_f1, no_ops_confirmed (share of the no-ops called a success),
            progress_spearman, progress_pearson; f1, auroc and macro_f1 with 95 % intervals.
        outcomes: how many labels of each outcome, those that occur only; macro_f1 is the mean over these.
        outcomes_unknown: samples whose outcome is not known, left out of macro_f1 and of the confusion.
        confusion: (5, 5) counts, rows the label and columns the prediction in the order of `OUTCOMES`; None for a
            system that predicts no outcomes. The most probable outcome counts, of equal ones the first.
        cuts: for app, platform, change, cause, origin and noise, the figures of each value.
        resamples, seed: of the bootstrap.
    """

    n: int
    positives: int
    trajectories: int
    threshold: float
    metrics: Mapping[str, Metric]
    outcomes: Mapping[str, int]
    outcomes_unknown: int
    confusion: tuple[tuple[int, ...], ...] | None
    cuts: Mapping[str, Mapping[str, Cut]]
    resamples: int
    seed: int

    def to_dict(self) -> dict[str, Any]:
        """JSON-able form."""
        return {
            "n": self.n,
            "positives": self.positives,
            "trajectories": self.trajectories,
            "threshold": self.threshold,
            "metrics": {name: metric.to_dict() for name, metric in self.metrics.items()},
            "outcomes": dict(self.outcomes),
            "outcomes_unknown": self.outcomes_unknown,
            "confusion": None if self.confusion is None else [list(row) for row in self.confusion],
            "cuts": {name: {key: cut.to_dict() for key, cut in part.items()} for name, part in self.cuts.items()},
            "resamples": self.resamples,
            "seed": self.seed,
        }


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """The labels of N samples as arrays.

    Attributes:
        success: (N,) bool, the label is at least 0.5.
        progress: (N,) float, NaN where unknown.
        outcome: (N,) index into `OUTCOMES`, -1 where unknown.
    """

    success: Bools
    progress: Floats
    outcome: Ints

    @classmethod
    def of(cls, samples: Sequence[Sample]) -> Truth:
        """Read the labels.

        Raises:
            DataError: if there are no samples or two share an id.
        """
        if not samples:
            raise DataError("there are no samples to evaluate: the split is empty")
        twice = [identifier for identifier, count in Counter(sample.id for sample in samples).items() if count > 1]
        if twice:
            raise DataError(f"the sample id {twice[0]!r} occurs more than once")
        return cls(
            np.array([sample.success >= 0.5 for sample in samples]),
            np.array([np.nan if sample.progress is None else sample.progress for sample in samples]),
            np.array([-1 if sample.outcome is None else OUTCOMES.index(sample.outcome) for sample in samples]),
        )


def resampler_of(samples: Sequence[Sample], *, resamples: int = RESAMPLES, seed: int = SEED) -> Resampler:
    """The bootstrap over the samples' trajectories; their names are unique within a source only."""
    return Resampler([(sample.source, sample.trajectory) for sample in samples], resamples=resamples, seed=seed)


def evaluate(
    samples: Sequence[Sample],
    predictions: Predictions,
    threshold: float = 0.5,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> Report:
    """Compare a system's predictions with the labels of `samples`.

    Args:
        predictions: must hold every sample's id; those of other samples are left out.
        threshold: success is said where the predicted probability is at least this.
        resamples, seed: of the bootstrap of trajectories.

    Raises:
        DataError: if there are no samples, an id occurs twice, or a sample has no prediction.
        ConfigError: if the threshold is not in [0, 1].
    """
    if not 0.0 <= threshold <= 1.0:
        raise ConfigError(f"the threshold must be between 0 and 1, got {threshold!r}")
    truth = Truth.of(samples)
    said = predictions.select([sample.id for sample in samples])
    decisions = said.success >= threshold
    resampler = resampler_of(samples, resamples=resamples, seed=seed)
    macro, confusion = _outcomes(truth.outcome, said.outcome_probs, resampler)
    counts = Counter(OUTCOMES[index] for index in truth.outcome if index >= 0)
    return Report(
        n=len(samples),
        positives=int(truth.success.sum()),
        trajectories=resampler.size,
        threshold=float(threshold),
        metrics={
            "f1": resampler.interval(measures.f1(truth.success, decisions), resampler.f1(truth.success, decisions)),
            "f1_sure": measures.f1_of_the_sure(truth.success, said.success, threshold),
            "precision": measures.precision(truth.success, decisions),
            "recall": measures.recall(truth.success, decisions),
            "accuracy": measures.accuracy(truth.success, decisions),
            "auroc": resampler.interval(
                measures.auroc(truth.success, said.success), resampler.auroc(truth.success, said.success)
            ),
            "average_precision": measures.average_precision(truth.success, said.success),
            "ece": measures.expected_calibration_error(truth.success, said.success),
            "brier": measures.brier(truth.success, said.success),
            "macro_f1": macro,
            "no_ops_confirmed": measures.confirmed_share(decisions, truth.outcome == OUTCOMES.index("no_op")),
            "progress_spearman": measures.correlation(truth.progress, said.progress, "spearman"),
            "progress_pearson": measures.correlation(truth.progress, said.progress, "pearson"),
        },
        outcomes={outcome: counts[outcome] for outcome in OUTCOMES if outcome in counts},
        outcomes_unknown=int((truth.outcome < 0).sum()),
        confusion=confusion,
        cuts={
            name: _cut([key(sample) for sample in samples], truth.success, said.success, decisions)
            for name, key in CUTS.items()
        },
        resamples=resamples,
        seed=seed,
    )


def _outcomes(
    labels: Ints, probs: Floats | None, resampler: Resampler
) -> tuple[Metric, tuple[tuple[int, ...], ...] | None]:
    """Macro-F1 with its interval, and the confusion, over the samples whose outcome is known."""
    if probs is None:
        return Metric(None, reason="the system predicts no outcomes"), None
    known = labels >= 0
    truth, said = labels[known], probs.argmax(axis=1)[known]
    metric = measures.macro_f1(truth, said)
    if metric.value is None:
        return metric, None
    metric = resampler.interval(metric, resampler.macro_f1(truth, said, len(OUTCOMES), known))
    table = confusion_matrix(truth, said, labels=range(len(OUTCOMES)))
    return metric, tuple(tuple(int(count) for count in row) for row in table)


def _cut(keys: Sequence[str], labels: Bools, scores: Floats, decisions: Bools) -> dict[str, Cut]:
    """The figures of each value of `keys`, the most frequent value first."""
    values = np.array(keys, dtype=object)
    parts = {}
    for key, count in sorted(Counter(keys).items(), key=lambda item: (-item[1], item[0])):
        rows = values == key
        parts[key] = Cut(
            n=count,
            positives=int(labels[rows].sum()),
            f1=measures.f1(labels[rows], decisions[rows]),
            auroc=measures.auroc(labels[rows], scores[rows]),
            accuracy=measures.accuracy(labels[rows], decisions[rows]),
        )
    return parts
