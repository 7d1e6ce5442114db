"""Foreign screens: what stands after other successful steps of the split, in another application.

Of however many steps only some lend their screens: of each size of screen, and of all sizes together, the `MOST` whose
names come first in an order that the seed decides. So the memory is bounded, and neither the order in which steps are
offered nor who offers them changes anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from data_prep.choice import rank
from data_prep.config import BuildConfig
from data_prep.draft import Draft, means_to_leave
from data_prep.similarity import Source
from viscritic.trajectory import Trajectory

MOST: Final = 256


class _Donor(NamedTuple):
    rank: int
    family: str
    screen: Source


class Donors:
    """The foreign screens of one split: offer every draft first, then ask."""

    def __init__(self, config: BuildConfig) -> None:
        self._config = config
        self._kept: dict[tuple[int, int] | None, list[_Donor]] = {}  # by size; None: of all sizes

    def offer(self, draft: Draft) -> None:
        """A draft whose screen after may be lent; only those of steps that count as right are."""
        if not draft.counts_as_right:
            return
        donor = _Donor(rank(self._config.seed, "donor", _key(draft)), _family(draft.trajectory), draft.post)
        for size in (draft.step.size, None):
            kept = self._kept.setdefault(size, [])
            kept.append(donor)
            if len(kept) >= 2 * MOST:
                kept[:] = _first(kept)

    def mismatch(self, draft: Draft, distance: Callable[[Source, Source], float]) -> Draft | None:
        """The draft with a foreign screen after it: clearly neither where its step began nor where it led.

        Screens of its size are preferred, so that the size tells nothing.

        Args:
            distance: of two screens, `data_prep.similarity.distance` or one that remembers.

        Returns:
            None where the draft does not count as right, or there is no such screen.
        """
        if not draft.counts_as_right or not self._config.shares.state_mismatch or means_to_leave(draft.step):
            return None
        family = _family(draft.trajectory)
        same_size = [d for d in self._lenders(draft.step.size) if d.family != family]
        donors = same_size or [d for d in self._lenders(None) if d.family != family]
        for donor in _turned(donors, rank(self._config.seed, "state", _key(draft))):
            if all(distance(donor.screen, screen) >= self._config.near for screen in (draft.pre, draft.post)):
                lost = draft.step.index / len(draft.trajectory.steps)
                return replace(
                    draft,
                    cause="state_mismatch",
                    post=donor.screen,
                    success=0.0,
                    progress=round(-lost, 4) + 0.0,  # no -0.0
                    outcome=self._config.outcomes.state_mismatch,
                    change=None,
                )
        return None

    def _lenders(self, size: tuple[int, int] | None) -> list[_Donor]:
        return _first(self._kept.get(size, []))


def _first(donors: Sequence[_Donor]) -> list[_Donor]:
    return sorted(donors, key=lambda donor: donor.rank)[:MOST]


def _turned(donors: Sequence[_Donor], number: int) -> Iterator[_Donor]:
    for turn in range(len(donors)):
        yield donors[(number + turn) % len(donors)]


def _key(draft: Draft) -> str:
    return f"{draft.trajectory.source}/{draft.trajectory.id}/{draft.step.index}"


def _family(trajectory: Trajectory) -> str:
    """Within one application, or its family, a foreign screen can show just what was meant."""
    return trajectory.app.split("-", maxsplit=1)[0]
