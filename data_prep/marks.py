"""Marks that an agent's software drew on its screens: they give the action away, or hide what it did.

Two kinds are looked for in the pixels, since nothing in the files tells of them:

- **sets of marks** (J. Yang et al., Set-of-Mark prompting unleashes extraordinary visual grounding in GPT-4V, 2023): a
  frame or a numbered tag at every element. Tags are small boxes, black with white text and sharp corners, of one
  height; frames are thin outlines of a strong colour with sharp corners. Designers use such things as well, but not
  many at once, and not in colours of full strength or of many colours.
- **tap markers**: a dot, ring or crosshair where the action went. At the points of several actions far from one another
  the same strong colour stands at the same place, and around it the screens differ.

An agent has its screens marked in the whole of a run or not at all, so some screens of each run are looked at. In JPEG
the colours of thin lines are lost: there only tags and tap markers are found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import wraps
from importlib.util import find_spec
from math import dist
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from data_prep.similarity import Source
from viscritic.errors import MissingExtraError, ScreenError
from viscritic.screen import load_screen
from viscritic.trajectory import Step, Trajectory

Pixels = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]
_Box = tuple[slice, slice]
_SCREENS: Final = 3  # of a run that are searched for sets of marks
_POINTS: Final = 6  # of a run that are searched for tap markers, and the fewest:
_FEWEST_POINTS: Final = 4
_FEWEST: Final = 4  # tags or frames of a set
_STRONG: Final = 100  # difference of the largest and the smallest channel of a strong colour
_LINE: Final = 10  # px; the shortest side of a frame
_THICK: Final = 6  # px; what is as thick is no line
_COLOURS: Final = 40  # strong colours of a screen that are searched, the most frequent ones
_REACH: Final = 40  # px around a point that are compared
_CENTRE: Final = 20  # px from the point within which a marker is looked for
_FEWEST_PIXELS: Final = 25
_TOLERANCE: Final = 40  # of a channel, between two copies of a marker in JPEG


def find_marks(trajectory: Trajectory) -> Trajectory:
    """The trajectory with its steps told of as marked where its screens are, and a note that says so.

    Screens that cannot be read are left to whoever needs them.
    """
    steps = [step for step in trajectory.steps if not step.marked]
    kind = ""
    if any(map(_shows_set, _spread(steps, _SCREENS))):
        kind = "sets of marks"
    elif has_tap_markers(steps):
        kind = "tap markers"
    if not kind:
        return trajectory
    note = f"{trajectory.id}: its screens show {kind}, which give the actions away; it makes no samples"
    marked = tuple(replace(step, marked=True) for step in trajectory.steps)
    return replace(trajectory, steps=marked, notes=(*trajectory.notes, note))


def _spread(steps: Sequence[Step], number: int) -> list[Step]:
    places = np.linspace(0, len(steps) - 1, min(number, len(steps))).round().astype(int)
    return [steps[place] for place in places]


def _shows_set(step: Step) -> bool:
    pixels = _load(step.pre)
    return pixels is not None and has_set_of_marks(pixels)


def _load(source: Source) -> Pixels | None:
    try:
        return load_screen(source)
    except ScreenError:
        return None


def has_set_of_marks(pixels: Pixels) -> bool:
    """Whether a screen, (H, W, 3) uint8, shows numbered tags or coloured frames at its elements.

    Raises:
        MissingExtraError: scikit-image is not installed.
    """
    return _count_tags(pixels) >= _FEWEST or _has_frames(pixels)


def _count_tags(pixels: Pixels) -> int:
    """Black boxes with white text, of the height that most of them have."""
    black: Mask = pixels.max(axis=2) < 40
    white: Mask = pixels.min(axis=2) > 200
    heights = [box[0].stop - box[0].start for box in _components(black) if _is_tag(box, black, white)]
    return max((sum(abs(height - other) <= 1 for other in heights) for height in heights), default=0)


def _is_tag(box: _Box, black: Mask, white: Mask) -> bool:
    height, width = box[0].stop - box[0].start, box[1].stop - box[1].start
    if not (9 <= height <= 30 and 8 <= width <= 60):
        return False
    inside, text = black[box], white[box]
    corners = inside[[0, 0, -1, -1], [0, -1, 0, -1]].all()
    edges = np.concatenate([inside[0], inside[-1], inside[:, 0], inside[:, -1]])
    return bool(corners and edges.mean() > 0.95 and 0.05 < text.mean() < 0.5 and inside.mean() > 0.4)


def _has_frames(pixels: Pixels) -> bool:
    """Whether thin frames of strong colours are drawn as no designer draws them."""
    corners = {colour: found for colour, mask in _strong_colours(pixels) if (found := _count_corners(mask)) >= 3}
    pure = sum(
        found for colour, found in corners.items() if all(part in (0, 255) for part in colour.to_bytes(3, "big"))
    )
    return pure >= 3 * _FEWEST or (len(corners) >= _FEWEST and sum(corners.values()) >= 3 * _FEWEST)


def _strong_colours(pixels: Pixels) -> Iterator[tuple[int, Mask]]:
    """The most frequent strong colours, each with where it stands; neither specks nor large surfaces."""
    strong = pixels.max(axis=2) - pixels.min(axis=2) >= _STRONG
    codes = (pixels[strong].astype(np.uint32) @ np.array([65536, 256, 1], np.uint32)).astype(np.uint32)
    values, counts = np.unique(codes, return_counts=True)
    usable = (counts >= 60) & (counts <= strong.size / 16)
    for value in values[usable][np.argsort(-counts[usable], kind="stable")][:_COLOURS]:
        mask = np.zeros(strong.shape, bool)
        mask[strong] = codes == value
        rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
        yield int(value), mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def _count_corners(mask: Mask) -> int:
    """Where a thin horizontal line meets a thin vertical one."""
    opening = _import_ndimage().binary_opening
    lines = mask & ~opening(mask, np.ones((_THICK, _THICK), bool))
    across = opening(lines, np.ones((1, _LINE), bool))
    return len(_components(across & opening(lines, np.ones((_LINE, 1), bool))))


def _components(mask: Mask) -> list[_Box]:
    """The boxes of the connected parts of a mask."""
    ndimage = _import_ndimage()
    labels, _ = ndimage.label(mask, np.ones((3, 3), bool))
    found: list[_Box] = ndimage.find_objects(labels)
    return found


def _import_ndimage() -> Any:
    try:
        from scipy import ndimage  # noqa: PLC0415  # comes with scikit-image, and is slow to import
    except ImportError as error:
        raise MissingExtraError("looking for marks", "data", "scipy") from error
    return ndimage


def has_tap_markers(steps: Sequence[Step]) -> bool:
    """Whether the same marker stands at the points of several actions, on the screens before them."""
    points: list[tuple[float, float]] = []
    patches: list[Pixels] = []
    for step in steps:
        point = step.actions[0].point
        if point is None or any(dist(point, other) < 2 * _REACH for other in points):
            continue
        pixels = _load(step.pre)
        patch = None if pixels is None else _patch(pixels, point)
        if patch is not None:
            points.append(point)
            patches.append(patch)
        if len(patches) == _POINTS:
            break
    return len(patches) >= _FEWEST_POINTS and _share_marker(np.stack(patches).astype(np.int16))


def _patch(pixels: Pixels, point: tuple[float, float]) -> Pixels | None:
    x, y = round(point[0]), round(point[1])
    if not (_REACH <= x < pixels.shape[1] - _REACH and _REACH <= y < pixels.shape[0] - _REACH):
        return None
    return pixels[y - _REACH : y + _REACH + 1, x - _REACH : x + _REACH + 1]


def _share_marker(patches: npt.NDArray[np.int16]) -> bool:
    """Whether patches (N, h, w, 3) around different points share a strong colour in their middle, and not outside."""
    middle = np.median(patches, axis=0)  # (h, w, 3)
    same = (np.abs(patches - middle) <= _TOLERANCE).all(axis=(0, 3))
    strong = same & (middle.max(axis=2) - middle.min(axis=2) >= _STRONG)
    rows, columns = np.mgrid[-_REACH : _REACH + 1, -_REACH : _REACH + 1]
    centre = rows**2 + columns**2 <= _CENTRE**2
    return int(strong[centre].sum()) >= _FEWEST_PIXELS and float(strong[~centre].mean()) < 0.05


def watch_for_marks(read: Callable[..., Iterator[Trajectory]]) -> Callable[..., Iterator[Trajectory]]:
    """A reader that tells of the marks on the screens of what another one reads.

    An audit needs no extra: without `data` nothing is searched. Whatever makes samples needs that extra anyway.
    """

    @wraps(read)
    def read_and_look(path: Path | str, /, *, strict: bool = False) -> Iterator[Trajectory]:
        trajectories = read(path, strict=strict)
        yield from map(find_marks, trajectories) if find_spec("skimage") else trajectories

    return read_and_look
