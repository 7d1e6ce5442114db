"""Arrays of a whole sample folder, cut once and memory-mapped: training reads no image twice.

They are cut in parts of some hundred samples, each kept by itself: a run that was stopped goes on at the next part, and
a folder that grew at its end costs its new samples alone.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from rich.progress import track

from viscritic.errors import DataError
from viscritic.ocr import Recognizer
from viscritic.preprocess import GEOMETRY_SIZE, Arrays, PreprocessConfig, Texts, prepare
from viscritic.runner import Runner
from viscritic.sample import Sample
from viscritic.sample_folder import SampleFolder
from viscritic.screen import load_screen
from viscritic.train.cache import build_once

_FORMAT: Final = 16  # raise it when `prepare` changes what it returns
PART: Final = 512  # samples that are cut and kept together
_AHEAD: Final = 16  # samples prepared ahead of the writer; bounds memory
_RAGGED: Final = {"patches": np.uint8, "places": np.float32, "geometry": np.float32, "regions": np.bool_}


class ArrayPart:
    """Prepared transitions, in the order of their samples.

    Row i holds the patches of detail pre, detail post, thumbnail pre and thumbnail post, one after another, and the
    place, geometry and region mask of detail and thumbnail.
    """

    def __init__(self, folder: Path) -> None:
        index = np.load(folder / "index.npz")
        self.facts: npt.NDArray[np.float32] = index["facts"]  # (S, facts_size)
        self._counts: npt.NDArray[np.int64] = index["counts"]  # (S, 2): details, thumbnails
        self._start = np.concatenate([[0], np.cumsum(self._counts.sum(axis=1))])
        widths = {"patches": index["patch_size"].item(), "places": 3, "geometry": GEOMETRY_SIZE, "regions": 1}
        self._ragged = {
            name: np.memmap(folder / f"{name}.bin", kind, "r").reshape(-1, widths[name])
            for name, kind in _RAGGED.items()
        }
        self.texts = [Texts(**row) for row in json.loads((folder / "texts.json").read_text())]

    def __len__(self) -> int:
        return len(self.texts)

    def digest_patches(self) -> str:
        """Tells the patches and their places, whatever else the rows hold."""
        digest = hashlib.sha256(self._counts.tobytes())
        digest.update(self._ragged["patches"].data)
        digest.update(self._ragged["places"].data)
        return digest.hexdigest()

    def counts(self, index: int) -> tuple[int, int]:
        """How many details and thumbnail places a row has."""
        details, thumbnails = self._counts[index].tolist()
        return details, thumbnails

    def start(self, index: int) -> int:
        """How many places the rows before have."""
        return int(self._start[index])

    def row(self, index: int) -> dict[str, npt.NDArray[Any]]:
        """One transition: the patches of its four views, and place, geometry and region of its places.

        `region` (N + K,) bool is the window around the action's point, all False where there is none.
        """
        start, end = self._start[index], self._start[index + 1]
        detail, thumbnail = self._counts[index].tolist()
        views = np.split(self._ragged["patches"][2 * start : 2 * end], np.cumsum([detail, detail, thumbnail]))
        names = ("detail_pre", "detail_post", "thumbnail_pre", "thumbnail_post")
        place = self._ragged["places"][start:end]
        return {
            **dict(zip(names, views, strict=True)),
            "detail_place": place[:detail],
            "thumbnail_place": place[detail:],
            "geometry": self._ragged["geometry"][start:end],
            "region": self._ragged["regions"][start:end, 0],
        }


class ArrayStore:
    """Prepared transitions of a folder, in the order of its samples.

    Args:
        parts: all but the last of `PART` rows.
    """

    def __init__(self, parts: Sequence[ArrayPart]) -> None:
        self.parts = parts
        self.facts: npt.NDArray[np.float32] = np.concatenate([part.facts for part in parts])  # (S, facts_size)
        self.texts = [texts for part in parts for texts in part.texts]

    def __len__(self) -> int:
        return len(self.texts)

    def counts(self, index: int) -> tuple[int, int]:
        """How many details and thumbnail places a row has."""
        part, row = divmod(index, PART)
        return self.parts[part].counts(row)

    def row(self, index: int) -> dict[str, npt.NDArray[Any]]:
        """One transition, as `ArrayPart.row`."""
        part, row = divmod(index, PART)
        return self.parts[part].row(row)


def open_arrays(folder: SampleFolder, config: PreprocessConfig, cache: Path, reader: bytes | None = None) -> ArrayStore:
    """The arrays of a folder, built under `cache` the first time (or after samples or settings changed).

    Args:
        reader: graph of the text recogniser, where `config.reader`.

    Raises:
        DataError: the folder holds no samples, or a screen is missing.
    """
    samples = list(folder)
    if not samples:
        raise DataError(f"{folder.path} holds no samples")
    parts = []
    for start in range(0, len(samples), PART):
        some = samples[start : start + PART]
        told = f"Cutting tokens of samples {start + 1} to {start + len(some)} of {len(samples)}"
        write = partial(_write, folder, some, config, reader=reader, told=told)
        parts.append(ArrayPart(build_once(cache / "arrays" / _key(some, config, reader), write)))
    return ArrayStore(parts)


def prepare_sample(
    folder: SampleFolder, sample: Sample, config: PreprocessConfig, recognizer: Recognizer | None = None
) -> Arrays:
    """Read one sample's screens and cut them."""
    pre, post, *others = (
        load_screen(folder.screen_path(name), name=name)
        for name in (sample.pre, sample.post, *sample.burst, *sample.idle)
    )
    burst, idle = others[: len(sample.burst)], others[len(sample.burst) :]
    return prepare(pre, post, sample.action, sample.instruction, sample.task, config, burst, idle, recognizer)


def _key(samples: Sequence[Sample], config: PreprocessConfig, reader: bytes | None) -> str:
    """A name that tells all that the arrays depend on: a screen's name is its content's hash; labels play no part."""
    read = hashlib.sha256(reader).hexdigest() if reader else None
    rows = [
        [s.pre, s.post, s.burst, s.idle, [action.to_dict() for action in s.action], s.instruction, s.task]
        for s in samples
    ]
    parts = [_FORMAT, rows, asdict(config), read]
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:20]


def _write(
    folder: SampleFolder,
    samples: Sequence[Sample],
    config: PreprocessConfig,
    out: Path,
    reader: bytes | None,
    told: str,
) -> None:
    counts, facts, texts = [], [], []
    with ExitStack() as stack:
        files = {name: stack.enter_context((out / f"{name}.bin").open("wb")) for name in _RAGGED}
        prepared = _in_order(folder, samples, config, Recognizer(reader, Runner(threads=1)) if reader else None)
        for arrays in track(prepared, total=len(samples), description=told, transient=True):
            views = (arrays.detail, arrays.thumbnail)
            for view in views:
                files["patches"].write(view.pre.tobytes() + view.post.tobytes())
                files["places"].write(view.place.tobytes())
                files["geometry"].write(view.geometry.tobytes())
                files["regions"].write(_touches(view.boxes, arrays.region).tobytes())
            counts.append([len(view.pre) for view in views])
            facts.append(arrays.facts)
            texts.append(asdict(arrays.texts))
    np.savez(out / "index.npz", counts=counts, facts=facts, patch_size=3 * config.patch**2)
    (out / "texts.json").write_text(json.dumps(texts))


def _in_order(
    folder: SampleFolder, samples: Sequence[Sample], config: PreprocessConfig, recognizer: Recognizer | None
) -> Iterator[Arrays]:
    """Prepare on all cores, a few ahead, yielding in order."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        waiting = iter(samples)
        running = deque(pool.submit(prepare_sample, folder, s, config, recognizer) for s in islice(waiting, _AHEAD))
        while running:
            yield running.popleft().result()
            running.extend(pool.submit(prepare_sample, folder, s, config, recognizer) for s in islice(waiting, 1))


def _touches(boxes: npt.NDArray[np.float32], region: tuple[float, float, float, float] | None) -> npt.NDArray[np.bool_]:
    """(N,) whether a box's centre lies in the region; a thumbnail's cell counts when the region's centre is in it."""
    if region is None:
        return np.zeros(len(boxes), np.bool_)
    low, size = np.array(region[:2], np.float32), np.array(region[2:], np.float32)
    centre, middle = boxes[:, :2] + boxes[:, 2:] / 2, low + size / 2
    inside = ((centre >= low) & (centre < low + size)).all(axis=1)
    around = ((middle >= boxes[:, :2]) & (middle < boxes[:, :2] + boxes[:, 2:])).all(axis=1)
    return np.asarray(inside | around)
