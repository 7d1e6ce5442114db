"""What is known of a whole transition beside its patches, as numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from viscritic.actions import KINDS, Action, may_be_invisible
from viscritic.evidence import Evidence
from viscritic.preprocess.text import Texts

# Patches around the point's own that count as the element, its surroundings, its part of the screen.
_REACHES: Final = (1, 3, 11)
STATE_FACTS: Final = 6 + 7 + len(_REACHES) + 4 + len(KINDS)

Bools = npt.NDArray[np.bool_]


class Motion(NamedTuple):
    """What went on after the action, as (rows, columns) of the native grid; all False where nobody looked.

    Attributes:
        latest: still changing when post was taken: a spinner that turns, a page that comes.
        kept: changed meanwhile, and different from pre in post too.
        gone: changed meanwhile, and in post as in pre again: a message that passed.
    """

    latest: Bools
    kept: Bools
    gone: Bools


def state_facts(
    evidence: Evidence,
    amounts: npt.NDArray[np.float32],
    motion: Motion,
    actions: Sequence[Action],
    texts: Texts,
    target: tuple[float, float] | None,
    patch: int,
) -> npt.NDArray[np.float32]:
    """Numbers of the whole transition, (STATE_FACTS,) float32, each in [0, 1].

    Most changes are small, so that the order of magnitude of a fraction counts; the fraction itself tells a dialog from
    another page.

    Args:
        amounts: (rows, columns) of the native grid, from `change_amounts`.
        motion: of the same grid.
        target: the action's last point on the screen in pixels, None where it has none.
    """
    flags = [
        evidence.changed == 0,
        evidence.identical,
        evidence.resized,
        evidence.off_screen,
        target is not None,
        may_be_invisible(actions, texts.instruction),
    ]
    numbers = [
        evidence.changed,
        evidence.changed_elsewhere,
        _magnitude(evidence.changed),
        _magnitude(evidence.changed_elsewhere),
        *(_magnitude(_fraction_within(amounts, target, reach, patch)) for reach in _REACHES),
        _distance(amounts > 0, target, patch),
        _extent(amounts > 0),
        _magnitude(float(motion.latest.mean())),
        _fraction_within(motion.latest, target, _REACHES[1], patch),
        float(motion.kept.sum() / max(np.count_nonzero(amounts), 1)),
        _magnitude(float(motion.gone.mean())),
        min(sum(len(a.text or "") for a in actions), 100) / 100,
    ]
    kinds = {action.kind for action in actions}
    return np.array([*flags, *numbers, *(kind in kinds for kind in KINDS)], np.float32)


def _magnitude(fraction: float) -> float:
    """0 for nothing, 1 for everything, a sixth less for each factor of ten: a single pixel of 1080p is above 0."""
    return max(0.0, 1 + math.log10(fraction) / 6) if fraction > 0 else 0.0


def _fraction_within(
    amounts: npt.NDArray[np.float32] | Bools, point: tuple[float, float] | None, reach: int, patch: int
) -> float:
    """Fraction that changed of the patches at most `reach` rows and columns from the point's; 0 without a point."""
    if point is None:
        return 0.0
    column, row = (int(value // patch) for value in point)
    return float(amounts[max(row - reach, 0) : row + reach + 1, max(column - reach, 0) : column + reach + 1].mean())


def _distance(changed: npt.NDArray[np.bool_], point: tuple[float, float] | None, patch: int) -> float:
    """How far the nearest change is from the point, in hundreds of pixels, squashed; 1 where there is neither."""
    y, x = np.nonzero(changed)
    if point is None or not len(x):
        return 1.0
    nearest = np.hypot((x + 0.5) * patch - point[0], (y + 0.5) * patch - point[1]).min()
    return math.tanh(nearest / 200)


def _extent(changed: npt.NDArray[np.bool_]) -> float:
    """Area of the box around all that changed, as a fraction of the screen."""
    rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    if not len(rows):
        return 0.0
    return float((rows[-1] - rows[0] + 1) * (columns[-1] - columns[0] + 1) / changed.size)
