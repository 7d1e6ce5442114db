"""What the order of the steps tells, apart from each step's own verdict."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from viscritic.actions import Action, may_be_invisible
from viscritic.trajectory import Step

FindingKind = Literal["no_op", "loop", "redundant"]
FINDING_KINDS: Final[tuple[FindingKind, ...]] = get_args(FindingKind)
_NEAR: Final = 0.02  # of the screen's longer side: two clicks that close go to the same thing
_IDLE_KINDS: Final = ("wait", "done")


@dataclass(frozen=True, slots=True)
class Finding:
    """Something odd about a step.

    Attributes:
        kind: "no_op", nothing changed although it should show; "loop", the same action on the same screen as before;
            "redundant", part of several steps that end on the screen on which they began.
        message: the same in words, for people.
        steps: positions, from 0, of the other steps that it is about.
    """

    kind: FindingKind
    message: str
    steps: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """From where to where a step led.

    Attributes:
        step: the step itself.
        pre, post: numbers of the places before and after it; None where there is no screen.
    """

    step: Step
    pre: int | None
    post: int | None

    @property
    def stayed(self) -> bool:
        """The screen is still the same."""
        return self.pre is not None and self.pre == self.post


def find(passages: Sequence[Passage]) -> list[tuple[Finding, ...]]:
    """The findings of each step of one trajectory, in the order of `FINDING_KINDS`."""
    found: list[list[Finding]] = [[] for _ in passages]
    for position, passage in enumerate(passages):
        if passage.stayed and not may_be_invisible(passage.step.actions, passage.step.instruction):
            found[position].append(Finding("no_op", "Nothing on the screen changed."))
        if (earlier := _done_before(passages, position)) is not None:
            found[position].append(Finding("loop", f"Does on the same screen what step {earlier + 1} did.", (earlier,)))
    for first, last in _detours(passages):
        for position in range(first, last + 1):
            if not passages[position].stayed:
                others = tuple(other for other in range(first, last + 1) if other != position)
                message = f"Steps {first + 1} to {last + 1} end on the screen on which they began."
                found[position].append(Finding("redundant", message, others))
    return [tuple(findings) for findings in found]


def _done_before(passages: Sequence[Passage], position: int) -> int | None:
    """The latest earlier step that did the same on the same screen."""
    this = passages[position]
    if this.pre is None or all(action.kind in _IDLE_KINDS for action in this.step.actions):
        return None
    for earlier in range(position - 1, -1, -1):
        other = passages[earlier]
        if other.pre == this.pre and _same(other.step, this.step):
            return earlier
    return None


def _same(one: Step, other: Step) -> bool:
    reach = _NEAR * max(one.size)
    return len(one.actions) == len(other.actions) and all(
        _alike(a, b, reach) for a, b in zip(one.actions, other.actions, strict=True)
    )


def _alike(a: Action, b: Action, reach: float) -> bool:
    """The same kind, words, keys and direction, at about the same points."""
    said = ("kind", "text", "keys", "dx", "dy", "url")
    if any(getattr(a, name) != getattr(b, name) for name in said):
        return False
    for one, other in ((a.point, b.point), (a.end, b.end)):
        if (one is None) != (other is None):
            return False
        if one is not None and other is not None and math.dist(one, other) > reach:
            return False
    return True


def _detours(passages: Sequence[Passage]) -> list[tuple[int, int]]:
    """Longest stretches, first and last position, that lead away from a screen and back; none overlaps another."""
    detours: list[tuple[int, int]] = []
    first = 0
    while first < len(passages):
        start = passages[first]
        ends = [
            last
            for last in range(first + 1, len(passages))
            if start.pre is not None and not start.stayed and passages[last].post == start.pre
        ]
        # A step that stayed at the end adds nothing to the way back.
        ends = [last for last in ends if not passages[last].stayed]
        if ends:
            detours.append((first, ends[-1]))
            first = ends[-1]
        first += 1
    return detours
