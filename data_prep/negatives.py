"""The perturbations of a step by its own trajectory: each makes a negative, or None where none would be true.

- **action_mismatch**: the step's screens with the action and instruction of another step of its trajectory. The other
  step is found by one rotation of the trajectory's steps, so that every action serves about as often in a negative as
  in a positive, and words alone do not tell them apart. Both action and instruction must differ, and waiting or mere
  pointing is never borrowed: any screen may follow it.
- **neighbour**, its harder variant: the action hits the element beside the target. Where another step of the trajectory
  began at the same screen, that step's action and instruction serve, the nearest first. Else, where the reader knows
  the boxes of the screen's elements, the point moves to the nearest one, and in the instruction its name takes the
  place of the target's; without both names only steps that have no instruction are used, since a made-up sentence would
  give the class away.
- **no_op**: the step's action with no effect. Either the screen from before the action is its own result, or (a
  natural no-op) two screens between which nothing was done, taken just before the action, with an SSIM (Z. Wang et al.,
  Image quality assessment: from error visibility to structural similarity, IEEE TIP 13, 2004) above 0.98 and no change
  around the action's point: clocks, carousels and carets go on in them. Actions that may succeed invisibly (waiting,
  copying, saving) make no no-op.
- **state_back**: the screen after is an earlier one of the same trajectory, as if the step had undone the ones before.
- **state_near**, its harder variant: of those earlier screens the one that looks most like the true one.
- **state_scrolled**: the screen after is the one before, one scroll away: the other end of a scrolling step of the
  trajectory that began or ended at just this screen.

(`data_prep.donors` makes the remaining one, **state_mismatch**, with a screen of another trajectory.)

An earlier screen must look different from both screens of the step, a scrolled one must not equal either, and none is
made of a step that means to leave (close, exit, back, ...): it may end on just such a screen.

Progress after a no-op, a mismatched action or a scroll is 0. An earlier screen loses what was reached:
-(steps lost) / n.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from data_prep.choice import rank
from data_prep.config import BuildConfig
from data_prep.draft import Case, Draft, draft_of, means_to_leave, should_show
from data_prep.similarity import Source, changed_near, distance, is_equal, ssim
from viscritic.actions import Action
from viscritic.trajectory import Box, Element, Outcome, Step

_ANYTHING_FOLLOWS: Final = {"wait", "move", "other", "done"}  # no screen contradicts these actions
_HITS: Final = {"click", "double_click", "triple_click", "right_click", "middle_click", "long_press"}
_SCROLLS: Final = {"scroll", "swipe"}
_MAY_SCROLL: Final = {*_SCROLLS, "key", "drag"}
_SCROLLING: Final = re.compile(r"\b(?:scroll|swip|page|further)", re.IGNORECASE)
_TARGET_RADIUS: Final = 32  # px around an action's point that must not change in a natural no-op
_SHIFT: Final = 24.0  # px; points of two actions nearer than this may be one target
_LARGER: Final = 8.0  # a neighbour's box has at most so many times the target's area, and at least that part of it


def mismatch_action(case: Case, config: BuildConfig) -> Draft | None:
    """The action and instruction of another step."""
    steps = case.trajectory.steps
    if len(steps) < 2:
        return None
    first = rank(config.seed, "rotation", case.trajectory.source, case.trajectory.id) % (len(steps) - 1)
    for turn in range(len(steps) - 1):
        other = steps[(case.step.index + 1 + (first + turn) % (len(steps) - 1)) % len(steps)]
        if _differs(case.step, other) and {action.kind for action in other.actions} - _ANYTHING_FOLLOWS:
            return _told_by(other, draft_of(case, "action_mismatch", config.outcomes.action_mismatch))
    return None


def hit_neighbour(case: Case, config: BuildConfig) -> Draft | None:
    """The action on the element beside the target."""
    hit = _hit(case.step)
    if hit is None:
        return None
    draft = draft_of(case, "neighbour", config.outcomes.neighbour)
    if (other := _step_beside(case, hit, config.near)) is not None:
        return _told_by(other, draft)
    for element in _elements_beside(case.step, hit):
        if (instruction := _renamed(case.step, element)) is not None:
            x, y = _middle(element.box)
            action = replace(case.step.actions[0], x=x, y=y, raw=None)
            return replace(draft, actions=(action,), instruction=instruction, target_box=element.box)
    return None


def have_no_effect(case: Case, config: BuildConfig) -> Draft | None:
    """The action without an effect."""
    step, outcome = case.step, config.outcomes.no_op
    if not should_show(step):
        return None
    wants_idle = rank(config.seed, "idle", case.key) < config.idle * 2**64
    if wants_idle and step.idle and _is_quiet(step.idle[-1], step, config.ssim):
        return draft_of(case, "no_op", outcome, pre=step.idle[-1], post=step.pre)
    return draft_of(case, "no_op", outcome, post=step.pre)


def go_back(case: Case, config: BuildConfig) -> Draft | None:
    """An earlier screen after the action."""
    index = case.step.index
    first = rank(config.seed, "back", case.key)
    order = [(first + turn) % index for turn in range(index)]
    return _show_earlier(case, "state_back", config.outcomes.state_back, order, config.near)


def go_near(case: Case, config: BuildConfig) -> Draft | None:
    """The earlier screen after the action that looks most like the true one."""
    steps, index = case.trajectory.steps, case.step.index
    order = sorted(range(index), key=lambda i: (distance(steps[i].pre, case.post), -i))
    return _show_earlier(case, "state_near", config.outcomes.state_near, order, config.near)


def scroll_away(case: Case, config: BuildConfig) -> Draft | None:
    """The screen before after the action, one scroll away."""
    step = case.step
    if means_to_leave(step) or _SCROLLING.search(step.instruction) or not should_show(step):
        return None
    if {action.kind for action in step.actions} & _MAY_SCROLL:
        return None
    for screen in _scrolled(case, config.near):
        if not is_equal(screen, step.pre) and not is_equal(screen, case.post):
            return draft_of(case, "state_scrolled", config.outcomes.state_scrolled, post=screen)
    return None


MAKERS: Final = {
    "action_mismatch": mismatch_action,
    "neighbour": hit_neighbour,
    "no_op": have_no_effect,
    "state_back": go_back,
    "state_near": go_near,
    "state_scrolled": scroll_away,
}


def _told_by(other: Step, draft: Draft) -> Draft:
    return replace(draft, actions=other.actions, instruction=other.instruction, target_box=None)


def _differs(step: Step, other: Step) -> bool:
    """Whether both the words and the actions of two steps differ, points by more than a target's size."""
    if step.instruction.casefold() == other.instruction.casefold() and step.instruction:
        return False
    return not do_the_same(step, other)


def do_the_same(step: Step, other: Step) -> bool:
    """Whether the actions of two steps are the same: their points in one target's box, or within a target's size."""
    boxes = [box for box in (step.target_box, other.target_box) if box is not None]
    return len(step.actions) == len(other.actions) and all(
        _is_same(a, b, boxes) for a, b in zip(step.actions, other.actions, strict=True)
    )


def _is_same(a: Action, b: Action, boxes: Sequence[Box]) -> bool:
    if (a.kind, a.text, a.keys, a.url) != (b.kind, b.text, b.keys, b.url):
        return False
    if a.point is None or b.point is None:
        return a == b
    if any(_overlap(box, (*a.point, 0.0, 0.0)) and _overlap(box, (*b.point, 0.0, 0.0)) for box in boxes):
        return True
    return max(abs(a.point[0] - b.point[0]), abs(a.point[1] - b.point[1])) <= _SHIFT


def _hit(step: Step) -> tuple[float, float] | None:
    """Where a step hits a single thing; None where it does something else."""
    return step.actions[0].point if len(step.actions) == 1 and step.actions[0].kind in _HITS else None


def _step_beside(case: Case, hit: tuple[float, float], near: float) -> Step | None:
    """The step of the trajectory that hits something else on the same screen, nearest; it must have led elsewhere."""
    found: list[tuple[float, int]] = []
    steps = case.trajectory.steps
    for other in steps:
        there = _hit(other)
        if there is None or other.post is None or other.marked or not _differs(case.step, other):
            continue
        if distance(other.pre, case.step.pre) < near and not is_equal(other.post, case.post):
            found.append((math.dist(hit, there), other.index))
    return steps[min(found)[1]] if found else None


def _elements_beside(step: Step, hit: tuple[float, float]) -> list[Element]:
    """The elements beside the target, of about its size, the nearest middle first."""
    box = step.target_box
    if box is None:
        return []
    area = max(box[2] * box[3], 1.0)
    beside = [
        element
        for element in step.elements
        if not _overlap(element.box, box)
        and not _overlap(element.box, (*hit, 0.0, 0.0))
        and area / _LARGER <= element.box[2] * element.box[3] <= area * _LARGER
        and _is_on(step.size, _middle(element.box))
    ]
    return sorted(beside, key=lambda element: math.dist(hit, _middle(element.box)))


def _middle(box: Box) -> tuple[float, float]:
    return box[0] + box[2] / 2, box[1] + box[3] / 2


def _overlap(a: Box, b: Box) -> bool:
    return a[0] <= b[0] + b[2] and b[0] <= a[0] + a[2] and a[1] <= b[1] + b[3] and b[1] <= a[1] + a[3]


def _is_on(size: tuple[int, int], point: tuple[float, float]) -> bool:
    return 0 <= point[0] < size[0] and 0 <= point[1] < size[1]


def _renamed(step: Step, element: Element) -> str | None:
    """The instruction with the element's name in place of the target's; None where the names do not allow it."""
    if not step.instruction:
        return ""
    target = next((e for e in step.elements if e.box == step.target_box), None)
    if target is None or not target.name or not element.name or target.name.casefold() == element.name.casefold():
        return None
    whole = re.compile(rf"(?<!\w){re.escape(target.name)}(?!\w)", re.IGNORECASE)
    if len(whole.findall(step.instruction)) != 1:
        return None
    return whole.sub(lambda _: element.name, step.instruction)


def _is_quiet(idle: Source, step: Step, threshold: float) -> bool:
    points = [(a.x, a.y) for a in step.actions if a.x is not None and a.y is not None]
    return ssim(idle, step.pre) > threshold and not changed_near(idle, step.pre, points, _TARGET_RADIUS)


def _show_earlier(case: Case, cause: str, outcome: Outcome | None, order: Sequence[int], near: float) -> Draft | None:
    """The first of the earlier screens that is clearly neither where the step began nor where it led."""
    if means_to_leave(case.step):
        return None
    steps = case.trajectory.steps
    for earlier in (steps[index] for index in order):
        if earlier.marked:
            continue
        if all(distance(earlier.pre, screen) >= near for screen in (case.step.pre, case.post)):
            lost = (case.step.index - earlier.index) / len(steps)
            return draft_of(case, cause, outcome, post=earlier.pre, progress=-lost)
    return None


def _scrolled(case: Case, near: float) -> Iterator[Source]:
    """The other ends of the trajectory's scrolling steps that touch the screen before, the nearest in time first."""
    index = case.step.index
    scrolls = [step for step in case.trajectory.steps if step.actions[0].kind in _SCROLLS and not step.marked]
    for step in sorted(scrolls, key=lambda step: (abs(step.index - index), step.index)):
        if step.post is None or step.success is False or len(step.actions) > 1:
            continue
        if distance(step.post, case.step.pre) < near:
            yield step.pre
        if distance(step.pre, case.step.pre) < near:
            yield step.post
