"""Text on pictures: wrapped so that it always fits, in the font that Pillow carries.

The font holds little more than ASCII. Accents are dropped and common signs spelled out; what is left of other scripts
shows as boxes.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from viscritic.heatmap.colours import Colour
from viscritic.heatmap.marks import SMOOTHING

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont

_DARK: Final[Colour] = (16, 18, 24)
_LIGHT: Final[Colour] = (245, 246, 248)
_SPELLED: Final[dict[str, str | int | None]] = {
    "\N{EURO SIGN}": "EUR ",
    "\N{POUND SIGN}": "GBP ",
    "\N{RIGHTWARDS ARROW}": "->",
    "\N{EN DASH}": "-",
    "\N{EM DASH}": "-",
    "\N{MINUS SIGN}": "-",
    "\N{LATIN SMALL LETTER SHARP S}": "ss",
    "\N{LATIN SMALL LETTER L WITH STROKE}": "l",
}


@lru_cache(maxsize=16)
def load_font(size: int) -> Font:
    """Pillow's own font at a height of `size` pixels."""
    return ImageFont.load_default(size)


def line_height(size: int) -> int:
    """Pixels from one line of text to the next."""
    return round(size * 1.35)


def wrap(text: str, size: int, width: float, *, lines: int = 12) -> list[str]:
    """The text as lines of at most `width` pixels; beyond `lines` of them it ends in "...".

    White space becomes single spaces; a word too long for a line is cut.
    """
    font = load_font(size)
    wrapped = [""]
    # Hardly a letter is narrower than a pixel: what lies beyond this length is never shown.
    for word in _drawable(" ".join(text.split())[: round(lines * width) + 1]).split():
        joined = f"{wrapped[-1]} {word}" if wrapped[-1] else word
        if font.getlength(joined) <= width:
            wrapped[-1] = joined
            continue
        pieces = _cut(word, font, width)
        wrapped = [*(wrapped if wrapped[-1] else wrapped[:-1]), *pieces]
        if len(wrapped) > lines:
            break
    if len(wrapped) > lines:
        last = wrapped[lines - 1]
        while last and font.getlength(last + "...") > width:
            last = last[:-1]
        wrapped = [*wrapped[: lines - 1], last + "..."]
    return wrapped


def _drawable(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.translate(str.maketrans(_SPELLED)))
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter))


def _cut(word: str, font: Font, width: float) -> list[str]:
    pieces = [""]
    for letter in word:
        if pieces[-1] and font.getlength(pieces[-1] + letter) > width:
            pieces.append("")
        pieces[-1] += letter
    return pieces


def draw_lines(picture: Image.Image, at: tuple[int, int], lines: list[str], size: int, colour: Colour) -> int:
    """Draw lines from the upper left corner `at` down; the height that they take."""
    draw = ImageDraw.Draw(picture)
    for row, line in enumerate(lines):
        draw.text((at[0], at[1] + row * line_height(size)), line, fill=colour, font=load_font(size))
    return len(lines) * line_height(size)


def draw_label(picture: Image.Image, text: str) -> None:
    """A dark plate with at most three lines of light text in the lower left corner of the picture."""
    size = min(22, max(13, round(min(picture.size) / 36)))
    pad = size // 2
    lines = wrap(text, size, picture.width - 4 * pad, lines=3)
    font = load_font(size)
    width = round(max(font.getlength(line) for line in lines)) + 2 * pad
    height = len(lines) * line_height(size) + pad
    left, top = pad, picture.height - height - pad
    draw_plate(picture, (left, top, left + width, top + height), pad, _DARK, opacity=225)
    draw_lines(picture, (left + pad, top + pad // 2), lines, size, _LIGHT)


def draw_plate(
    picture: Image.Image, box: tuple[int, int, int, int], radius: int, colour: Colour, *, opacity: int = 255
) -> None:
    """Fill (left, top, right, bottom) with a colour, its corners rounded; an opacity of 255 hides what is under it."""
    size = (box[2] - box[0], box[3] - box[1])
    large = Image.new("L", (size[0] * SMOOTHING, size[1] * SMOOTHING))
    corner = (large.width - 1, large.height - 1)
    ImageDraw.Draw(large).rounded_rectangle((0, 0, *corner), radius=radius * SMOOTHING, fill=opacity)
    picture.paste(colour, box, large.reduce(SMOOTHING))
