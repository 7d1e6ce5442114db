"""The critic head: change-region attention, two branches, three answers.

Shapes: B transitions, N places (detail then thumbnail), T word pieces, d encoder width, w head width.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from viscritic.model.config import HeadConfig
from viscritic.model.forest import Forest
from viscritic.preprocess import GEOMETRY_SIZE, TEXT_PARTS
from viscritic.trajectory import OUTCOMES

_ANSWERS: Final = (1, 1, len(OUTCOMES))  # success, progress, outcome
GUESSES: Final = 1 + len(OUTCOMES)  # what a forest says: logits of success and of each outcome


class Output(NamedTuple):
    """What the model answers: success and outcome as logits, progress in [-1, 1], and what stage 1 trains."""

    success: Tensor  # (B,) logit
    progress: Tensor  # (B,)
    outcome: Tensor  # (B, 5) logits, in the order of OUTCOMES
    attention: Tensor  # (B, N), sums to 1
    change: Tensor  # (B, aligned) unit vector of v_delta
    intent: Tensor  # (B, aligned) unit vector of action and instruction


class ChangeAttention(nn.Module):
    """a = softmax(M / beta): M is the magnitude of each place's change, beta is learned (the paper's attention)."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.log_beta = nn.Parameter(torch.tensor(math.log(math.sqrt(width) / 4)))

    def forward(self, delta_BNd: Tensor, mask_BN: Tensor) -> Tensor:
        """(B, N) weights over the places that are no padding."""
        magnitude_BN = (delta_BNd.float().square().sum(-1) + 1e-6).sqrt()
        return (magnitude_BN / self.log_beta.exp()).masked_fill(~mask_BN, -1e4).softmax(-1)


class Block(nn.Module):
    """One pre-norm transformer layer; attends to a context where it is `cross`, else to itself."""

    def __init__(self, width: int, heads: int, dropout: float, *, cross: bool) -> None:
        super().__init__()
        self.heads = heads
        self.norm_query, self.norm_mlp = nn.LayerNorm(width), nn.LayerNorm(width)
        self.norm_context = nn.LayerNorm(width) if cross else None
        self.query, self.key_value = nn.Linear(width, width), nn.Linear(width, 2 * width)
        self.out = nn.Linear(width, width)
        self.mlp = nn.Sequential(
            nn.Linear(width, 2 * width), nn.GELU(), nn.Dropout(dropout), nn.Linear(2 * width, width)
        )
        self.drop = nn.Dropout(dropout)

    def forward(self, x_BNw: Tensor, context_BTw: Tensor | None, mask: Tensor) -> Tensor:
        """`mask` (B, T) or (B, N) says what may be attended to."""
        query = self.norm_query(x_BNw)
        context = query if self.norm_context is None else self.norm_context(context_BTw)
        x_BNw = x_BNw + self.drop(self._attend(query, context, mask))
        return x_BNw + self.drop(self.mlp(self.norm_mlp(x_BNw)))

    def _attend(self, query: Tensor, context: Tensor, mask: Tensor) -> Tensor:
        batch, count, width = query.shape
        split = lambda x: x.reshape(batch, -1, self.heads, width // self.heads).transpose(1, 2)  # noqa: E731
        key, value = self.key_value(context).chunk(2, dim=-1)
        visible = mask[:, None, None, :].expand(-1, 1, count, -1)
        out = F.scaled_dot_product_attention(split(self.query(query)), split(key), split(value), attn_mask=visible)
        return self.out(out.transpose(1, 2).reshape(batch, count, width))


class CriticHead(nn.Module):
    """Fuses what changed with what was asked.

    The paper's head attends from the differences alone. Ours adds to each difference what stands there now and where
    it lies relative to the action, since at an unchanged place the difference is zero, and what was *not* changed
    (the button that was asked for) is half of the answer. The facts of the transition give a first guess, by a forest
    or, where there is none, by an MLP, and what is seen corrects it: the three heads begin at zero, so that little data
    does no worse with an encoder than without.
    """

    def __init__(self, features: int, text: int, facts: int, config: HeadConfig) -> None:
        super().__init__()
        width = config.width
        self.attend_change = ChangeAttention(features)
        self.delta, self.now = nn.Linear(features, width), nn.Linear(features, width)
        self.geometry = nn.Sequential(nn.Linear(GEOMETRY_SIZE, width), nn.GELU(), nn.Linear(width, width))
        self.text = nn.Linear(text, width)
        self.part = nn.Embedding(len(TEXT_PARTS), width)
        make = lambda cross: nn.ModuleList(  # noqa: E731
            Block(width, config.heads, config.dropout, cross=cross) for _ in range(config.layers)
        )
        self.cross, self.spatial = make(True), make(False)
        self.align_change = nn.Sequential(nn.Linear(features, width), nn.GELU(), nn.Linear(width, config.aligned))
        self.align_intent = nn.Sequential(nn.Linear(text, width), nn.GELU(), nn.Linear(width, config.aligned))
        self.facts = nn.Sequential(nn.Linear(facts + 1, width), nn.GELU(), nn.Linear(width, width), nn.GELU())
        self.first_guess = nn.Linear(width, sum(_ANSWERS))
        self.forest = Forest(GUESSES, config.trees, config.tree_depth) if config.trees else None
        if self.forest is not None:
            nn.init.zeros_(self.first_guess.weight)
            nn.init.zeros_(self.first_guess.bias)
        self.norm = nn.LayerNorm(width)
        self.drop = nn.Dropout(config.dropout)
        self.success, self.progress, self.outcome = (_make_answer(width, size, config.dropout) for size in _ANSWERS)

    def forward(
        self, pre: Tensor, post: Tensor, mask: Tensor, geometry: Tensor,
        text: Tensor, text_mask: Tensor, text_part: Tensor, facts: Tensor, guess: Tensor | None = None,
    ) -> Output:  # fmt: skip
        """Judge.

        Args:
            pre, post: (B, N, d) features of the same places of both screens.
            mask: (B, N) bool, False for padding.
            geometry: (B, N, GEOMETRY_SIZE).
            text: (B, T, dt) features of the word pieces, text_mask (B, T) bool, text_part (B, T) int64 index into
                TEXT_PARTS.
            facts: (B, F) numbers of the transition.
            guess: (B, GUESSES) what a forest says that was fitted without these rows; None for the head's own.
        """
        delta_BNd = post - pre
        attention_BN = self.attend_change(delta_BNd, mask)
        v_delta_Bd = torch.einsum("bn,bnd->bd", attention_BN.to(delta_BNd.dtype), delta_BNd)
        change, intent = self.embed_change(v_delta_Bd), self.embed_intent(text, text_mask, text_part)
        x_BNw = self.delta(delta_BNd) + self.now(post) + self.geometry(geometry)
        words_BTw = self.text(text) + self.part(text_part)
        crossed_BNw, spatial_BNw = x_BNw, x_BNw
        for block in self.cross:
            crossed_BNw = block(crossed_BNw, words_BTw, text_mask)
        for block in self.spatial:
            spatial_BNw = block(spatial_BNw, None, mask)
        pooled_Bw = torch.einsum("bn,bnw->bw", attention_BN.to(x_BNw.dtype), crossed_BNw + spatial_BNw)
        agreement_B1 = (change * intent).sum(-1, keepdim=True)
        facts_Bw = self.facts(torch.cat([facts, agreement_B1.to(facts.dtype)], dim=-1))
        z_Bw = self.norm(self.drop(pooled_Bw) + facts_Bw)
        success, progress, outcome = self.first_guess(facts_Bw).split(_ANSWERS, dim=-1)
        if self.forest is not None:
            guess = self.forest(facts) if guess is None else guess
            success, outcome = success + guess[:, :1], outcome + guess[:, 1:]
        return Output(
            success=(success + self.success(z_Bw))[:, 0].float(),
            progress=(progress + self.progress(z_Bw))[:, 0].float().tanh(),
            outcome=(outcome + self.outcome(z_Bw)).float(),
            attention=attention_BN,
            change=change,
            intent=intent,
        )

    def embed_change(self, v_delta: Tensor) -> Tensor:
        """(B, d) -> (B, aligned) unit vectors."""
        return F.normalize(self.align_change(v_delta).float(), dim=-1)

    def embed_intent(self, text: Tensor, mask: Tensor, part: Tensor) -> Tensor:
        """Mean of the word pieces of action and instruction (of no other text) -> (B, aligned) unit vectors."""
        weight = (mask & (part < TEXT_PARTS.index("task"))).to(text.dtype)[..., None]
        mean = (text * weight).sum(1) / weight.sum(1).clamp(min=1)
        return F.normalize(self.align_intent(mean).float(), dim=-1)


def _make_answer(width: int, size: int, dropout: float) -> nn.Sequential:
    """An MLP head whose answer is zero until it has learned."""
    last = nn.Linear(width, size)
    nn.init.zeros_(last.weight)
    nn.init.zeros_(last.bias)
    return nn.Sequential(nn.Linear(width, width), nn.GELU(), nn.Dropout(dropout), last)
