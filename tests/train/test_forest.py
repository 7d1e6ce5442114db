"""The forest says what the library's trees say, and nothing of rows that it was fitted to."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from sklearn.ensemble import GradientBoostingClassifier

from viscritic.actions import Action
from viscritic.model.forest import Forest
from viscritic.sample import Sample
from viscritic.train.forest import fit_forest
from viscritic.trajectory import OUTCOMES

SAMPLE = Sample(
    id="0", app="a0", platform="web", source="toy", trajectory="t", step=0, pre="0" * 32 + ".webp",
    post="0" * 32 + ".webp", action=(Action("wait"),), success=1.0, progress=None, outcome="success", cause="clean",
    origin="observed", split="train",
)  # fmt: skip


def draw(count: int, seed: int) -> tuple[np.ndarray, list[Sample]]:
    """Facts of which the first two decide together."""
    random = np.random.default_rng(seed)
    facts = random.random((count, 6), np.float32)
    right = (facts[:, 0] > 0.3) & (facts[:, 1] > 0.3)
    samples = [
        replace(
            SAMPLE, id=str(i), app=f"a{i % 7}", success=float(ok), outcome="success" if ok else "no_op",
            split="train" if i < count // 2 else "val",
        )
        for i, ok in enumerate(right)
    ]  # fmt: skip
    return facts, samples


def test_before_it_is_fitted_it_says_nothing() -> None:
    assert torch.equal(Forest(6, 3, 2)(torch.rand(4, 5)), torch.zeros(4, 6))


def test_it_says_what_the_library_says() -> None:
    facts, samples = draw(600, 1)
    forest = Forest(6, 20, 3)
    said = fit_forest(forest, facts, samples, seed=2)
    train = [i for i, s in enumerate(samples) if s.split == "train"]
    library = GradientBoostingClassifier(
        n_estimators=20, learning_rate=0.05, max_depth=3, min_samples_leaf=8, subsample=0.7, max_features=0.3,
        init="zero", random_state=200,
    ).fit(facts[train], [samples[i].success > 0 for i in train])  # fmt: skip
    wanted = library.decision_function(facts)
    with torch.inference_mode():
        found = forest(torch.from_numpy(facts)).numpy()
    assert found[:, 0] == pytest.approx(wanted, abs=1e-5)
    assert said[300:, 0] == pytest.approx(wanted[300:], abs=1e-5)
    assert not np.allclose(said[:300, 0], wanted[:300])  # other forests judged these


def test_it_finds_what_facts_say_together() -> None:
    facts, samples = draw(1200, 3)
    said = fit_forest(Forest(6, 60, 3), facts, samples, seed=0)
    right = np.array([s.success > 0 for s in samples])
    for rows in (slice(0, 600), slice(600, None)):  # rows judged by forests without them, and rows never fitted to
        assert ((said[rows, 0] > 0) == right[rows]).mean() > 0.9
    outcome = said[:, 1:].argmax(axis=1)
    assert {OUTCOMES[i] for i in outcome.tolist()} == {"success", "no_op"}


def test_an_outcome_that_never_occurs_gets_no_tree_and_one_application_is_enough() -> None:
    facts, samples = draw(200, 4)
    samples = [replace(s, app="one", outcome=None) for s in samples]
    forest = Forest(6, 5, 2)
    said = fit_forest(forest, facts, samples, seed=0)
    assert said.shape == (200, 6)
    assert not said[:, 1:].any()
    assert said[:, 0].any()
