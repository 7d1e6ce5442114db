"""The features of many screens in one file, each stored once and read when asked for.

A record of fixed length for each screen, in the order in which they came: the screen's digest, its size, the digest of
its grey pixels, its thumbnail. In memory each screen takes a few dozen bytes. A record that a kill cut short is removed
when the file is opened again.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import numpy as np
import numpy.typing as npt

from data_prep.similarity import THUMBNAIL, Features

_HEAD: Final = struct.Struct("<16sII16s")  # digest of the file, width, height, digest of the pixels
_RECORD: Final = _HEAD.size + THUMBNAIL[0] * THUMBNAIL[1]
BLOCK: Final = 8  # pixels of a thumbnail that one mean stands for, each way
BLOCKS: Final = THUMBNAIL[0] // BLOCK * (THUMBNAIL[1] // BLOCK)


class FeatureStore:
    """Features by the names of screens; a context manager.

    Args:
        path: the file; made where it is missing, continued where it is there.
    """

    def __init__(self, path: Path) -> None:
        self._file = path.open("a+b")
        self._file.truncate(path.stat().st_size // _RECORD * _RECORD)
        self._numbers: dict[int, int] = {}
        for number in range(path.stat().st_size // _RECORD):
            self._file.seek(number * _RECORD)
            self._numbers[int.from_bytes(self._file.read(16), "big")] = number
        self._read = lru_cache(maxsize=2048)(self._read_record)  # they take 12 kB each

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def __len__(self) -> int:
        return len(self._numbers)

    def __contains__(self, name: str) -> bool:
        return _digest(name) in self._numbers

    def add(self, name: str, features: Features) -> None:
        """Store the features of a screen that is not there yet; they are on disk after `flush`."""
        self._numbers[_digest(name)] = len(self._numbers)
        head = _HEAD.pack(bytes.fromhex(name[:32]), *features.size, features.digest)
        self._file.write(head + features.thumbnail.tobytes())

    def flush(self) -> None:
        """Hand what was added to the operating system: a kill does not lose it."""
        self._file.flush()

    def number(self, name: str) -> int:
        """The position of a screen that is there."""
        return self._numbers[_digest(name)]

    def get(self, name: str) -> Features:
        """The features of a screen that is there."""
        return self._read(self.number(name))

    def at(self, number: int) -> Features:
        """The features at a position."""
        return self._read(number)

    def outlines(self) -> Iterator[tuple[tuple[int, int], npt.NDArray[np.uint8]]]:
        """Each screen's size and the means of its thumbnail's blocks, (BLOCKS,) uint8, in the order of the numbers."""
        shape = (THUMBNAIL[1] // BLOCK, BLOCK, THUMBNAIL[0] // BLOCK, BLOCK)
        for number in range(len(self)):
            found = self._read_record(number)
            means = found.thumbnail.reshape(shape).mean(axis=(1, 3))
            yield found.size, np.rint(means).astype(np.uint8).ravel()

    def _read_record(self, number: int) -> Features:
        self._file.seek(number * _RECORD)  # also flushes what was added
        data = self._file.read(_RECORD)
        _, width, height, digest = _HEAD.unpack_from(data)
        thumbnail = np.frombuffer(data, np.uint8, offset=_HEAD.size).reshape(THUMBNAIL[1], THUMBNAIL[0])
        return Features((width, height), digest, thumbnail)


def _digest(name: str) -> int:
    return int(name[:32], 16)
