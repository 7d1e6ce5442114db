"""How sure a figure is: a bootstrap that draws whole trajectories, since the steps of one are not independent."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from viscritic.evaluate.measures import Bools, Floats, Ints, Metric, f1

RESAMPLES: Final = 1000
SEED: Final = 0
_OUTER: Final = (2.5, 97.5)  # percentiles of a 95 % interval
_FEWEST_DEFINED: Final = 0.5  # with fewer defined resamples than this an interval would describe a lucky half


class Resampler:
    """The same draws of clusters for every figure and every system, so that differences between systems are paired.

    Each resample draws C of the C clusters with replacement. It is kept as how often each cluster was drawn, and
    figures come from sums over clusters: the same as computing them on the drawn samples, in a fraction of the time.

    Args:
        clusters: the N samples' clusters (their trajectories).
        resamples: R.

    Attributes:
        index: (N,) which cluster each sample belongs to.
        draws: (R, C) how often each cluster was drawn.
    """

    def __init__(self, clusters: Sequence[Hashable], *, resamples: int = RESAMPLES, seed: int = SEED) -> None:
        numbers = {cluster: number for number, cluster in enumerate(dict.fromkeys(clusters))}
        self.index: Ints = np.array([numbers[cluster] for cluster in clusters], dtype=np.int64)
        self.size = len(numbers)
        draw = np.random.default_rng(seed).multinomial
        self.draws: Ints = draw(self.size, np.full(self.size, 1 / self.size), size=resamples).astype(np.int64)

    def _sums(self, groups: Ints, count: int, rows: Bools | None = None) -> Ints:
        """(R, count): how many samples of each group are in each resample; groups is (N,) in [0, count)."""
        index = self.index if rows is None else self.index[rows]
        table = np.bincount(index * count + groups, minlength=self.size * count)
        return self.draws @ table.reshape(self.size, count)

    def f1(self, labels: Bools, decisions: Bools) -> Floats:
        """(R,) F1 of success, NaN where a resample lacks a class."""
        sums = self._sums(labels.astype(np.int64) * 2 + decisions, 4)
        true_negative, false_positive, false_negative, true_positive = sums.T
        defined = (true_positive + false_negative > 0) & (true_negative + false_positive > 0)
        return _divide(2 * true_positive, 2 * true_positive + false_positive + false_negative, defined)

    def macro_f1(self, labels: Ints, decisions: Ints, classes: int, rows: Bools) -> Floats:
        """(R,) mean F1 over the classes that occur among a resample's labels, NaN where it holds no labelled sample.

        Args:
            labels, decisions: (M,) class indices of the M samples whose outcome is known.
            rows: (N,) bool, which of the N samples those are.
        """
        sums = self._sums(labels * classes + decisions, classes * classes, rows).reshape(-1, classes, classes)
        hits = np.diagonal(sums, axis1=1, axis2=2)
        truths, said = sums.sum(axis=2), sums.sum(axis=1)
        scores = _divide(2 * hits, truths + said, truths > 0)  # (R, classes)
        present = (truths > 0).sum(axis=1)
        return _divide(np.nansum(scores, axis=1), present, present > 0)

    def auroc(self, labels: Bools, scores: Floats) -> Floats:
        """(R,) area under the ROC curve, NaN where a resample lacks a class."""
        levels, rank = np.unique(scores, return_inverse=True)
        areas = np.full(len(self.draws), np.nan)
        for number, draw in enumerate(self.draws):
            weight = draw[self.index].astype(np.float64)
            positive = np.bincount(rank, weights=weight * labels, minlength=levels.size)
            negative = np.bincount(rank, weights=weight * ~labels, minlength=levels.size)
            pairs = positive.sum() * negative.sum()
            if pairs:
                below = np.cumsum(negative) - negative
                areas[number] = np.sum(positive * (below + negative / 2)) / pairs
        return areas

    def interval(self, metric: Metric, values: Floats) -> Metric:
        """`metric` with the percentile interval of its (R,) resampled values, or with the reason why it has none."""
        if metric.value is None:
            return metric
        if self.size == 1:
            return Metric(metric.value, reason="no interval: all samples are of one trajectory")
        defined = values[~np.isnan(values)]
        if defined.size < _FEWEST_DEFINED * values.size:
            return Metric(metric.value, reason="no interval: most resamples of trajectories lack a class")
        low, high = np.percentile(defined, _OUTER)
        return Metric(metric.value, (float(low), float(high)))


@dataclass(frozen=True, slots=True)
class Difference:
    """How much higher one system's F1 is than another's on the same samples.

    Attributes:
        f1: F1 of the first minus F1 of the second, with its paired 95 % interval.
        p_value: two-sided, for "both have the same F1": twice the smaller share of resamples on either side of 0
            (those at 0 count on both sides), at least 1 / (R + 1); None where there is no interval.
    """

    f1: Metric
    p_value: float | None


def difference(resampler: Resampler, labels: Bools, first: Bools, second: Bools) -> Difference:
    """Paired bootstrap of F1(first) - F1(second), where both are (N,) decisions on the same samples."""
    one, other = f1(labels, first), f1(labels, second)
    if one.value is None or other.value is None:
        return Difference(Metric(None, reason=one.reason), None)
    gaps = resampler.f1(labels, first) - resampler.f1(labels, second)
    metric = resampler.interval(Metric(one.value - other.value), gaps)
    if metric.interval is None:
        return Difference(metric, None)
    gaps = gaps[~np.isnan(gaps)]
    smaller = min(np.count_nonzero(gaps <= 0), np.count_nonzero(gaps >= 0))
    return Difference(metric, min(1.0, 2 * (smaller + 1) / (gaps.size + 1)))


def _divide(numerator: npt.NDArray[np.generic], denominator: npt.NDArray[np.generic], defined: Bools) -> Floats:
    """numerator / denominator where defined, NaN elsewhere."""
    result = np.full(denominator.shape, np.nan)
    np.divide(numerator, denominator, out=result, where=defined)
    return result
