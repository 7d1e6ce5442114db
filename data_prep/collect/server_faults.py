"""Faults of an application's own server: what it says and shows is its own, nothing is drawn."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Final, cast

from data_prep.collect.application import Application, Element, Fault, Intent
from data_prep.collect.faults import HandFault
from viscritic.actions import Action

if TYPE_CHECKING:
    from data_prep.collect.server_application import ServerApplication

_SLOW: Final = 0.8  # seconds that a slow server hangs, from shortly before the action
_MISDIRECT: Final = """(node, link) => {
  const wrong = address => {
    const url = new URL(address, location);
    url.pathname = url.pathname.replace(/\\/?$/, '-old/');
    return url.href;
  };
  if (link) {
    const to = node.closest('a[href]');
    to.href = wrong(to.href);
  } else {
    const field = node.closest('button,input');
    field.removeAttribute('formaction');
    field.form.action = wrong(field.form.getAttribute('action') || '');
  }
}"""

_EMPTY: Final = """node => {
  const form = node.closest('button,input').form;
  const field = [...form.elements].find(f => f.required && f.value && f.checkVisibility() &&
    /^(text|email|number|url|search|textarea|password)$/.test(f.type));
  if (field) { field.value = ''; form.noValidate = true; }
  return !!field;
}"""


class ServerFault(HandFault):
    """A fault of steps that ask the application's server.

    Attributes:
        path: what is asked for.
    """

    spotless = False

    def begin(
        self, app: Application, intent: Intent, elements: Sequence[Element], random: Random
    ) -> tuple[Action, ...] | None:
        """Set the fault up."""
        return intent.actions if self.prepare(_server(app), intent, elements, random) else None

    def prepare(self, app: ServerApplication, intent: Intent, elements: Sequence[Element], random: Random) -> bool:
        """Only links and buttons that lead to the server."""
        if intent.verb not in ("click", "key"):
            return False
        self._node = app.query(intent.target.key)
        self._asks, self.path = app.asks(intent)
        return bool(self._asks)


class LoginWall(ServerFault):
    """The session has ended, and the login page comes in place of what was wanted.

    Evidence: the session's cookie is gone, and the address is that of the login page.
    """

    cause = "login_wall"

    def prepare(self, app: ServerApplication, intent: Intent, elements: Sequence[Element], random: Random) -> bool:
        """Only where the application lets nobody in without a session."""
        return super().prepare(app, intent, elements, random) and self.path.startswith(app.guarded)

    def arm(self, app: Application) -> None:
        """Forget the session."""
        _server(app).driver.forget_cookie(_server(app).session)


class DeadLink(ServerFault):
    """The link or form leads to an address that no longer is. Evidence: the application's own 404 or refusal."""

    cause = "dead_link"

    def prepare(self, app: ServerApplication, intent: Intent, elements: Sequence[Element], random: Random) -> bool:
        """Only pages have addresses in the page."""
        return super().prepare(app, intent, elements, random) and self._asks in ("link", "form")

    def arm(self, app: Application) -> None:
        """Change the address."""
        _server(app).run(f"({_MISDIRECT})({self._node}, {'true' if self._asks == 'link' else 'false'})")


class ServerFails(ServerFault):
    """The server's database broke. Evidence: the status of its own answer, 500."""

    cause = "server_fails"

    def prepare(self, app: ServerApplication, intent: Intent, elements: Sequence[Element], random: Random) -> bool:
        """Half of the time: such pages all look alike."""
        return random.random() < 0.5 and super().prepare(app, intent, elements, random)

    def arm(self, app: Application) -> None:
        """Break it."""
        database = _server(app).database
        assert database is not None  # or it is not among the faults
        database.spoil()


class ServerHangs(ServerFault):
    """The server's process hangs. Evidence: the request is open while the page shows that it waits."""

    cause = "server_hangs"

    def prepare(self, app: ServerApplication, intent: Intent, elements: Sequence[Element], random: Random) -> bool:
        """Only where the page would show it."""
        if not super().prepare(app, intent, elements, random):
            return False
        return not app.waiting_button or bool(app.run(f"!!{self._node}.closest({app.waiting_button!r})"))

    def arm(self, app: Application) -> None:
        """Stop the process."""
        _server(app).freeze()
        _server(app).server.pause()

    def end(self, app: Application) -> None:
        """Let it go on."""
        _server(app).server.resume()


class ServerSlow(ServerFault):
    """The server's process hangs for a moment, and then does what was asked. Evidence: the clean replay's state."""

    cause = "server_slow"

    def arm(self, app: Application) -> None:
        """Stop the process for a while."""
        server = _server(app).server
        server.pause()
        self._timer = threading.Timer(_SLOW, server.resume)
        self._timer.start()

    def end(self, app: Application) -> None:
        """Let it go on."""
        if hasattr(self, "_timer"):
            self._timer.cancel()
        _server(app).server.resume()


class Rejection(ServerFault):
    """A form that is rejected, for a reason that came up meanwhile. Evidence: its message, as the application shows it.

    Subclasses say in `arm` what came up.
    """

    cause = "rejected_form"

    def prepare(self, app: ServerApplication, intent: Intent, elements: Sequence[Element], random: Random) -> bool:
        """Only forms."""
        return super().prepare(app, intent, elements, random) and self._asks == "form"


class EmptiedForm(Rejection):
    """A field that the application requires has been left empty. Evidence: its message."""

    def prepare(self, app: ServerApplication, intent: Intent, elements: Sequence[Element], random: Random) -> bool:
        """Empty one of the required fields, and have the browser send the form all the same."""
        return super().prepare(app, intent, elements, random) and bool(app.run(f"({_EMPTY})({self._node})"))


def server_faults(app: ServerApplication) -> tuple[Fault, ...]:
    """What can go wrong with an application's server, as far as it can."""
    found: list[Fault] = [DeadLink(), ServerSlow()]
    found += [ServerFails()] if app.database is not None else []
    found += [LoginWall()] if app.login else []
    found += [ServerHangs()] if app.waiting else []
    return tuple(found)


def _server(app: Application) -> ServerApplication:
    return cast("ServerApplication", app)
