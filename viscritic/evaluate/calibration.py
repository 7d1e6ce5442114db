"""Settings that are read off the validation split: temperature, threshold, and the band where the critic is unsure.

All functions are pure: numpy arrays in, numbers out.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp

from viscritic.errors import ConfigError, DataError
from viscritic.evaluate.measures import Bools, Floats, Ints

TEMPERATURES: Final = (0.1, 10.0)
_TIE: Final = 1e-12  # distances closer than this differ by rounding


def fit_temperature(logits: Floats, labels: Bools) -> float:
    """The T that minimises the mean negative log-likelihood of sigmoid(logits / T) (Guo et al. 2017, section 4.2).

    Where the logits separate the classes perfectly the likelihood rises for ever as T falls, and where they are no
    better than chance it rises as T grows: then the answer is the end of the range, 0.1 or 10.

    Args:
        logits: (N,) of the success head.
        labels: (N,) bool.

    Raises:
        DataError: if the shapes differ, a logit is not finite, or the labels hold one class only (the best T would
            say nothing but that class).
    """
    logits, labels = _check(logits, labels)
    # A sigmoid is a softmax over (0, logit).
    return _temperature(np.stack([np.zeros_like(logits), logits], axis=1), labels.astype(np.int64))


def fit_class_temperature(logits: Floats, classes: Ints) -> float:
    """The same for softmax(logits / T) over K classes, such as the outcomes.

    Args:
        logits: (N, K).
        classes: (N,) the right class of each row, from 0.

    Raises:
        DataError: as `fit_temperature`, and if a class is not in [0, K).
    """
    logits, classes = np.asarray(logits, np.float64), np.asarray(classes)
    if logits.ndim != 2 or classes.shape != logits.shape[:1]:
        raise DataError(f"logits must be (N, K) and classes (N,), got {logits.shape} and {classes.shape}")
    if not np.isfinite(logits).all():
        raise DataError("a logit of the validation split is not finite: the model has diverged")
    if not classes.size or np.unique(classes).size < 2:
        raise DataError("calibration needs validation samples of two classes or more; build a larger validation split")
    if classes.min() < 0 or classes.max() >= logits.shape[1]:
        raise DataError(f"a class must be from 0 to {logits.shape[1] - 1}, got {classes.min()} to {classes.max()}")
    return _temperature(logits, classes.astype(np.int64))


def _temperature(logits: Floats, classes: npt.NDArray[np.int64]) -> float:
    """Minimise over 1 / T, in which the negative log-likelihood is convex; logits are (N, K)."""
    right = logits[np.arange(len(logits)), classes]

    def loss(inverse: float) -> float:
        return float(np.mean(logsumexp(logits * inverse, axis=1) - right * inverse))

    low, high = 1 / TEMPERATURES[1], 1 / TEMPERATURES[0]
    best = minimize_scalar(loss, bounds=(low, high), method="bounded", options={"xatol": 1e-6}).x
    # The search never evaluates the ends themselves.
    return float(1 / min((low, float(best), high), key=loss))


def choose_threshold(scores: Floats, labels: Bools, within: float = 0.0) -> float:
    """The threshold gamma in [0, 1] with the best F1 of `scores >= gamma` on the validation split.

    Every threshold between two neighbouring scores decides alike; such an interval stands for itself by 0.5 if it
    holds 0.5, else by its middle. Of intervals with the same F1 the one whose threshold is nearest to 0.5 wins, of two
    equally near the higher.

    Args:
        scores: (N,) probabilities of success.
        labels: (N,) bool.
        within: an F1 that is at most so much below the best counts as the same. Where F1 is flat the best threshold is
            an accident of the samples.

    Raises:
        DataError: if the shapes differ, a score is not in [0, 1], or the labels hold one class only (any threshold
            that says nothing but that class would be the best).
    """
    scores, labels = _check(scores, labels)
    _check_probabilities(scores)
    uppers, inverse = np.unique(scores, return_inverse=True)  # each ends an interval: (lower, upper]
    lowers = np.concatenate([[0.0], uppers[:-1]])
    # From the highest score down: how many are called a success, and how many of them rightly.
    called = np.cumsum(np.bincount(inverse)[::-1])[::-1]
    right = np.cumsum(np.bincount(inverse, weights=labels)[::-1])[::-1]
    f1 = 2 * right / (called + labels.sum())
    middle = (lowers + uppers) / 2
    thresholds = np.where(middle > lowers, middle, uppers)  # neighbouring floats have no middle
    thresholds = np.where((lowers < 0.5) & (uppers >= 0.5), 0.5, thresholds)
    best = thresholds[f1 >= f1.max() - within]
    distance = np.abs(best - 0.5)
    return float(best[distance <= distance.min() + _TIE].max())


def unsure_band(scores: Floats, threshold: float, fraction: float = 0.1) -> tuple[float, float]:
    """(low, high) around the threshold such that the critic is unsure where low < score < high.

    Confidence is the distance of the score from the threshold; the band holds the least confident `fraction` of the
    validation split. It ends half-way between the last score that it holds and the next one. Scores at the same
    distance are in or out together, so it may hold fewer, never more; (threshold, threshold) holds none.

    Args:
        scores: (N,) probabilities of success of the validation split; no labels are needed.
        fraction: in [0, 1).

    Raises:
        DataError: if there are no scores or one is not in [0, 1].
        ConfigError: if the threshold or the fraction is out of range.
    """
    scores = np.asarray(scores, np.float64)
    _check_probabilities(scores)
    if not 0.0 <= threshold <= 1.0:
        raise ConfigError(f"the threshold must be between 0 and 1, got {threshold!r}")
    if not 0.0 <= fraction < 1.0:
        raise ConfigError(f"the unsure fraction must be from 0 to below 1, got {fraction!r}")
    distances = np.sort(np.abs(scores - threshold))
    held = int(fraction * scores.size + _TIE)
    while held and distances[held] - distances[held - 1] <= _TIE:
        held -= 1
    radius = (distances[held - 1] + distances[held]) / 2 if held else 0.0
    return float(max(0.0, threshold - radius)), float(min(1.0, threshold + radius))


def _check(values: Floats, labels: Bools) -> tuple[Floats, Bools]:
    """(N,) float64 and (N,) bool, finite, both classes."""
    values, labels = np.asarray(values, np.float64), np.asarray(labels)
    if values.ndim != 1 or labels.shape != values.shape:
        raise DataError(f"scores and labels must both be (N,), got {values.shape} and {labels.shape}")
    if labels.dtype != np.bool_:
        raise DataError(f"labels must be bool (success >= 0.5), got {labels.dtype}")
    if not np.isfinite(values).all():
        raise DataError("a score of the validation split is not finite: the model has diverged")
    if labels.all() or not labels.any():
        raise DataError(
            f"calibration needs validation samples of both classes, got {labels.sum()} successes among "
            f"{labels.size}; build a larger validation split"
        )
    return values, labels


def _check_probabilities(scores: Floats) -> None:
    if not scores.size or not ((scores >= 0.0) & (scores <= 1.0)).all():
        raise DataError("scores of the validation split must be probabilities in [0, 1], at least one of them")
