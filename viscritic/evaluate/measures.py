"""One number each, from labels and predictions as arrays; what is undefined is None with the reason.

Throughout, N is the number of samples, `labels` is (N,) bool (did the step succeed), `scores` is (N,) float in [0, 1]
(the predicted probability of success) and `decisions` is (N,) bool (score >= threshold). scikit-learn and scipy do
the arithmetic; every degenerate case is met before they would warn about it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from scipy import stats
from sklearn import metrics as sk

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

ASIDE: Final = 0.1  # the least sure fraction, which the critic may call unsure
ECE_BINS: Final = 15
_FEWEST_PAIRS: Final = 3  # two points always correlate perfectly
_CONSTANT: Final = 1e-12  # a spread below this, relative to the mean, is rounding


@dataclass(frozen=True, slots=True)
class Metric:
    """A figure, or why there is none.

    Attributes:
        value: None where it is undefined.
        interval: the 95 % interval (low, high), None where none was asked for or it is undefined.
        reason: why `value` or the interval is missing, "" otherwise.
    """

    value: float | None
    interval: tuple[float, float] | None = None
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """JSON-able form: `value`, `interval` where there is one, `reason` where something is missing."""
        entry: dict[str, Any] = {"value": self.value}
        if self.interval is not None:
            entry["interval"] = list(self.interval)
        if self.reason:
            entry["reason"] = self.reason
        return entry


def missing_class(labels: Bools) -> str:
    """Which class the labels lack, in words; "" where both are there."""
    if labels.all():
        return "every sample is a success"
    return "" if labels.any() else "no sample is a success"


def f1(labels: Bools, decisions: Bools) -> Metric:
    """F1 of success. Needs both classes: without failures it only repeats recall, without successes it has no subject.

    A system that never says success scores 0, which is its true F1.
    """
    if reason := missing_class(labels):
        return Metric(None, reason=reason)
    return Metric(float(sk.f1_score(labels, decisions)))


def precision(labels: Bools, decisions: Bools) -> Metric:
    """Share of true successes among what was called a success."""
    if not decisions.any():
        return Metric(None, reason="nothing was called a success")
    return Metric(float(sk.precision_score(labels, decisions)))


def recall(labels: Bools, decisions: Bools) -> Metric:
    """Share of the successes that was called a success."""
    if not labels.any():
        return Metric(None, reason="no sample is a success")
    return Metric(float(sk.recall_score(labels, decisions)))


def accuracy(labels: Bools, decisions: Bools) -> Metric:
    """Share of right decisions."""
    return Metric(float(sk.accuracy_score(labels, decisions)))


def auroc(labels: Bools, scores: Floats) -> Metric:
    """Area under the ROC curve: how often a success outscores a failure; ties count half."""
    if reason := missing_class(labels):
        return Metric(None, reason=reason)
    return Metric(float(sk.roc_auc_score(labels, scores)))


def average_precision(labels: Bools, scores: Floats) -> Metric:
    """Average precision, the step-wise area under the precision-recall curve; the share of successes is chance."""
    if reason := missing_class(labels):
        return Metric(None, reason=reason)
    return Metric(float(sk.average_precision_score(labels, scores)))


def f1_of_the_sure(labels: Bools, scores: Floats, threshold: float, aside: float = ASIDE) -> Metric:
    """F1 without the fraction `aside` of the samples whose log-odds lie nearest to the threshold's: what is left where
    a critic may say that it is unsure."""
    odds = [np.log(p / (1 - p)) for p in np.clip([scores, np.full(len(scores), threshold)], 1e-9, 1 - 1e-9)]
    order = np.argsort(np.abs(odds[0] - odds[1]), kind="stable")[int(aside * len(scores)) :]
    return f1(labels[order], scores[order] >= threshold)


def confirmed_share(decisions: Bools, rows: Bools) -> Metric:
    """The share of some rows of which success is said."""
    if not rows.any():
        return Metric(None, reason="no sample is a no-op")
    return Metric(float(decisions[rows].mean()))


def brier(labels: Bools, scores: Floats) -> Metric:
    """Mean squared distance of the score from the label (0 or 1)."""
    return Metric(float(np.mean((scores - labels) ** 2)))


@dataclass(frozen=True, slots=True)
class Reliability:
    """Scores in bins of equal width: (B,) arrays; `score` and `share` are NaN in an empty bin.

    Attributes:
        count: samples in the bin.
        score: their mean score.
        share: the share of successes among them.
    """

    count: Ints
    score: Floats
    share: Floats


def reliability(labels: Bools, scores: Floats, bins: int = ECE_BINS) -> Reliability:
    """Bin k holds the scores in [k / bins, (k + 1) / bins); the last one holds 1 too."""
    which = np.minimum((scores * bins).astype(np.int64), bins - 1)
    count = np.bincount(which, minlength=bins)
    sums = np.stack([np.bincount(which, weights=w, minlength=bins) for w in (scores, labels.astype(np.float64))])
    means = np.full_like(sums, np.nan)
    np.divide(sums, count, out=means, where=count > 0)
    return Reliability(count, means[0], means[1])


def expected_calibration_error(labels: Bools, scores: Floats) -> Metric:
    """Distance of mean score and share of successes, averaged over 15 equal-width bins by their counts.

    It is the binary form: the calibration of the probability of success, not of the confidence in the decision.
    """
    table = reliability(labels, scores)
    filled = table.count > 0
    gaps = np.abs(table.score[filled] - table.share[filled])
    return Metric(float(np.sum(gaps * table.count[filled]) / labels.size))


def correlation(labels: Floats, predictions: Floats, kind: str) -> Metric:
    """Spearman's or Pearson's correlation of progress where label and prediction are both known (not NaN).

    Args:
        kind: "spearman" or "pearson".
    """
    if np.isnan(predictions).all():
        return Metric(None, reason="the system predicts no progress")
    known = ~np.isnan(labels) & ~np.isnan(predictions)
    x, y = labels[known], predictions[known]
    if x.size < _FEWEST_PAIRS:
        return Metric(None, reason=f"progress is known for {x.size} samples only, {_FEWEST_PAIRS} are needed")
    for name, values in (("label", x), ("prediction", y)):
        if np.ptp(values) <= _CONSTANT * max(1.0, float(np.abs(values).max())):
            return Metric(None, reason=f"the progress of every {name} is the same")
    correlate = {"spearman": stats.spearmanr, "pearson": stats.pearsonr}[kind]
    return Metric(float(correlate(x, y).statistic))


def macro_f1(labels: Ints, decisions: Ints) -> Metric:
    """Mean F1 over the outcomes that occur in the labels; an outcome that is only predicted costs the others precision.

    Args:
        labels, decisions: (N,) indices into `OUTCOMES`.
    """
    if not labels.size:
        return Metric(None, reason="no sample's outcome is known")
    return Metric(float(sk.f1_score(labels, decisions, labels=np.unique(labels), average="macro")))
