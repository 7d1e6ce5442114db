"""Screens drawn for the tests of preprocessing."""

from __future__ import annotations

import io

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

Pixels = npt.NDArray[np.uint8]


def draw_form(
    count: int = 3, *, ticked: bool = False, hover: bool = False, size: tuple[int, int] = (800, 600)
) -> Image.Image:
    """A form with a small number, a tick box of 13 px and a button that may be under the pointer."""
    image = Image.new("RGB", size, (246, 247, 249))
    draw = ImageDraw.Draw(image)
    for row in range(0, size[1] - 20, 40):
        draw.text(
            (300, row + 6), f"Row {row} of a table with words", fill=(60, 60, 70), font=ImageFont.load_default(14)
        )
    draw.text((120, 96), str(count), fill=(20, 20, 20), font=ImageFont.load_default(12))
    draw.rectangle((120, 200, 132, 212), outline=(90, 90, 90), fill="white")
    if ticked:
        draw.line((122, 206, 125, 210, 130, 202), fill=(0, 90, 180), width=2)
    draw.rectangle((100, 300, 219, 339), fill=(236, 242, 249) if hover else (230, 236, 243))
    return image


def as_pixels(image: Image.Image) -> Pixels:
    """(H, W, 3) uint8."""
    return np.asarray(image)


def through_jpeg(image: Image.Image, quality: int) -> Pixels:
    """The image after a lossy round trip."""
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=quality)
    return np.asarray(Image.open(buffer).convert("RGB"))


def noise(width: int, height: int, seed: int = 0) -> Pixels:
    """Random pixels."""
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
