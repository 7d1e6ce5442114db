from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from viscritic.errors import ConfigError, DataError
from viscritic.evaluate import evaluate
from viscritic.evaluate.measures import expected_calibration_error, reliability
from viscritic.trajectory import OUTCOMES


def values(report) -> dict[str, float | None]:
    return {name: metric.value for name, metric in report.metrics.items()}


def test_hand_computed_figures(make_sample, predict) -> None:
    # At 0.5: true positives 0.9 0.6, false negative 0.2; false positive 0.7; true negatives 0.4 0.1.
    labels, scores = [1, 1, 1, 0, 0, 0], [0.9, 0.6, 0.2, 0.7, 0.4, 0.1]
    samples = [make_sample(label, trajectory=f"t{i}") for i, label in enumerate(labels)]
    report = evaluate(samples, predict(samples, scores))
    got = values(report)
    assert (report.n, report.positives, report.trajectories) == (6, 3, 6)
    assert got["precision"] == got["recall"] == got["f1"] == pytest.approx(2 / 3)
    assert got["accuracy"] == pytest.approx(4 / 6)
    assert got["auroc"] == pytest.approx(6 / 9)  # 0.9 beats 3, 0.6 beats 2, 0.2 beats 1
    assert got["average_precision"] == pytest.approx((1 / 1 + 2 / 3 + 3 / 5) / 3)
    assert got["brier"] == pytest.approx(np.mean([0.01, 0.16, 0.64, 0.49, 0.16, 0.01]))
    assert got["ece"] == pytest.approx(np.mean([0.1, 0.4, 0.8, 0.7, 0.4, 0.1]))  # each score has its own bin


def test_the_threshold_itself_is_a_success_and_half_a_label_is_positive(make_sample, predict) -> None:
    samples = [make_sample(0.5), make_sample(0.49)]
    report = evaluate(samples, predict(samples, [0.3, 0.29]), threshold=0.3)
    assert report.positives == 1
    assert values(report)["f1"] == 1.0


def test_the_least_sure_tenth_is_set_aside(make_sample, predict) -> None:
    labels, scores = [1] * 5 + [0] * 5, [0.9, 0.9, 0.9, 0.9, 0.4, 0.45, 0.1, 0.1, 0.1, 0.1]
    samples = [make_sample(label, trajectory=f"t{i}") for i, label in enumerate(labels)]
    got = values(evaluate(samples, predict(samples, scores), threshold=0.42))
    assert got["f1"] == pytest.approx(4 / 5)
    assert got["f1_sure"] == pytest.approx(2 * 4 / (2 * 4 + 1))  # 0.4 is nearest to the threshold; 0.45 stays
    assert got["no_ops_confirmed"] is None


def test_no_ops_that_are_confirmed(make_sample, predict) -> None:
    samples = [make_sample(s, outcome=o) for s, o in ((1, "success"), (0, "no_op"), (0, "no_op"), (0, "page_error"))]
    assert values(evaluate(samples, predict(samples, [0.9, 0.8, 0.1, 0.9])))["no_ops_confirmed"] == 0.5


def test_perfect_and_reversed(make_sample, predict) -> None:
    samples = [
        make_sample(i % 2, trajectory=f"t{i // 3}", outcome=OUTCOMES[1 - i % 2], progress=i / 30) for i in range(30)
    ]
    labels = np.array([s.success for s in samples])
    progress = np.array([s.progress for s in samples])
    one_hot = np.eye(5)[[OUTCOMES.index(s.outcome) for s in samples]]
    perfect = evaluate(samples, predict(samples, labels, progress, one_hot))
    assert perfect.metrics["f1"].interval == (1.0, 1.0)
    assert perfect.metrics["auroc"].interval == (1.0, 1.0)
    assert perfect.metrics["macro_f1"].interval == (1.0, 1.0)
    best_at_zero = ("ece", "brier", "no_ops_confirmed")
    assert values(perfect) == {k: 0.0 if k in best_at_zero else pytest.approx(1.0) for k in values(perfect)}
    reverse = values(evaluate(samples, predict(samples, 1 - labels, -progress)))
    assert reverse["f1"] == reverse["auroc"] == 0.0
    assert reverse["progress_spearman"] == pytest.approx(-1.0)


def test_random_scores_are_worth_nothing_and_the_intervals_say_so(make_sample, predict) -> None:
    rng = np.random.default_rng(3)
    samples = [make_sample(float(rng.random() < 0.4), trajectory=f"t{i // 5}") for i in range(1000)]
    report = evaluate(samples, predict(samples, rng.random(1000)))
    low, high = report.metrics["auroc"].interval
    assert low < 0.5 < high
    assert high - low < 0.12


def test_macro_f1_averages_over_the_outcomes_that_occur(make_sample, predict) -> None:
    truth = ["success", "success", "no_op", "wrong_target", None]
    said = ["success", "no_op", "no_op", "timeout", "success"]
    samples = [make_sample(float(t == "success"), outcome=t, trajectory=f"t{i}") for i, t in enumerate(truth)]
    probs = np.eye(5)[[OUTCOMES.index(o) for o in said]]
    report = evaluate(samples, predict(samples, [1, 0, 0, 0, 0], probs=probs))
    assert report.outcomes == {"success": 2, "no_op": 1, "wrong_target": 1}
    assert report.outcomes_unknown == 1
    # success: F1 2/3; no_op: precision 1/2, recall 1, F1 2/3; wrong_target: 0.
    assert values(report)["macro_f1"] == pytest.approx((2 / 3 + 2 / 3 + 0) / 3)
    assert report.confusion == ((1, 1, 0, 0, 0), (0, 1, 0, 0, 0), (0, 0, 0, 0, 1), (0,) * 5, (0,) * 5)


def test_equal_outcome_probabilities_mean_the_first(make_sample, predict) -> None:
    samples = [make_sample(1, outcome="success"), make_sample(0, outcome="no_op")]
    report = evaluate(samples, predict(samples, [1, 0], probs=np.full((2, 5), 0.2)))
    assert report.confusion[0][0] == report.confusion[1][0] == 1


@pytest.mark.parametrize(("label", "reason"), [(1, "every sample is a success"), (0, "no sample is a success")])
def test_one_class_leaves_figures_undefined_with_the_reason(make_sample, predict, label: int, reason: str) -> None:
    samples = [make_sample(label, trajectory=f"t{i}") for i in range(4)]
    report = evaluate(samples, predict(samples, [0.9, 0.8, 0.3, 0.2]))
    for name in ("f1", "auroc", "average_precision"):
        assert report.metrics[name].value is None
        assert report.metrics[name].reason == reason
        assert report.metrics[name].interval is None
    assert values(report)["accuracy"] == 0.5
    assert values(report)["recall"] == (0.5 if label else None)


def test_never_saying_success_scores_zero_and_has_no_precision(make_sample, predict) -> None:
    samples = [make_sample(i % 2) for i in range(4)]
    report = evaluate(samples, predict(samples, np.zeros(4)))
    assert values(report)["f1"] == values(report)["recall"] == 0.0
    assert report.metrics["precision"].to_dict() == {"value": None, "reason": "nothing was called a success"}


def test_ties_count_half(make_sample, predict) -> None:
    samples = [make_sample(i % 2) for i in range(6)]
    assert values(evaluate(samples, predict(samples, np.full(6, 0.7))))["auroc"] == 0.5


@pytest.mark.parametrize(
    ("labels", "said", "reason"),
    [
        ([0.1, 0.2, None, None], [0.1, 0.2, 0.3, 0.4], "progress is known for 2 samples only, 3 are needed"),
        ([0.5] * 4, [0.1, 0.2, 0.3, 0.4], "the progress of every label is the same"),
        ([0.1, 0.2, 0.3, 0.4], [0.5] * 4, "the progress of every prediction is the same"),
        ([0.1, 0.2, 0.3, 0.4], [np.nan] * 4, "the system predicts no progress"),
        ([0.1, 0.2, 0.3, 0.4], [0.5, 0.5, 0.5, 0.5 + 1e-16], "the progress of every prediction is the same"),
    ],
)
def test_correlations_that_are_undefined(make_sample, predict, labels, said, reason) -> None:
    samples = [make_sample(1, progress=p) for p in labels]
    report = evaluate(samples, predict(samples, np.ones(4), np.array(said)))
    assert report.metrics["progress_spearman"].reason == reason
    assert report.metrics["progress_pearson"].value is None


def test_progress_is_correlated_where_it_is_known(make_sample, predict) -> None:
    samples = [make_sample(1, progress=p) for p in (0.0, 0.1, None, 0.2, 0.9)]
    report = evaluate(samples, predict(samples, np.ones(5), np.array([-0.5, 0.0, 0.9, 0.5, np.nan])))
    assert values(report)["progress_spearman"] == pytest.approx(1.0)
    assert values(report)["progress_pearson"] == pytest.approx(1.0)


def test_calibration_bins_are_equally_wide_and_hold_both_ends() -> None:
    labels, scores = np.array([True, False, True, True]), np.array([1.0, 0.0, 0.51, 0.52])
    table = reliability(labels, scores)
    assert table.count.tolist() == [1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 1]
    assert table.share[7] == 1.0
    assert np.isnan(table.share[1])
    assert expected_calibration_error(labels, scores).value == pytest.approx(0.5 * (1 - 0.515))


def test_cuts_hold_every_sample_once_and_name_what_is_missing(make_sample, predict) -> None:
    samples = [
        make_sample(1, app="a", cause="positive", noise="clock", change="visual"),
        make_sample(0, app="a", cause="state_mismatch"),
        make_sample(0, app="b", cause="state_mismatch", platform="web", origin="observed"),
    ]
    report = evaluate(samples, predict(samples, [0.9, 0.2, 0.8]))
    assert set(report.cuts) == {"app", "platform", "change", "cause", "origin", "noise"}
    for parts in report.cuts.values():
        assert sum(part.n for part in parts.values()) == 3
    assert list(report.cuts["app"]) == ["a", "b"]  # the most frequent first
    assert (report.cuts["app"]["a"].f1.value, report.cuts["app"]["a"].auroc.value) == (1.0, 1.0)
    assert report.cuts["app"]["b"].f1.reason == report.cuts["app"]["b"].auroc.reason == "no sample is a success"
    assert report.cuts["cause"]["state_mismatch"].accuracy.value == 0.5
    assert set(report.cuts["noise"]) == {"none", "clock"}
    assert set(report.cuts["change"]) == {"unknown", "visual"}


def test_a_report_is_json(make_sample, predict) -> None:
    samples = [make_sample(i % 2, trajectory=f"t{i}") for i in range(6)]
    report = evaluate(samples, predict(samples, np.linspace(0, 1, 6)))
    back = json.loads(json.dumps(report.to_dict(), allow_nan=False))
    assert back["metrics"]["macro_f1"] == {"value": None, "reason": "the system predicts no outcomes"}
    assert back["metrics"]["f1"]["interval"] == list(report.metrics["f1"].interval)


def test_wrong_input_is_refused(make_sample, predict) -> None:
    samples = [make_sample(1), make_sample(0)]
    predictions = predict(samples, [1, 0])
    with pytest.raises(DataError, match="the split is empty"):
        evaluate([], predictions)
    with pytest.raises(DataError, match="id 's0' occurs more than once"):
        evaluate([samples[0], dataclasses.replace(samples[1], id="s0")], predictions)
    with pytest.raises(DataError, match="no prediction"):
        evaluate([*samples, make_sample(1)], predictions)
    with pytest.raises(ConfigError, match=r"between 0 and 1, got 1\.5"):
        evaluate(samples, predictions, threshold=1.5)
    with pytest.raises(ConfigError, match="got nan"):
        evaluate(samples, predictions, threshold=float("nan"))
