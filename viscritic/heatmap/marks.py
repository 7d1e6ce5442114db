"""Where an action went: a ring, and an arrow for a drag, seen on every background."""

from __future__ import annotations

import math
from typing import Final

from PIL import Image, ImageDraw

from viscritic.heatmap.colours import Colour

Point = tuple[float, float]  # x, y in pixels

_DARK: Final[Colour] = (16, 18, 24)
_LIGHT: Final[Colour] = (255, 255, 255)
_ACCENT: Final[Colour] = (0, 200, 255)  # the complement of the heat colours, which hold no cyan
SMOOTHING: Final = 4  # Pillow draws jagged curves: draw so much larger, then shrink


def draw_mark(picture: Image.Image, point: Point, end: Point | None = None) -> None:
    """Mark `point`, and the way to `end` where there is one, on the picture itself.

    A point outside is marked at the nearest border, its ring cut in half. The ring is cyan between a white and a dark
    outline, hollow, so that it hides nothing of the target.
    """
    radius = mark_radius(picture.size)
    line = max(2.0, radius / 6)
    start = _onto(picture, point)
    corners = [start] if end is None else [start, _onto(picture, end)]
    reach = radius + 4 * line
    left, top = (math.floor(min(c[axis] for c in corners) - reach) for axis in (0, 1))
    right, bottom = (math.ceil(max(c[axis] for c in corners) + reach) for axis in (0, 1))
    layer = Image.new("RGBA", ((right - left) * SMOOTHING, (bottom - top) * SMOOTHING))
    moved = [((x - left) * SMOOTHING, (y - top) * SMOOTHING) for x, y in corners]
    _draw(ImageDraw.Draw(layer), moved, radius * SMOOTHING, line * SMOOTHING)
    layer = layer.reduce(SMOOTHING)
    picture.paste(layer.convert("RGB"), (left, top), layer)


def mark_radius(size: tuple[int, int]) -> float:
    """The ring's radius in pixels for a picture of (width, height)."""
    return min(26.0, max(9.0, min(size) / 45))


def _onto(picture: Image.Image, point: Point) -> Point:
    x, y = point
    return min(max(x, 0.0), picture.width - 1.0), min(max(y, 0.0), picture.height - 1.0)


def _draw(draw: ImageDraw.ImageDraw, corners: list[Point], radius: float, line: float) -> None:
    for extra, colour in ((2.0, _DARK), (1.0, _LIGHT), (0.0, _ACCENT)):
        width = line * (1 + extra)
        if len(corners) == 2:
            _draw_arrow(draw, corners, radius, width, colour)
        x, y = corners[0]
        outer = radius + width / 2
        draw.ellipse((x - outer, y - outer, x + outer, y + outer), outline=colour, width=round(width))


def _draw_arrow(draw: ImageDraw.ImageDraw, corners: list[Point], radius: float, width: float, colour: Colour) -> None:
    start, end = corners
    length = math.dist(start, end)
    if length <= radius:
        return
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    first = (start[0] + along[0] * radius, start[1] + along[1] * radius)
    draw.line((first, end), fill=colour, width=round(width))
    for turn in (-0.45, 0.45):
        c, s = math.cos(turn), math.sin(turn)
        tip = (along[0] * c - along[1] * s, along[0] * s + along[1] * c)
        draw.line((end, (end[0] - tip[0] * radius, end[1] - tip[1] * radius)), fill=colour, width=round(width))
