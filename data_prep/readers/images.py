"""Screens of data sets: their size without decoding them, and arrays and base64 text as encoded images."""

from __future__ import annotations

import base64
import binascii
import io
import warnings
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from PIL import Image

from viscritic.actions.shown import shown
from viscritic.errors import DataError
from viscritic.screen import MAX_PIXELS, MIN_SIDE

_FORMATS: Final = ("PNG", "JPEG", "WEBP", "GIF", "BMP")
_JPEG_END: Final = b"\xff\xd9"  # within the pixels' code, 0xff is always followed by 0
_TAIL: Final = 65_536  # bytes; some cameras and phones write more after the end
_ORIENTATION: Final = 0x0112  # EXIF tag; from 5 on, width and height change places


def image_size(source: Path | bytes) -> tuple[int, int]:
    """(width, height) in pixels of an image, as it is shown, from its header.

    A PNG's checksums are compared and a JPEG's end is looked for, so that a file that was cut off is found here and not
    by whoever decodes it.

    Raises:
        DataError: missing, no image, a damaged one, or one that is too small or too large for a screen.
    """
    try:
        with (
            warnings.catch_warnings(),
            io.BytesIO(source) if isinstance(source, bytes) else source.open("rb") as file,
        ):
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)  # its limit is ours, below
            with Image.open(file, formats=_FORMATS) as image:
                width, height = image.size
                if image.format == "JPEG" and image.getexif().get(_ORIENTATION, 1) >= 5:
                    width, height = height, width
                if width * height <= MAX_PIXELS:
                    _check_whole(image, file)
    except Exception as error:  # decoders raise every kind of error on hostile bytes
        name = "the embedded image" if isinstance(source, bytes) else source.name
        reason = getattr(error, "strerror", None) or "no image, or a damaged one"
        raise DataError(f"the screen {name} cannot be read: {reason}") from error
    if min(width, height) < MIN_SIDE or width * height > MAX_PIXELS:
        raise DataError(f"a screen of {width}x{height} pixels is too small or too large")
    return width, height


def _check_whole(image: Image.Image, file: IO[bytes]) -> None:
    if image.format == "PNG":
        image.verify()
    elif image.format == "JPEG":
        file.seek(-min(_TAIL, file.seek(0, io.SEEK_END)), io.SEEK_END)
        if _JPEG_END not in file.read():
            raise ValueError("cut off")
    else:
        image.load()


def encode_png(array: Any) -> bytes:
    """An array as a PNG.

    Args:
        array: (H, W), (H, W, 1), (H, W, 3) RGB or (H, W, 4) RGBA, uint8.

    Raises:
        DataError: not such an array.
    """
    if not isinstance(array, np.ndarray) or array.dtype != np.uint8:
        raise DataError(f"a screen must be an array of uint8, got {getattr(array, 'dtype', type(array).__name__)}")
    pixels = np.asarray(array)
    if pixels.ndim == 3 and pixels.shape[2] == 1:
        pixels = pixels[..., 0]
    if pixels.ndim not in (2, 3) or (pixels.ndim == 3 and pixels.shape[2] not in (3, 4)):
        raise DataError(f"an array of shape {pixels.shape} is no screen")
    if min(pixels.shape[:2]) < MIN_SIDE or pixels.shape[0] * pixels.shape[1] > MAX_PIXELS:
        raise DataError(f"a screen of {pixels.shape[1]}x{pixels.shape[0]} pixels is too small or too large")
    buffer = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels)).save(buffer, "PNG", compress_level=1)  # 1: screens compress well
    return buffer.getvalue()


def decode_base64(text: Any) -> bytes:
    """The image that base64 text holds, with or without `data:image/png;base64,` before it.

    Raises:
        DataError: no text, or broken base64.
    """
    if not isinstance(text, str) or not text:
        raise DataError(f"a screen must be base64 text, got {shown(text)}")
    if text.startswith("data:"):
        text = text.partition(",")[2]
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise DataError(f"the base64 of a screen is broken: {error}") from error
