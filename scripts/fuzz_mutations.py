"""Damage to bytes and JSON values, drawn from a seeded source."""

from __future__ import annotations

import json
import string
from random import Random
from typing import Any, Final

_NUMBERS: Final = (0, -1, 1, 255, 2**31, -(2**63), 10**30, 1e308, -0.0, float("nan"), float("inf"), 0.5, 10**400)
_TEXTS: Final = (
    "", " ", "\x00", "\ud800", "a" * 3000, "ctrl+c", "[0.5, 0.5]", "<point>1 2</point>", "../../etc/passwd", "{}", "[",
    "9" * 5000, "\u202e\u0301", "'", '"', "NaN", "data:image/png;base64,AAAA", "file:///etc/passwd", "%s%n", "=1+1",
)  # fmt: skip
_BYTES: Final = (
    b"",
    b"\x00" * 8,
    b"\xff" * 8,
    b"{" * 2000,
    b"[" * 2000,
    b"\n",
    b'"',
    b"\xef\xbb\xbf",
    b"IEND",
    b"PK\x05\x06",
)


def draw_value(chance: Random, depth: int = 2) -> Any:
    """Some JSON value."""
    kind = chance.randrange(8 if depth else 6)
    if kind == 0:
        return chance.choice((None, True, False))
    if kind in (1, 2):
        return chance.choice(_NUMBERS) if chance.random() < 0.6 else chance.randrange(-5000, 5000)
    if kind in (3, 4, 5):
        word = "".join(chance.choices(string.printable, k=chance.randrange(20)))
        return chance.choice(_TEXTS) if chance.random() < 0.6 else word
    if kind == 6:
        return [draw_value(chance, depth - 1) for _ in range(chance.randrange(4))]
    return {str(draw_value(chance, 0))[:20]: draw_value(chance, depth - 1) for _ in range(chance.randrange(4))}


def damage_value(chance: Random, value: Any) -> Any:
    """A copy of a JSON value with one or two of its parts replaced, left out or added."""
    root = [json.loads(json.dumps(value))]
    for _ in range(chance.randint(1, 2)):
        _damage_part(chance, root)
    return root[0]


def _damage_part(chance: Random, root: list[Any]) -> None:
    place: Any = root
    key: Any = 0
    while isinstance(place[key], dict | list) and place[key] and chance.random() < 0.8:
        place = place[key]
        key = chance.choice(list(place)) if isinstance(place, dict) else chance.randrange(len(place))
    kind = chance.randrange(4)
    if kind == 0 and place is not root:
        del place[key]
    elif kind == 1 and isinstance(place[key], dict):
        place[key][str(draw_value(chance, 0))[:20]] = draw_value(chance)
    elif kind == 2 and isinstance(place[key], list):
        place[key].append(draw_value(chance))
    else:
        place[key] = draw_value(chance)


def damage_bytes(chance: Random, data: bytes) -> bytes:
    """A copy of some bytes with one to three damages: flipped, cut off, put in, doubled, overwritten."""
    out = bytearray(data)
    for _ in range(chance.randint(1, 3)):
        at, length = chance.randrange(len(out) + 1), chance.choice((1, 2, 4, 8, 64, 1024))
        kind = chance.randrange(6)
        if kind == 0 and at < len(out):
            out[at] ^= 1 << chance.randrange(8)
        elif kind == 1:
            del out[at : at + length]
        elif kind == 2:
            out[at:at] = chance.choice(_BYTES)
        elif kind == 3:
            out[at:at] = out[at : at + length]
        elif kind == 4:
            out[at : at + 4] = chance.randrange(2**32).to_bytes(4, chance.choice(("big", "little")))
        elif chance.random() < 0.3:
            del out[at:]
    return bytes(out)


def damage_file(chance: Random, data: bytes) -> bytes:
    """A damaged file: as JSON or lines of JSON where it is that, half of the time, or else as bytes."""
    if chance.random() < 0.5:
        return damage_bytes(chance, data)
    try:
        lines = [data.decode()] if data.lstrip().startswith((b"{\n", b"[")) else data.decode().splitlines()
        at = chance.randrange(len(lines))
        lines[at] = json.dumps(damage_value(chance, json.loads(lines[at])))
        return "\n".join(lines).encode(errors="surrogatepass")
    except (ValueError, IndexError, RecursionError):
        return damage_bytes(chance, data)
