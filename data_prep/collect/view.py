"""How a page is looked at, and the way from pixels of the screen to those of the page and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from viscritic.actions.action import Point
from viscritic.trajectory import Box


@dataclass(frozen=True, slots=True)
class View:
    """How the page is looked at.

    Attributes:
        width, height: of the viewport in CSS pixels; a screen has `scale` times as many.
        mobile: a phone's browser with a touch screen.
        dark: the colour scheme that the page is told to prefer.
    """

    width: int = 1280
    height: int = 800
    scale: float = 1.0
    mobile: bool = False
    dark: bool = False

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of a screen in pixels."""
        return round(self.width * self.scale), round(self.height * self.scale)

    def css(self, point: Point, origin: Point) -> Point:
        """A point of the screen in CSS pixels of the viewport that begins at `origin` on the screen."""
        return (point[0] - origin[0]) / self.scale, (point[1] - origin[1]) / self.scale

    def css_box(self, box: Box, origin: Point) -> Box:
        """A box of the screen in CSS pixels of the viewport."""
        return *self.css((box[0], box[1]), origin), box[2] / self.scale, box[3] / self.scale

    def screen_box(self, box: Sequence[float], origin: Point) -> Box:
        """A box in CSS pixels of the viewport as it lies on the screen."""
        x, y, width, height = (round(self.scale * side, 1) for side in box)
        return x + origin[0], y + origin[1], width, height
