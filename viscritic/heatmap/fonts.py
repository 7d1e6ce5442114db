"""Letters of every script: Pillow's own font, and where it lacks a letter, a font of this machine that has it.

Nothing is downloaded. `missing_letters` tells what no font here has; it is drawn as a box.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from typing import Final

from PIL import ImageDraw, ImageFont

from viscritic.heatmap.colours import Colour

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont
ADVICE: Final = "fonts-noto-cjk"  # Debian's package of Chinese, Japanese and Korean
# Beginnings of file names, without spaces, of fonts that hold much, in the order in which they are tried.
_FAMILIES: Final = (
    "dejavusans.", "notosanscjk", "notosanssc", "notosansjp", "notosanskr", "sourcehansans", "wqy", "droidsansfallback",
    "pingfang", "hiraginosans", "msyh", "simsun", "yugoth", "malgun", "nanumgothic", "notosans-regular", "notosans.",
    "notosansarabic", "notosanshebrew", "notosansdevanagari", "notosansthai", "arialunicode", "arialuni", "segoeui.",
    "unifont", "freesans.", "notoserifcjk",
)  # fmt: skip
_ENDINGS: Final = (".ttf", ".otf", ".ttc")
_NO_LETTER: Final = "\uffff"  # no font has it: what it looks like is what a missing letter looks like


@lru_cache(maxsize=64)
def load_font(size: int) -> Font:
    """Pillow's own font at a height of `size` pixels."""
    return ImageFont.load_default(size)


def text_width(text: str, size: int) -> float:
    """Pixels that a line of text takes."""
    return sum(font.getlength(piece) for font, piece in _pieces(text, size))


def draw_text(draw: ImageDraw.ImageDraw, at: tuple[float, float], text: str, size: int, colour: Colour) -> None:
    """Draw one line of text from its upper left corner."""
    x, y = at
    own = load_font(size)
    for font, piece in _pieces(text, size):
        if font is own or not isinstance(own, ImageFont.FreeTypeFont) or not isinstance(font, ImageFont.FreeTypeFont):
            draw.text((x, y), piece, fill=colour, font=font)
        else:  # on the baseline of the others
            draw.text((x, y + own.getmetrics()[0]), piece, fill=colour, font=font, anchor="ls")
        x += font.getlength(piece)


def missing_letters(text: str) -> str:
    """The letters of a text that no font of this machine has, each once."""
    return "".join(letter for letter in dict.fromkeys(text) if letter.isprintable() and _choose(letter) is None)


def tell_missing(text: str) -> str:
    """What to do about letters that show as boxes, in a few words; "" where there are none."""
    missing = missing_letters(text)
    return f"no font here has {len(missing)} of these letters, shown as boxes (apt-get install {ADVICE})" * bool(
        missing
    )


def _pieces(text: str, size: int) -> Iterator[tuple[Font, str]]:
    """The text in pieces of one font each."""
    if text.isascii():
        yield load_font(size), text
        return
    for path, letters in groupby(text, key=_choose):
        yield _open(path, size) if path else load_font(size), "".join(letters)


@lru_cache(maxsize=4096)
def _choose(letter: str) -> str | None:
    """The file of the font that a letter is drawn in; "" for Pillow's own, None where none has it."""
    if letter.isspace() or _has(load_font(16), letter):
        return ""
    return next((path for path in _installed() if _has(_open(path, 16), letter)), None)


def _has(font: Font, letter: str) -> bool:
    return bytes(font.getmask(letter)) != bytes(font.getmask(_NO_LETTER))


@lru_cache(maxsize=64)
def _open(path: str, size: int) -> Font:
    return ImageFont.truetype(path, size)


@lru_cache(maxsize=1)
def _installed() -> tuple[str, ...]:
    """The files of the fonts in `_FAMILIES` that are installed and can be opened, in that order."""
    found: dict[str, str] = {}
    for folder in _folders():
        for place, _, names in os.walk(folder):
            for name in names:
                plain = name.lower().replace(" ", "").replace("_", "")
                family = next((f for f in _FAMILIES if plain.startswith(f)), None)
                if family is not None and plain.endswith(_ENDINGS) and "bold" not in plain and "italic" not in plain:
                    found.setdefault(family, os.path.join(place, name))  # noqa: PTH118  # beside os.walk
    return tuple(path for family in _FAMILIES if (path := found.get(family)) is not None and _opens(path))


def _opens(path: str) -> bool:
    try:
        _open(path, 16)
    except OSError:
        return False
    return True


def _folders() -> tuple[Path, ...]:
    home = Path.home()
    if sys.platform == "darwin":
        return (Path("/System/Library/Fonts"), Path("/Library/Fonts"), home / "Library/Fonts")
    if sys.platform == "win32":
        return (Path(os.environ.get("WINDIR", "C:/Windows")) / "Fonts",)
    return (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), home / ".fonts", home / ".local/share/fonts")
