"""What costs time to compute and is kept: folders that are there whole or not at all."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path


def build_once(place: Path, write: Callable[[Path], None]) -> Path:
    """The folder `place`; where it is missing, `write` fills a folder beside it, which then takes its name.

    Two processes may build the same: the faster one wins, since both would have the same content.
    """
    if place.is_dir():
        return place
    place.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=f".{place.name}.", dir=place.parent))
    try:
        write(temporary)
        try:
            temporary.rename(place)
        except OSError:
            if not place.is_dir():
                raise
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
    return place
