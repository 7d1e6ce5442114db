"""Fitting the forest that judges by the facts alone: gradient-boosted trees (Friedman 2001), by scikit-learn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from rich.progress import track
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.model_selection import GroupKFold

from viscritic.model.forest import Forest
from viscritic.sample import Sample
from viscritic.trajectory import OUTCOMES

_RATE: Final = 0.05
_FOLDS: Final = 5
_LEAST: Final = 8  # samples in a leaf
_SHARE: Final = 0.7  # of the samples that a tree sees
_FACTS: Final = 0.3  # of the facts that a split may use

Floats = npt.NDArray[np.float32]


def fit_forest(forest: Forest, facts: Floats, samples: Sequence[Sample], seed: int) -> Floats:
    """Fit the forest to the training split, and say of every sample what it says.

    A sample that it was fitted to would look too easy. So each of them is judged by a forest that was fitted without
    the sample's application, and only the others by the whole forest.

    Args:
        facts: (S, F) of all samples, in their order.

    Returns:
        (S, 1 + 5) float32: logits of success and of each outcome.
    """
    chosen = np.array([i for i, s in enumerate(samples) if s.split == "train"])
    apps = [samples[i].app for i in chosen]
    said = np.zeros((len(samples), 1 + len(OUTCOMES)), np.float32)
    folds = min(_FOLDS, len(set(apps)))
    parts = list(GroupKFold(folds).split(chosen, groups=apps)) if folds > 1 else []
    for fitted, held in track(parts, description="Fitting trees", transient=True):
        _fit(forest, facts, samples, chosen[fitted], seed)
        said[chosen[held]] = _judge(forest, facts[chosen[held]])
    _fit(forest, facts, samples, chosen, seed)
    others = np.setdiff1d(np.arange(len(samples)), chosen if parts else [])
    said[others] = _judge(forest, facts[others])
    return said


def _judge(forest: Forest, facts: Floats) -> Floats:
    with torch.inference_mode():
        return np.asarray(forest(torch.from_numpy(facts)).numpy(), np.float32)


def _fit(forest: Forest, facts: Floats, samples: Sequence[Sample], rows: npt.NDArray[np.int64], seed: int) -> None:
    success = np.array([samples[i].success >= 0.5 for i in rows])
    known = np.array([samples[i].outcome is not None for i in rows])
    outcome = np.array([OUTCOMES.index(samples[i].outcome or OUTCOMES[0]) for i in rows])
    trees: list[list[Any]] = [_boost(forest, facts[rows], success, seed, 0)]
    trees += [
        _boost(forest, facts[rows][known], outcome[known] == answer, seed, 1 + answer)
        for answer in range(len(OUTCOMES))
    ]
    forest.load_state_dict(_lay_out(forest, trees))


def _boost(forest: Forest, facts: Floats, labels: npt.NDArray[np.bool_], seed: int, answer: int) -> list[Any]:
    """Trees whose sum is the logit of a label; none where there is nothing to tell apart."""
    if len(set(labels.tolist())) < 2:
        return []
    model = GradientBoostingClassifier(
        n_estimators=forest.rounds, learning_rate=_RATE, max_depth=forest.depth, min_samples_leaf=_LEAST,
        subsample=_SHARE, max_features=_FACTS, init="zero", random_state=seed * 100 + answer,
    )  # fmt: skip
    return [tree.tree_ for (tree,) in model.fit(facts, labels).estimators_]


def _lay_out(forest: Forest, answers: Sequence[Sequence[Any]]) -> dict[str, torch.Tensor]:
    """The trees as the tensors of a `Forest`."""
    state = {name: torch.zeros_like(value) for name, value in forest.state_dict().items()}
    for answer, trees in enumerate(answers):
        for number, tree in enumerate(trees):
            row = answer * forest.rounds + number
            _lay_out_node(tree, 0, 0, row, state)
    return state


def _lay_out_node(tree: Any, source: int, node: int, row: int, state: dict[str, torch.Tensor]) -> None:
    """Copy a node and all below it; below a leaf that comes early, both ways lead to its value."""
    inner = state["feature"].shape[1]
    leaf = tree.children_left[source] < 0
    if node >= inner:
        state["leaf"][row, node - inner] = _RATE * float(tree.value[source].item())
        return
    if not leaf:
        state["feature"][row, node] = int(tree.feature[source])
        state["threshold"][row, node] = float(tree.threshold[source])
    left, right = (source, source) if leaf else (tree.children_left[source], tree.children_right[source])
    _lay_out_node(tree, left, 2 * node + 1, row, state)
    _lay_out_node(tree, right, 2 * node + 2, row, state)
