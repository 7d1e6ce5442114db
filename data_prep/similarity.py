"""How alike two screens are: cheaply by thumbnail, and by scikit-image's SSIM where it counts.

Screens are encoded images: paths or bytes.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt
from PIL import Image

from data_prep.progress import Watch
from viscritic.errors import DataError, MissingExtraError

Source = Path | bytes
THUMBNAIL: Final = (128, 96)  # width, height
_TOLERANCE: Final = 12  # grey levels of 255; JPEG noise stays below it after averaging


def is_equal(a: Source, b: Source) -> bool:
    """Whether two screens are equal pixel for pixel; equal files are not decoded."""
    if a == b or _read(a) == _read(b):
        return True
    return np.array_equal(grey(a), grey(b))


def distance(a: Source, b: Source) -> float:
    """The fraction [0, 1] of two screens' thumbnails that differs; 1.0 where the sizes of the screens differ.

    The pointer, a clock or a blinking caret stay below 0.01; two different pages are mostly above 0.1.
    """
    (size_a, small_a), (size_b, small_b) = _thumbnail(a), _thumbnail(b)
    if size_a != size_b:
        return 1.0
    return float((np.abs(small_a - small_b) > _TOLERANCE).mean())


def near_duplicates(sources: Sequence[Source], near: float, watch: Watch = iter) -> Iterator[tuple[int, int]]:
    """Yield every pair (i, j), i > j, of screens of one size whose `distance` is below `near`.

    Compares each with each: fit for some ten thousand screens.
    """
    sizes: list[tuple[int, int]] = []
    small = np.empty((len(sources), THUMBNAIL[1], THUMBNAIL[0]), np.int16)  # (N, h, w)
    for i in watch(range(len(sources))):
        size, small[i] = _thumbnail(sources[i])
        far = (np.abs(small[:i] - small[i]) > _TOLERANCE).mean(axis=(1, 2))  # (i,)
        yield from ((i, int(j)) for j in (far < near).nonzero()[0] if sizes[j] == size)
        sizes.append(size)


def ssim(a: Source, b: Source) -> float:
    """scikit-image's structural similarity of the grey screens, at most 1; 0.0 where their sizes differ.

    Raises:
        MissingExtraError: scikit-image is not installed.
    """
    if a == b:
        return 1.0
    grey_a, grey_b = grey(a), grey(b)
    if grey_a.shape != grey_b.shape:
        return 0.0
    return float(import_ssim()(grey_a, grey_b))


def import_ssim() -> Callable[..., Any]:
    """scikit-image's function, or a MissingExtraError that says what to install."""
    try:
        from skimage.metrics import structural_similarity  # noqa: PLC0415  # an extra, and slow to import
    except ImportError as error:
        raise MissingExtraError("building samples", "data", "skimage") from error
    return cast(Callable[..., Any], structural_similarity)


def changed_near(a: Source, b: Source, points: list[tuple[float, float]], radius: int, tolerance: int = 24) -> bool:
    """Whether any pixel within `radius` px (a square) of one of the points differs by more than `tolerance` of 255."""
    grey_a, grey_b = grey(a), grey(b)
    if grey_a.shape != grey_b.shape:
        return True
    for x, y in points:
        rows = slice(max(int(y) - radius, 0), max(int(y) + radius + 1, 0))
        columns = slice(max(int(x) - radius, 0), max(int(x) + radius + 1, 0))
        difference = np.abs(grey_a[rows, columns].astype(np.int16) - grey_b[rows, columns])
        if (difference > tolerance).any():
            return True
    return False


@lru_cache(maxsize=16)
def grey(source: Source) -> npt.NDArray[np.uint8]:
    """The screen in grey, shape (H, W)."""
    return np.asarray(_open(source).convert("L"))


@cache  # a thumbnail takes 24 kB
def _thumbnail(source: Source) -> tuple[tuple[int, int], npt.NDArray[np.int16]]:
    image = _open(source)
    small = image.convert("L").resize(THUMBNAIL, Image.Resampling.BOX)
    return image.size, np.asarray(small, np.int16)


def _read(source: Source) -> bytes:
    return source if isinstance(source, bytes) else source.read_bytes()


def _open(source: Source) -> Image.Image:
    try:
        image = Image.open(io.BytesIO(source) if isinstance(source, bytes) else source)
        image.load()
    except (OSError, ValueError, Image.DecompressionBombError) as error:
        raise DataError(
            f"the screen {'of bytes' if isinstance(source, bytes) else source} cannot be read: {error}"
        ) from error
    return image
