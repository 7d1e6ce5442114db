"""The losses against values computed by hand."""

from __future__ import annotations

from math import exp, log

import pytest
import torch

from viscritic.model.head import Output
from viscritic.train.config import LossConfig
from viscritic.train.data import UNKNOWN, Labels
from viscritic.train.losses import attention_kl, info_nce, judgement_losses, weigh

NAN = float("nan")


def output(success: list[float], progress: list[float], outcome: list[list[float]]) -> Output:
    nothing = torch.zeros(0)
    return Output(
        torch.tensor(success), torch.tensor(progress), torch.tensor(outcome), attention=nothing, change=nothing,
        intent=nothing,
    )  # fmt: skip


def labels(success: list[float], progress: list[float], outcome: list[int]) -> Labels:
    nothing = torch.zeros(0)
    return Labels(
        torch.tensor(success), torch.tensor(progress), torch.tensor(outcome), region=nothing, intent=nothing,
        candidate_ids=nothing, candidate_mask=nothing, guess=nothing,
    )  # fmt: skip


def test_info_nce_is_the_cross_entropy_of_similarities() -> None:
    change = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    candidates = torch.tensor([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]])
    loss = info_nce(change, candidates, torch.tensor([0, 1]), torch.tensor(0.5))
    # similarities / 0.5: (2, 1.2, 0) of which the first is right; (0, 1.6, 2) of which the second is
    first = -2 + log(exp(2) + exp(1.2) + 1)
    second = -1.6 + log(1 + exp(1.6) + exp(2))
    assert loss.item() == pytest.approx((first + second) / 2, rel=1e-6)


def test_kl_spreads_the_regions_mass_evenly() -> None:
    attention = torch.tensor([[0.5, 0.25, 0.25, 0.0], [0.1, 0.2, 0.3, 0.4], [0.25, 0.25, 0.25, 0.25]])
    region = torch.tensor([[True, True, False, False], [False] * 4, [True] * 4])
    # 0.5 log(0.5 / 0.5) + 0.5 log(0.5 / 0.25); no region; equal
    assert attention_kl(attention, region).item() == pytest.approx(0.5 * log(2) / 2, rel=1e-5)


def test_kl_without_any_region_is_zero_and_has_gradients() -> None:
    attention = torch.full((2, 3), 1 / 3, requires_grad=True)
    loss = attention_kl(attention, torch.zeros(2, 3, dtype=torch.bool))
    loss.backward()
    assert loss.item() == 0
    assert attention.grad is not None
    assert attention.grad.eq(0).all()


def test_kl_where_attention_missed_the_region_is_finite() -> None:
    loss = attention_kl(torch.tensor([[1.0, 0.0]]), torch.tensor([[False, True]]))
    assert loss.item() == pytest.approx(-log(1e-9), rel=1e-4)


def test_the_judgements_by_hand() -> None:
    said = output([0.0, 2.0], [0.5, -1.0], [[0.0] * 5, [2.0, 0.0, 0.0, 0.0, 0.0]])
    losses = judgement_losses(said, labels([1.0, 0.25], [1.0, -0.5], [3, 0]))
    bce = (log(2) + (0.25 * log(1 + exp(-2)) + 0.75 * log(1 + exp(2)))) / 2
    assert losses["success"].item() == pytest.approx(bce, rel=1e-6)
    assert losses["progress"].item() == pytest.approx((0.25 + 0.25) / 2)
    assert losses["outcome"].item() == pytest.approx((log(5) + log(exp(2) + 4) - 2) / 2, rel=1e-6)
    assert weigh(losses, LossConfig(success=1.0, progress=0.5, outcome=0.25)).item() == pytest.approx(
        losses["success"].item() + 0.5 * losses["progress"].item() + 0.25 * losses["outcome"].item(), rel=1e-6
    )


def test_unknown_progress_and_outcome_are_left_out() -> None:
    said = output([0.0, 0.0, 0.0], [0.5, 0.9, -0.3], [[0.0] * 5, [9.0, 0.0, 0.0, 0.0, 0.0], [0.0] * 5])
    losses = judgement_losses(said, labels([1.0, 1.0, 1.0], [0.0, NAN, NAN], [UNKNOWN, UNKNOWN, 2]))
    assert losses["progress"].item() == pytest.approx(0.25)
    assert losses["outcome"].item() == pytest.approx(log(5), rel=1e-6)


def test_a_batch_of_which_nothing_is_known_teaches_nothing() -> None:
    progress = torch.tensor([0.5, 0.9], requires_grad=True)
    outcome = torch.zeros(2, 5, requires_grad=True)
    said = output([0.0, 0.0], [0.0, 0.0], [[0.0] * 5] * 2)._replace(progress=progress, outcome=outcome)
    losses = judgement_losses(said, labels([1.0, 0.0], [NAN, NAN], [UNKNOWN, UNKNOWN]))
    (losses["progress"] + losses["outcome"]).backward()
    assert losses["progress"].item() == losses["outcome"].item() == 0
    assert progress.grad is not None
    assert outcome.grad is not None
    assert progress.grad.eq(0).all()
    assert outcome.grad.eq(0).all()
