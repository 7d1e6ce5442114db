"""What a policy that sees pixels alone can act on: flat areas with borders, and text lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from PIL import Image

from viscritic.errors import MissingExtraError
from viscritic.ocr import Recognizer, find_lines
from viscritic.screen import Screen
from viscritic.trajectory import Box

_HEIGHT: Final = 420  # pixels at which areas are looked for
_EDGE: Final = 12  # of 255: neighbours that differ by more are parted
_LEAST: Final = 7  # pixels of an area's side
_MOST: Final = 0.5  # of the screen: a larger area is a background
_FILL: Final = 0.55  # of its box that an area covers
_MOST_LINES: Final = 30
_SURE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Place:
    """Somewhere to click.

    Attributes:
        box: in pixels of the screen.
        text: what is written in it, "" for nothing.
        colour: mean of a flat area, each in [0, 1]; None for a mere line of text.
        beside: the line to its right.
    """

    box: Box
    text: str
    colour: tuple[float, float, float] | None = None
    beside: str = ""

    @property
    def centre(self) -> tuple[float, float]:
        """Its middle."""
        return self.box[0] + self.box[2] / 2, self.box[1] + self.box[3] / 2


def find_places(screen: Screen, reader: Recognizer) -> list[Place]:
    """All of them: areas first, largest last, then lines that lie in none.

    Raises:
        MissingExtraError: SciPy is not installed.
    """
    height, width = screen.shape[:2]
    boxes = find_lines(screen, (0, 0, width, height))[:_MOST_LINES]
    read = reader.read_many([(screen, box) for box in boxes])
    lines = [(line.box, line.text) for line in read if line.text and line.sureness >= _SURE]
    places, inside = [], set[Box]()
    for box, colour in _areas(screen):
        held = [(other, text) for other, text in lines if _holds(box, other)]
        inside.update(other for other, _ in held)
        places.append(Place(box, " ".join(text for _, text in held), colour, _beside(box, lines)))
    return places + [Place(box, text, None, _beside(box, lines)) for box, text in lines if box not in inside]


def _areas(screen: Screen) -> list[tuple[Box, tuple[float, float, float]]]:
    label, find_objects = _scipy()
    scale = screen.shape[0] / _HEIGHT
    size = (round(screen.shape[1] / scale), _HEIGHT)
    small = np.asarray(Image.fromarray(screen).resize(size, Image.Resampling.BOX), np.int16)
    flat = np.ones(small.shape[:2], np.bool_)
    flat[:, 1:] &= np.abs(np.diff(small, axis=1)).max(axis=2) <= _EDGE
    flat[1:] &= np.abs(np.diff(small, axis=0)).max(axis=2) <= _EDGE
    numbers, _ = label(flat)
    found = []
    for number, (rows, columns) in enumerate(find_objects(numbers), 1):
        high, wide = rows.stop - rows.start, columns.stop - columns.start
        if min(high, wide) < _LEAST or high * wide > _MOST * flat.size:
            continue
        mine: npt.NDArray[np.bool_] = numbers[rows, columns] == number
        if mine.mean() >= _FILL:
            red, green, blue = (small[rows, columns][mine].mean(axis=0) / 255).tolist()
            box = (scale * columns.start, scale * rows.start, scale * wide, scale * high)
            found.append((box, (red, green, blue)))
    return sorted(found, key=lambda item: item[0][2] * item[0][3])


def _scipy() -> tuple[Any, Any]:
    try:
        from scipy.ndimage import find_objects, label  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtraError("The cloned policy", "data", "scipy") from error
    return label, find_objects


def _holds(box: Box, line: Box) -> bool:
    x, y = line[0] + line[2] / 2, line[1] + line[3] / 2
    return box[0] <= x <= box[0] + box[2] and box[1] <= y <= box[1] + box[3]


def _beside(box: Box, lines: list[tuple[Box, str]]) -> str:
    """The nearest line to the right in the same row."""
    middle, right = box[1] + box[3] / 2, box[0] + box[2]
    row = [(line[0], text) for line, text in lines if line[1] <= middle <= line[1] + line[3] and line[0] >= right - 2]
    return min(row)[1] if row else ""
