"""Text on pictures: wrapped so that it always fits.

Pillow's own font holds little more than ASCII. Accents of Latin letters are dropped and common signs spelled out; other
scripts are drawn in a font of this machine (`viscritic.heatmap.fonts`).
"""

from __future__ import annotations

import unicodedata
from typing import Final

from PIL import Image, ImageDraw

from viscritic.heatmap.colours import Colour
from viscritic.heatmap.fonts import draw_text, text_width
from viscritic.heatmap.marks import SMOOTHING

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


def line_height(size: int) -> int:
    """Pixels from one line of text to the next."""
    return round(size * 1.35)


def wrap(text: str, size: int, width: float, *, lines: int = 12) -> list[str]:
    """The text as lines of at most `width` pixels; beyond `lines` of them it ends in "...".

    White space becomes single spaces; a word too long for a line is cut.
    """
    wrapped = [""]
    # Hardly a letter is narrower than a pixel: what lies beyond this length is never shown.
    for word in _drawable(" ".join(text.split())[: round(lines * width) + 1]).split():
        joined = f"{wrapped[-1]} {word}" if wrapped[-1] else word
        if text_width(joined, size) <= width:
            wrapped[-1] = joined
            continue
        pieces = _cut(word, size, width)
        wrapped = [*(wrapped if wrapped[-1] else wrapped[:-1]), *pieces]
        if len(wrapped) > lines:
            break
    if len(wrapped) > lines:
        last = wrapped[lines - 1]
        while last and text_width(last + "...", size) > width:
            last = last[:-1]
        wrapped = [*wrapped[: lines - 1], last + "..."]
    return wrapped


def _drawable(text: str) -> str:
    composed = unicodedata.normalize("NFC", text.translate(str.maketrans(_SPELLED)))
    return "".join(letter if letter.isascii() else _bare(letter) for letter in composed)


def _bare(letter: str) -> str:
    """A Latin letter without its accents; another as it is, since a Hangul or kana letter is not its parts."""
    parts = unicodedata.normalize("NFKD", letter)
    plain = "".join(part for part in parts if not unicodedata.combining(part))
    return plain if plain.isascii() else letter


def _cut(word: str, size: int, width: float) -> list[str]:
    pieces = [""]
    for letter in word:
        if pieces[-1] and text_width(pieces[-1] + letter, size) > width:
            pieces.append("")
        pieces[-1] += letter
    return pieces


def draw_lines(picture: Image.Image, at: tuple[int, int], lines: list[str], size: int, colour: Colour) -> int:
    """Draw lines from the upper left corner `at` down; the height that they take."""
    draw = ImageDraw.Draw(picture)
    for row, line in enumerate(lines):
        draw_text(draw, (at[0], at[1] + row * line_height(size)), line, size, colour)
    return len(lines) * line_height(size)


def draw_label(picture: Image.Image, text: str) -> None:
    """A dark plate with at most three lines of light text in the lower left corner of the picture."""
    size = min(22, max(13, round(min(picture.size) / 36)))
    pad = size // 2
    lines = wrap(text, size, picture.width - 4 * pad, lines=3)
    width = round(max(text_width(line, size) for line in lines)) + 2 * pad
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
