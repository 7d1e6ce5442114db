"""Weights of places as a grid over the screen."""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from viscritic.evidence import Attention

_LONG_SIDE: Final = 64  # cells along the longer side: fine enough to look at, small enough to send


def spread_attention(
    boxes: npt.NDArray[np.float32], weights: npt.NDArray[np.float32], size: tuple[int, int]
) -> Attention:
    """Spread each box's weight evenly over the cells that it covers.

    Args:
        boxes: (N, 4) x, y, width, height in pixels, inside the screen.
        weights: (N,) that sum to 1.
        size: (width, height) of the screen in pixels.
    """
    cell = max(size) / _LONG_SIDE
    columns, rows = (max(1, round(side / cell)) for side in size)
    scale = np.array([columns / size[0], rows / size[1]])
    start = boxes[:, :2] * scale
    end = (boxes[:, :2] + boxes[:, 2:]) * scale
    covered_y = _overlap(start[:, 1], end[:, 1], rows)  # (N, rows)
    covered_x = _overlap(start[:, 0], end[:, 0], columns)
    share = weights[:, None] * covered_y / covered_y.sum(axis=1, keepdims=True)
    grid = share.T @ (covered_x / covered_x.sum(axis=1, keepdims=True))
    return Attention(weights=grid.astype(np.float32), boxes=boxes, box_weights=weights)


def _overlap(start: npt.NDArray[np.float64], end: npt.NDArray[np.float64], count: int) -> npt.NDArray[np.float64]:
    """(N, count) length of each interval within each unit cell."""
    edge = np.arange(count)
    length: npt.NDArray[np.float64] = np.minimum(end[:, None], edge + 1) - np.maximum(start[:, None], edge)
    return length.clip(1e-9)
