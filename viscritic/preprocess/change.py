"""What changed between two screens, patch by patch, in a few passes over the bytes."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from viscritic.preprocess.config import PreprocessConfig

Pixels = npt.NDArray[np.uint8]  # (H, W, 3) RGB
_NOISE_FLOOR: Final = 4  # a patch whose largest difference is at most this is never looked at twice


def change_amounts(pre: Pixels, post: Pixels, config: PreprocessConfig) -> npt.NDArray[np.float32]:
    """How much of each patch of the native grid changed.

    Args:
        pre, post: (H, W, 3) uint8, of equal shape.

    Returns:
        (ceil(H / patch), ceil(W / patch)) float32 in [0, 1], 0 where nothing changed; the last row and column may cover
        less than a whole patch.

    A sharp difference counts by the share of channel values that differ by more than the tolerance; a flat one (a hover
    colour), known by its mean, counts whole. So the ringing of a lossy screen does not count as change.
    """
    peak, share = _compare_patches(pre, post, config)
    faint_rows, faint_columns = np.nonzero((peak > _NOISE_FLOOR) & (peak <= config.tolerance))
    for row, column in zip(faint_rows.tolist(), faint_columns.tolist(), strict=True):
        y, x = row * config.patch, column * config.patch
        block = np.s_[y : y + config.patch, x : x + config.patch]
        difference = np.maximum(pre[block], post[block]) - np.minimum(pre[block], post[block])
        share[row, column] = difference.mean() > config.mean_tolerance
    return share


def _compare_patches(
    pre: Pixels, post: Pixels, config: PreprocessConfig
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """Largest absolute difference in each patch, and the share of its values above the tolerance: (rows, columns)."""
    height, width, channels = pre.shape
    patch = config.patch
    rows = -(-height // patch)
    # One band of patches at a time stays in the cache; an equal band costs one comparison.
    peaks, counts = (np.zeros((rows, width * channels), np.uint8) for _ in range(2))
    pre_lines, post_lines = pre.reshape(height, -1), post.reshape(height, -1)
    for row in range(rows):
        before, after = pre_lines[row * patch : (row + 1) * patch], post_lines[row * patch : (row + 1) * patch]
        if not np.array_equal(before, after):
            difference = np.maximum(before, after) - np.minimum(before, after)
            np.max(difference, axis=0, out=peaks[row])
            np.sum(difference > config.tolerance, axis=0, dtype=np.uint8, out=counts[row])
    starts = np.arange(0, width * channels, patch * channels)
    peak = np.maximum.reduceat(peaks, starts, axis=1)
    count = np.add.reduceat(counts, starts, axis=1, dtype=np.uint32)
    heights = np.minimum(patch, height - patch * np.arange(rows))
    widths = np.minimum(patch, width - patch * np.arange(len(starts)))
    return peak, (count / (heights[:, None] * widths * channels)).astype(np.float32)
