from __future__ import annotations

import dataclasses
import os

import numpy as np
import pytest
from skimage.metrics import structural_similarity

from viscritic.actions import Action
from viscritic.errors import DataError
from viscritic.evaluate import evaluate, run_baselines
from viscritic.evaluate.baselines import AlwaysSuccess, Handcrafted, HandcraftedBlind, Majority, PixelDifference, Ssim
from viscritic.evaluate.pair_features import AT, FeatureTable, measure_action, measure_change, ssim_distance
from viscritic.sample_folder import SampleFolder

SHAPE = (400, 600, 3)


def blank() -> np.ndarray:
    return np.full(SHAPE, 100, np.uint8)


def test_changes_are_counted_where_they_are(make_sample) -> None:
    sample = make_sample(1, action=(Action("click", 300, 200),))
    post = blank()
    post[200, 300:310] = 200  # 10 pixels at the point
    post[0, :7, 1] = 200  # 7 far from it
    post[100:102, 300:305] = 200  # 10 near it
    post[399] = 110  # a faint line is no change
    features = measure_change(sample, blank(), post)
    side = 2 * AT + 1
    assert features["changed"] == pytest.approx(27 / (400 * 600))
    assert features["changed_at"] == pytest.approx(10 / side**2)
    assert features["changed_near"] == pytest.approx(10 / (321 * 321 - side**2))
    assert features["changed_far"] == pytest.approx(7 / (400 * 600 - 321 * 321))
    assert features["identical"] == features["resized"] == 0.0


@pytest.mark.parametrize("point", [None, (700.0, 10.0), (-1.0, 10.0), (600.0, 10.0)])
def test_without_a_point_on_the_screen_every_change_is_far(make_sample, point) -> None:
    action = Action("key", keys=("enter",)) if point is None else Action("click", *point)
    post = blank()
    post[:40] = 0
    features = measure_change(make_sample(1, action=(action,)), blank(), post)
    assert (features["changed_at"], features["changed_far"], features["distance"]) == (0.0, 0.1, 0.0)
    assert measure_action(make_sample(1, action=(action,)), blank())["has_point"] == 0.0


def test_identical_screens_have_no_change_at_all(make_sample) -> None:
    features = measure_change(make_sample(1), blank(), blank())
    assert features["identical"] == 1.0
    assert (
        features["changed"] == features["ssim_distance"] == features["mean_difference"] == features["box_area"] == 0.0
    )


def test_another_size_is_scaled_to_pre(make_sample) -> None:
    features = measure_change(make_sample(1), blank(), np.full((200, 300, 3), 100, np.uint8))
    assert (features["resized"], features["changed"], features["identical"]) == (1.0, 0.0, 1.0)


def test_ssim_is_scikit_image_on_grey() -> None:
    rng = np.random.default_rng(0)
    pre, post = rng.integers(0, 256, (2, 64, 64), dtype=np.uint8)
    expected = 1 - structural_similarity(pre / 255, post / 255, data_range=1.0)
    rgb = [np.repeat(screen[:, :, None], 3, axis=2) for screen in (pre, post)]
    assert ssim_distance(*rgb) == pytest.approx(expected)


def test_texts_and_kinds_become_numbers(make_sample) -> None:
    actions = (Action("click", 30, 40), Action("type", text="Hello there"), Action("key", keys=("ctrl", "s")))
    features = measure_action(make_sample(1, action=actions, instruction="Type 'hello' and save"), blank())
    assert features["kind_click"] == features["kind_type"] == features["kind_key"] == 1.0
    assert features["kind_drag"] == 0.0
    assert (features["actions"], features["keys"], features["text_in_instruction"]) == (3.0, 2.0, 0.5)
    assert (features["x"], features["y"], features["has_point"]) == (0.05, 0.1, 1.0)


def test_the_leak_check_sees_nothing_of_post(drawn_folder: SampleFolder) -> None:
    samples = list(drawn_folder)
    # Post screens that do not exist: whoever opens them fails.
    unseen = [dataclasses.replace(sample, post="0" * 32 + ".png") for sample in samples]
    baseline = HandcraftedBlind().fit(unseen, drawn_folder)
    said = baseline.predict(unseen, drawn_folder).success
    np.testing.assert_array_equal(
        said, HandcraftedBlind().fit(samples, drawn_folder).predict(samples, drawn_folder).success
    )
    with pytest.raises(DataError, match="is missing"):
        Handcrafted().fit(unseen, drawn_folder)


def test_the_leak_check_finds_a_leak_in_the_action(drawn_folder: SampleFolder) -> None:
    """If typing always fails and clicking always works, no screen is needed to know."""
    samples = [
        sample if sample.success else dataclasses.replace(sample, action=(Action("type", text="x"),))
        for sample in drawn_folder
    ]
    baseline = HandcraftedBlind().fit(samples[:32], drawn_folder)
    report = evaluate(samples[32:], baseline.predict(samples[32:], drawn_folder))
    assert report.metrics["auroc"].value == 1.0


def test_baselines_on_drawn_screens(drawn_folder: SampleFolder) -> None:
    splits = [drawn_folder.by_split(name) for name in ("train", "val", "test")]
    predictions, thresholds = run_baselines(*splits, drawn_folder)
    assert list(predictions) == list(thresholds)
    reports = {name: evaluate(splits[2], said, thresholds[name]) for name, said in predictions.items()}
    # A dialog that opens elsewhere and a wait that changes nothing fool whoever only counts pixels.
    assert reports["pixel difference"].metrics["auroc"].value < 0.8
    assert reports["SSIM"].metrics["auroc"].value < 0.8
    assert reports["handcrafted"].metrics["f1"].value > 0.9
    assert reports["handcrafted"].metrics["macro_f1"].value > 0.9
    assert reports["handcrafted, no post"].metrics["auroc"].value < reports["handcrafted"].metrics["auroc"].value
    assert reports["always success"].metrics["f1"].value == pytest.approx(2 / 3)
    assert reports["pixel difference"].metrics["macro_f1"].reason == "the system predicts no outcomes"


def test_pixel_difference_is_the_fraction_and_its_threshold_comes_from_validation(drawn_folder: SampleFolder) -> None:
    table = FeatureTable()
    val = drawn_folder.by_split("val")
    baseline = PixelDifference(table).fit(drawn_folder.by_split("train"), drawn_folder)
    said = baseline.predict(val, drawn_folder).success
    assert said.tolist() == [row["changed"] for row in table.seen(val, drawn_folder)]
    threshold = baseline.choose_threshold(val, drawn_folder)
    best = evaluate(val, baseline.predict(val, drawn_folder), threshold).metrics["f1"].value
    assert all(evaluate(val, baseline.predict(val, drawn_folder), t).metrics["f1"].value <= best for t in said)
    assert 0 < Ssim(table).predict(val, drawn_folder).success.max() < 1


@pytest.mark.parametrize(("successes", "says"), [(1, False), (2, True), (3, True)])
def test_majority_says_what_most_of_training_was(make_sample, drawn_folder, successes: int, says: bool) -> None:
    train = [make_sample(float(i < successes), outcome="success" if i < successes else "no_op") for i in range(4)]
    baseline = Majority().fit(train, drawn_folder)
    predictions = baseline.predict(train, drawn_folder)
    assert ((predictions.success >= baseline.choose_threshold(train, drawn_folder)) == says).all()
    assert predictions.outcome_probs[0].tolist() == [successes / 4, 1 - successes / 4, 0, 0, 0]


def test_unknown_outcomes_leave_a_baseline_without_them(make_sample, drawn_folder: SampleFolder) -> None:
    samples = [dataclasses.replace(sample, outcome=None) for sample in drawn_folder]
    assert Majority().fit(samples, drawn_folder).predict(samples, drawn_folder).outcome_probs is None
    assert HandcraftedBlind().fit(samples, drawn_folder).predict(samples, drawn_folder).outcome_probs is None


def test_splits_that_teach_nothing_are_refused(make_sample, drawn_folder: SampleFolder) -> None:
    with pytest.raises(DataError, match="training samples of both classes, got 2 successes among 2"):
        Handcrafted().fit([make_sample(1), make_sample(1)], drawn_folder)
    with pytest.raises(DataError, match="the split is empty"):
        Majority().fit([], drawn_folder)
    with pytest.raises(DataError, match="must be fitted on the training split"):
        Handcrafted().predict([make_sample(1)], drawn_folder)
    failures = [sample for sample in drawn_folder if not sample.success]
    with pytest.raises(DataError, match="validation samples of both classes"):
        PixelDifference().choose_threshold(failures, drawn_folder)


def test_an_empty_split_is_predicted_as_nothing(drawn_folder: SampleFolder) -> None:
    assert len(AlwaysSuccess().predict([], drawn_folder)) == 0
    assert len(Handcrafted().fit(list(drawn_folder), drawn_folder).predict([], drawn_folder)) == 0
    assert len(PixelDifference().predict([], drawn_folder)) == 0


@pytest.mark.slow
def test_baselines_on_real_samples(tmp_path) -> None:
    path = os.environ.get("VISCRITIC_SAMPLES")
    if not path:
        pytest.skip("set VISCRITIC_SAMPLES to a sample folder (viscritic data build) to score the baselines on it")
    folder = SampleFolder(path)
    splits = [folder.by_split(name)[:60] for name in ("train", "val", "test")]
    predictions, thresholds = run_baselines(*splits, folder)
    for name, said in predictions.items():
        report = evaluate(splits[2], said, thresholds[name])
        assert report.metrics["accuracy"].value is not None
    assert thresholds["pixel difference"] <= 1.0
