"""Failed runs: where they part from a successful run of the same task, and what their steps are then worth.

The steps of both runs are aligned by dynamic programming (S. B. Needleman and C. D. Wunsch, A general method applicable
to the search for similarities in the amino acid sequence of two proteins, J. Mol. Biol. 48, 1970):

    C(i, j) = min( C(i-1, j-1) + d(i, j),  C(i-1, j) + g,  C(i, j-1) + g ),  C(i, 0) = i g,  C(0, j) = j g

with the gap cost g, so that steps with d > 2 g are never partners. d compares what the steps did and what they saw:

    d(i, j) = w A + (1 - w) (D(pre_i, pre_j) + 3 R) / 4
    D(a, b) = min(1, distance(a, b) / far)                      two screens, by thumbnail
    R = max(D(post_i, post_j), P)                               two results, on the whole and
    P = min(1, 2 |{p in M : post_i, post_j differ at p}| / |M|)     where step j changed its screen (M)
    A in [0, 1]                                                 two actions, see `action_distance`

By default neither another action with the same result makes partners, nor the same action with another result.

The run **diverges** at the step after its last one that has a partner. Before it, steps with partners are successes of
confidence `aligned`; steps without one are detours from which the run came back, and nothing is said of them. After it,
step k is a failure of confidence

    c_k = diverged * exp(-S_k / decay),  S_k = sum of the deviations of the steps from the divergence up to k - 1

where a step's deviation is the least D of its screen after from any screen of the reference. The step that led away is
the surest failure; the further a run has strayed, the less a single step can be blamed. A step that lands on a screen
further along the reference's path may have found another way: it is left out.

Progress is j / m after a step aligned with the j-th of the reference's m, and -min(1, (S_k + 1) / m) after the
divergence: each step on foreign ground is one to undo.

Of several references the one counts that the run follows longest. One that shares no screen with the run's beginning
(other device, other window) says nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import numpy.typing as npt

from data_prep.config import Divergence
from data_prep.similarity import Source, distance, features
from viscritic.actions import Action
from viscritic.trajectory import Step, Trajectory

MOST: Final = 4  # references of one task: more add little, and each costs a comparison
_REACH: Final = 0.05  # of the screen's diagonal: points further apart than this hit different things
_VISIBLE: Final = 5  # grey levels of a thumbnail's pixel: a ticked box changes one or two by as much
_SAME: Final = 0.5  # two screens of a smaller D are the same state


class References:
    """The successful runs of each task, at most `MOST`: those that come first.

    Args:
        trajectories: taken one at a time.
    """

    def __init__(self, trajectories: Iterable[Trajectory] = ()) -> None:
        self._runs: dict[tuple[str, str], list[Trajectory]] = {}
        for trajectory in trajectories:
            self.offer(trajectory)

    def offer(self, trajectory: Trajectory) -> None:
        """A run that is kept where it succeeded and its task is known."""
        task = task_of(trajectory)
        if trajectory.success and task is not None and len(kept := self._runs.setdefault(task, [])) < MOST:
            kept.append(trajectory)

    def of(self, trajectory: Trajectory) -> list[Trajectory]:
        """What a run that failed is compared with; [] where it did not fail, or there is nothing."""
        task = task_of(trajectory)
        return [] if trajectory.success is not False or task is None else self._runs.get(task, [])


@dataclass(frozen=True, slots=True)
class Found:
    """What the comparison says of one step.

    Attributes:
        success: before the divergence, or after it.
        confidence: in [0, 1].
        progress: in [-1, 1].
    """

    step: Step
    success: bool
    confidence: float
    progress: float


@dataclass(frozen=True, slots=True)
class Alignment:
    """Which steps of two runs belong together.

    Attributes:
        pairs: positions (i, j) in the run and in the reference, both rising.
        cost: the least cost C.
    """

    pairs: tuple[tuple[int, int], ...]
    cost: float


def task_of(trajectory: Trajectory) -> tuple[str, str] | None:
    """What two runs of the same task have in common; None where the task is not known."""
    task = " ".join(trajectory.task.casefold().split())
    return (trajectory.platform, task) if task else None


def judge_run(run: Trajectory, references: Sequence[Trajectory], config: Divergence) -> list[Found]:
    """What can be said of the steps of a failed run, in their order; nothing where no reference compares.

    Args:
        run: its steps without a screen after, and those that an agent drew into, are left out.
        references: successful runs of the same task.

    Raises:
        DataError: a screen that cannot be read.
    """
    steps = _usable(run)
    compared = [
        (alignment.pairs[-1][0] if alignment.pairs else -1, -alignment.cost, -number, alignment.pairs, path)
        for number, path in enumerate(map(_usable, references))
        if steps and path and _begins_on(steps[0], path, config)
        for alignment in (align(steps, path, config),)
    ]
    if not compared:
        return []
    last, _, _, pairs, path = max(compared, key=lambda item: item[:3])
    found = [Found(steps[i], True, config.aligned, (j + 1) / len(path)) for i, j in pairs]
    ahead = path[pairs[-1][1] + 1 :] if pairs else []
    return found + _after(steps[last + 1 :], path, ahead, config)


def _usable(trajectory: Trajectory) -> list[Step]:
    return [step for step in trajectory.steps if step.post is not None and not step.marked]


def _begins_on(first: Step, path: Sequence[Step], config: Divergence) -> bool:
    return _nearest(first.pre, path, config) < _SAME


def align(run: Sequence[Step], reference: Sequence[Step], config: Divergence) -> Alignment:
    """The cheapest alignment of two runs whose steps all have a screen after; of equal ones that with fewer pairs."""
    gap = config.gap
    apart = [[step_distance(step, other, config) for other in reference] for step in run]
    # best[i][j]: the least cost of the first i steps of the run and the first j of the reference
    best = [[(i + j) * gap if not i or not j else 0.0 for j in range(len(reference) + 1)] for i in range(len(run) + 1)]
    for i in range(1, len(run) + 1):
        for j in range(1, len(reference) + 1):
            best[i][j] = min(best[i - 1][j] + gap, best[i][j - 1] + gap, best[i - 1][j - 1] + apart[i - 1][j - 1])
    pairs: list[tuple[int, int]] = []
    i, j = len(run), len(reference)
    while i and j:
        if best[i][j] == best[i - 1][j] + gap:
            i -= 1
        elif best[i][j] == best[i][j - 1] + gap:
            j -= 1
        else:
            i, j = i - 1, j - 1
            pairs.append((i, j))
    return Alignment(tuple(reversed(pairs)), best[-1][-1])


def step_distance(step: Step, other: Step, config: Divergence) -> float:
    """d in [0, 1] of a step of the run and one of the reference."""
    assert step.post is not None
    assert other.post is not None
    results = max(_screen_distance(step.post, other.post, config), _results_apart(step.post, other.pre, other.post))
    screens = (_screen_distance(step.pre, other.pre, config) + 3 * results) / 4
    actions = sum(action_distance(a, b, step.size) for a, b in zip(step.actions, other.actions, strict=False))
    longest = max(len(step.actions), len(other.actions))
    apart = (actions + longest - min(len(step.actions), len(other.actions))) / longest
    return config.actions * apart + (1 - config.actions) * screens


def _results_apart(result: Source, before: Source, after: Source) -> float:
    """P: whether a screen shows what changed from `before` to `after`; elsewhere clocks and carets may differ.

    Where nothing changed, or so little that thumbnails do not show it, any result is as good.
    """
    ours, first, last = features(result), features(before), features(after)
    if ours.size != last.size:
        return 1.0
    changed = _unlike(first.thumbnail, last.thumbnail)  # of a screen that was resized, nearly everywhere
    if not changed.any():
        return 0.0
    return min(1.0, 2 * float(np.mean(_unlike(ours.thumbnail, last.thumbnail)[changed])))


def shows_change(before: Source, after: Source) -> bool:
    """Whether more changed between two screens than a pointer's shade or a caret."""
    first, last = features(before), features(after)
    return first.size != last.size or bool(_unlike(first.thumbnail, last.thumbnail).any())


def _unlike(a: npt.NDArray[np.uint8], b: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
    return np.maximum(a, b) - np.minimum(a, b) > _VISIBLE


def action_distance(a: Action, b: Action, size: tuple[int, int]) -> float:
    """A in [0, 1]: 1 for two kinds of actions, else the mean over the parts that either has.

    Points count by their distance, at most a twentieth of the screen's diagonal; texts, keys, addresses and directions
    are alike or not.
    """
    if a.kind != b.kind:
        return 1.0
    reach = _REACH * math.hypot(*size)
    parts = [
        1.0 if p is None or q is None else min(1.0, math.dist(p, q) / reach)
        for p, q in ((a.point, b.point), (a.end, b.end))
        if p is not None or q is not None
    ]
    for ours, theirs in (
        (_plain(a.text), _plain(b.text)),
        (a.keys, b.keys),
        (a.url, b.url),
        (_direction(a), _direction(b)),
    ):
        if ours or theirs:
            parts.append(float(ours != theirs))
    return sum(parts) / len(parts) if parts else 0.0


def _plain(text: str | None) -> str:
    return " ".join((text or "").casefold().split())


def _direction(action: Action) -> tuple[int, ...]:
    signs = tuple((n > 0) - (n < 0) for n in (action.dx or 0.0, action.dy or 0.0))
    return signs if any(signs) else ()


def _screen_distance(a: Source, b: Source, config: Divergence) -> float:
    return min(1.0, distance(a, b) / config.far)


def _nearest(screen: Source, path: Sequence[Step], config: Divergence) -> float:
    """The least D of a screen from those of a path."""
    screens = [step.pre for step in path] + [step.post for step in path[-1:] if step.post is not None]
    screens += [a.post for a, b in pairwise(path) if a.post is not None and a.post != b.pre]
    return min(_screen_distance(screen, other, config) for other in screens)


def _after(steps: Sequence[Step], path: Sequence[Step], ahead: Sequence[Step], config: Divergence) -> list[Found]:
    """The steps after the divergence that count as failures."""
    found: list[Found] = []
    strayed = 0.0
    for step in steps:
        assert step.post is not None
        confidence = config.diverged * math.exp(-strayed / config.decay)
        arrived = any(
            _screen_distance(step.post, other.post, config) < _SAME for other in ahead if other.post is not None
        )
        if confidence >= config.least and not arrived:
            found.append(Found(step, False, confidence, -min(1.0, (strayed + 1) / len(path))))
        strayed += _nearest(step.post, path, config)
    return found[: math.ceil(config.kept * len(found))]
