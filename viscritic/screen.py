"""Screens: whatever an agent holds (file, bytes, data-URL, PIL image, array) as one kind of array.

A screen is a (height, width, 3) uint8 RGB array. Every input either has the meaning written here or is refused with a
`ScreenError` that names the screen, the fault and the way out:

- PNG, JPEG, WebP, GIF and BMP are read, known by their first bytes and not by the file's name; nothing else is decoded.
- Transparent pixels are composited over white. Palette, 1-bit, grey and CMYK images become RGB; colour profiles are
  ignored. Of 16-bit PNGs the high byte of each channel is kept. An EXIF orientation is applied.
- Truncated files are refused even where the host program told Pillow to accept them; so are animations and images
  under `MIN_SIDE` pixels a side. URLs are never fetched.
- An image of more than `max_pixels` is refused from its header, before it is decoded. Pillow's own limit and warning
  play no part, and no setting of Pillow is touched.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import io
import os
import re
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote_to_bytes

import numpy as np
import numpy.typing as npt
from PIL import (
    BmpImagePlugin,
    GifImagePlugin,
    Image,
    ImageFile,
    ImageOps,
    JpegImagePlugin,
    PngImagePlugin,
    WebPImagePlugin,
)

from viscritic.errors import ConfigError, ScreenError

Screen = npt.NDArray[np.uint8]  # (height, width, 3) RGB, C-contiguous
ScreenSource = str | os.PathLike[str] | bytes | bytearray | memoryview | Image.Image | npt.NDArray[np.uint8]

MAX_PIXELS: Final = 64_000_000
MAX_PIXELS_VARIABLE: Final = "VISCRITIC_MAX_PIXELS"
MIN_SIDE: Final = 16  # pixels: one patch of the encoder

_ORIENTATION: Final = 0x0112  # EXIF tag; 1 is upright
_URL: Final = re.compile(r"(?i)file:|[a-z][a-z0-9+.-]+://")
_FACTORIES: Final[dict[str, type[ImageFile.ImageFile]]] = {
    "PNG": PngImagePlugin.PngImageFile,
    "JPEG": JpegImagePlugin.JpegImageFile,
    "WebP": WebPImagePlugin.WebPImageFile,
    "GIF": GifImagePlugin.GifImageFile,
    "BMP": BmpImagePlugin.BmpImageFile,
}


def load_screen(source: ScreenSource, *, max_pixels: int | None = None, name: str = "screen") -> Screen:
    """Read one screen.

    Args:
        source: a path; encoded bytes; a base64 data-URL; a PIL image; or a uint8 array of shape (H, W), (H, W, 1),
            (H, W, 3) RGB or (H, W, 4) RGBA.
        max_pixels: refuse more pixels than this; None takes the environment variable VISCRITIC_MAX_PIXELS, or else
            64 million.
        name: what messages call the screen ("pre", "post", "burst[2]").

    Returns:
        (H, W, 3) uint8 RGB, C-contiguous, perhaps read-only. An array that is so already is returned itself, uncopied:
        do not write into it while the critic works.

    Raises:
        ScreenError: the source is not a usable screen.
        ConfigError: `max_pixels` (or the variable) is not a positive whole number.
    """
    limit = _pixel_limit(max_pixels)
    if isinstance(source, np.ndarray):
        return _from_array(source, limit, name)
    if isinstance(source, Image.Image):
        return _from_image(source, limit, name)
    if isinstance(source, bytes | bytearray | memoryview):
        return _decode(bytes(source), limit, name)
    if isinstance(source, str) and source[:5].lower() == "data:":
        return _decode(_read_data_url(source, name), limit, name)
    if isinstance(source, str | os.PathLike):
        return _decode(_read_file(os.fsdecode(source), limit, name), limit, name)
    raise ScreenError(
        f"{name}: cannot read a screen from {type(source).__name__}; pass a path, image bytes, a data-URL, a PIL image "
        "or a uint8 numpy array"
    )


def screen_digest(screen: Screen) -> str:
    """Hash of a screen's shape and pixels, 32 hex digits: equal screens, equal digests.

    BLAKE2b takes about 6 ms for 1920x1080 on one core without needing special instructions of the processor.
    """
    digest = hashlib.blake2b(repr((screen.shape, screen.dtype.str)).encode(), digest_size=16)
    digest.update(np.ascontiguousarray(screen).data)
    return digest.hexdigest()


def _pixel_limit(max_pixels: int | None) -> int:
    value: Any = max_pixels
    name = "max_pixels"
    if value is None:
        text = os.environ.get(MAX_PIXELS_VARIABLE, "").strip()
        if not text:
            return MAX_PIXELS
        name, value = MAX_PIXELS_VARIABLE, int(text) if text.isascii() and text.isdigit() else text
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise ConfigError(f"{name} must be a positive whole number of pixels, such as {MAX_PIXELS}; got {value!r}")
    return value


def _check_size(width: int, height: int, limit: int, name: str) -> None:
    if min(width, height) < MIN_SIDE:
        raise ScreenError(
            f"{name}: {width}x{height} pixels is too small for a screen; each side needs {MIN_SIDE} pixels or more"
        )
    if width * height > limit:
        raise ScreenError(
            f"{name}: {width}x{height} is {width * height} pixels, over the limit of {limit}; shrink the image, or "
            f"raise the limit with max_pixels= or the environment variable {MAX_PIXELS_VARIABLE}"
        )


def _from_array(array: npt.NDArray[Any], limit: int, name: str) -> Screen:
    if array.dtype != np.uint8:
        raise ScreenError(
            f"{name}: the array's dtype is {array.dtype}, not uint8; scale it to 0..255 yourself and pass "
            "array.astype(numpy.uint8)"
        )
    shape = array.shape
    if len(shape) == 3 and shape[0] in (1, 3, 4) and shape[2] not in (1, 3, 4):
        raise ScreenError(f"{name}: shape {shape} has its channels first; pass array.transpose(1, 2, 0)")
    if len(shape) not in (2, 3) or (len(shape) == 3 and shape[2] not in (1, 3, 4)):
        raise ScreenError(
            f"{name}: an array of shape {shape} is no screen; pass (H, W), (H, W, 3) RGB or (H, W, 4) RGBA"
        )
    _check_size(shape[1], shape[0], limit, name)
    array = np.asarray(array)  # a memory map or other subclass as the plain array it holds
    if len(shape) == 2:
        array = array[..., None]
    if array.shape[2] == 1:
        array = np.broadcast_to(array, (*shape[:2], 3))
    if array.shape[2] == 4:
        return _flatten(Image.fromarray(array))
    return np.ascontiguousarray(array)


def _read_file(path: str, limit: int, name: str) -> bytes:
    if not path:
        raise ScreenError(f"{name}: the path is empty")
    if _URL.match(path):
        raise ScreenError(f"{name}: {_short(path)} is a URL, and nothing is fetched; pass the image's path or bytes")
    try:
        file = Path(path)
        if file.is_dir():
            raise ScreenError(f"{name}: {_short(path)} is a folder; pass an image file in it")
        if file.exists() and not file.is_file():
            raise ScreenError(f"{name}: {_short(path)} is not a regular file; pass an image file or its bytes")
        _check_bytes(file.stat().st_size, limit, name)
        return file.read_bytes()
    except ScreenError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        base64_text = len(path) > 255
        hint = "; put data:image/png;base64, before base64 text" if base64_text else f" (seen from {Path.cwd()})"
        raise ScreenError(f"{name}: cannot read {_short(path)}: {reason}{hint}") from error


def _read_data_url(url: str, name: str) -> bytes:
    header, comma, payload = url.partition(",")
    if not comma or not header.lower().endswith(";base64"):
        raise ScreenError(f"{name}: {_short(url)} is not a base64 data-URL; write data:image/png;base64,...")
    try:
        return base64.b64decode(b"".join(unquote_to_bytes(payload).split()), validate=True)
    except (binascii.Error, ValueError) as error:
        raise ScreenError(f"{name}: the data-URL's base64 is broken or cut off ({error}); pass all of it") from error


def _check_bytes(count: int, limit: int, name: str) -> None:
    # No format read here needs more than 8 bytes a pixel; the rest is room for metadata.
    allowed = 8 * limit + 2**24
    if count > allowed:
        raise ScreenError(
            f"{name}: {count} bytes is more than an image of {limit} pixels can need; raise max_pixels= or "
            f"{MAX_PIXELS_VARIABLE} if it is one"
        )


def _decode(data: bytes, limit: int, name: str) -> Screen:
    if not data:
        raise ScreenError(f"{name}: the image is empty (0 bytes); take the screenshot again")
    _check_bytes(len(data), limit, name)
    kind = _sniff(data)
    if kind is None:
        raise ScreenError(
            f"{name}: not a {', '.join(_FACTORIES)} image (it begins with {data[:12]!r}); convert it to PNG"
        )
    if not _is_whole(data, kind):
        raise ScreenError(f"{name}: the {kind} image is truncated ({len(data)} bytes); write or take it again")
    try:
        # The plug-in's own class, since Image.open would add Pillow's size warning and a dozen rarer formats.
        image = _FACTORIES[kind](io.BytesIO(data))
    except Exception as error:  # decoders raise every kind of error on hostile bytes
        raise ScreenError(f"{name}: cannot read the {kind} image: {error}; save it again as PNG") from error
    return _from_image(image, limit, name)


def _sniff(data: bytes) -> str | None:
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "PNG"
    if data.startswith(b"\xff\xd8\xff"):
        return "JPEG"
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "WebP"
    if data.startswith((b"GIF87a", b"GIF89a")):
        return "GIF"
    return "BMP" if data.startswith(b"BM") else None


def _is_whole(data: bytes, kind: str) -> bool:
    """Whether the file has its end; Pillow's own check can be switched off by any module of the program."""
    if kind == "PNG":
        return b"IEND" in data[-4096:]
    if kind == "JPEG":  # end of image after the last start of scan: a thumbnail in the header has an end of its own
        return data.rfind(b"\xff\xd9") > data.rfind(b"\xff\xda")
    if kind == "GIF":
        return data.rstrip(b"\0").endswith(b";")
    start, extra = (4, 8) if kind == "WebP" else (2, 0)
    return len(data) >= int.from_bytes(data[start : start + 4], "little") + extra


def _from_image(image: Image.Image, limit: int, name: str) -> Screen:
    _check_size(image.width, image.height, limit, name)
    try:
        animated = getattr(image, "is_animated", False)  # looks for a second frame
        orientation = image.getexif().get(_ORIENTATION, 1)
        upright = ImageOps.exif_transpose(image) if orientation in range(2, 9) else image
        screen = None if animated else _to_rgb(upright)
    except Exception as error:  # decoders raise every kind of error on hostile bytes
        raise ScreenError(f"{name}: cannot decode the {image.mode} image: {error}; save it again as PNG") from error
    if screen is None:
        raise ScreenError(f"{name}: an animation of several frames; pass its frames as burst=, each frame.copy()")
    return screen


def _to_rgb(image: Image.Image) -> Screen:
    """Pixels of any mode of Pillow as RGB; never changes the caller's image.

    Raises:
        ValueError: a mode whose range of values is not fixed, or that Pillow cannot convert.
    """
    if image.mode.startswith("I;16") or (image.mode == "I" and isinstance(image, PngImagePlugin.PngImageFile)):
        grey = (np.asarray(image) >> 8).astype(np.uint8)
        return np.ascontiguousarray(np.broadcast_to(grey[..., None], (*grey.shape, 3)))
    if image.mode in ("I", "F"):
        raise ValueError("its values have no fixed range (scale them to 0..255 as mode L)")
    if image.has_transparency_data:
        return _flatten(image.convert("RGBA"))
    return np.asarray(image if image.mode == "RGB" else image.convert("RGB"))


def _flatten(image: Image.Image) -> Screen:
    """RGBA over white, as RGB."""
    if image.getchannel("A").getextrema() != (255, 255):
        image = Image.alpha_composite(Image.new("RGBA", image.size, "white"), image)
    return np.asarray(image.convert("RGB"))


def _short(text: str) -> str:
    return repr(text if len(text) <= 120 else text[:117] + "...")
