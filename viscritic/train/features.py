"""Features of a whole sample folder, computed once: where the encoders are frozen, an epoch costs the head alone."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import torch
from rich.progress import track
from torch import nn

from viscritic.model.critic import CriticModel
from viscritic.preprocess import tokenize
from viscritic.train.arrays import ArrayStore

_FORMAT: Final = 1
_VIEWS: Final = ("detail_pre", "detail_post", "thumbnail_pre", "thumbnail_post")

Halves = npt.NDArray[np.float16]


class FeatureStore:
    """What the frozen encoders say of an `ArrayStore`'s rows, memory-mapped, as float16."""

    def __init__(self, folder: Path, store: ArrayStore) -> None:
        index = np.load(folder / "index.npz")
        widths = index["widths"].tolist()
        self._places = np.memmap(folder / "places.bin", np.float16, "r").reshape(-1, widths[0])
        self._words = np.memmap(folder / "words.bin", np.float16, "r").reshape(-1, widths[1])
        self._ends: npt.NDArray[np.int64] = index["ends"]
        self._texts = {text: number for number, text in enumerate(json.loads((folder / "texts.json").read_text()))}
        self._store = store

    def places(self, index: int) -> dict[str, Halves]:
        """(N, d) of each of one transition's four views."""
        counts = self._store.counts(index)
        start = 2 * self._store.start(index)
        views = np.split(self._places[start : start + 2 * sum(counts)], np.cumsum([counts[0], *counts]))
        return dict(zip(_VIEWS, views, strict=True))

    def words(self, text: str) -> Halves:
        """(T, d) of a text's word pieces."""
        number = self._texts[text]
        start = self._ends[number - 1] if number else 0
        return np.asarray(self._words[start : self._ends[number]])


def open_features(model: CriticModel, store: ArrayStore, cache: Path) -> FeatureStore:
    """The features of all rows, computed under `cache` the first time (or after arrays or encoders changed)."""
    place = cache / "features" / _key(model, store)
    if not place.is_dir():
        place.parent.mkdir(parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
        try:
            _write(model, store, temporary)
            try:
                temporary.rename(place)
            except OSError:
                if not place.is_dir():  # else another process was faster with the same content
                    raise
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    return FeatureStore(place, store)


def _key(model: CriticModel, store: ArrayStore) -> str:
    digest = hashlib.sha256(f"{_FORMAT} {store.name} {model.config.preprocess.text_tokens}".encode())
    for module in (model.encoder, model.text):
        for name, value in sorted(module.state_dict().items()):
            digest.update(name.encode() + value.detach().cpu().contiguous().numpy().tobytes())
    return digest.hexdigest()[:20]


@torch.inference_mode()
def _write(model: CriticModel, store: ArrayStore, out: Path) -> None:
    training = [module for module in (model.encoder, model.text) if module.training]
    for module in training:
        module.eval()
    with (out / "places.bin").open("wb") as file:
        for index in track(range(len(store)), description="Encoding screens", transient=True):
            row = store.row(index)
            for view in _VIEWS:
                place = row[f"{view.split('_')[0]}_place"]
                file.write(_encode_places(model.encoder, row[view], place).tobytes())
    texts = list(dict.fromkeys(["", *(text for row in store.texts for text in row.parts())]))
    ends = []
    with (out / "words.bin").open("wb") as file:
        for text in track(texts, description="Encoding texts", transient=True):
            words = _encode_text(model, text)
            file.write(words.tobytes())
            ends.append(len(words))
    (out / "texts.json").write_text(json.dumps(texts))
    np.savez(out / "index.npz", ends=np.cumsum(ends), widths=[model.encoder.width, model.text.width])
    for module in training:
        module.train()


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
