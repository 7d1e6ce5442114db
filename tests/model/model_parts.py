"""Small models and random batches."""

from __future__ import annotations

import torch

from viscritic.model.config import BackboneConfig, HeadConfig, ModelConfig, TextConfig
from viscritic.model.critic import Batch, CriticModel
from viscritic.preprocess import GEOMETRY_SIZE, PreprocessConfig, facts_size

TINY = ModelConfig(
    preprocess=PreprocessConfig(patch=16, changed_tokens=24, window=(5, 3), thumbnail_tokens=12),
    backbone=BackboneConfig("test_vit", depth=2),
    text=TextConfig("tiny"),
    head=HeadConfig(width=32, heads=2, layers=1, aligned=16),
)


def build_tiny(seed: int = 0) -> CriticModel:
    """A random tiny critic in eval mode; what begins at zero is random, too, so that everything matters."""
    torch.manual_seed(seed)
    model = CriticModel.build(TINY).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            if not parameter.any():
                parameter.normal_(std=0.1)
    return model


def random_batch(rows: int, details: int, thumbnails: int = 12, pieces: int = 7, seed: int = 1) -> Batch:
    """Random transitions without padding."""
    random = torch.Generator().manual_seed(seed)
    patch = 3 * 16**2

    def pixels(count: int) -> torch.Tensor:
        return torch.randint(0, 256, (rows, count, patch), dtype=torch.uint8, generator=random)

    return Batch(
        detail_pre=pixels(details),
        detail_post=pixels(details),
        detail_place=torch.rand(rows, details, 3, generator=random),
        detail_mask=torch.ones(rows, details, dtype=torch.bool),
        thumbnail_pre=pixels(thumbnails),
        thumbnail_post=pixels(thumbnails),
        thumbnail_place=torch.rand(rows, thumbnails, 3, generator=random),
        thumbnail_mask=torch.ones(rows, thumbnails, dtype=torch.bool),
        geometry=torch.randn(rows, details + thumbnails, GEOMETRY_SIZE, generator=random),
        facts=torch.randn(rows, facts_size(PreprocessConfig()), generator=random),
        text_ids=torch.randint(3, 200, (rows, 3, pieces), generator=random),
        text_mask=torch.ones(rows, 3, pieces, dtype=torch.bool),
    )
