"""Cheap numbers of a sample for the baselines: what its action and pre screen show, and what its post screen adds."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

import numpy as np
from PIL import Image
from rich.console import Console
from rich.progress import track
from skimage.color import rgb2gray
from skimage.metrics import structural_similarity

from viscritic.actions import KINDS, may_be_invisible
from viscritic.evaluate.measures import Bools
from viscritic.sample import Sample
from viscritic.sample_folder import SampleFolder
from viscritic.screen import Screen, load_screen

TOLERANCE: Final = 24  # a pixel has changed if some channel differs by more; JPEG ringing stays below
AT: Final = 40  # pixels: half the side of the square around the action's point that is "at" it ...
NEAR: Final = 160  # ... and of the one that, without the former, is "near" it
_WORD: Final = re.compile(r"\w+")
_SCREENS_KEPT: Final = 8  # decoded screens: neighbouring samples of a trajectory share theirs


class FeatureTable:
    """Features of samples, measured once each and kept in memory, with a progress bar while it reads screens."""

    def __init__(self) -> None:
        self._blind: dict[Sample, dict[str, float]] = {}
        self._seen: dict[Sample, dict[str, float]] = {}

    def blind(self, samples: Sequence[Sample], folder: SampleFolder) -> list[dict[str, float]]:
        """What is known before the post screen is looked at: one dictionary a sample. Post is never opened.

        Raises:
            ScreenError: if a pre screen cannot be read.
        """

        def measure(sample: Sample, load: Callable[[str], Screen]) -> dict[str, float]:
            return measure_action(sample, load(sample.pre))

        return _fill(self._blind, samples, folder, "reading the screens before", measure)

    def seen(self, samples: Sequence[Sample], folder: SampleFolder) -> list[dict[str, float]]:
        """What the post screen adds: one dictionary a sample.

        Raises:
            ScreenError: if a screen cannot be read.
        """

        def measure(sample: Sample, load: Callable[[str], Screen]) -> dict[str, float]:
            return measure_change(sample, load(sample.pre), load(sample.post))

        return _fill(self._seen, samples, folder, "comparing the screens", measure)


def _fill(
    table: dict[Sample, dict[str, float]],
    samples: Sequence[Sample],
    folder: SampleFolder,
    description: str,
    measure: Callable[[Sample, Callable[[str], Screen]], dict[str, float]],
) -> list[dict[str, float]]:
    """The samples' rows of `table`, measured where they are not there yet."""

    @lru_cache(maxsize=_SCREENS_KEPT)
    def load(name: str) -> Screen:
        return load_screen(folder.screen_path(name), name=f"screen {name}")

    missing = [sample for sample in samples if sample not in table]
    quiet = not missing or not sys.stderr.isatty()
    for sample in track(missing, description, console=Console(stderr=True), transient=True, disable=quiet):
        table[sample] = measure(sample, load)
    return [table[sample] for sample in samples]


def measure_action(sample: Sample, pre: Screen) -> dict[str, float]:
    """Features of the action, its texts and the pre screen (H, W, 3)."""
    kinds = [action.kind for action in sample.action]
    text = " ".join(action.text or "" for action in sample.action)
    wanted, typed = _words(sample.instruction), _words(text)
    grey = rgb2gray(pre)
    point = target_point(sample, pre)
    height, width = grey.shape
    around = grey[square(point, AT, grey.shape)] if point else np.zeros((1, 1))
    return {
        **{f"kind_{kind}": float(kind in kinds) for kind in KINDS},
        "may_be_invisible": float(may_be_invisible(sample.action, sample.instruction)),
        "actions": float(len(kinds)),
        "text_length": math.log1p(len(text.strip())),
        "keys": float(sum(len(action.keys) for action in sample.action)),
        "seconds": float(sum(action.seconds or 0.0 for action in sample.action)),
        "instruction_length": math.log1p(len(sample.instruction)),
        "text_in_instruction": len(wanted & typed) / len(typed) if typed else 0.0,
        "has_point": float(point is not None),
        "x": point[0] / width if point else 0.0,
        "y": point[1] / height if point else 0.0,
        "contrast_at_point": float(around.std()),
        "brightness": float(grey.mean()),
        "contrast": float(grey.std()),
        "edges": float(np.abs(np.diff(grey, axis=1)).mean()),
    }


def measure_change(sample: Sample, pre: Screen, post: Screen) -> dict[str, float]:
    """Features of what changed from pre (H, W, 3) to post, which is scaled to pre's size where it differs.

    `changed`: the fraction of pixels that changed; `ssim_distance`: 1 - SSIM of the grey screens, in [0, 1].
    """
    resized = pre.shape != post.shape
    post = fit_size(post, pre)
    difference = np.maximum(pre, post) - np.minimum(pre, post)
    changed = changed_pixels(difference)
    point = target_point(sample, pre)
    fractions = {"changed": float(changed.mean())} | _fractions_around(changed, point)
    rows, columns = np.nonzero(changed.any(axis=1))[0], np.nonzero(changed.any(axis=0))[0]
    box_area = np.ptp(rows) * np.ptp(columns) / changed.size if rows.size else 0.0
    return {
        **fractions,
        # Most changes are small: what matters is their order of magnitude.
        **{f"log_{name}": math.log10(value + 1e-6) for name, value in fractions.items()},
        "box_area": float(box_area),
        "distance": _distance(changed, point),
        "mean_difference": float(difference.mean() / 255),
        "ssim_distance": ssim_distance(pre, post),
        "identical": float(not difference.any()),
        "resized": float(resized),
    }


def fit_size(post: Screen, pre: Screen) -> Screen:
    """Post scaled to pre's width and height (bilinear); itself where they are equal."""
    if post.shape == pre.shape:
        return post
    return np.asarray(Image.fromarray(post).resize((pre.shape[1], pre.shape[0]), Image.Resampling.BILINEAR))


def changed_pixels(difference: Screen) -> Bools:
    """(H, W) bool: some channel of the absolute difference (H, W, 3) is more than `TOLERANCE`."""
    red, green, blue = (difference[:, :, channel] > TOLERANCE for channel in range(3))
    return np.asarray(red | green | blue)


def ssim_distance(pre: Screen, post: Screen) -> float:
    """1 - SSIM (scikit-image, grey, 7 x 7 windows) of two screens of one size, cut to [0, 1]."""
    if np.array_equal(pre, post):
        return 0.0
    similarity = structural_similarity(rgb2gray(pre), rgb2gray(post), data_range=1.0)
    return float(np.clip(1.0 - similarity, 0.0, 1.0))


def target_point(sample: Sample, pre: Screen) -> tuple[float, float] | None:
    """Where the batch of actions acts last, in pixels; None where it has no point on the screen."""
    height, width = pre.shape[:2]
    points = [point for action in sample.action for point in (action.point, action.end) if point is not None]
    inside = [(x, y) for x, y in points if 0 <= x < width and 0 <= y < height]
    return inside[-1] if inside else None


def square(point: tuple[float, float], radius: int, shape: tuple[int, ...]) -> tuple[slice, slice]:
    """(rows, columns) of the square around a point on a screen of `shape` (H, W), cut at its edges; never empty."""
    x, y = int(point[0]), int(point[1])
    rows = slice(max(y - radius, 0), min(y + radius + 1, shape[0]))
    return rows, slice(max(x - radius, 0), min(x + radius + 1, shape[1]))


def _fractions_around(changed: Bools, point: tuple[float, float] | None) -> dict[str, float]:
    """Fractions of the pixels at, near and far from the point that changed; without a point all is far."""
    if point is None:
        return {"changed_at": 0.0, "changed_near": 0.0, "changed_far": float(changed.mean())}
    at, near = changed[square(point, AT, changed.shape)], changed[square(point, NEAR, changed.shape)]
    hits = [int(np.count_nonzero(part)) for part in (at, near, changed)]
    sizes = [at.size, near.size, changed.size]
    return {
        "changed_at": hits[0] / sizes[0],
        "changed_near": (hits[1] - hits[0]) / max(sizes[1] - sizes[0], 1),
        "changed_far": (hits[2] - hits[1]) / max(sizes[2] - sizes[1], 1),
    }


def _distance(changed: Bools, point: tuple[float, float] | None) -> float:
    """From the point to the centre of the change, in diagonals of the screen; 0 where either is missing."""
    rows, columns = np.nonzero(changed)
    if point is None or not rows.size:
        return 0.0
    return math.hypot(columns.mean() - point[0], rows.mean() - point[1]) / math.hypot(*changed.shape)


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))
