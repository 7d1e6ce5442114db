"""Weak supervision: the paper's five classes of samples from recorded trajectories.

- **positive**: a step that its data set calls a success. The word of a human outranks any measure of change: of
  ScreenAgent's successes a quarter has an SSIM above 0.98 (a cell was selected, a word typed, a box ticked), and looked
  at one by one they are successes. Only where the screens are equal pixel for pixel and the action should have shown
  is a step left out: neither class would be true.
- **action_mismatch**: the step's screens with the action and instruction of another step of its trajectory. The other
  step is found by one rotation of the trajectory's steps, so that every action serves about as often in a negative as
  in a positive, and words alone do not tell them apart. Both action and instruction must differ, and waiting or mere
  pointing is never borrowed: any screen may follow it.
- **no_op**: the step's action with no effect. Either the screen from before the action is its own result, or (a
  natural no-op) two screens between which nothing was done, taken just before the action, with an SSIM above 0.98 and
  no change around the action's point: clocks, carousels and carets go on in them. Actions that may succeed
  invisibly (waiting, copying, saving) make no no-op.
- **state_mismatch**: the step's screen after is one from another trajectory of the same split and, where the split has
  one, of the same size, in another application: within one application (or its family: the part of the name before the
  hyphen) a foreign screen can show just what was meant.
- **state_back**, its harder variant: the screen after is an earlier one of the same trajectory, as if the step had
  undone the ones before. Like the foreign screen it must look different from both screens of the step, and neither is
  made of a step that means to leave (close, exit, back, ...): it may end on just such a screen.
- **failed**: a step that its data set calls a failure.

Steps whose screens show an agent's marks are left out: the marks give the action away.

Progress is where the trajectory stands, in steps done of steps in all: (i + 1) / n after a success. No-ops, failures
and action mismatches make none: 0. A foreign or earlier screen loses what was reached: -(steps lost) / n.
`change` is not known of weak labels, except for "none" where the screens are equal.
`Sample.idle` stays empty: a natural no-op has used its idle screen up, so the others' would tell the classes apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from data_prep.choice import rank
from data_prep.config import BuildConfig
from data_prep.donors import Donors
from data_prep.draft import Draft, means_to_leave
from data_prep.selection import Selection
from data_prep.similarity import Source, changed_near, distance, is_equal, ssim
from viscritic.actions import Action, may_be_invisible
from viscritic.sample import Change
from viscritic.trajectory import Outcome, Step, Trajectory

_ANYTHING_FOLLOWS: Final = {"wait", "move", "other", "done"}  # no screen contradicts these actions
_TARGET_RADIUS: Final = 32  # px around an action's point that must not change in a natural no-op
_SHIFT: Final = 24.0  # px; points of two actions nearer than this may be one target


@dataclass(frozen=True, slots=True)
class _Case:
    """A successful step in its trajectory."""

    trajectory: Trajectory
    step: Step

    @property
    def post(self) -> Source:
        assert self.step.post is not None
        return self.step.post

    @property
    def key(self) -> str:
        return f"{self.trajectory.source}/{self.trajectory.id}/{self.step.index}"


def perturb(trajectories: Sequence[Trajectory], config: BuildConfig) -> list[Draft]:
    """Make the samples of one split from its trajectories, all in memory; `data_prep.build` streams the same steps.

    Returns:
        The drafts in the order of the trajectories, their steps, and `CAUSES`. Fewer negatives than `config.ratio`
        asks for where the trajectories have too few.
    """
    own = [draft for trajectory in trajectories for draft in candidates(trajectory, config)]
    donors = Donors(config)
    for draft in own:
        donors.offer(draft)
    drafts = [made for draft in own for made in (draft, donors.mismatch(draft, distance)) if made is not None]
    selection = Selection(config)
    for draft in drafts:
        selection.count(draft)
    order = {id(trajectory): number for number, trajectory in enumerate(trajectories)}
    return sorted(filter(selection.takes, drafts), key=lambda d: (order[id(d.trajectory)], *d.place))


def candidates(trajectory: Trajectory, config: BuildConfig) -> list[Draft]:
    """Every sample that a trajectory gives by itself: all but those with a foreign screen, which `Donors` makes.

    Positives and failures are all taken; of the others `Selection` takes as many as `config.ratio` asks for.
    Steps are worked on one after the other, so that each screen is decoded once (`data_prep.similarity`).

    Returns:
        The drafts in the order of the steps and of `CAUSES`.
    """
    drafts: list[Draft] = []
    for step in trajectory.steps:
        drafts += _step_candidates(_Case(trajectory, step), config)
    return sorted(drafts, key=lambda draft: draft.place)


def _step_candidates(case: _Case, config: BuildConfig) -> list[Draft]:
    """A step of unknown result, or whose labels contradict its screens, makes none."""
    step = case.step
    if step.post is None or step.success is None or step.marked:
        return []
    equal = is_equal(step.pre, step.post)
    if not step.success:
        outcome = step.outcome or (config.outcomes.no_op if equal and _should_show(step) else None)
        return [_draft(case, "failed", outcome=outcome, change="none" if equal else None)]
    if equal and _should_show(step):
        return []
    makers = {"action_mismatch": _mismatch_action, "no_op": _make_no_op, "state_back": _go_back}
    made = (make(case, config=config) for cause, make in makers.items() if getattr(config.shares, cause) > 0)
    return [_positive(case), *(draft for draft in made if draft is not None)]


def _draft(
    case: _Case,
    cause: str,
    *,
    pre: Source | None = None,
    post: Source | None = None,
    other: Step | None = None,
    success: float = 0.0,
    progress: float = 0.0,
    outcome: Outcome | None,
    change: Change | None = None,
) -> Draft:
    told = other or case.step
    return Draft(
        trajectory=case.trajectory,
        step=case.step,
        cause=cause,
        pre=case.step.pre if pre is None else pre,
        post=case.post if post is None else post,
        actions=told.actions,
        instruction=told.instruction,
        success=success,
        progress=round(progress, 4) + 0.0,  # no -0.0
        outcome=outcome,
        change=change,
    )


def _positive(case: _Case) -> Draft:
    progress = (case.step.index + 1) / len(case.trajectory.steps)
    equal = is_equal(case.step.pre, case.post)
    return _draft(case, "positive", success=1.0, progress=progress, outcome="success", change="none" if equal else None)


def _mismatch_action(case: _Case, *, config: BuildConfig) -> Draft | None:
    steps = case.trajectory.steps
    if len(steps) < 2:
        return None
    first = rank(config.seed, "rotation", case.trajectory.source, case.trajectory.id) % (len(steps) - 1)
    for turn in range(len(steps) - 1):
        other = steps[(case.step.index + 1 + (first + turn) % (len(steps) - 1)) % len(steps)]
        if _differs(case.step, other) and {action.kind for action in other.actions} - _ANYTHING_FOLLOWS:
            return _draft(case, "action_mismatch", other=other, outcome=config.outcomes.action_mismatch)
    return None


def _differs(step: Step, other: Step) -> bool:
    """Whether both the words and the actions of two steps differ, points by more than a target's size."""
    if step.instruction.casefold() == other.instruction.casefold() and step.instruction:
        return False
    if len(step.actions) != len(other.actions):
        return True
    return any(not _is_same(a, b) for a, b in zip(step.actions, other.actions, strict=True))


def _is_same(a: Action, b: Action) -> bool:
    if (a.kind, a.text, a.keys, a.url) != (b.kind, b.text, b.keys, b.url):
        return False
    if a.x is None or a.y is None or b.x is None or b.y is None:
        return a == b
    return max(abs(a.x - b.x), abs(a.y - b.y)) <= _SHIFT


def _should_show(step: Step) -> bool:
    return not may_be_invisible(step.actions, step.instruction)


def _make_no_op(case: _Case, *, config: BuildConfig) -> Draft | None:
    step = case.step
    if not _should_show(step):
        return None
    outcome = config.outcomes.no_op
    wants_idle = rank(config.seed, "idle", case.key) < config.idle * 2**64
    if wants_idle and step.idle and _is_quiet(step.idle[-1], step, config.ssim):
        equal = is_equal(step.idle[-1], step.pre)
        return _draft(
            case, "no_op", pre=step.idle[-1], post=step.pre, outcome=outcome, change="none" if equal else None
        )
    return _draft(case, "no_op", post=step.pre, outcome=outcome, change="none")


def _is_quiet(idle: Source, step: Step, threshold: float) -> bool:
    points = [(a.x, a.y) for a in step.actions if a.x is not None and a.y is not None]
    return ssim(idle, step.pre) > threshold and not changed_near(idle, step.pre, points, _TARGET_RADIUS)


def _go_back(case: _Case, *, config: BuildConfig) -> Draft | None:
    if means_to_leave(case.step):
        return None
    index, steps = case.step.index, case.trajectory.steps
    first = rank(config.seed, "back", case.key)
    for turn in range(index):
        earlier = steps[(first + turn) % index]
        if not earlier.marked and _is_elsewhere(earlier.pre, case, config.near):
            lost = (index - earlier.index) / len(steps)
            return _draft(case, "state_back", post=earlier.pre, progress=-lost, outcome=config.outcomes.state_back)
    return None


def _is_elsewhere(screen: Source, case: _Case, near: float) -> bool:
    """Whether a screen is clearly neither where the step began nor where it led."""
    return distance(screen, case.step.pre) >= near and distance(screen, case.post) >= near
