"""Small screens, no two alike, encoded."""

from __future__ import annotations

import base64
import io
from pathlib import Path

import numpy as np
from PIL import Image

SIZE = (96, 64)  # width, height


def pixels(number: int, size: tuple[int, int] = SIZE) -> np.ndarray:
    """(H, W, 3) uint8: a few blocks whose places and colours the number decides."""
    width, height = size
    array = np.full((height, width, 3), (number * 37) % 200 + 40, np.uint8)
    for block in range(6):
        x, y = (number * 29 + block * 31) % (width - 12), (number * 17 + block * 13) % (height - 8)
        array[y : y + 8, x : x + 12] = ((number * 53 + block * 71) % 256, block * 40, (number * 11) % 256)
    return array


def encoded(number: int, size: tuple[int, int] = SIZE, kind: str = "PNG") -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(pixels(number, size)).save(buffer, kind)
    return buffer.getvalue()


def as_base64(number: int, size: tuple[int, int] = SIZE, kind: str = "PNG") -> str:
    return base64.b64encode(encoded(number, size, kind)).decode()


def write_image(path: Path, number: int, size: tuple[int, int] = SIZE) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(encoded(number, size, "JPEG" if path.suffix in (".jpg", ".jpeg") else "PNG"))
    return path


def is_shown(screen: Path | bytes | None, number: int, size: tuple[int, int] = SIZE) -> bool:
    """Whether a PNG screen is the one of that number, pixel for pixel."""
    assert screen is not None
    with Image.open(io.BytesIO(screen) if isinstance(screen, bytes) else screen) as image:
        return np.array_equal(np.asarray(image.convert("RGB")), pixels(number, size))
