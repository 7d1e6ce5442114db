"""Whether the screens can tell an outcome: pixels decide here, and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from data_prep.collect.application import Intent
from data_prep.collect.driver import equal
from data_prep.collect.play import Seen
from viscritic.trajectory import Box, Outcome


def shows_effect(seen: Seen) -> bool:
    """Whether what was done can be seen in the last screen: the application shows it, and the screens differ by more
    than noise."""
    return seen.facts.shows and not seen.looks_like(seen.pre, seen.post)


def is_observable(outcome: Outcome, seen: Seen, clean: Seen, intent: Intent) -> bool:
    """Whether the screens can tell a faulted step's outcome.

    A failure must differ from the clean replay, and whatever happened must show. A success must show at least a third
    of what the clean replay shows, apart from the target, where hovering shows as well: something may lie over it.
    """
    if outcome == "no_op":
        return not _end_alike(seen, clean)
    if outcome != "success":
        return shows_effect(seen) and not _end_alike(seen, clean)
    if not seen.facts.shows or clean.pre.shape != clean.post.shape or seen.pre.shape != seen.post.shape:
        return seen.facts.shows
    wanted = _without((clean.pre != clean.post).any(axis=2), [*clean.noise_boxes, *seen.noise_boxes])
    apart = _without(wanted, [intent.target.box], margin=4)
    wanted = apart if apart.any() else wanted
    found = int(((seen.pre != seen.post).any(axis=2) & wanted).sum())
    return 0 < int(wanted.sum()) <= 3 * found


def _end_alike(seen: Seen, clean: Seen) -> bool:
    """Whether two steps end in screens that differ by the noise of either at most."""
    noise = "caret" if "caret" in (seen.noise, clean.noise) else ""
    boxes = (*seen.noise_boxes, *clean.noise_boxes)
    return replace(seen, noise=noise, noise_boxes=boxes).looks_like(seen.post, clean.post)


def changed_apart(seen: Seen, intent: Intent) -> bool:
    """Whether pixels changed away from the target, where hovering shows: then a state that did not change may not
    tell all."""
    if seen.pre.shape != seen.post.shape:
        return True
    x, y, width, height = intent.target.box
    around = (x - 12, y - 12, width + 24, height + 24)
    return not equal(seen.pre, seen.post, [around, *seen.noise_boxes])


def _without(mask: npt.NDArray[np.bool_], boxes: Sequence[Box], margin: int = 0) -> npt.NDArray[np.bool_]:
    """A copy of an (H, W) mask that is False in the boxes."""
    mask = mask.copy()
    for x, y, width, height in boxes:
        left, top = max(int(x) - margin, 0), max(int(y) - margin, 0)
        mask[top : max(int(np.ceil(y + height)) + margin, 0), left : max(int(np.ceil(x + width)) + margin, 0)] = False
    return mask
