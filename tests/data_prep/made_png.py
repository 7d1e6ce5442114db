"""PNG files that are whole, checksums included, and whose pixels are broken all the same."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable


def break_pixels(png: bytes, spoil: Callable[[bytes], bytes] = lambda stream: stream[: len(stream) // 2]) -> bytes:
    """The file with its compressed pixels spoiled, and checksums that fit."""
    spoiled, place = png[:8], 8
    while place < len(png):
        (length,) = struct.unpack(">I", png[place : place + 4])
        kind, body = png[place + 4 : place + 8], png[place + 8 : place + 8 + length]
        place += 12 + length
        body = spoil(body) if kind == b"IDAT" else body
        spoiled += struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    return spoiled
