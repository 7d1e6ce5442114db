"""What the head adds to the forest's guess is scaled to what unseen applications bear."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import torch
from toy_run import ToyRun

from viscritic.model.critic import CriticModel, load_checkpoint
from viscritic.sample_folder import SampleFolder
from viscritic.train.arrays import open_arrays
from viscritic.train.data import TransitionDataset, make_loader
from viscritic.train.shrink import shrink_correction


@pytest.fixture
def parts(toy_run: ToyRun) -> Iterator[tuple[CriticModel, Any]]:
    model, folder = load_checkpoint(toy_run.checkpoint), SampleFolder(toy_run.samples)
    store = open_arrays(folder, model.config.preprocess, toy_run.cache)
    samples = list(folder)
    chosen = [i for i, s in enumerate(samples) if s.split == "val"]
    dataset = TransitionDataset(samples, store, chosen, model.text.tokenizer, model.config.preprocess.text_tokens)
    yield model, make_loader(dataset, 8, None)


def answers(model: CriticModel, batches: Any) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """What the model says of success and outcome, and what its forest says."""
    assert model.head.forest is not None
    with torch.inference_mode():
        outputs = [(model(batch), model.head.forest(batch.facts)) for batch, _ in batches]
    return (
        torch.cat([o.success for o, _ in outputs]),
        torch.cat([o.outcome for o, _ in outputs]),
        torch.cat([g for _, g in outputs]),
    )


def test_a_correction_that_says_the_contrary_is_taken_back(parts: tuple[CriticModel, Any]) -> None:
    model, batches = parts
    success, _, guess = answers(model, batches)
    with torch.no_grad():  # as much against the forest as the forest is for it
        model.head.first_guess.weight[0].zero_()
        model.head.first_guess.bias[0] = 0
        model.head.success[-1].weight.mul_(-20)
    assert shrink_correction(model, batches) == 0
    success, outcome, guess = answers(model, batches)
    torch.testing.assert_close(success, guess[:, 0])
    torch.testing.assert_close(outcome, guess[:, 1:])


def test_the_share_scales_what_is_added(parts: tuple[CriticModel, Any]) -> None:
    model, batches = parts
    before, outcome, guess = answers(model, batches)
    share = shrink_correction(model, batches)
    after, scaled, _ = answers(model, batches)
    torch.testing.assert_close(after - guess[:, 0], share * (before - guess[:, 0]), atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(scaled - guess[:, 1:], share * (outcome - guess[:, 1:]), atol=1e-4, rtol=1e-4)
