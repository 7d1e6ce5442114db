"""Faults of the page and of the network."""

from __future__ import annotations

import json
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Final, cast

from data_prep.collect.aimed_faults import AIMED_FAULTS
from data_prep.collect.application import Application, Element, Fault, Intent
from data_prep.collect.given_faults import GIVEN_FAULTS
from data_prep.collect.judge import FIELDS
from data_prep.collect.page_faults import PAGE_FAULTS, WebFault
from data_prep.collect.web_errors import error_page

if TYPE_CHECKING:
    from data_prep.collect.web_application import WebApplication

_REFUSED: Final = "http://127.0.0.1:9"  # the discard port: nobody listens there


class Swallowed(WebFault):
    """The page gets no event: a script that hangs or was never bound. Evidence: target hit, nothing in flight."""

    cause = "swallowed"

    def prepare(self, app: WebApplication, intent: Intent, elements: Sequence[Element], random: Random) -> bool:
        """Always possible."""
        return True

    def arm(self, app: Application) -> None:
        """Stop every event from now on."""
        _run(app, "viscritic.swallow(true)")


class Disabled(WebFault):
    """The control takes no input and looks like it. Evidence: it says so."""

    cause = "disabled"

    def prepare(self, app: WebApplication, intent: Intent, elements: Sequence[Element], random: Random) -> bool:
        """Disable a native control; dim it where the page's style does not."""
        if intent.verb == "scroll" or app.details(intent.target)["tag"] not in (
            "button",
            "input",
            "select",
            "textarea",
        ):
            return False
        dim = "node.style.opacity = 0.5;" if random.random() < 0.6 else ""
        app.run(f"(() => {{ const node = {app.query(intent.target.key)}; node.disabled = true; {dim} }})()")
        return True


class Overlay(WebFault):
    """Something lies over the target. Evidence: the hit is not the target.

    Args:
        covers: whether it lies over the target; beside it, it does no harm.
        late: whether it comes after the screen `pre` was taken.
        through: whether it is seen through and takes no click, so that it does no harm.
    """

    def __init__(self, *, covers: bool, late: bool = False, through: bool = False) -> None:
        self.cause = "overlay_through" if through else "late_" * late + ("overlay" if covers else "overlay_beside")
        self._covers, self._late, self._through = covers, late, through

    def prepare(self, app: WebApplication, intent: Intent, elements: Sequence[Element], random: Random) -> bool:
        """Draw it, or keep it for later."""
        if intent.actions[0].point is None or intent.verb == "scroll":
            return False
        box = json.dumps(app.driver.css_box(intent.target.box))
        glass = self._covers and not self._late and not self._through
        kinds = ["cookies", "cookies", "modal", "modal", "chat", "chat"] + ["glass"] * glass
        seed = random.randrange(1 << 30)
        place = f"{box}, null" if self._covers else f"null, {box}"
        through = json.dumps(self._through)
        drawing = f"viscritic.overlay({json.dumps(random.choice(kinds))}, {seed}, {place}, {through})"
        if self._late:
            self._drawing = drawing
            return True
        return bool(app.run(drawing))

    def arm(self, app: Application) -> None:
        """Draw the late one."""
        if self._late:
            _run(app, self._drawing)


class AsksServer(WebFault):
    """The page asks a server before it goes on, at a click or an Enter, and the answer is a failure, late, or does not
    come.

    Evidence: the request's status, or that it is still open while the page shows that it waits.

    Args:
        cause: its name.
        path: what is asked of the fault server; "" asks where nobody listens.
        offline: whether the browser is cut off.
    """

    def __init__(self, cause: str, path: str, *, offline: bool = False) -> None:
        self.cause, self._path, self._offline = cause, path, offline

    def prepare(self, app: WebApplication, intent: Intent, elements: Sequence[Element], random: Random) -> bool:
        """Only clicks, and an Enter that ends what is typed; a link is followed by the page's script then, as many
        frameworks do."""
        enters = intent.target.role in FIELDS and _ends_with_enter(intent) and self.cause != "asked_slow"
        clicks = intent.verb == "click" and intent.target.role not in FIELDS and not intent.target.options
        if not intent.target.enabled or not (clicks or enters):
            return False
        address = (app.odd.url if self._path else _REFUSED) + self._path
        self._asking = (
            f"viscritic.ask({app.query(intent.target.key)}, {json.dumps(address)}, {random.randrange(1 << 30)},"
            f" {json.dumps(enters)})"
        )
        return True

    def arm(self, app: Application) -> None:
        """Let the next click ask."""
        _run(app, self._asking)
        if self._offline:
            _web(app).driver.set_offline(True)

    def end(self, app: Application) -> None:
        """Answer what is held; be connected again."""
        if self._offline:
            _web(app).driver.set_offline(False)
        _web(app).odd.release()


class DocumentFails(WebFault):
    """A link leads to a page that fails, asks to sign in, or does not come. Evidence: the document's status, or that it
    is still awaited while the browser shows so.

    Args:
        failure: a status, "refused", "offline" or "held".
    """

    def __init__(self, failure: int | str) -> None:
        self.cause, self._failure = f"page_{failure}", failure

    def prepare(self, app: WebApplication, intent: Intent, elements: Sequence[Element], random: Random) -> bool:
        """Only links to other pages of the application."""
        self._look = random.randrange(1 << 30)
        if self._failure == "held" and not app.headed:  # nothing would show it
            return False
        return intent.verb == "click" and _leads_on(app, intent)

    def arm(self, app: Application) -> None:
        """Fail the next document."""
        web = _web(app)
        web.spoil()
        if self._failure == "offline":
            web.driver.set_offline(True)
        elif self._failure == "refused":
            web.driver.answer_documents()
        elif self._failure == "held":
            web.freeze()
            web.driver.answer_documents(None)
        else:
            web.driver.answer_documents(int(self._failure), error_page(int(self._failure), self._look))


WEB_FAULTS: Final[tuple[Fault, ...]] = (
    *AIMED_FAULTS,
    *GIVEN_FAULTS,
    *PAGE_FAULTS,
    Swallowed(),
    Disabled(),
    Overlay(covers=True),
    Overlay(covers=True, late=True),
    Overlay(covers=False),
    Overlay(covers=True, through=True),
    AsksServer("asked_500", "/status/500"),
    AsksServer("asked_404", "/status/404"),
    AsksServer("asked_401", "/status/401"),
    AsksServer("asked_refused", ""),
    AsksServer("asked_offline", "/status/200", offline=True),
    AsksServer("asked_held", "/hold"),
    AsksServer("asked_slow", "/slow/700"),
    DocumentFails(500),
    DocumentFails(404),
    DocumentFails(401),
    DocumentFails("held"),
    DocumentFails("refused"),
    DocumentFails("offline"),
)


def _web(app: Application) -> WebApplication:
    return cast("WebApplication", app)


def _run(app: Application, expression: str) -> Any:
    return _web(app).run(expression)


def _ends_with_enter(intent: Intent) -> bool:
    last = intent.actions[-1]
    return last.keys == ("enter",) if last.kind == "key" else (last.kind == "type" and (last.text or "").endswith("\n"))


def _leads_on(app: WebApplication, intent: Intent) -> bool:
    link = str(app.details(intent.target)["link"])
    if app.details(intent.target)["leaves"]:
        return False
    return link.startswith(app.url) and link.split("#", maxsplit=1)[0] != str(app.run("location.href.split('#')[0]"))
