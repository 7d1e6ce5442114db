"""Screens made small for reports: each stored once, as a picture to look at and one for the timeline."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from PIL import Image

from viscritic.redaction import Redaction, redact
from viscritic.screen import Screen, screen_digest

_THUMBNAIL: Final = (192, 120)  # pixels, twice as many as the timeline shows
_QUALITY: Final = 62  # of WebP: text stays readable
# Longest side in pixels for reports of at most so many steps: a report is to stay under some 30 MB.
_SIDES: Final = ((120, 1280), (400, 1000), (1200, 760))
_SMALLEST: Final = 560


@dataclass(frozen=True, slots=True)
class Picture:
    """A screen for a report.

    Attributes:
        size: (width, height) of the screen itself in pixels.
        image, thumbnail: WebP; the thumbnail shows the top of a long page.
    """

    size: tuple[int, int]
    image: bytes
    thumbnail: bytes


class Pictures:
    """The screens of an audit, by name.

    Args:
        steps: how many steps there will be: the more, the smaller the pictures.
        redaction: takes out of each screen what must not be kept.
    """

    def __init__(self, steps: int, redaction: Redaction | None = None) -> None:
        self.steps, self.redaction = steps, redaction
        self._side = next((side for most, side in _SIDES if steps <= most), _SMALLEST)
        self._pictures: dict[str, Picture] = {}

    def add(self, screen: Screen) -> str:
        """Store a screen, (H, W, 3) uint8, as it may be kept, unless it is there already; its name.

        Raises:
            ScreenError: it cannot be redacted.
        """
        screen = redact(screen, self.redaction)
        name = screen_digest(screen)
        if name not in self._pictures:
            image = Image.fromarray(screen)
            self._pictures[name] = Picture(image.size, _webp(_shrunk(image, self._side)), _webp(_thumbnail(image)))
        return name

    def update(self, made: Iterable[tuple[str, Picture]]) -> None:
        """Take over what another one of as many steps made, unless it is there already."""
        for name, picture in made:
            self._pictures.setdefault(name, picture)

    def items(self) -> list[tuple[str, Picture]]:
        """Names and pictures in the order of their coming."""
        return list(self._pictures.items())


def data_url(webp: bytes) -> str:
    """A picture as a data-URL."""
    return f"data:image/webp;base64,{base64.b64encode(webp).decode()}"


def _shrunk(image: Image.Image, side: int) -> Image.Image:
    """At most `side` wide and three times as high: a phone's screen and a long page stay readable."""
    scale = min(1.0, side / image.width, 3 * side / image.height)
    if scale == 1:
        return image
    width, height = (max(1, round(length * scale)) for length in image.size)
    return image.resize((width, height), Image.Resampling.LANCZOS)


def _thumbnail(image: Image.Image) -> Image.Image:
    top = image.crop((0, 0, image.width, min(image.height, 2 * image.width)))
    top.thumbnail(_THUMBNAIL)
    return top


def _webp(image: Image.Image) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, "WEBP", quality=_QUALITY, method=2)
    return buffer.getvalue()
