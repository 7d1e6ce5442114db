"""Attention drawn over the post screen."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import numpy.typing as npt
from PIL import Image

from viscritic.errors import DataError
from viscritic.heatmap.colours import heat_colours
from viscritic.heatmap.marks import Point, draw_mark
from viscritic.heatmap.text import draw_label
from viscritic.screen import ScreenSource, load_screen

_COLOUR_KEPT: Final = 0.4  # of the screen's own colour, so that no button is taken for heat
_CONTRAST_KEPT: Final = 0.86  # lifts black and lowers white: both ends of the scale stand out from what is left
_OPACITY: Final = 0.62  # at the largest weight; the text under it can still be read
_FLOOR: Final = 0.03  # of the largest weight; below it nothing is drawn


def draw_heatmap(
    post: ScreenSource, weights: npt.NDArray[np.floating[Any]], *, point: Point | None = None, label: str | None = None
) -> Image.Image:
    """The post screen in muted colours, and over it where the critic looked.

    The colour and the opacity of a place tell its weight relative to the largest one (`heat_colours`).

    Args:
        post: the screen, as `load_screen` takes it.
        weights: (h, w) non-negative, as in `Attention.weights`: a grid over the whole screen; all zero draws nothing.
        point: where the action went, in pixels of `post`; one outside is marked at the nearest border.
        label: a line or two for the lower left corner.

    Returns:
        An RGB image of the size of `post`.

    Raises:
        ScreenError: `post` is not a usable screen.
        DataError: the weights are not a grid of finite, non-negative numbers.
    """
    picture = blend_heat(Image.fromarray(load_screen(post, name="post")), weights)
    if point is not None:
        draw_mark(picture, point)
    if label:
        draw_label(picture, label)
    return picture


def blend_heat(screen: Image.Image, weights: npt.NDArray[np.floating[Any]]) -> Image.Image:
    """The heat alone, over an RGB image; see `draw_heatmap`."""
    heat = _spread(weights, screen.size)
    return Image.composite(_coloured(heat), _muted(screen), _opacity(heat))


def _spread(weights: npt.NDArray[np.floating[Any]], size: tuple[int, int]) -> Image.Image:
    """Mode L: each pixel's weight, 255 for the largest, interpolated between the cells' centres."""
    grid = np.asarray(weights)
    if grid.ndim != 2 or grid.size == 0 or not np.isfinite(grid).all() or (grid < 0).any():
        raise DataError(f"attention weights must be an (h, w) grid of non-negative numbers, got shape {grid.shape}")
    largest = float(grid.max())
    if largest == 0:
        return Image.new("L", size)
    cells = Image.fromarray((grid / largest).astype(np.float32))
    fine = np.asarray(cells.resize(size, Image.Resampling.BICUBIC))
    return Image.fromarray(np.rint(np.clip(fine, 0, 1) * 255).astype(np.uint8))


def _muted(screen: Image.Image) -> Image.Image:
    grey = screen.convert("L").convert("RGB")
    pale = Image.blend(grey, screen, _COLOUR_KEPT)
    return Image.blend(Image.new("RGB", screen.size, (128, 128, 128)), pale, _CONTRAST_KEPT)


def _coloured(heat: Image.Image) -> Image.Image:
    colours = heat.copy()
    colours.putpalette(heat_colours().tobytes())
    return colours.convert("RGB")


def _opacity(heat: Image.Image) -> Image.Image:
    share = np.clip((np.arange(256) / 255 - _FLOOR) / (1 - _FLOOR), 0, 1)
    table = np.rint(255 * _OPACITY * np.sqrt(share)).astype(int)
    return heat.point(table.tolist())
