"""What a torch checkpoint says of samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from rich.progress import track

from viscritic.errors import DataError
from viscritic.model.critic import CriticModel
from viscritic.sample import Sample
from viscritic.train.arrays import ArrayStore
from viscritic.train.data import TransitionDataset, make_loader


@dataclass(frozen=True, slots=True, eq=False)
class RawPredictions:
    """The model's own numbers for N samples, before any calibration.

    Attributes:
        success: (N,) logits.
        progress: (N,) in [-1, 1].
        outcome: (N, 5) logits, in the order of OUTCOMES.
    """

    success: npt.NDArray[np.float64]
    progress: npt.NDArray[np.float64]
    outcome: npt.NDArray[np.float64]


@torch.inference_mode()
def predict(
    model: CriticModel, samples: Sequence[Sample], store: ArrayStore, chosen: Sequence[int], batch_size: int = 16
) -> RawPredictions:
    """Judge the chosen rows in float32.

    Args:
        samples: all samples of the folder, `store` their arrays in the same order.

    Raises:
        DataError: none is chosen.
    """
    if not chosen:
        raise DataError("there are no samples to judge: the split is empty")
    limit = model.config.preprocess.text_tokens
    dataset = TransitionDataset(samples, store, chosen, model.text.tokenizer, limit)
    parts: list[tuple[Any, ...]] = []
    for batch, _ in track(make_loader(dataset, batch_size, None), description="Judging (torch)", transient=True):
        output = model(batch)
        parts.append((output.success, output.progress, output.outcome))
    success, progress, outcome = (torch.cat(column).double().numpy() for column in zip(*parts, strict=True))
    return RawPredictions(success, progress, outcome)
