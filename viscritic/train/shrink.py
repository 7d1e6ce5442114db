"""How far the head's correction of the forest's guess is to be trusted, read off the validation split."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np
import torch
from sklearn.metrics import log_loss
from torch import nn

from viscritic.model.critic import CriticModel

SHARES: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
_TEMPERATURES: Final = np.geomspace(0.25, 8, 41)  # how sure the answers are is set later, when a bundle is exported


@torch.inference_mode()
def shrink_correction(model: CriticModel, batches: Iterable[tuple[Any, Any]]) -> float:
    """Scale what the head adds to the forest's success and outcome by the share that suits unseen applications best.

    The head learns its correction on few applications and is too sure of it on others.

    Args:
        batches: of the validation split, as a loader of `TransitionDataset` gives them.

    Returns:
        The share: that with the least log-loss of success, each at its own temperature.
    """
    head = model.head
    assert head.forest is not None
    whole, guess, labels = [], [], []
    for batch, label in batches:
        seen = model.encode(batch) if hasattr(batch, "detail_pre") else batch
        whole.append(model.judge(seen).success.double().numpy())
        guess.append(head.forest(seen.facts)[:, 0].double().numpy())
        labels.append(label.success.numpy() >= 0.5)
    corrected, first, right = np.concatenate(whole), np.concatenate(guess), np.concatenate(labels)
    losses = {}
    for share in SHARES:
        logits = first + share * (corrected - first)
        losses[share] = min(log_loss(right, 1 / (1 + np.exp(-logits / t))) for t in _TEMPERATURES)
    share = min(losses, key=lambda s: losses[s])
    for answer in (head.success[-1], head.outcome[-1]):
        assert isinstance(answer, nn.Linear)
        answer.weight.mul_(share)
        answer.bias.mul_(share)
    for row in (0, *range(2, head.first_guess.out_features)):  # row 1 is progress, of which the forest says nothing
        head.first_guess.weight[row] *= share
        head.first_guess.bias[row] *= share
    return share
