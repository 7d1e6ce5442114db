"""Where text lines lie in a part of a screen, found without a network: glyphs are busy in both directions.

Straight borders change in one direction only, so they drop out; what is left is cut along empty rows and empty columns
in turn (the recursive XY-cut, Nagy and Seth 1984).
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from viscritic.screen import Screen
from viscritic.trajectory import Box

_EDGE: Final = 28  # of 255: neighbouring pixels that differ by more are an edge
_REACH: Final = 2  # pixels within which a glyph has edges of both directions
_GAP: Final = 0.5  # columns are parted where they are more than so many line heights apart ...
_LEAST_GAP: Final = 6  # ... and at least so many pixels
_HEIGHTS: Final = (5, 80)  # of a line in pixels
_LEAST_WIDTH: Final = 3
_CORNER: Final = 28  # pixels: corners of frames are smaller
_TALLEST: Final = 44  # pixels: a taller band holds more than one line, and tells nothing of a line's height
_DEPTH: Final = 4  # cuts; a table needs three

Bools = npt.NDArray[np.bool_]


def find_lines(screen: Screen, region: Box) -> list[Box]:
    """Boxes (x, y, width, height) of text lines in a region, in pixels of the screen, top to bottom, left to right.

    Words closer than a line's height belong to one line. Icons and pictures give boxes too: nobody has read them yet.

    Args:
        screen: (H, W, 3) uint8.
        region: what of it is looked at; it may stick out of the screen.
    """
    height, width = screen.shape[:2]
    left, top = max(int(region[0]), 0), max(int(region[1]), 0)
    right, bottom = min(int(np.ceil(region[0] + region[2])), width), min(int(np.ceil(region[1] + region[3])), height)
    if right - left < _LEAST_WIDTH or bottom - top < _HEIGHTS[0]:
        return []
    across, down = _edges(screen[top:bottom, left:right])
    found: list[tuple[int, int, int, int]] = []
    _cut(_widen(across) & _widen(down), 0, 0, _DEPTH, found)
    boxes = [
        (float(left + x), float(top + y), float(w), float(h))
        for x, y, w, h in found
        if _HEIGHTS[0] <= h <= _HEIGHTS[1] and w >= _LEAST_WIDTH and not _is_corner(across, down, x, y, w, h)
    ]
    return sorted(boxes, key=lambda box: (box[1], box[0]))


def _edges(pixels: Screen) -> tuple[Bools, Bools]:
    """(h, w) where a pixel differs from its left neighbour, and from the one above."""
    across, down = (np.zeros(pixels.shape[:2], np.bool_) for _ in range(2))
    for channel in range(3):
        plane = np.ascontiguousarray(pixels[:, :, channel])
        across[:, 1:] |= _differs(plane[:, 1:], plane[:, :-1])
        down[1:] |= _differs(plane[1:], plane[:-1])
    return across, down


def _is_corner(across: Bools, down: Bools, x: int, y: int, width: int, height: int) -> bool:
    """Whether a small box is the corner of a frame: a line leaves it, which no letter does."""
    if width > _CORNER or height > _CORNER:
        return False
    columns, rows = slice(x, x + width), slice(y, y + height)
    leaves = [across[r, columns] for r in (y - 2, y + height + 1) if 0 <= r < len(across)]
    leaves += [down[rows, c] for c in (x - 2, x + width + 1) if 0 <= c < across.shape[1]]
    return any(bool(line.any()) for line in leaves)


def _differs(a: npt.NDArray[np.uint8], b: npt.NDArray[np.uint8]) -> Bools:
    return np.asarray(np.maximum(a, b) - np.minimum(a, b) > _EDGE)


def _widen(mask: Bools) -> Bools:
    """True within `_REACH` pixels of a True, along rows and columns."""
    out = mask.copy()
    for step in range(1, _REACH + 1):
        out[step:] |= mask[:-step]
        out[:-step] |= mask[step:]
    wide = out.copy()
    for step in range(1, _REACH + 1):
        wide[:, step:] |= out[:, :-step]
        wide[:, :-step] |= out[:, step:]
    return wide


def _cut(busy: Bools, x: int, y: int, depth: int, found: list[tuple[int, int, int, int]]) -> None:
    """Cut along empty rows, each band along wide empty columns, and again while a cut still parts something."""
    for top, bottom in _runs(_any(busy, 1), 1):
        band = busy[top:bottom]
        gap = max(_LEAST_GAP, round(_GAP * min(bottom - top, _TALLEST)))
        for left, right in _runs(_any(band, 0), gap):
            part = band[:, left:right]
            rows = _runs(_any(part, 1), 1)
            alone = len(rows) == 1 and rows[0] == (0, bottom - top)
            if alone or depth == 0:
                found.append((x + left, y + top + rows[0][0], right - left, rows[-1][1] - rows[0][0]))
            else:
                _cut(part, x + left, y + top, depth - 1, found)


def _any(mask: Bools, axis: int) -> Bools:
    return np.asarray(mask.any(axis=axis))


def _runs(line: Bools, gap: int) -> list[tuple[int, int]]:
    """(start, end) of the runs of True that are at least `gap` apart."""
    places = np.flatnonzero(line)
    if not len(places):
        return []
    breaks = np.flatnonzero(np.diff(places) > gap)
    starts = places[np.concatenate([[0], breaks + 1])]
    ends = places[np.concatenate([breaks, [len(places) - 1]])] + 1
    return list(zip(starts.tolist(), ends.tolist(), strict=True))
