from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import f1_score, roc_auc_score

from viscritic.evaluate.bootstrap import Resampler, difference
from viscritic.evaluate.measures import Metric, f1


@pytest.fixture
def data() -> tuple[np.ndarray, np.ndarray, list[str]]:
    rng = np.random.default_rng(5)
    labels = rng.random(60) < 0.4
    scores = np.round(np.clip(0.5 * labels + rng.normal(0.3, 0.3, 60), 0, 1), 1)  # with ties
    return labels, scores, [f"t{i}" for i in rng.integers(0, 9, 60)]


def test_sums_over_clusters_equal_scikit_learn_on_the_drawn_samples(data) -> None:
    labels, scores, clusters = data
    resampler = Resampler(clusters, resamples=40, seed=1)
    truth, said = labels.astype(int) + (scores > 0.9), (scores >= 0.5).astype(int) + (scores > 0.7)
    rows = np.arange(60) % 7 != 0
    f1s, areas = resampler.f1(labels, scores >= 0.5), resampler.auroc(labels, scores)
    macros = resampler.macro_f1(truth[rows], said[rows], 5, rows)
    assert resampler.draws.sum(axis=1).tolist() == [len(set(clusters))] * 40
    for number, draw in enumerate(resampler.draws):
        drawn = np.repeat(np.arange(60), draw[resampler.index])
        known = drawn[rows[drawn]]
        assert f1s[number] == pytest.approx(f1_score(labels[drawn], scores[drawn] >= 0.5))
        assert areas[number] == pytest.approx(roc_auc_score(labels[drawn], scores[drawn]))
        expected = f1_score(truth[known], said[known], average="macro", labels=np.unique(truth[known]))
        assert macros[number] == pytest.approx(expected)


def test_the_same_seed_draws_the_same(data) -> None:
    labels, scores, clusters = data
    one, two, three = (Resampler(clusters, resamples=50, seed=seed).auroc(labels, scores) for seed in (0, 0, 1))
    np.testing.assert_array_equal(one, two)
    assert not np.array_equal(one, three)


def test_an_interval_of_a_mean_covers_as_often_as_it_says() -> None:
    # F1 of a system that always says success is a function of the share of positives: its truth is known.
    rng = np.random.default_rng(11)
    truth = 2 * 0.5 / (1 + 0.5)
    hits = 0
    for trial in range(200):
        labels = rng.random(80) < 0.5
        said = np.ones(80, dtype=bool)
        resampler = Resampler(range(80), resamples=200, seed=trial)
        low, high = resampler.interval(f1(labels, said), resampler.f1(labels, said)).interval
        hits += low <= truth <= high
    assert 180 <= hits <= 199


def test_steps_of_one_trajectory_widen_the_interval() -> None:
    rng = np.random.default_rng(2)
    labels = np.tile([True, False], 100)
    right = np.repeat(rng.random(20) < 0.7, 10)  # a whole trajectory of 10 steps is judged right or wrong
    said = labels == right
    widths = []
    for clusters in (np.repeat(np.arange(20), 10).tolist(), list(range(200))):
        resampler = Resampler(clusters)
        low, high = resampler.interval(f1(labels, said), resampler.f1(labels, said)).interval
        widths.append(high - low)
    assert widths[0] > 2 * widths[1]


def test_one_trajectory_has_no_interval() -> None:
    resampler = Resampler(["t"] * 4)
    labels = np.array([True, False, True, False])
    metric = resampler.interval(Metric(0.5), resampler.f1(labels, labels))
    assert metric == Metric(0.5, None, "no interval: all samples are of one trajectory")


def test_a_class_in_one_of_many_trajectories_has_no_interval_if_most_draws_miss_it() -> None:
    labels = np.array([True] + [False] * 9)
    resampler = Resampler(["a", *["b"] * 9], resamples=500)  # a draw of both classes happens half the time
    share = np.mean(~np.isnan(resampler.f1(labels, labels)))
    metric = resampler.interval(Metric(1.0), np.full(500, np.nan))
    assert 0.4 < share < 0.6
    assert metric.reason == "no interval: most resamples of trajectories lack a class"


def test_paired_difference_knows_better_from_equal() -> None:
    rng = np.random.default_rng(8)
    labels = rng.random(400) < 0.4
    good = np.where(rng.random(400) < 0.9, labels, ~labels)
    bad = np.where(rng.random(400) < 0.7, labels, ~labels)
    resampler = Resampler(range(400))
    better = difference(resampler, labels, good, bad)
    assert better.f1.value == pytest.approx(f1(labels, good).value - f1(labels, bad).value)
    assert better.f1.interval[0] > 0
    assert better.p_value < 0.01
    reverse = difference(resampler, labels, bad, good)
    assert reverse.f1.interval == pytest.approx((-better.f1.interval[1], -better.f1.interval[0]))
    same = difference(resampler, labels, good, good)
    assert (same.f1.value, same.f1.interval, same.p_value) == (0.0, (0.0, 0.0), 1.0)


def test_a_difference_without_both_classes_is_undefined() -> None:
    labels = np.ones(4, dtype=bool)
    gap = difference(Resampler(range(4)), labels, labels, ~labels)
    assert (gap.f1.value, gap.f1.reason, gap.p_value) == (None, "every sample is a success", None)
