"""Batches of a sample folder: rows of the array store, padded, with labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor
from torch.utils.data import DataLoader, Dataset, Sampler

from viscritic.model.critic import Batch, Encoded
from viscritic.preprocess import Texts, tokenize
from viscritic.sample import Sample
from viscritic.train.arrays import ArrayStore
from viscritic.train.features import FeatureStore
from viscritic.trajectory import OUTCOMES

UNKNOWN = -100  # an outcome that is not known; cross_entropy leaves it out


@dataclass(frozen=True, slots=True)
class Labels:
    """What is known of B transitions.

    Shapes: N + K places; C candidate intents of the batch, S texts of L word pieces each.
    """

    success: Tensor  # (B,) float32 in [0, 1]
    progress: Tensor  # (B,) float32, NaN where unknown
    outcome: Tensor  # (B,) int64 index into OUTCOMES, UNKNOWN where unknown
    region: Tensor  # (B, N + K) bool, the places of the action's region; all False where it has none
    intent: Tensor  # (B,) int64, which candidate is the transition's own
    candidate_ids: Tensor  # (C, S, L) int64: the batch's actions and instructions, and others of its trajectories
    candidate_mask: Tensor  # (C, S, L) bool
    guess: Tensor  # (B, GUESSES) float32, what a forest says that never saw the row; (B, 0) where there is none

    def to(self, device: torch.device) -> Labels:
        """The same labels on another device."""
        return Labels(**{f.name: getattr(self, f.name).to(device) for f in fields(self)})


class TransitionDataset(Dataset[int]):
    """The chosen rows of a folder; `collate` turns several into a batch.

    Args:
        samples: all samples of the folder, `store` their arrays in the same order.
        chosen: the rows that this data set yields.
        limit: at most so many word pieces of each text.
        negatives: other actions of the same trajectory that each row adds to the candidates.
        features: of frozen encoders; with them a batch is `Encoded`, without them it is patches and word pieces.
        guesses: (S, GUESSES) of all samples, from `fit_forest`.
    """

    def __init__(
        self, samples: Sequence[Sample], store: ArrayStore, chosen: Sequence[int],
        tokenizer: Any, limit: int, negatives: int = 0, features: FeatureStore | None = None,
        guesses: npt.NDArray[np.float32] | None = None,
    ) -> None:  # fmt: skip
        self.samples, self.store, self.chosen = samples, store, list(chosen)
        texts = {"", *(text for row in store.texts for text in row.parts())}
        self._pieces = {text: tokenize(tokenizer, text, limit) for text in texts}
        self._negatives, self._features = negatives, features
        self._guesses = np.zeros((len(samples), 0), np.float32) if guesses is None else guesses
        self._siblings: dict[str, list[int]] = {}
        for index in self.chosen:
            self._siblings.setdefault(samples[index].trajectory, []).append(index)

    def __len__(self) -> int:
        return len(self.chosen)

    def __getitem__(self, position: int) -> int:
        return self.chosen[position]

    def collate(self, indices: Sequence[int]) -> tuple[Batch | Encoded, Labels]:
        """Pad rows to a batch."""
        rows = [self.store.row(i) for i in indices]
        counts = [self.store.counts(i) for i in indices]
        detail, thumbnail = (max(1, *column) for column in zip(*counts, (0, 0), strict=True))
        geometry = _pad_both([row["geometry"] for row in rows], counts, detail, thumbnail)
        facts = torch.from_numpy(self.store.facts[list(indices)])
        region = _pad_both([row["region"] for row in rows], counts, detail, thumbnail)
        labels = self._labels(indices, region)
        if self._features is not None:
            return self._encoded(self._features, indices, counts, geometry, facts), labels
        views = {
            f"{view}_{part}": _pad([row[f"{view}_{part}"] for row in rows], length)
            for view, length in (("detail", detail), ("thumbnail", thumbnail))
            for part in ("pre", "post", "place")
        }
        ids, mask = self._texts([self.store.texts[i].parts() for i in indices])
        batch = Batch(
            **views,
            detail_mask=_pad([np.ones(n, np.bool_) for n, _ in counts], detail),
            thumbnail_mask=_pad([np.ones(n, np.bool_) for _, n in counts], thumbnail),
            geometry=geometry,
            facts=facts,
            text_ids=ids,
            text_mask=mask,
        )
        return batch, labels

    def _encoded(
        self, features: FeatureStore, indices: Sequence[int], counts: Sequence[tuple[int, int]],
        geometry: Tensor, facts: Tensor,
    ) -> Encoded:  # fmt: skip
        """The rows' features, padded; the texts of a row follow one another without gaps."""
        detail, thumbnail = (max(1, *column) for column in zip(*counts, (0, 0), strict=True))
        views = [features.places(i) for i in indices]
        pre, post = (
            torch.cat([
                _pad([view[f"detail_{side}"] for view in views], detail),
                _pad([view[f"thumbnail_{side}"] for view in views], thumbnail),
            ], dim=1).float()
            for side in ("pre", "post")
        )  # fmt: skip
        mask = _pad_both([np.ones(sum(n), np.bool_) for n in counts], counts, detail, thumbnail)
        words = [[features.words(text) for text in self.store.texts[i].parts()] for i in indices]
        parts = [np.repeat(np.arange(len(row)), [len(w) for w in row]) for row in words]
        length = max(1, *(len(p) for p in parts))
        return Encoded(
            pre=pre, post=post, mask=mask, details=detail, geometry=geometry,
            text=_pad([np.concatenate(row) for row in words], length).float(),
            text_mask=_pad([np.ones(len(p), np.bool_) for p in parts], length),
            text_part=_pad(parts, length), facts=facts,
        )  # fmt: skip

    def _labels(self, indices: Sequence[int], region: Tensor) -> Labels:
        samples = [self.samples[i] for i in indices]
        candidates = self._candidates(indices)
        ids, mask = self._texts([Texts(action, instruction, "").parts() for action, instruction in candidates])
        return Labels(
            success=torch.tensor([s.success for s in samples], dtype=torch.float32),
            progress=torch.tensor([np.nan if s.progress is None else s.progress for s in samples], dtype=torch.float32),
            outcome=torch.tensor([UNKNOWN if s.outcome is None else OUTCOMES.index(s.outcome) for s in samples]),
            region=region,
            intent=torch.tensor([candidates[self._intent(i)] for i in indices]),
            candidate_ids=ids,
            candidate_mask=mask,
            guess=torch.from_numpy(self._guesses[list(indices)]),
        )

    def _intent(self, index: int) -> tuple[str, str]:
        texts = self.store.texts[index]
        return texts.action, texts.instruction

    def _candidates(self, indices: Sequence[int]) -> dict[tuple[str, str], int]:
        """The batch's intents and some others of its trajectories, each once, numbered."""
        found = {self._intent(i): None for i in indices}
        for index in indices:
            others = [self._intent(i) for i in self._siblings.get(self.samples[index].trajectory, ())]
            others = [intent for intent in dict.fromkeys(others) if intent != self._intent(index)]
            found.update(dict.fromkeys(others[: self._negatives]))
        return {intent: number for number, intent in enumerate(found)}

    def _texts(self, rows: Sequence[tuple[str, ...]]) -> tuple[Tensor, Tensor]:
        """(R, S, L) ids and mask of R rows of S texts."""
        pieces = [self._pieces[text] for row in rows for text in row]
        length = max(1, *(len(p) for p in pieces))
        shape = (len(rows), len(rows[0]), length)
        mask = _pad([np.ones(len(p), np.bool_) for p in pieces], length)
        return _pad(pieces, length).reshape(shape), mask.reshape(shape)


class EpochOrder(Sampler[int]):
    """A random order that depends on seed and epoch alone, so that a resumed run goes on with the same batches.

    Each of `replicas` processes takes its share; the tail that does not divide is dropped in training order only.
    """

    def __init__(self, size: int, seed: int, rank: int = 0, replicas: int = 1) -> None:
        self._size, self._seed, self._rank, self._replicas = size, seed, rank, replicas
        self._epoch = 0

    def set_epoch(self, epoch: int) -> None:
        """Called by Lightning before each epoch."""
        self._epoch = epoch

    def __len__(self) -> int:
        return self._size // self._replicas

    def __iter__(self) -> Iterator[int]:
        order = np.random.default_rng([self._seed, self._epoch]).permutation(self._size)
        return iter(order[self._rank : len(self) * self._replicas : self._replicas].tolist())


def make_loader(dataset: TransitionDataset, batch_size: int, order: EpochOrder | None) -> DataLoader[Any]:
    """Batches in `order`, or in the folder's order without one. Rows are memory-mapped, so no worker is needed."""
    # Each iterator draws a number: from a generator of its own, since torch's own decides dropout, and Lightning makes
    # the first iterator before an epoch's seeding and the later ones after it.
    own = torch.Generator()
    return DataLoader(dataset, batch_size, sampler=order, collate_fn=dataset.collate, num_workers=0, generator=own)


def _pad(rows: Sequence[npt.NDArray[Any]], length: int) -> Tensor:
    """Rows (n_i, ...) -> (B, length, ...), zeros at the end."""
    out = np.zeros((len(rows), length, *rows[0].shape[1:]), rows[0].dtype)
    for target, row in zip(out, rows, strict=True):
        target[: len(row)] = row
    return torch.from_numpy(out)


def _pad_both(
    rows: Sequence[npt.NDArray[Any]], counts: Sequence[tuple[int, int]], detail: int, thumbnail: int
) -> Tensor:
    """Rows that hold detail then thumbnail -> (B, detail + thumbnail, ...), each part padded by itself."""
    first = [row[:n] for row, (n, _) in zip(rows, counts, strict=True)]
    second = [row[n:] for row, (n, _) in zip(rows, counts, strict=True)]
    return torch.cat([_pad(first, detail), _pad(second, thumbnail)], dim=1)
