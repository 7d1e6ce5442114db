"""What changed between two screens, patch by patch, in a few passes over the bytes."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from viscritic.preprocess.config import PreprocessConfig

Pixels = npt.NDArray[np.uint8]  # (H, W, 3) RGB
_NOISE_FLOOR: Final = 4  # a patch whose largest difference is at most this is never looked at twice


def changed_patches(pre: Pixels, post: Pixels, config: PreprocessConfig) -> npt.NDArray[np.bool_]:
    """Which patches of the native grid changed.

    Args:
        pre, post: (H, W, 3) uint8, of equal shape.

    Returns:
        (ceil(H / patch), ceil(W / patch)) bool; the last row and column may cover less than a whole patch.

    A sharp difference counts by its peak, a flat one (a hover colour) by its mean, so that the ringing of a lossy
    screen does not count as change.
    """
    peak = _patch_peaks(pre, post, config.patch)
    changed = peak > config.tolerance
    faint_rows, faint_columns = np.nonzero((peak > _NOISE_FLOOR) & ~changed)
    for row, column in zip(faint_rows.tolist(), faint_columns.tolist(), strict=True):
        y, x = row * config.patch, column * config.patch
        block = np.s_[y : y + config.patch, x : x + config.patch]
        difference = np.maximum(pre[block], post[block]) - np.minimum(pre[block], post[block])
        changed[row, column] = difference.mean() > config.mean_tolerance
    return changed


def _patch_peaks(pre: Pixels, post: Pixels, patch: int) -> npt.NDArray[np.uint8]:
    """Largest absolute difference in each patch: (rows, columns) uint8."""
    height, width, channels = pre.shape
    rows = -(-height // patch)
    # One band of patches at a time stays in the cache; an equal band costs one comparison.
    bands = np.zeros((rows, width * channels), np.uint8)
    pre_lines, post_lines = pre.reshape(height, -1), post.reshape(height, -1)
    for row in range(rows):
        before, after = pre_lines[row * patch : (row + 1) * patch], post_lines[row * patch : (row + 1) * patch]
        if not np.array_equal(before, after):
            np.max(np.maximum(before, after) - np.minimum(before, after), axis=0, out=bands[row])
    return np.maximum.reduceat(bands, np.arange(0, width * channels, patch * channels), axis=1)
