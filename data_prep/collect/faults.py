"""Faults of the hand: the right step, sent to the wrong place or with a part missing. They suit every application."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import ClassVar, Final

from data_prep.collect.application import Application, Element, Fault, Intent
from data_prep.collect.judge import FIELDS
from data_prep.collect.texts import text_for
from viscritic.actions import Action
from viscritic.actions.action import Point
from viscritic.trajectory import Box

_UNAIMED: Final = ("select", "scroll")  # another point is no fault, or cannot be sent
_MARGIN: Final = 6.0  # pixels around the target that count as the target


class HandFault(Fault):
    """A fault that only changes what is sent.

    Attributes:
        spotless: whether it leaves nothing behind where the step did nothing, so that no replay is needed.
        revives: whether it makes something work that does nothing by itself: the step is right then.
    """

    spotless: ClassVar[bool] = True
    revives: ClassVar[bool] = False

    def arm(self, app: Application) -> None:
        """Nothing to do."""

    def end(self, app: Application) -> None:
        """Nothing to undo."""


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
        others.sort(key=lambda e: (e.role != target.role, _distance(e.centre, target.centre)))
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


class TypedNowhere(HandFault):
    """The text is typed although the field has not the focus. Evidence: the focus before."""

    cause = "typed_nowhere"

    def begin(
        self, app: Application, intent: Intent, elements: Sequence[Element], random: Random
    ) -> tuple[Action, ...] | None:
        """Leave the click away that would have given it the focus."""
        if intent.verb != "type" or len(intent.actions) < 2:
            return None
        return intent.actions[1:] if app.state().focus != intent.target.key else None


class TypedWrong(HandFault):
    """Another text is typed into the right field. Evidence: what the field holds."""

    cause = "typed_wrong"

    def begin(
        self, app: Application, intent: Intent, elements: Sequence[Element], random: Random
    ) -> tuple[Action, ...] | None:
        """Misspell the text, or take another one."""
        if intent.verb != "type" or not intent.text:
            return None
        wrong = _misspell(intent.text, random)
        if random.random() < 0.4 and intent.target.role != "password field":  # its dots tell the length alone
            wrong = text_for(intent.target, _KINDS.get(intent.target.role, "text"), random)
        if not wrong or wrong == intent.text:
            return None
        return tuple(
            replace(a, text=a.text.replace(intent.text, wrong)) if a.kind == "type" and a.text else a
            for a in intent.actions
        )


class OptionWrong(HandFault):
    """Another option of the right list is chosen. Evidence: what the list is set to."""

    cause = "option_wrong"

    def begin(
        self, app: Application, intent: Intent, elements: Sequence[Element], random: Random
    ) -> tuple[Action, ...] | None:
        """Choose one that is neither meant nor set."""
        if intent.verb != "select":
            return None
        others = [o for o in intent.target.options if o and o not in (intent.text, intent.target.value)]
        wrong = random.choice(others) if others else ""
        return tuple(replace(a, text=wrong) for a in intent.actions) if wrong else None


class DragElsewhere(HandFault):
    """It is dropped where it was not meant to go. Evidence: where it lies afterwards."""

    cause = "drag_elsewhere"

    def begin(
        self, app: Application, intent: Intent, elements: Sequence[Element], random: Random
    ) -> tuple[Action, ...] | None:
        """Drop it at another element, or on the other side of where it came from."""
        end, start = intent.actions[0].end, intent.actions[0].point
        if intent.verb != "drag" or end is None or start is None:
            return None
        width, height = screen_size(app)
        places = [e.centre for e in elements if e.key != intent.target.key and e.role == intent.target.role]
        places = [p for p in places if _distance(p, end) > 30**2]
        places.append((2 * start[0] - end[0], 2 * start[1] - end[1]))
        x, y = random.choice(places)
        inside = (min(max(x, 2.0), width - 3.0), min(max(y, 2.0), height - 3.0))
        return tuple(replace(a, x2=float(round(inside[0])), y2=float(round(inside[1]))) for a in intent.actions)


class DragShort(HandFault):
    """It is let go of too early, where nothing takes it. Evidence: where it lies afterwards."""

    cause = "drag_short"

    def begin(
        self, app: Application, intent: Intent, elements: Sequence[Element], random: Random
    ) -> tuple[Action, ...] | None:
        """End the drag a few pixels from where it began."""
        start = intent.actions[0].point
        if intent.verb != "drag" or start is None:
            return None
        by = random.choice((2.0, 3.0, -2.0))
        return tuple(replace(a, x2=start[0] + by, y2=start[1] + 1) for a in intent.actions)


HAND_FAULTS: Final[tuple[Fault, ...]] = (
    Neighbour(), Twin(), Blank(), Offset(), Scaled(), OffScreen(), Twice(), TypedNowhere(), TypedWrong(), OptionWrong(),
    DragElsewhere(), DragShort(),
)  # fmt: skip
_KINDS: Final = {"number field": "number", "search field": "search"}  # role -> HTML type, for a text that fits


def _misspell(text: str, random: Random) -> str:
    """One letter missing or doubled."""
    places = [i for i, letter in enumerate(text) if letter.isalnum()]
    if len(places) < 2:
        return ""
    i = random.choice(places)
    if random.random() < 0.2:
        return text[: i + 1] + text[i:]
    return text[:i] + text[i + 1 :]


def _in_line(a: Box, b: Box) -> bool:
    """Whether two boxes are of about one size and in one column or row."""
    alike = abs(a[2] - b[2]) <= max(4.0, 0.35 * b[2]) and abs(a[3] - b[3]) <= 4
    return alike and (abs(a[0] - b[0]) <= 4 or abs(a[1] - b[1]) <= 4)


def aim(intent: Intent, point: Point) -> tuple[Action, ...]:
    """The intent's actions with every pointer action at another point."""
    return tuple(a if a.point is None else replace(a, x=point[0], y=point[1]) for a in intent.actions)


def screen_size(app: Application) -> tuple[int, int]:
    """(width, height) of the application's screen in pixels."""
    return app.driver.size


def _near(point: Point, box: Box) -> bool:
    x, y, width, height = box
    return x - _MARGIN <= point[0] <= x + width + _MARGIN and y - _MARGIN <= point[1] <= y + height + _MARGIN


def _apart(a: Box, b: Box) -> bool:
    return a[0] + a[2] <= b[0] + 1 or b[0] + b[2] <= a[0] + 1 or a[1] + a[3] <= b[1] + 1 or b[1] + b[3] <= a[1] + 1


def _distance(a: Point, b: Point) -> float:
    return float((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2)
