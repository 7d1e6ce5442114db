"""The latest results of a computation, by its exact input."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
import numpy.typing as npt

from viscritic.errors import ConfigError

V = TypeVar("V")


class Latest(Generic[V]):
    """Keeps so many latest results. Thread-safe.

    What it gives back is the computed result, since equal bytes give equal answers.

    Raises:
        ConfigError: a size below 0.
    """

    def __init__(self, size: int) -> None:
        if size < 0:
            raise ConfigError(f"cache must be 0 or more, got {size}")
        self._size = size
        self._entries: OrderedDict[bytes, V] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: bytes) -> V | None:
        """A stored result, which becomes the latest."""
        with self._lock:
            found = self._entries.get(key)
            if found is not None:
                self._entries.move_to_end(key)
            return found

    def put(self, key: bytes, value: V) -> None:
        """Store a result; the oldest goes where there are too many."""
        with self._lock:
            self._entries[key] = value
            while len(self._entries) > self._size:
                self._entries.popitem(last=False)


@dataclass(frozen=True, slots=True)
class Job(Generic[V]):
    """A computation whose answer may be known.

    Attributes:
        key: the `fingerprint` of its input.
        latest: where its answer is kept.
        compute: what computes it.
    """

    key: bytes
    latest: Latest[V]
    compute: Callable[[], V]


def fingerprint(*arrays: npt.NDArray[Any]) -> bytes:
    """A hash of the shapes and bytes of arrays, 16 bytes."""
    digest = hashlib.blake2b(digest_size=16)
    for array in arrays:
        digest.update(str(array.shape).encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.digest()
