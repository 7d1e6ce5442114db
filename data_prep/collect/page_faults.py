"""Faults inside a page: fields that lose text or focus, forms that refuse, boxes that scroll, a page that hangs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Final, cast

from data_prep.collect.application import Application, Element, Fault, Intent
from data_prep.collect.faults import HandFault
from data_prep.collect.judge import FIELDS
from viscritic.actions import Action

if TYPE_CHECKING:
    from data_prep.collect.web_application import WebApplication

_MANY: Final = 4  # fields that a form refuses at most


class WebFault(HandFault):
    """A fault that the page or its network has. Subclasses override `prepare`, and `arm` or `end`."""

    spotless = False

    def begin(
        self, app: Application, intent: Intent, elements: Sequence[Element], random: Random
    ) -> tuple[Action, ...] | None:
        """Set the fault up in the page."""
        return intent.actions if self.prepare(cast("WebApplication", app), intent, elements, random) else None

    def prepare(self, app: WebApplication, intent: Intent, elements: Sequence[Element], random: Random) -> bool:
        """Whether it applies here, and is set up."""
        raise NotImplementedError


class FocusStolen(WebFault):
    """Just before the text is typed, the focus goes elsewhere. Evidence: what had the focus."""

    cause = "focus_stolen"

    def prepare(self, app: WebApplication, intent: Intent, elements: Sequence[Element], random: Random) -> bool:
        """Only steps that type into a field that has the focus already."""
        if intent.verb not in ("type", "key") or intent.actions[0].point is not None:
            return False
        thief = _other_field(app, intent, elements, random)
        self._theft = f"{thief}.focus()" if thief != "null" else "document.activeElement.blur()"
        return True

    def arm(self, app: Application) -> None:
        """Take the focus away."""
        _run(app, self._theft)


class TypedElsewhere(WebFault):
    """The right field is pressed, and the focus goes on to another one, which gets the text. Evidence: the values."""

    cause = "typed_elsewhere"

    def prepare(self, app: WebApplication, intent: Intent, elements: Sequence[Element], random: Random) -> bool:
        """Only steps that press a field and type."""
        if intent.verb != "type" or intent.actions[0].point is None or app.driver.view.mobile:
            return False
        thief = _other_field(app, intent, elements, random)
        self._theft = f"viscritic.steal({app.query(intent.target.key)}, {thief})"
        return thief != "null" or random.random() < 0.3

    def arm(self, app: Application) -> None:
        """Lie in wait."""
        _run(app, self._theft)


class TypedLossy(WebFault):
    """A letter gets lost on its way into the field. Evidence: what the field holds."""

    cause = "typed_lossy"

    def prepare(self, app: WebApplication, intent: Intent, elements: Sequence[Element], random: Random) -> bool:
        """Only where something is typed."""
        if intent.verb != "type" or len(intent.text) < 2:
            return False
        self._lost = random.randrange(len(intent.text))
        return True

    def arm(self, app: Application) -> None:
        """Lose the letter."""
        _run(app, f"viscritic.lose({self._lost})")


class ScrollElsewhere(WebFault):
    """The wheel turns over another box than the one that is meant. Evidence: what scrolled."""

    cause = "scroll_elsewhere"

    def begin(
        self, app: Application, intent: Intent, elements: Sequence[Element], random: Random
    ) -> tuple[Action, ...] | None:
        """Turn it over another box that scrolls, or over the page."""
        action, web = intent.actions[0], _web(app)
        if intent.verb != "scroll" or action.kind != "scroll" or action.point is None:
            return None
        boxes = [web.driver.screen_box(row["box"]) for row in web.run("viscritic.scrollers()")]
        places = [(x + width / 2, y + height / 2) for x, y, width, height in boxes]
        if intent.target.role != "page":
            width, height = app.driver.size
            places += [(float(random.randrange(width)), float(random.randrange(height))) for _ in range(4)]
        x, y, wide, high = intent.target.box if intent.target.role != "page" else (0.0, 0.0, -1.0, -1.0)
        places = [p for p in places if not (x <= p[0] <= x + wide and y <= p[1] <= y + high)]
        if not places:
            return None
        left, top = random.choice(places)
        point = (float(round(left)), float(round(top)))
        return (
            (Action("scroll", x=point[0], y=point[1], dx=action.dx, dy=action.dy),) if app.hit(point) != "?" else None
        )


class Rejected(WebFault):
    """A form is sent with a required field left empty, and says so. Evidence: the message that the page shows."""

    cause = "rejected"

    def prepare(self, app: WebApplication, intent: Intent, elements: Sequence[Element], random: Random) -> bool:
        """Only buttons, where an empty field is in view."""
        if intent.verb != "click" or intent.target.role != "button" or not intent.target.enabled:
            return False
        empty = [e for e in elements if e.role in FIELDS and e.enabled and not e.value]
        if not empty:
            return False
        chosen = random.sample(empty, min(len(empty), random.randint(1, _MANY)))
        fields = ", ".join(app.query(e.key) for e in chosen)
        self._refusing = f"viscritic.reject({app.query(intent.target.key)}, [{fields}], {random.randrange(1 << 30)})"
        return True

    def arm(self, app: Application) -> None:
        """Refuse at the next click."""
        _run(app, self._refusing)


class Hung(WebFault):
    """The page shows that it works, and its only thread stops. Evidence: it answers nothing, and its request is open.

    Only where screens come from a display: the page itself takes none meanwhile.
    """

    cause = "hung"

    def prepare(self, app: WebApplication, intent: Intent, elements: Sequence[Element], random: Random) -> bool:
        """Only clicks."""
        if not app.headed or intent.verb != "click" or not intent.target.enabled:
            return False
        target, address = app.query(intent.target.key), json.dumps(app.odd.url + "/hold")
        self._hanging = f"viscritic.hang({target}, {address}, {random.randrange(1 << 30)})"
        return True

    def arm(self, app: Application) -> None:
        """Hang at the next click."""
        _web(app).freeze()
        _run(app, self._hanging)

    def end(self, app: Application) -> None:
        """Let it go on."""
        _web(app).odd.release()


class Confirmed(WebFault):
    """Something that does nothing is made to work: it is noted in the page's store, and a message says so for a moment.

    No fault: a success that only the burst shows, or a message that stays. Evidence: the store.

    Args:
        stays: whether the message stays.
    """

    revives = True

    def __init__(self, *, stays: bool) -> None:
        self.cause = "confirmed" if stays else "confirmed_briefly"
        self._stays = json.dumps(stays)

    def prepare(self, app: WebApplication, intent: Intent, elements: Sequence[Element], random: Random) -> bool:
        """Only clicks on something with a name."""
        if intent.verb != "click" or not intent.target.name or not intent.target.enabled:
            return False
        self._target, self._seed = app.query(intent.target.key), random.randrange(1 << 30)
        return intent.target.role in ("button", "link", "item", "icon", "menu item")

    def arm(self, app: Application) -> None:
        """Confirm the next click."""
        _run(app, f"viscritic.confirm({self._target}, {self._seed}, {self._stays})")


PAGE_FAULTS: Final[tuple[Fault, ...]] = (
    FocusStolen(), TypedElsewhere(), TypedLossy(), ScrollElsewhere(), Rejected(), Hung(), Confirmed(stays=False),
    Confirmed(stays=True),
)  # fmt: skip


def _other_field(app: WebApplication, intent: Intent, elements: Sequence[Element], random: Random) -> str:
    """JavaScript for another field, "null" where there is none."""
    others = [e for e in elements if e.role in FIELDS and e.enabled and e.key != intent.target.key]
    return app.query(random.choice(others).key) if others else "null"


def _web(app: Application) -> WebApplication:
    return cast("WebApplication", app)


def _run(app: Application, expression: str) -> Any:
    return _web(app).run(expression)
