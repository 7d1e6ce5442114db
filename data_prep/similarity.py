"""How alike two screens are: cheaply by thumbnail, and by scikit-image's SSIM where it counts.

Screens are encoded images: paths or bytes. Each is decoded once where it is asked about at one time: its `Features` are
kept, and so are the latest few in grey. Who works on many screens keeps what is found in a `Memory` of his own.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numpy as np
import numpy.typing as npt
from PIL import Image

from viscritic.errors import DataError, MissingExtraError

Source = Path | bytes
THUMBNAIL: Final = (128, 96)  # width, height
TOLERANCE: Final = 12  # grey levels of 255; JPEG noise stays below it after averaging
_BORDER: Final = 3  # px; half of the window of scikit-image's SSIM
_Found = TypeVar("_Found", float, bool)


@dataclass(frozen=True, slots=True, eq=False)
class Features:
    """What is kept of a decoded screen.

    Attributes:
        size: (width, height) in pixels.
        digest: of the grey pixels; equal digests are equal screens.
        thumbnail: (96, 128) uint8, grey.
    """

    size: tuple[int, int]
    digest: bytes
    thumbnail: npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Memory:
    """What has been found out about screens, so that they need not be decoded again.

    Attributes:
        locate: where a screen really is, for screens that go by their names only.
        recall: the features of a screen that was looked at before, None where it was not.
        features: of each screen that was looked at.
        pairs: what was measured on the pixels of two screens, by the measure's name, the screens and its arguments.
    """

    locate: Callable[[Source], Source]
    recall: Callable[[Source], Features | None] = lambda _: None
    features: dict[Source, Features] = field(default_factory=dict)
    pairs: dict[tuple[Any, ...], float | bool] = field(default_factory=dict)

    @contextmanager
    def used(self) -> Iterator[None]:
        """Within this block what is known here is not measured again, and what is measured is kept here."""
        token = _memory.set(self)
        try:
            yield
        finally:
            _memory.reset(token)


_memory: ContextVar[Memory | None] = ContextVar("memory", default=None)


def features(source: Source) -> Features:
    """The features of a screen, decoded only where they are not known.

    Raises:
        DataError: a screen that cannot be read.
    """
    memory = _memory.get()
    if memory is None:
        return _look(source)
    if (known := memory.features.get(source)) is None:
        known = memory.features[source] = memory.recall(source) or _look.__wrapped__(source)
    return known


def is_equal(a: Source, b: Source) -> bool:
    """Whether two screens are equal pixel for pixel, in grey."""
    return a == b or features(a).digest == features(b).digest


def distance(a: Source, b: Source) -> float:
    """The fraction [0, 1] of two screens' thumbnails that differs; 1.0 where the sizes of the screens differ.

    The pointer, a clock or a blinking caret stay below 0.01; two different pages are mostly above 0.1.
    """
    return feature_distance(features(a), features(b))


def feature_distance(a: Features, b: Features) -> float:
    """`distance` of two screens whose features are at hand."""
    if a.size != b.size:
        return 1.0
    # maximum - minimum is |a - b| without leaving uint8
    difference = np.maximum(a.thumbnail, b.thumbnail) - np.minimum(a.thumbnail, b.thumbnail)
    return float(np.count_nonzero(difference > TOLERANCE) / difference.size)


def ssim(a: Source, b: Source) -> float:
    """scikit-image's structural similarity of the grey screens, at most 1; 0.0 where their sizes differ.

    It is computed only where the screens differ: everywhere else it is 1.

    Raises:
        MissingExtraError: scikit-image is not installed.
    """
    return 1.0 if is_equal(a, b) else _remembered(("ssim", a, b), lambda: _measure_ssim(grey(a), grey(b)))


def import_ssim() -> Callable[..., Any]:
    """scikit-image's function, or a MissingExtraError that says what to install."""
    try:
        from skimage.metrics import structural_similarity  # noqa: PLC0415  # an extra, and slow to import
    except ImportError as error:
        raise MissingExtraError("building samples", "data", "skimage") from error
    return cast(Callable[..., Any], structural_similarity)


def changed_near(a: Source, b: Source, points: Sequence[tuple[float, float]], radius: int, tolerance: int = 24) -> bool:
    """Whether any pixel within `radius` px (a square) of one of the points differs by more than `tolerance` of 255."""
    key = ("changed_near", a, b, tuple(points), radius, tolerance)
    return _remembered(key, lambda: _has_changed(grey(a), grey(b), points, radius, tolerance))


@lru_cache(maxsize=8)
def grey(source: Source) -> npt.NDArray[np.uint8]:
    """The screen in grey, shape (H, W)."""
    return np.asarray(_open(source).convert("L"))


def _remembered(key: tuple[Any, ...], measure: Callable[[], _Found]) -> _Found:
    memory = _memory.get()
    if memory is None:
        return measure()
    if key not in memory.pairs:
        memory.pairs[key] = measure()
    return cast(_Found, memory.pairs[key])


@lru_cache(maxsize=1024)  # they take 12 kB each
def _look(source: Source) -> Features:
    pixels = grey(source)
    height, width = pixels.shape
    small = Image.fromarray(pixels).resize(THUMBNAIL, Image.Resampling.BOX)
    digest = hashlib.blake2b(pixels.tobytes(), digest_size=16, salt=f"{width}x{height}".encode())
    return Features((width, height), digest.digest(), np.asarray(small))


def _measure_ssim(a: npt.NDArray[np.uint8], b: npt.NDArray[np.uint8]) -> float:
    if a.shape != b.shape:
        return 0.0
    measure: Callable[..., tuple[float, npt.NDArray[np.float64]]] = partial(import_ssim(), full=True)
    height, width = a.shape
    if min(a.shape) < 8 * _BORDER:
        return measure(a, b)[0]
    lost: float = 0.0
    for rows, columns in _changed_regions(a != b, 2 * _BORDER):
        # The map's outermost pixels are not counted: there the window reaches beyond the region, or the screen.
        _, found = measure(a[rows, columns], b[rows, columns])
        lost += float((1 - found[_BORDER:-_BORDER, _BORDER:-_BORDER]).sum())
    return float(1 - lost / ((height - 2 * _BORDER) * (width - 2 * _BORDER)))


def _changed_regions(changed: npt.NDArray[np.bool_], margin: int) -> Iterator[tuple[slice, slice]]:
    """Rectangles that hold all changes with a margin, where the screen goes on; no two overlap by more than margins."""
    rows = np.flatnonzero(changed.any(axis=1))
    for block in np.split(rows, np.flatnonzero(np.diff(rows) > 2 * margin) + 1):
        band = slice(*_widened(int(block[0]), int(block[-1]), margin, changed.shape[0]))
        columns = np.flatnonzero(changed[band].any(axis=0))
        yield band, slice(*_widened(int(columns[0]), int(columns[-1]), margin, changed.shape[1]))


def _widened(first: int, last: int, margin: int, length: int) -> tuple[int, int]:
    """The range with its margins, moved inside where an edge cuts it short, so that it is never too small."""
    start, stop = max(first - margin, 0), min(last + margin + 1, length)
    return (max(min(start, stop - 2 * margin - 1), 0), min(max(stop, start + 2 * margin + 1), length))


def _has_changed(
    a: npt.NDArray[np.uint8],
    b: npt.NDArray[np.uint8],
    points: Sequence[tuple[float, float]],
    radius: int,
    tolerance: int,
) -> bool:
    if a.shape != b.shape:
        return True
    for x, y in points:
        rows = slice(max(int(y) - radius, 0), max(int(y) + radius + 1, 0))
        columns = slice(max(int(x) - radius, 0), max(int(x) + radius + 1, 0))
        difference = np.abs(a[rows, columns].astype(np.int16) - b[rows, columns])
        if (difference > tolerance).any():
            return True
    return False


def _open(source: Source) -> Image.Image:
    memory = _memory.get()
    place = source if memory is None else memory.locate(source)
    try:
        image = Image.open(io.BytesIO(place) if isinstance(place, bytes) else place)
        image.load()
    except Exception as error:  # decoders raise every kind of error on hostile bytes
        name = "of bytes" if isinstance(source, bytes) else source
        raise DataError(f"the screen {name} cannot be read: {error}") from error
    return image
