"""Which places of a screen become tokens, and their pixels.

A place is a square box of `patch * 2**level` pixels; both screens are cut at the same places. Places of a change
come at the finest level whose count fits the budget: a ticked box is seen at native resolution, a new page as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PIL import Image

from viscritic.preprocess.change import Pixels
from viscritic.preprocess.config import PreprocessConfig


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """N square boxes of one screen.

    Attributes:
        boxes: (N, 4) float32 x, y, width, height in pixels.
        changed: (N,) bool, chosen since something changed in it.
        window: (N,) bool, lies in the window around the action's point.
    """

    boxes: npt.NDArray[np.float32]
    changed: npt.NDArray[np.bool_]
    window: npt.NDArray[np.bool_]


def choose_places(
    changed: npt.NDArray[np.bool_], size: tuple[int, int], point: tuple[float, float] | None, config: PreprocessConfig
) -> Places:
    """Boxes over what changed, then native boxes around the action's point.

    Args:
        changed: (rows, columns) of the native grid, where `change_amounts` is above 0.
        size: (width, height) of the screens in pixels.
        point: where the action acts, inside the screen; None where it has no such point.
    """
    change_boxes = _cover(changed, size, config)
    window_boxes = _window(size, point, config)
    if len(change_boxes) and len(window_boxes):
        # A native change box inside the window is the window's own box, if they share the grid: keep one of them.
        known = {tuple(box) for box in change_boxes.tolist()}
        window_boxes = window_boxes[[tuple(box) not in known for box in window_boxes.tolist()]]
    boxes = np.concatenate([change_boxes, window_boxes])
    return Places(
        boxes=boxes,
        changed=np.arange(len(boxes)) < len(change_boxes),
        window=_inside(boxes, window_bounds(size, point, config), config.patch),
    )


def window_bounds(
    size: tuple[int, int], point: tuple[float, float] | None, config: PreprocessConfig
) -> tuple[int, int, int, int] | None:
    """The window around the point as native grid rows and columns: first column, first row, end column, end row."""
    columns, rows = config.window
    if point is None or columns == 0 or rows == 0:
        return None
    grid = (-(-size[0] // config.patch), -(-size[1] // config.patch))
    left = min(max(int(point[0] // config.patch) - columns // 2, 0), max(grid[0] - columns, 0))
    top = min(max(int(point[1] // config.patch) - rows // 2, 0), max(grid[1] - rows, 0))
    return left, top, min(left + columns, grid[0]), min(top + rows, grid[1])


def cut_patches(screen: Pixels, boxes: npt.NDArray[np.float32], patch: int) -> npt.NDArray[np.uint8]:
    """The pixels of each box, shrunk to a patch by averaging: (N, 3 * patch * patch) uint8, channel first.

    Boxes are square, their sides whole multiples of `patch`, and they lie inside the screen.
    """
    out = np.empty((len(boxes), patch, patch, 3), np.uint8)
    sides = boxes[:, 2].astype(np.int64)
    corners = boxes[:, :2].astype(np.int64)
    for side in np.unique(sides).tolist():
        chosen = np.flatnonzero(sides == side)
        if side == patch:
            view = np.lib.stride_tricks.sliding_window_view(screen, (side, side, 3))[:, :, 0]  # (H', W', side, side, 3)
            out[chosen] = view[corners[chosen, 1], corners[chosen, 0]]
            continue
        left, top = corners[chosen].min(axis=0).tolist()
        right, bottom = (corners[chosen].max(axis=0) + side).tolist()
        image = Image.fromarray(screen[top:bottom, left:right])
        for index in chosen.tolist():
            x, y = (corners[index] - (left, top)).tolist()
            reduced = image.reduce(side // patch, (x, y, x + side, y + side))  # exact: the factor is a power of 2
            out[index] = np.asarray(reduced)
    return np.ascontiguousarray(out.transpose(0, 3, 1, 2)).reshape(len(boxes), 3 * patch * patch)


def cut_thumbnail(screen: Pixels, config: PreprocessConfig) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.float32]]:
    """The whole screen in at most `thumbnail_tokens` tokens of nearly square shape.

    Returns:
        patches (N, 3 * patch * patch) uint8, channel first, and boxes (N, 4) float32 in pixels of the screen.
    """
    height, width = screen.shape[:2]
    columns, rows = _thumbnail_grid(width, height, config.thumbnail_tokens)
    patch = config.patch
    image = Image.fromarray(screen)
    small = np.asarray(image.resize((columns * patch, rows * patch), Image.Resampling.BOX, reducing_gap=2.0))
    cells = small.reshape(rows, patch, columns, patch, 3).transpose(0, 2, 4, 1, 3)
    y, x = np.divmod(np.arange(rows * columns), columns)
    cell = np.array([width / columns, height / rows])
    boxes = np.stack([x * cell[0], y * cell[1], np.full(len(x), cell[0]), np.full(len(x), cell[1])], axis=1)
    return cells.reshape(rows * columns, -1), boxes.astype(np.float32)


def _thumbnail_grid(width: int, height: int, budget: int) -> tuple[int, int]:
    """(columns, rows) whose cells are nearest to squares, with columns * rows <= budget."""
    options = [(columns, budget // columns) for columns in range(1, budget + 1)]
    return min(options, key=lambda grid: (abs(np.log((width / grid[0]) / (height / grid[1]))), -grid[0] * grid[1]))


def _cover(changed: npt.NDArray[np.bool_], size: tuple[int, int], config: PreprocessConfig) -> npt.NDArray[np.float32]:
    """Boxes (N, 4) over all changed patches, at the finest level at which they number at most `changed_tokens`."""
    if config.changed_tokens == 0 or not changed.any():
        return np.zeros((0, 4), np.float32)
    cells, level = changed, 0
    while np.count_nonzero(cells) > config.changed_tokens and config.patch << (level + 1) <= min(size):
        cells, level = _halve(cells), level + 1
    y, x = np.nonzero(cells)
    if len(y) > config.changed_tokens:  # a long thin screen: keep an even spread, in reading order
        keep = np.linspace(0, len(y) - 1, config.changed_tokens).round().astype(np.int64)
        y, x = y[keep], x[keep]
    return _grid_boxes(x, y, config.patch << level, size)


def _halve(cells: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Each cell of the coarser grid is set where one of its four is."""
    rows, columns = cells.shape
    padded = np.zeros((rows + rows % 2, columns + columns % 2), np.bool_)
    padded[:rows, :columns] = cells
    return np.asarray(padded.reshape(padded.shape[0] // 2, 2, padded.shape[1] // 2, 2).any(axis=(1, 3)))


def _window(
    size: tuple[int, int], point: tuple[float, float] | None, config: PreprocessConfig
) -> npt.NDArray[np.float32]:
    bounds = window_bounds(size, point, config)
    if bounds is None:
        return np.zeros((0, 4), np.float32)
    y, x = np.mgrid[bounds[1] : bounds[3], bounds[0] : bounds[2]].reshape(2, -1)
    return _grid_boxes(x, y, config.patch, size)


def _grid_boxes(
    x: npt.NDArray[np.int64], y: npt.NDArray[np.int64], side: int, size: tuple[int, int]
) -> npt.NDArray[np.float32]:
    """Boxes of grid cells; one that would stick out is moved inside, so that no pixel is made up."""
    left, top = np.minimum(x * side, size[0] - side), np.minimum(y * side, size[1] - side)
    return np.stack([left, top, np.full_like(left, side), np.full_like(top, side)], axis=1).astype(np.float32)


def _inside(
    boxes: npt.NDArray[np.float32], bounds: tuple[int, int, int, int] | None, patch: int
) -> npt.NDArray[np.bool_]:
    """Whether a box's centre lies in the window."""
    if bounds is None:
        return np.zeros(len(boxes), np.bool_)
    centre = boxes[:, :2] + boxes[:, 2:] / 2
    low, high = np.array(bounds[:2]) * patch, np.array(bounds[2:]) * patch
    return np.asarray(((centre >= low) & (centre < high)).all(axis=1))
