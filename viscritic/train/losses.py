"""The losses of both stages, per sample, averaged over those that have the label."""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor

from viscritic.model.head import Output
from viscritic.train.config import LossConfig
from viscritic.train.data import UNKNOWN, Labels


def info_nce(change: Tensor, candidates: Tensor, own: Tensor, temperature: Tensor) -> Tensor:
    """InfoNCE of stage 1: the change against the batch's actions, of which one is its own.

    Args:
        change: (B, d) unit vectors of v_delta.
        candidates: (C, d) unit vectors of actions with instructions.
        own: (B,) int64 index of the right one.
        temperature: positive scalar.
    """
    return F.cross_entropy(change @ candidates.T / temperature, own)


def attention_kl(attention: Tensor, region: Tensor) -> Tensor:
    """KL(region || attention), the region's mass spread evenly over its places; 0 where no transition has a region.

    Args:
        attention: (B, N) weights that sum to 1.
        region: (B, N) bool.
    """
    size = region.sum(-1, keepdim=True)
    target = region / size.clamp(min=1)
    divergence = (target * ((target + 1e-9).log() - (attention + 1e-9).log())).sum(-1)
    known = size[:, 0] > 0
    return (divergence * known).sum() / known.sum().clamp(min=1)


def judgement_losses(output: Output, labels: Labels) -> dict[str, Tensor]:
    """The three losses of stage 2: BCE of success, MSE of progress, CE of outcome."""
    known = ~labels.progress.isnan()
    error = (output.progress - labels.progress.nan_to_num()).square() * known
    count = (labels.outcome != UNKNOWN).sum().clamp(min=1)
    outcome = F.cross_entropy(output.outcome, labels.outcome, ignore_index=UNKNOWN, reduction="sum")
    return {
        "success": F.binary_cross_entropy_with_logits(output.success, labels.success),
        "progress": error.sum() / known.sum().clamp(min=1),
        "outcome": outcome / count,
    }


def weigh(losses: dict[str, Tensor], weights: LossConfig) -> Tensor:
    """Their weighted sum (the paper: 1.0, 0.5, 0.5)."""
    return torch.stack([getattr(weights, name) * value for name, value in losses.items()]).sum()
