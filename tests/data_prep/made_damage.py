"""Damage as files take it: cut off, overwritten, and JSON with another value than its writer would put there."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any

_OTHERS = (
    None,
    True,
    -1,
    10**30,
    float("nan"),
    "",
    "x" * 300,
    "../../etc/passwd\0",
    "\ud800",
    [],
    [[]],
    {},
    [None],
    [1],
)


def damage(file: Path, chance: random.Random) -> None:
    """Spoil a file; what is compressed is mostly spoiled inside, since its checksum would tell of the rest."""
    data = file.read_bytes()
    if data[:2] == b"\x1f\x8b" and chance.random() < 0.8:
        file.write_bytes(gzip.compress(_spoil_bytes(gzip.decompress(data), chance), 1))
    elif file.suffix in (".json", ".jsonl") and chance.random() < 0.8:
        lines = data.decode().splitlines() if file.suffix == ".jsonl" else [data.decode()]
        place = chance.randrange(len(lines))
        lines[place] = json.dumps(_spoil_value(json.loads(lines[place]), chance))
        file.write_text("\n".join(lines))
    else:
        file.write_bytes(_spoil_bytes(data, chance))


def _spoil_bytes(data: bytes, chance: random.Random) -> bytes:
    if chance.random() < 0.3:
        return data[: chance.randrange(len(data) + 1)]
    spoiled = bytearray(data)
    for _ in range(chance.choice((1, 3, 20))):
        spoiled[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(spoiled)


def _spoil_value(value: Any, chance: random.Random) -> Any:
    """The value with one of its parts, at any depth, replaced or left out."""
    if isinstance(value, dict | list) and value and chance.random() < 0.8:
        key = chance.choice(list(value) if isinstance(value, dict) else range(len(value)))
        if chance.random() < 0.1:
            del value[key]
        else:
            value[key] = _spoil_value(value[key], chance)
        return value
    return chance.choice(_OTHERS)
