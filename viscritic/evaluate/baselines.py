"""Systems that any critic must beat, in the critic's own form: predictions for samples, and a threshold.

`fit` reads the training split, `choose_threshold` the validation split, `predict` any split. On weak labels mind that
their no-op class was itself found by SSIM, so that change and SSIM know part of the labels by construction.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Self

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler

from viscritic.errors import DataError
from viscritic.evaluate import calibration
from viscritic.evaluate.measures import Floats
from viscritic.evaluate.metrics import Truth
from viscritic.evaluate.pair_features import FeatureTable
from viscritic.evaluate.predictions import Predictions
from viscritic.sample import Sample
from viscritic.sample_folder import SampleFolder
from viscritic.trajectory import OUTCOMES


class Baseline(ABC):
    """A system without a network.

    Args:
        table: the features, shared between baselines so that each screen is read once.
    """

    name: ClassVar[str]

    def __init__(self, table: FeatureTable | None = None) -> None:
        self.table = FeatureTable() if table is None else table

    def fit(self, samples: Sequence[Sample], folder: SampleFolder) -> Self:
        """Learn from the training split; a baseline that has nothing to learn returns itself as it is."""
        del samples, folder
        return self

    @abstractmethod
    def predict(self, samples: Sequence[Sample], folder: SampleFolder) -> Predictions:
        """Predictions for `samples`, whose screens lie in `folder`."""

    def choose_threshold(self, samples: Sequence[Sample], folder: SampleFolder) -> float:
        """The threshold with the best F1 on the validation split.

        Raises:
            DataError: if the split is empty or holds one class only.
        """
        return calibration.choose_threshold(self.predict(samples, folder).success, Truth.of(samples).success)


class Majority(Baseline):
    """Says of every sample what most of the training split was.

    Its probability is the training split's share of successes, and its outcome probabilities are the shares of the
    outcomes: the best that a constant can do on Brier score. Its threshold stays 0.5, which makes it the majority.
    """

    name = "majority"
    share = 0.0
    outcome_shares: Floats | None = None

    def fit(self, samples: Sequence[Sample], folder: SampleFolder) -> Self:
        """Count the labels.

        Raises:
            DataError: if there are no samples.
        """
        truth = Truth.of(samples)
        self.share = float(truth.success.mean())
        counts = np.bincount(truth.outcome[truth.outcome >= 0], minlength=len(OUTCOMES))
        self.outcome_shares = counts / counts.sum() if counts.any() else None
        return self

    def predict(self, samples: Sequence[Sample], folder: SampleFolder) -> Predictions:
        """The same for every sample."""
        shares = self.outcome_shares
        probs = None if shares is None else np.tile(shares, (len(samples), 1))
        return _predictions(samples, np.full(len(samples), self.share), probs)

    def choose_threshold(self, samples: Sequence[Sample], folder: SampleFolder) -> float:
        """0.5."""
        return 0.5


class AlwaysSuccess(Baseline):
    """Says success of everything: the floor of F1 that the share of successes alone gives."""

    name = "always success"

    def predict(self, samples: Sequence[Sample], folder: SampleFolder) -> Predictions:
        """1 for every sample."""
        return _predictions(samples, np.ones(len(samples)))

    def choose_threshold(self, samples: Sequence[Sample], folder: SampleFolder) -> float:
        """0.5."""
        return 0.5


class PixelDifference(Baseline):
    """The more pixels changed, the likelier a success: its score is the fraction of changed pixels."""

    name = "pixel difference"

    def predict(self, samples: Sequence[Sample], folder: SampleFolder) -> Predictions:
        """The fraction of changed pixels of each pair."""
        return _predictions(samples, np.array([row["changed"] for row in self.table.seen(samples, folder)]))


class Ssim(Baseline):
    """The less alike the screens are, the likelier a success: its score is 1 - SSIM."""

    name = "SSIM"

    def predict(self, samples: Sequence[Sample], folder: SampleFolder) -> Predictions:
        """1 - SSIM of each pair's grey screens."""
        return _predictions(samples, np.array([row["ssim_distance"] for row in self.table.seen(samples, folder)]))


class _Regression(Baseline):
    """Logistic regression on standardised features: one for success, one for the outcome."""

    _success: Pipeline | None = None
    _outcome: Pipeline | None = None

    @abstractmethod
    def features(self, samples: Sequence[Sample], folder: SampleFolder) -> list[dict[str, float]]:
        """One dictionary a sample, all with the same keys."""

    def _matrix(self, samples: Sequence[Sample], folder: SampleFolder) -> Floats:
        return np.array([list(row.values()) for row in self.features(samples, folder)])

    def fit(self, samples: Sequence[Sample], folder: SampleFolder) -> Self:
        """Fit both regressions; the second only where two outcomes or more are known.

        Raises:
            DataError: if the samples are empty or of one class.
            ScreenError: if a screen cannot be read.
        """
        truth = Truth.of(samples)
        if truth.success.all() or not truth.success.any():
            raise DataError(
                f"the baseline {self.name!r} needs training samples of both classes, got {truth.success.sum()} "
                f"successes among {len(samples)}"
            )
        matrix = self._matrix(samples, folder)
        self._success = _pipeline().fit(matrix, truth.success)
        known = truth.outcome >= 0
        several = np.unique(truth.outcome[known]).size > 1
        self._outcome = _pipeline().fit(matrix[known], truth.outcome[known]) if several else None
        return self

    def predict(self, samples: Sequence[Sample], folder: SampleFolder) -> Predictions:
        """Probabilities of both regressions; an outcome that the training split lacks has probability 0.

        Raises:
            DataError: if it was not fitted.
            ScreenError: if a screen cannot be read.
        """
        if self._success is None:
            raise DataError(f"the baseline {self.name!r} must be fitted on the training split before it predicts")
        if not samples:
            return _predictions(samples, np.zeros(0))
        matrix = self._matrix(samples, folder)
        probs = None
        if self._outcome is not None:
            probs = np.zeros((len(samples), len(OUTCOMES)))
            probs[:, self._outcome.classes_] = self._outcome.predict_proba(matrix)
        return _predictions(samples, self._success.predict_proba(matrix)[:, 1], probs)


class Handcrafted(_Regression):
    """Logistic regression on cheap features of action, pre and post."""

    name = "handcrafted"

    def features(self, samples: Sequence[Sample], folder: SampleFolder) -> list[dict[str, float]]:
        """Everything that `pair_features` measures."""
        blind, seen = self.table.blind(samples, folder), self.table.seen(samples, folder)
        return [{**first, **second} for first, second in zip(blind, seen, strict=True)]


class HandcraftedBlind(_Regression):
    """The same without the post screen, as a check for leaks.

    Whatever it scores beyond chance can be known without seeing what happened: a habit of the data (waiting mostly
    succeeds) or a trace of how negatives were made. A critic's lead over it is what it owes to its eyes.
    """

    name = "handcrafted, no post"

    def features(self, samples: Sequence[Sample], folder: SampleFolder) -> list[dict[str, float]]:
        """What is known before post; the post screen is never opened."""
        return self.table.blind(samples, folder)


BASELINES: tuple[type[Baseline], ...] = (Majority, AlwaysSuccess, PixelDifference, Ssim, HandcraftedBlind, Handcrafted)


def run_baselines(
    train: Sequence[Sample],
    val: Sequence[Sample],
    test: Sequence[Sample],
    folder: SampleFolder,
    tested: SampleFolder | None = None,
) -> tuple[dict[str, Predictions], dict[str, float]]:
    """Fit every baseline on `train`, choose its threshold on `val`, predict `test`.

    Args:
        tested: the folder of `test`, where it is another one than that of `train` and `val`.

    Returns:
        Predictions by name and thresholds by name, as `compare` takes them.

    Raises:
        DataError: if a split is empty, or train or val holds one class only.
        ScreenError: if a screen cannot be read.
    """
    table = FeatureTable()
    predictions, thresholds = {}, {}
    for kind in BASELINES:
        baseline = kind(table).fit(train, folder)
        thresholds[kind.name] = baseline.choose_threshold(val, folder)
        predictions[kind.name] = baseline.predict(test, folder if tested is None else tested)
    return predictions, thresholds


def _pipeline() -> Pipeline:
    return make_pipeline(StandardScaler(), LogisticRegression(max_iter=5000))


def _predictions(samples: Sequence[Sample], success: Floats, probs: Floats | None = None) -> Predictions:
    """Baselines say nothing of progress."""
    return Predictions(tuple(sample.id for sample in samples), success, np.full(len(samples), np.nan), probs)
