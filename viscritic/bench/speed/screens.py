"""Made-up screens: pages of text with buttons, and what may change on them. The same everywhere, without any file."""

from __future__ import annotations

import random
from typing import Final, Literal, NamedTuple, get_args

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from viscritic.screen import Screen

Change = Literal["nothing", "a word", "a dialog", "a page"]
CHANGES: Final[tuple[Change, ...]] = get_args(Change)
_WORDS: Final = (
    "save", "order", "invoice", "report", "settings", "account", "password", "window", "search", "folder", "message",
    "calendar", "total", "amount", "price", "customer", "delivery", "address", "archive", "open", "recent", "project",
    "network", "language", "update", "download", "upload", "history", "print",
)  # fmt: skip
_LINE: Final = 30  # pixels from one line of text to the next
_WORD: Final = (0.06, 0.02)  # of the screen's width and height
_DIALOG: Final = (0.36, 0.37)
_SHIFT: Final = 3  # pixels by which one round's screen differs from the last one's


class Pair(NamedTuple):
    """A transition to measure: the screens, and the point of the click between them in pixels."""

    pre: Screen
    post: Screen
    point: tuple[int, int]


class Scene:
    """A page of one size, and each round's variant of it, which no cache has seen."""

    def __init__(self, width: int, height: int) -> None:
        self._size = (width, height)
        self._page, self._other = (_draw_page(width, height, seed) for seed in (1, 2))

    def pair(self, change: Change, turn: int) -> Pair:
        """The pair of a round."""
        width, height = self._size
        page = np.roll(self._page, _SHIFT * turn, axis=1)
        point = (width // 2, height // 2)
        if change == "nothing":
            return Pair(page, page.copy(), point)
        if change == "a page":
            return Pair(page, np.roll(self._other, _SHIFT * turn, axis=1), point)
        return Pair(page, cover(page, _WORD if change == "a word" else _DIALOG), point)

    def changed(self, share: float, turn: int) -> Pair:
        """A pair of which about this share of the area changed, in [0, 1]."""
        page = np.roll(self._page, _SHIFT * turn, axis=1)
        point = (self._size[0] // 2, self._size[1] // 2)
        return Pair(page, cover(page, (share**0.5, share**0.5)) if share else page.copy(), point)

    def walk(self, turn: int) -> tuple[Pair, Pair]:
        """Two steps in a row: a dialog opens, another one takes its place."""
        first = self.pair("a dialog", turn)
        post = cover(first.pre, _DIALOG, seed=4)
        return first, Pair(first.post, post, first.point)


def cover(page: Screen, share: tuple[float, float], seed: int = 3) -> Screen:
    """The page with a box of text over its middle.

    Args:
        share: of the page's width and height.
        seed: of its text.
    """
    height, width = page.shape[:2]
    wide, high = max(24, round(width * share[0])), max(18, round(height * share[1]))
    left, top = (width - wide) // 2, (height - high) // 2
    image = Image.fromarray(page)
    image.paste(Image.fromarray(_draw_page(wide, high, seed)), (left, top))
    return np.asarray(image)


def _draw_page(width: int, height: int, seed: int) -> Screen:
    """(height, width, 3) uint8: lines of words and some buttons."""
    chance = random.Random(seed)
    image = Image.new("RGB", (width, height), (255 - 9 * seed, 250, 255 - 4 * seed))
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(15)
    for top in range(6, height - 12, _LINE):
        left = 10
        while left < width - 60:
            word = " ".join(chance.sample(_WORDS, 3))
            long = int(draw.textlength(word, font))
            if chance.random() < 0.2:
                draw.rounded_rectangle((left - 6, top - 4, left + long + 6, top + 20), 4, fill=(60, 100, 200))
            draw.text((left, top), word, fill=(20, 30, 40), font=font)
            left += long + chance.randrange(40, 260)
    return np.asarray(image)
