"""What takes input from outside, each as a surface: how an input is made, and how it is fed.

Every input is bytes, so that one that breaks something can be kept as a file and fed again.
"""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final, Protocol

import numpy as np
from fuzz_folders import ROOT, Bundles, Macros, Trajectories
from fuzz_mutations import damage_bytes, damage_value
from fuzz_programs import Arguments, Bodies
from PIL import Image

from viscritic.actions import DIALECTS, Action
from viscritic.errors import ActionError
from viscritic.screen import load_screen


class Surface(Protocol):
    """One way in."""

    def make(self, chance: Random) -> bytes:
        """An input."""

    def feed(self, data: bytes) -> None:
        """Put it in.

        Raises:
            VisCriticError: it was refused, as it should be; any other error is a finding.
        """


class Images:
    """Encoded screens."""

    def __init__(self) -> None:
        noise = np.random.default_rng(0).integers(0, 256, (24, 40, 4), np.uint8)
        self._seeds: list[bytes] = []
        for mode, kinds in (
            ("RGB", ("PNG", "JPEG", "WEBP", "GIF", "BMP")),
            ("RGBA", ("PNG", "WEBP")),
            ("P", ("PNG", "GIF")),
            ("CMYK", ("JPEG",)),
            ("1", ("PNG", "BMP")),
        ):
            image = Image.fromarray(noise).convert("RGB" if mode in ("P", "CMYK", "1") else mode).convert(mode)
            for kind in kinds:
                for name, value in (("interlace", 1), ("progressive", True)):
                    buffer = io.BytesIO()
                    image.save(buffer, kind, **{name: value})
                    self._seeds.append(buffer.getvalue())

    def make(self, chance: Random) -> bytes:
        """A damaged image."""
        return damage_bytes(chance, chance.choice(self._seeds))

    def feed(self, data: bytes) -> None:
        """As bytes, with a low limit of pixels."""
        screen = load_screen(data, max_pixels=4_000_000)
        assert screen.dtype == np.uint8, screen.dtype
        assert screen.ndim == 3, screen.shape
        assert screen.shape[2] == 3, screen.shape


class Actions:
    """Actions in each dialect: JSON of [value, dialect, size]. The seeds are those of the tests."""

    def __init__(self) -> None:
        seeds = json.loads((ROOT / "tests" / "fuzz" / "actions.json").read_text("utf-8"))
        self._seeds = {dialect: [seed for seed in seeds if _is_read(seed, dialect)] for dialect in (None, *DIALECTS)}
        self._all = seeds

    def make(self, chance: Random) -> bytes:
        """A damaged action, for the dialect that is guessed or for a named one, mostly one that reads the seed."""
        dialect = chance.choice(tuple(self._seeds))
        seed = chance.choice(self._seeds[dialect] if chance.random() < 0.7 else self._all)
        if isinstance(seed, str):
            value: Any = damage_bytes(chance, seed.encode()).decode(errors="replace")
        else:
            value = damage_value(chance, seed)
            value = json.dumps(value) if chance.random() < 0.3 else value
        return json.dumps([value, dialect, chance.choice((None, [1920, 1080]))]).encode()

    def feed(self, data: bytes) -> None:
        """What is read keeps the contract: it can be written, read again and told in words."""
        value, dialect, size = json.loads(data)
        for action in Action.parse_batch(value, dialect=dialect, size=size and tuple(size)):
            assert Action.from_dict(json.loads(json.dumps(action.to_dict(), allow_nan=False))) == action
            assert action.describe(size and tuple(size))


def _is_read(value: Any, dialect: str | None) -> bool:
    try:
        return bool(Action.parse_batch(value, dialect=dialect, size=(1920, 1080)))
    except ActionError:
        return False


def open_surface(name: str, seeds: Path | None) -> Surface:
    """The surface of a name in `SURFACES`."""
    return Trajectories(seeds) if name == "trajectories" else SURFACES[name]()


SURFACES: Final[dict[str, Callable[[], Surface]]] = {
    "images": Images, "actions": Actions, "trajectories": Trajectories, "bundles": Bundles, "http": Bodies,
    "macros": Macros, "arguments": Arguments,
}  # fmt: skip
