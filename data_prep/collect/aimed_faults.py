"""Faults of where an action goes: to another element, beside it, off the screen, or twice to the same."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from data_prep.collect.application import Application, Element, Fault, Intent
from data_prep.collect.faults import HandFault, aim, screen_size, square_distance
from data_prep.collect.judge import FIELDS
from viscritic.actions import Action
from viscritic.actions.action import Point
from viscritic.trajectory import Box

_UNAIMED: Final = ("select", "scroll")  # another point is no fault, or cannot be sent
_MARGIN: Final = 6.0  # pixels around the target that count as the target


class Neighbour(HandFault):
    """The action goes to another element near by. Evidence: the hit is not the target."""

    cause = "neighbour"

    def begin(
        self, app: Application, intent: Intent, elements: Sequence[Element], random: Random
    ) -> tuple[Action, ...] | None:
        """Aim at one of the nearest elements of the same kind, or of any."""
        if intent.actions[0].point is None or intent.verb == "scroll":
            return None
        target = intent.target
        others = [e for e in elements if e.key != target.key and e.enabled and _apart(e.box, target.box)]
        if intent.verb == "type":
            others = [e for e in others if e.role in FIELDS]
        if intent.verb == "select":
            others = [e for e in others if intent.text in e.options and e.value != intent.text]
        others.sort(key=lambda e: (e.role != target.role, square_distance(e.centre, target.centre)))
        return aim(intent, random.choice(others[:4]).centre) if others else None


class Twin(HandFault):
    """The action goes to the target's like in another row, list or group. Evidence: the hit is not the target."""

    cause = "twin"

    def begin(
        self, app: Application, intent: Intent, elements: Sequence[Element], random: Random
    ) -> tuple[Action, ...] | None:
        """Aim at an element of the same kind and of the same name, or of the same size in line with the target."""
        target = intent.target
        if intent.actions[0].point is None or intent.verb in _UNAIMED or (intent.verb == "drag" and not target.near):
            return None
        others = [e for e in elements if e.key != target.key and e.enabled and e.role == target.role]
        same = [
            e for e in others if _apart(e.box, target.box) and (e.name == target.name or _in_line(e.box, target.box))
        ]
        return aim(intent, random.choice(same).centre) if same else None


class Blank(HandFault):
    """The action goes where no element is. Evidence: nothing is hit."""

    cause = "blank"

    def begin(
        self, app: Application, intent: Intent, elements: Sequence[Element], random: Random
    ) -> tuple[Action, ...] | None:
        """Look for a point that hits nothing."""
        if intent.actions[0].point is None or intent.verb in _UNAIMED:
            return None
        width, height = screen_size(app)
        for _ in range(12):
            point = float(random.randrange(width)), float(random.randrange(height))
            if not _near(point, intent.target.box) and app.hit(point) == "":
                return aim(intent, point)
        return None


class Offset(HandFault):
    """The coordinates are off by some pixels, as by a banner or a toolbar. Evidence: the hit is not the target."""

    cause = "offset"

    def begin(
        self, app: Application, intent: Intent, elements: Sequence[Element], random: Random
    ) -> tuple[Action, ...] | None:
        """Move the point just out of the target's box."""
        point = intent.actions[0].point
        if point is None or intent.verb in _UNAIMED:
            return None
        width, height = screen_size(app)
        _, _, wide, high = intent.target.box
        for _ in range(8):
            dx, dy = random.choice(((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)))
            step = random.uniform(0.8, 2.2)
            moved = float(round(point[0] + dx * step * wide)), float(round(point[1] + dy * step * high))
            inside = 0 <= moved[0] < width and 0 <= moved[1] < height
            if inside and not _near(moved, intent.target.box) and app.hit(moved) not in (intent.target.key, "?"):
                return aim(intent, moved)
        return None


class Scaled(HandFault):
    """The coordinates are those of a screen of another scale. Evidence: the hit is not the target."""

    cause = "scaled"

    def begin(
        self, app: Application, intent: Intent, elements: Sequence[Element], random: Random
    ) -> tuple[Action, ...] | None:
        """Multiply the point by one of the usual factors."""
        point = intent.actions[0].point
        if point is None or intent.verb in _UNAIMED:
            return None
        width, height = screen_size(app)
        for factor in random.sample((0.5, 0.75, 0.8, 1.25, 1.5, 2.0), 6):
            moved = float(round(point[0] * factor)), float(round(point[1] * factor))
            inside = moved[0] < width and moved[1] < height
            if inside and not _near(moved, intent.target.box) and app.hit(moved) != "?":
                return aim(intent, moved)
        return None


class OffScreen(HandFault):
    """The point lies beyond the screen. Evidence: nothing can be hit there."""

    cause = "off_screen"

    def begin(
        self, app: Application, intent: Intent, elements: Sequence[Element], random: Random
    ) -> tuple[Action, ...] | None:
        """Aim below or to the right of the screen."""
        if intent.actions[0].point is None or intent.verb in _UNAIMED:
            return None
        width, height = screen_size(app)
        x, y = intent.target.centre
        beyond = random.uniform(1.05, 1.6)
        return aim(intent, random.choice(((float(round(width * beyond)), y), (x, float(round(height * beyond))))))


class Twice(HandFault):
    """A switch is hit twice, so it ends where it was. Evidence: both hit the target, and the state is as before."""

    cause = "twice"

    def begin(
        self, app: Application, intent: Intent, elements: Sequence[Element], random: Random
    ) -> tuple[Action, ...] | None:
        """Send the click two times."""
        return intent.actions * 2 if intent.verb == "click" and intent.target.checked is not None else None


AIMED_FAULTS: Final[tuple[Fault, ...]] = (
    Neighbour(), Twin(), Blank(), Offset(), Scaled(), OffScreen(), Twice(),
)  # fmt: skip


def _in_line(a: Box, b: Box) -> bool:
    """Whether two boxes are of about one size and in one column or row."""
    alike = abs(a[2] - b[2]) <= max(4.0, 0.35 * b[2]) and abs(a[3] - b[3]) <= 4
    return alike and (abs(a[0] - b[0]) <= 4 or abs(a[1] - b[1]) <= 4)


def _near(point: Point, box: Box) -> bool:
    x, y, width, height = box
    return x - _MARGIN <= point[0] <= x + width + _MARGIN and y - _MARGIN <= point[1] <= y + height + _MARGIN


def _apart(a: Box, b: Box) -> bool:
    return a[0] + a[2] <= b[0] + 1 or b[0] + b[2] <= a[0] + 1 or a[1] + a[3] <= b[1] + 1 or b[1] + b[3] <= a[1] + 1
