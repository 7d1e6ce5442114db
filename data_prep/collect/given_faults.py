"""Faults of what an action brings: the text that is typed, the option that is chosen, the end of a drag."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Final

from data_prep.collect.application import Application, Element, Fault, Intent
from data_prep.collect.faults import HandFault, screen_size, square_distance
from data_prep.collect.texts import text_for
from viscritic.actions import Action

_KINDS: Final = {"number field": "number", "search field": "search"}  # role -> HTML type, for a text that fits


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
        roles = {intent.target.role, *(e.role for e in elements if e.centre == end)}
        places = [e.centre for e in elements if e.key != intent.target.key and e.role in roles]
        places = [p for p in places if square_distance(p, end) > 30**2]
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


GIVEN_FAULTS: Final[tuple[Fault, ...]] = (TypedNowhere(), TypedWrong(), OptionWrong(), DragElsewhere(), DragShort())


def _misspell(text: str, random: Random) -> str:
    """One letter missing or doubled."""
    places = [i for i, letter in enumerate(text) if letter.isalnum()]
    if len(places) < 2:
        return ""
    i = random.choice(places)
    if random.random() < 0.2:
        return text[: i + 1] + text[i:]
    return text[:i] + text[i + 1 :]
