"""Which of very many screens are near-duplicates, without comparing each with each pixel by pixel.

Two thumbnails of n pixels are near-duplicates where fewer than `near` n of their pixels differ by more than the
tolerance t. If k of the p pixels of a block do so, the block's means differ by at most t + k (255 - t) / p; so from the
means alone a bound follows:

    pixels that differ >= sum over blocks of max(0, |difference of means| - t) p / (255 - t)

Pairs above the bound are out, and so are pairs whose whole means are too far apart, which sorting finds. What remains
is compared in full, unless it is joined already. No pair is missed. The memory is `BLOCKS` bytes for each screen; the
time still grows with the square of the screens, but slowly.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from data_prep.feature_store import BLOCK, BLOCKS, FeatureStore
from data_prep.progress import Watch
from data_prep.similarity import THUMBNAIL, TOLERANCE, feature_distance

_SLACK: Final = TOLERANCE + 1  # block means are rounded
_PART: Final = 4096  # screens that are compared with one at a time


class Union:
    """Things that are joined into groups (union-find); each group goes by its first member."""

    def __init__(self, number: int) -> None:
        self._parents = np.arange(number, dtype=np.int64)

    def find(self, member: int) -> int:
        """The first member of the group."""
        parents = self._parents
        while parents[member] != member:
            parents[member] = parents[parents[member]]
            member = int(parents[member])
        return member

    def join(self, a: int, b: int) -> None:
        """Make one group of two."""
        a, b = self.find(a), self.find(b)
        self._parents[max(a, b)] = min(a, b)


def join_near(store: FeatureStore, owners: Sequence[int], union: Union, near: float, watch: Watch = iter) -> None:
    """Join the owners of any two screens whose `distance` is below `near`.

    Args:
        owners: an owner of each screen of the store, by its number; -1 for none.
        watch: passes on the screens, for a progress bar.
    """
    sizes: dict[tuple[int, int], list[int]] = defaultdict(list)
    means = np.empty((len(store), BLOCKS), np.uint8)
    for number, (size, outline) in enumerate(store.outlines()):
        if owners[number] >= 0:
            sizes[size].append(number)
        means[number] = outline
    order = [number for numbers in sizes.values() for number in _by_brightness(numbers, means)]
    starts: list[int] = []  # where in the order the screens of this size begin
    for numbers in sizes.values():
        starts += [len(starts)] * len(numbers)
    sorted_means = means[order]
    for place in watch(range(len(order))):
        for other in _possible(sorted_means, starts[place], place, near):
            a, b = order[place], order[other]
            if union.find(owners[a]) != union.find(owners[b]) and (feature_distance(store.at(a), store.at(b)) < near):
                union.join(owners[a], owners[b])


def _by_brightness(numbers: Sequence[int], means: npt.NDArray[np.uint8]) -> list[int]:
    """Numbers of screens of one size, dark ones first."""
    chosen = np.array(numbers)
    return [int(n) for n in chosen[np.argsort(means[chosen].sum(axis=1, dtype=np.int64), kind="stable")]]


def _possible(means: npt.NDArray[np.uint8], start: int, place: int, near: float) -> Iterator[int]:
    """Places before `place` that the bounds do not rule out.

    Args:
        means: (N, BLOCKS), sorted by brightness from `start` on.
    """
    pixels = THUMBNAIL[0] * THUMBNAIL[1]
    most = near * pixels * (255 - TOLERANCE) / BLOCK**2  # of the sum over blocks beyond the tolerance
    row = means[place].astype(np.int16)
    darkest = int(row.sum()) - most - _SLACK * BLOCKS
    stop = place
    while stop > start:
        part = means[max(start, stop - _PART) : stop]
        beyond = np.maximum(np.abs(part - row) - _SLACK, 0).sum(axis=1, dtype=np.int64)
        yield from (stop - len(part) + int(i) for i in np.flatnonzero(beyond < most))
        stop -= len(part)
        if int(part[0].sum(dtype=np.int64)) < darkest:
            return
