from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, softmax
from sklearn.metrics import f1_score

from viscritic.errors import ConfigError, DataError
from viscritic.evaluate import choose_threshold, fit_class_temperature, fit_temperature, unsure_band


@pytest.mark.parametrize("temperature", [0.4, 1.0, 3.0])
def test_the_temperature_that_made_the_labels_is_found(temperature: float) -> None:
    rng = np.random.default_rng(0)
    logits = rng.normal(0, 3, 40_000)
    labels = rng.random(40_000) < expit(logits / temperature)
    assert fit_temperature(logits, labels) == pytest.approx(temperature, rel=0.05)


def test_the_temperature_of_several_classes_is_found() -> None:
    rng = np.random.default_rng(1)
    logits = rng.normal(0, 3, (20_000, 5))
    cumulative = softmax(logits / 2.0, axis=1).cumsum(axis=1)
    classes = (rng.random((20_000, 1)) > cumulative[:, :4]).sum(axis=1)
    assert fit_class_temperature(logits, classes) == pytest.approx(2.0, rel=0.05)


def test_two_classes_are_a_sigmoid() -> None:
    rng = np.random.default_rng(2)
    logits = rng.normal(0, 2, 500)
    labels = rng.random(500) < expit(logits / 1.7)
    pair = np.stack([np.zeros(500), logits], axis=1)
    assert fit_temperature(logits, labels) == pytest.approx(fit_class_temperature(pair, labels.astype(int)))


def test_the_ends_of_the_range_are_reached_and_not_passed() -> None:
    labels = np.array([True, False] * 10)
    assert fit_temperature(np.where(labels, 2.0, -2.0), labels) == 0.1  # separated: the sharper the better
    assert fit_temperature(np.where(labels, -2.0, 2.0), labels) == pytest.approx(10.0)  # all wrong: the flatter


def test_single_class_validation_is_refused() -> None:
    for labels in (np.ones(3, bool), np.zeros(3, bool)):
        with pytest.raises(DataError, match=r"both classes, got \d successes among 3; build a larger validation split"):
            fit_temperature(np.zeros(3), labels)
        with pytest.raises(DataError, match="both classes"):
            choose_threshold(np.zeros(3), labels)
    with pytest.raises(DataError, match="two classes or more"):
        fit_class_temperature(np.zeros((3, 5)), np.array([2, 2, 2]))
    with pytest.raises(DataError, match="both classes"):
        fit_temperature(np.zeros(0), np.zeros(0, bool))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fit_temperature(np.zeros(3), np.array([True, False])), r"both be \(N,\)"),
        (lambda: fit_temperature(np.zeros(2), np.array([1, 0])), "must be bool"),
        (lambda: fit_temperature(np.array([np.inf, 0]), np.array([True, False])), "not finite"),
        (lambda: fit_class_temperature(np.array([[np.nan, 0], [0, 0]]), np.array([0, 1])), "not finite"),
        (lambda: fit_class_temperature(np.zeros((2, 2)), np.array([0, 2])), "from 0 to 1, got 0 to 2"),
        (lambda: fit_class_temperature(np.zeros(2), np.array([0, 1])), r"\(N, K\)"),
        (lambda: choose_threshold(np.array([0.2, 1.2]), np.array([True, False])), r"probabilities in \[0, 1\]"),
        (lambda: unsure_band(np.zeros(0), 0.5), "at least one"),
        (lambda: unsure_band(np.array([np.nan]), 0.5), "probabilities"),
    ],
)
def test_wrong_arrays_are_refused(call, message: str) -> None:
    with pytest.raises(DataError, match=message):
        call()


@pytest.mark.parametrize(("threshold", "fraction"), [(1.1, 0.1), (np.nan, 0.1), (0.5, 1.0), (0.5, -0.1)])
def test_settings_out_of_range_are_refused(threshold: float, fraction: float) -> None:
    with pytest.raises(ConfigError, match="got"):
        unsure_band(np.array([0.5]), threshold, fraction)


@pytest.mark.parametrize(
    ("scores", "labels", "expected"),
    [
        ([0.1, 0.2, 0.8, 0.9], [0, 0, 1, 1], 0.5),  # 0.5 lies between the classes
        ([0.1, 0.2, 0.3, 0.4], [0, 0, 1, 1], 0.25),  # the middle of the gap
        ([0.7, 0.8, 0.9, 1.0], [0, 0, 1, 1], 0.85),
        ([0.01, 0.02, 0.03, 0.04], [0, 1, 0, 1], 0.015),  # F1 0.8 for the lowest three; 2/3 for the top one
        ([0.4, 0.4, 0.4, 0.4], [0, 1, 0, 1], 0.2),  # nothing to choose: everything is a success
        ([0.0, 0.0, 0.0, 0.0], [0, 1, 0, 1], 0.0),
        # All as successes (threshold 0.2) and the top one alone (0.75) both give 2/3: 0.75 is nearer to 0.5.
        ([0.4, 0.6, 0.9, 0.4], [1, 0, 1, 0], 0.75),
    ],
)
def test_the_best_threshold_by_hand(scores, labels, expected: float) -> None:
    assert choose_threshold(np.array(scores), np.array(labels, bool)) == pytest.approx(expected)


@given(
    st.lists(
        st.tuples(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.7, 0.7000001, 1.0]), st.booleans()), min_size=2, max_size=25
    )
)
def test_no_threshold_is_better_than_the_chosen_one(pairs) -> None:
    scores, labels = np.array([s for s, _ in pairs]), np.array([label for _, label in pairs])
    if labels.all() or not labels.any():
        return
    chosen = choose_threshold(scores, labels)
    best = max(f1_score(labels, scores >= t) for t in np.unique(scores))
    assert 0.0 <= chosen <= 1.0
    assert f1_score(labels, scores >= chosen) == pytest.approx(best)


def test_where_f1_is_flat_the_threshold_nearest_to_a_half_is_taken() -> None:
    rng = np.random.default_rng(5)
    labels = rng.random(400) < 0.5
    scores = np.clip(0.3 * labels + rng.random(400) * 0.7, 0, 1)
    best, taken = choose_threshold(scores, labels), choose_threshold(scores, labels, within=0.01)
    assert abs(taken - 0.5) < abs(best - 0.5)
    assert f1_score(labels, scores >= best) - 0.01 <= f1_score(labels, scores >= taken)


def test_the_band_holds_the_least_confident_tenth() -> None:
    scores = np.array([0.02, 0.1, 0.15, 0.2, 0.3, 0.47, 0.7, 0.8, 0.9, 0.99])
    low, high = unsure_band(scores, 0.5)  # 0.47 (distance 0.03) in, 0.3 and 0.7 (0.2) out
    assert (low, high) == pytest.approx((0.5 - 0.115, 0.5 + 0.115))


def test_equal_distances_stay_out_together_and_no_band_is_empty() -> None:
    scores = np.array([0.4, 0.6, 0.4, 0.6, 0.1, 0.9, 0.1, 0.9, 0.1, 0.9])
    assert unsure_band(scores, 0.5, 0.1) == (0.5, 0.5)
    low, high = unsure_band(scores, 0.5, 0.4)
    assert ((scores > low) & (scores < high)).sum() == 4
    assert unsure_band(scores, 0.5, 0.0) == (0.5, 0.5)


@given(
    st.lists(st.floats(0, 1), min_size=1, max_size=40),
    st.floats(0, 1),
    st.floats(0, 0.99),
)
def test_the_band_never_holds_more_than_its_fraction(scores, threshold: float, fraction: float) -> None:
    values = np.array(scores)
    low, high = unsure_band(values, threshold, fraction)
    assert 0.0 <= low <= threshold <= high <= 1.0
    assert ((values > low) & (values < high)).sum() <= fraction * len(scores) + 1e-9
