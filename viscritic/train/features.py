"""Features of a whole sample folder, computed once: where the encoders are frozen, an epoch costs the head alone."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from rich.progress import track
from torch import nn

from viscritic.model.critic import CriticModel
from viscritic.preprocess import tokenize
from viscritic.train.arrays import PART, ArrayPart, ArrayStore
from viscritic.train.cache import build_once

_FORMAT: Final = 3
_VIEWS: Final = ("detail_pre", "detail_post", "thumbnail_pre", "thumbnail_post")

Halves = npt.NDArray[np.float16]


class FeaturePart:
    """What the frozen encoders say of the rows of an `ArrayPart`, memory-mapped, as float16.

    Args:
        screens: a folder with the features of its patches.
        texts: one with those of its texts.
    """

    def __init__(self, arrays: ArrayPart, screens: Path, texts: Path) -> None:
        width = int(np.load(screens / "width.npy"))
        self._places = np.memmap(screens / "places.bin", np.float16, "r").reshape(-1, width)
        index = np.load(texts / "index.npz")
        self._words = np.memmap(texts / "words.bin", np.float16, "r").reshape(-1, int(index["width"]))
        self._ends: npt.NDArray[np.int64] = index["ends"]
        self.texts = {text: number for number, text in enumerate(json.loads((texts / "texts.json").read_text()))}
        self._arrays = arrays

    def places(self, row: int) -> dict[str, Halves]:
        """(N, d) of each of one transition's four views."""
        counts = self._arrays.counts(row)
        start = 2 * self._arrays.start(row)
        views = np.split(self._places[start : start + 2 * sum(counts)], np.cumsum([counts[0], *counts]))
        return dict(zip(_VIEWS, views, strict=True))

    def words(self, text: str) -> Halves:
        """(T, d) of a text's word pieces."""
        number = self.texts[text]
        start = self._ends[number - 1] if number else 0
        return np.asarray(self._words[start : self._ends[number]])


class FeatureStore:
    """What the frozen encoders say of all rows of an `ArrayStore`."""

    def __init__(self, parts: Sequence[FeaturePart]) -> None:
        self._parts = parts
        self._homes = {text: part for part in parts for text in part.texts}

    def places(self, index: int) -> dict[str, Halves]:
        """(N, d) of each of one transition's four views."""
        part, row = divmod(index, PART)
        return self._parts[part].places(row)

    def words(self, text: str) -> Halves:
        """(T, d) of a text's word pieces."""
        return self._homes[text].words(text)


def open_features(model: CriticModel, store: ArrayStore, cache: Path) -> FeatureStore:
    """The features of all rows, computed under `cache` the first time, or after what they are computed from changed:
    other texts leave those of the patches as they are."""
    seeing, reading = _describe(model.encoder), _describe(model.text, model.config.preprocess.text_tokens)
    folder = cache / "features"
    parts = []
    for number, arrays in enumerate(store.parts):
        told = f"Encoding part {number + 1} of {len(store.parts)}"
        texts = list(dict.fromkeys(["", *(text for row in arrays.texts for text in row.parts())]))
        with _evaluated(model.encoder, model.text):
            screens = build_once(
                folder / _name(seeing, arrays.digest_patches()), partial(_write_places, model, arrays, told=told)
            )
            words = build_once(folder / _name(reading, *texts), partial(_write_words, model, texts, told=told))
        parts.append(FeaturePart(arrays, screens, words))
    return FeatureStore(parts)


def _describe(module: nn.Module, *asked: int) -> str:
    """A digest of an encoder's weights, and of how it is asked."""
    digest = hashlib.sha256(f"{_FORMAT} {asked}".encode())
    for name, value in sorted(module.state_dict().items()):
        digest.update(name.encode() + value.detach().cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()


def _name(*told: str) -> str:
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()[:20]


@contextmanager
def _evaluated(*modules: nn.Module) -> Iterator[None]:
    """Without dropout for a while."""
    training = [module for module in modules if module.training]
    for module in training:
        module.eval()
    yield
    for module in training:
        module.train()


@torch.inference_mode()
def _write_places(model: CriticModel, arrays: ArrayPart, out: Path, told: str) -> None:
    with (out / "places.bin").open("wb") as file:
        for index in track(range(len(arrays)), description=f"{told}: screens", transient=True):
            row = arrays.row(index)
            for view in _VIEWS:
                place = row[f"{view.split('_')[0]}_place"]
                file.write(_encode_places(model.encoder, row[view], place).tobytes())
    np.save(out / "width.npy", model.encoder.width)


@torch.inference_mode()
def _write_words(model: CriticModel, texts: Sequence[str], out: Path, told: str) -> None:
    ends = []
    with (out / "words.bin").open("wb") as file:
        for text in track(texts, description=f"{told}: texts", transient=True):
            words = _encode_text(model, text)
            file.write(words.tobytes())
            ends.append(len(words))
    (out / "texts.json").write_text(json.dumps(texts))
    np.savez(out / "index.npz", ends=np.cumsum(ends), width=model.text.width)


def _encode_places(encoder: nn.Module, patches: npt.NDArray[np.uint8], place: npt.NDArray[np.float32]) -> Halves:
    if not len(patches):
        return np.zeros((0, 1), np.float16)
    inputs = [torch.from_numpy(np.array(values))[None] for values in (patches, place, np.ones(len(patches), np.bool_))]
    return _half(encoder(*inputs))


def _encode_text(model: CriticModel, text: str) -> Halves:
    ids = tokenize(model.text.tokenizer, text, model.config.preprocess.text_tokens)
    if not len(ids):
        return np.zeros((0, model.text.width), np.float16)
    return _half(model.text(torch.from_numpy(ids)[None], torch.ones(1, len(ids), dtype=torch.bool)))


def _half(features: Any) -> Halves:
    """(1, N, d) -> (N, d)."""
    return np.asarray(features[0].float().numpy(), np.float16)
