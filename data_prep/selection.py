"""Which of the negatives that could be made are taken: so many for each positive, and of each kind by its share.

Failures that really happened are all taken, then as many diverged steps as there is room for, then perturbations. A
draft's rank depends on the seed and its name, and of each kind those of the lowest ranks are taken. So it needs two
passes over the drafts, and eight bytes of memory for each.
"""

from __future__ import annotations

from array import array

import numpy as np

from data_prep.choice import apportion, rank
from data_prep.config import PERTURBATIONS, BuildConfig
from data_prep.draft import Draft


class Selection:
    """The selection of one split: `count` every draft first, then ask which it `takes`."""

    def __init__(self, config: BuildConfig) -> None:
        self._config = config
        self._positives = self._failures = 0
        self._ranks: dict[str, array[int]] = {cause: array("Q") for cause in (*PERTURBATIONS, "diverged")}
        self._highest: dict[str, int] | None = None

    def count(self, draft: Draft) -> None:
        """One more draft that could be taken."""
        if draft.cause in self._ranks:
            self._ranks[draft.cause].append(self._rank(draft))
        elif draft.cause == "failed":
            self._failures += 1
        else:
            self._positives += 1

    def takes(self, draft: Draft) -> bool:
        """Whether a draft that was counted is taken; positives and failures always are."""
        if draft.cause not in self._ranks:
            return True
        if self._highest is None:
            self._highest = self._limits()
        return self._rank(draft) <= self._highest[draft.cause]

    def _limits(self) -> dict[str, int]:
        """The highest rank of each kind that is taken, -1 where none is."""
        wanted = max(round(self._config.ratio * self._positives) - self._failures, 0)
        diverged = min(wanted, len(self._ranks["diverged"]))
        shares = {cause: getattr(self._config.shares, cause) for cause in PERTURBATIONS}
        numbers = apportion(wanted - diverged, shares, {cause: len(self._ranks[cause]) for cause in PERTURBATIONS})
        numbers["diverged"] = diverged
        return {
            cause: int(np.partition(np.frombuffer(ranks, np.uint64), number - 1)[number - 1])
            if (number := numbers[cause])
            else -1
            for cause, ranks in self._ranks.items()
        }

    def _rank(self, draft: Draft) -> int:
        names = (draft.trajectory.source, draft.trajectory.id, draft.step.index)
        return rank(self._config.seed, "take", draft.cause, *names)
