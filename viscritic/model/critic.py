"""The whole critic: difference encoder, text encoder and head, and its checkpoint."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import safetensors.torch
import torch
from torch import Tensor, nn

from viscritic.config import read_config
from viscritic.errors import ConfigError, DataError
from viscritic.files import atomic_write, write_bytes, write_json, write_text
from viscritic.model.backbone import TokenViT, build_backbone
from viscritic.model.config import ModelConfig
from viscritic.model.head import CriticHead, Output
from viscritic.model.reader import load_reader
from viscritic.model.text import TextEncoder, build_text_encoder, restore_text_encoder
from viscritic.preprocess import facts_size


@dataclass(frozen=True, slots=True)
class Batch:
    """B transitions, padded to common lengths.

    Shapes: N detail places, K thumbnail places, S texts of L word pieces in the order of TEXT_PARTS.
    Patches are uint8, masks bool, ids int64, all else float32.
    """

    detail_pre: Tensor  # (B, N, 3 * p * p)
    detail_post: Tensor
    detail_place: Tensor  # (B, N, 3)
    detail_mask: Tensor  # (B, N)
    thumbnail_pre: Tensor  # (B, K, 3 * p * p)
    thumbnail_post: Tensor
    thumbnail_place: Tensor  # (B, K, 3)
    thumbnail_mask: Tensor  # (B, K)
    geometry: Tensor  # (B, N + K, GEOMETRY_SIZE)
    facts: Tensor  # (B, facts_size)
    text_ids: Tensor  # (B, S, L)
    text_mask: Tensor  # (B, S, L)

    def to(self, device: torch.device) -> Batch:
        """The same batch on another device."""
        return Batch(**{f.name: getattr(self, f.name).to(device) for f in fields(self)})


@dataclass(frozen=True, slots=True)
class Encoded:
    """B transitions as the head reads them: what the encoders make of a `Batch`.

    Shapes: P = N + K places, the N details first; T = S * L word pieces.
    """

    pre: Tensor  # (B, P, d)
    post: Tensor
    mask: Tensor  # (B, P) bool
    details: int  # N
    geometry: Tensor  # (B, P, GEOMETRY_SIZE)
    text: Tensor  # (B, T, dt)
    text_mask: Tensor  # (B, T) bool
    text_part: Tensor  # (B, T) int64, index into TEXT_PARTS
    facts: Tensor  # (B, facts_size)

    def to(self, device: torch.device) -> Encoded:
        """The same on another device."""
        values: dict[str, Any] = {f.name: getattr(self, f.name) for f in fields(self)}
        moved: dict[str, Any] = {name: v.to(device) if isinstance(v, Tensor) else v for name, v in values.items()}
        return Encoded(**moved)


class CriticModel(nn.Module):
    """(pre, action, post) -> success, progress, outcome."""

    def __init__(self, config: ModelConfig, encoder: TokenViT, text: TextEncoder, reader: bytes | None = None) -> None:
        super().__init__()
        if encoder.patch != config.preprocess.patch:
            raise ConfigError(
                f"preprocess.patch is {config.preprocess.patch}, but backbone {config.backbone.name} has patches of "
                f"{encoder.patch} px; set preprocess.patch={encoder.patch}"
            )
        self.config = config
        self.encoder = encoder
        self.text = text
        self.reader = reader  # ONNX graph of the text recogniser: it is used as it is, never trained
        self.head = CriticHead(encoder.width, text.width, facts_size(config.preprocess), config.head)

    @classmethod
    def build(cls, config: ModelConfig) -> CriticModel:
        """A new critic on pretrained encoders; its head is random."""
        reader = load_reader() if config.preprocess.reader else None
        return cls(config, build_backbone(config.backbone, weights=True), build_text_encoder(config.text), reader)

    def forward(self, batch: Batch) -> Output:
        """Judge a batch of transitions."""
        return self.judge(self.encode(batch))

    def encode(self, batch: Batch) -> Encoded:
        """What the encoders make of a batch."""
        pre, post = self.encode_screens(batch)
        text, mask, part = self.encode_texts(batch.text_ids, batch.text_mask)
        places = torch.cat([batch.detail_mask, batch.thumbnail_mask], dim=1)
        details = batch.detail_mask.shape[1]
        return Encoded(pre, post, places, details, batch.geometry, text, mask, part, batch.facts)

    def judge(self, seen: Encoded, guess: Tensor | None = None) -> Output:
        """What the head makes of that; `guess` as `CriticHead.forward` takes it."""
        output: Output = self.head(
            seen.pre, seen.post, seen.mask, seen.geometry, seen.text, seen.text_mask, seen.text_part, seen.facts, guess
        )
        return output

    def encode_screens(self, batch: Batch) -> tuple[Tensor, Tensor]:
        """Features (B, N + K, d) of the same places of pre and of post.

        One screen's thumbnail and its details are encoded apart, so that a thumbnail's features depend on nothing
        but its screen and serve again when that screen is the next step's pre.
        """
        parts = []
        for pre, post, place, mask in (
            (batch.detail_pre, batch.detail_post, batch.detail_place, batch.detail_mask),
            (batch.thumbnail_pre, batch.thumbnail_post, batch.thumbnail_place, batch.thumbnail_mask),
        ):
            both = self.encoder(torch.cat([pre, post]), torch.cat([place, place]), torch.cat([mask, mask]))
            parts.append(both.chunk(2))
        (detail_pre, detail_post), (thumbnail_pre, thumbnail_post) = parts
        return torch.cat([detail_pre, thumbnail_pre], dim=1), torch.cat([detail_post, thumbnail_post], dim=1)

    def encode_texts(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """(B, S, L) ids and mask -> (B, S * L, d) features, (B, S * L) mask and part index."""
        batch, parts, length = ids.shape
        seen = mask.flatten(0, 1).clone()
        seen[:, 0] = True  # attention over no piece at all is undefined; the head does not look at an empty text
        features = self.text(ids.flatten(0, 1), seen)
        part = torch.arange(parts, device=ids.device).repeat_interleave(length).expand(batch, -1)
        return features.reshape(batch, parts * length, -1), mask.flatten(1), part


def save_checkpoint(model: CriticModel, folder: Path, meta: Mapping[str, Any]) -> None:
    """Write model.safetensors, config.json, text.json, tokenizer.json, reader.onnx where there is one, and meta.json,
    each atomically, meta.json last.

    Args:
        meta: how the checkpoint came about (commit, data, metrics); JSON-able.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {name: value.detach().cpu().contiguous() for name, value in model.state_dict().items()}
    with atomic_write(folder / "model.safetensors") as file:
        file.write(safetensors.torch.save(tensors))
    write_json(folder / "config.json", asdict(model.config))
    write_json(folder / "text.json", model.text.architecture())
    write_text(folder / "tokenizer.json", model.text.tokenizer.to_str())
    if model.reader is not None:
        write_bytes(folder / "reader.onnx", model.reader)
    write_json(folder / "meta.json", dict(meta))


def load_checkpoint(folder: str | os.PathLike[str]) -> CriticModel:
    """The critic of a checkpoint folder, in eval mode. Needs none of the packages that its weights began from.

    Raises:
        DataError: a file is missing or damaged, or the weights do not fit the configuration.
    """
    folder = Path(folder)
    try:
        config = read_config(ModelConfig, json.loads((folder / "config.json").read_text()), "config.json")
        text = restore_text_encoder(json.loads((folder / "text.json").read_text()), folder / "tokenizer.json")
        tensors = safetensors.torch.load_file(folder / "model.safetensors")
        reader = (folder / "reader.onnx").read_bytes() if config.preprocess.reader else None
    except (OSError, ValueError, safetensors.SafetensorError) as error:
        raise DataError(
            f"{folder} is no checkpoint (config.json, text.json, tokenizer.json, model.safetensors): {error}"
        ) from error
    model = CriticModel(config, build_backbone(config.backbone, weights=False), text, reader)
    try:
        model.load_state_dict(tensors, strict=True)
    except RuntimeError as error:
        raise DataError(f"the weights in {folder} do not fit its config.json: {error}") from error
    return model.eval()
