"""A forest of shallow decision trees as tensors: it is fitted elsewhere, and runs wherever the head runs."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Forest(nn.Module):
    """Sums of the leaves that a row falls into, one sum for each answer.

    Every tree is laid out as a full binary tree, node i over nodes 2i + 1 and 2i + 2, so that all trees take one step
    at a time together. Until it is fitted, every answer is 0.

    Shapes: T trees of depth D, A answers.

    Args:
        rounds: trees for each answer.
    """

    def __init__(self, answers: int, rounds: int, depth: int) -> None:
        super().__init__()
        trees, self.depth, self.rounds = answers * rounds, depth, rounds
        inner = 2**depth - 1
        self.feature: Tensor
        self.threshold: Tensor
        self.leaf: Tensor
        self.register_buffer("feature", torch.zeros(trees, inner, dtype=torch.int64))
        self.register_buffer("threshold", torch.zeros(trees, inner))
        self.register_buffer("leaf", torch.zeros(trees, inner + 1))

    def forward(self, facts: Tensor) -> Tensor:
        """(B, F) -> (B, A); the trees of an answer follow one another."""
        trees, inner = self.feature.shape
        start = torch.arange(trees, device=facts.device)
        node = torch.zeros(facts.shape[0], trees, dtype=torch.int64, device=facts.device)
        for _ in range(self.depth):
            place = node + start * inner
            value = facts.float().gather(1, self.feature.flatten()[place])
            node = 2 * node + 1 + (value > self.threshold.flatten()[place]).to(torch.int64)
        leaves = self.leaf.flatten()[node - inner + start * (inner + 1)]
        return leaves.unflatten(1, (-1, self.rounds)).sum(-1)
