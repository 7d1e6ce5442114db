"""Applications with a server of their own: what they share beyond `WebApplication`.

The server is a process of this application alone, on a free port of this machine; its database or files tell the truth
beside what the page shows. What it refuses in words (a rejected form, a login page in place of the wanted one) counts
as an error of the step, as its answers of 400 and above do.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from data_prep.collect.application import Element, Fault, Intent, State, Traffic
from data_prep.collect.server import ProcessServer, Server
from data_prep.collect.server_faults import server_faults
from data_prep.collect.store import SqliteStore
from data_prep.collect.web_application import WebApplication

_PREFIX = "viscritic-server-"
_REFUSALS = """(selector, login) => [...document.querySelectorAll(selector || 'vc-none')]
  .filter(node => node.checkVisibility({visibilityProperty: true, opacityProperty: true}))
  .map(node => 'refused: ' + node.innerText.replace(/\\s+/g, ' ').trim().slice(0, 120))
  .concat(login && location.pathname.startsWith(login) ? ['asked to log in: ' + location.pathname] : [])"""
_WAITING = """selector => [...document.querySelectorAll(selector)]
  .some(node => node.checkVisibility({visibilityProperty: true, opacityProperty: true}))"""
# Whether a step asks the server for a page: "link", "form" or "", and the path that is asked for.
_ASKS = """(node, verb) => {
  const link = node && node.closest('a[href]'), bare = address => address.split('#')[0];
  if (verb === 'click' && link) {
    const asks = link.origin === location.origin && bare(link.href) !== bare(location.href);
    return [asks ? 'link' : '', link.pathname];
  }
  const field = node && node.closest('button,input');
  if (!field || !field.form || (verb !== 'key' && field.type !== 'submit')) return ['', ''];
  return ['form', new URL(field.form.getAttribute('action') || location.href, location).pathname];
}"""
# A button whose form the browser itself would not send: its hint is drawn by the browser, and shows on no screen.
_HELD_BACK = """node => { const form = node && node.form; return !!form && node.type === 'submit' && !form.noValidate &&
  !node.formNoValidate && !form.matches(':valid') }"""


class ServerApplication(WebApplication):
    """An `Application` whose pages come from its own server process.

    Subclasses override `launch`, and `kept` where they have no database, and set what applies.

    Attributes:
        refusals: CSS selector of the messages in which it says no; only new ones count.
        login: the path of its login page, "" where it has none.
        session: the cookie that keeps a user logged in.
        guarded: beginnings of the paths that only a session opens.
        waiting: CSS selector of what it shows while it waits for its server.
        waiting_button: CSS selector of the elements whose action shows that; "" for all that ask the server.
        purposes: name of a link or button -> what a click on it is good for; used where the name is there once.
        left_out: names of elements that are never acted on (what they do cannot be seen in the page: a download).
        server: its process.
        database: what it keeps, where that is a database.
    """

    refusals: ClassVar[str] = ""
    login: ClassVar[str] = ""
    session: ClassVar[str] = ""
    guarded: ClassVar[tuple[str, ...]] = ("/",)
    waiting: ClassVar[str] = ""
    waiting_button: ClassVar[str] = ""
    purposes: ClassVar[Mapping[str, str]] = {}
    left_out: ClassVar[tuple[str, ...]] = ()
    server: ProcessServer
    database: SqliteStore | None = None

    def serve(self, root: Path) -> Server:
        """Start the server in a new folder for temporary files."""
        self._said: set[str] = set()
        self.server = self.launch(root, new_folder())
        return self.server

    def launch(self, root: Path, folder: Path) -> ProcessServer:
        """Start what is installed in `root`; everything that it writes goes into `folder`."""
        raise NotImplementedError

    def kept(self) -> Any:
        """What the server keeps, as JSON, without what differs from replay to replay."""
        return self.database.read() if self.database is not None else None

    def state(self) -> State:
        """The state of the page, and what the server keeps."""
        seen = super().state()
        return State(seen.shown, {**seen.truth, "kept": self.kept()}, seen.focus)

    def listen(self) -> None:
        """Forget the traffic, and what was refused so far."""
        super().listen()
        self._said = set(self._refused())

    def traffic(self) -> Traffic:
        """Requests, signs of waiting, and what was refused since `listen`.

        While the page shows that it waits, something is pending, whether its request has been seen or not.
        """
        seen = super().traffic()
        if seen.pending and seen.loading:
            return seen
        waits = bool(self.waiting) and bool(self._call(_WAITING, json.dumps(self.waiting)))
        if seen.pending or waits:
            return Traffic(seen.errors, seen.pending or ("what the page waits for",), waits)
        new = tuple(words for words in dict.fromkeys(self._refused()) if words not in self._said)
        return Traffic((*seen.errors, *new))

    def _refused(self) -> list[str]:
        return list(self._call(_REFUSALS, json.dumps(self.refusals), json.dumps(self.login)))

    def _call(self, function: str, *values: str) -> Any:
        """What a JavaScript function says of JavaScript values."""
        return self.run(f"({function})({', '.join(values)})")

    def intents(self, elements: Sequence[Element], random: Random) -> list[Intent]:
        """What every page offers, with the purposes that the application knows."""
        names = Counter(element.name for element in elements)
        found = []
        for intent in super().intents(elements, random):
            name = intent.target.name
            if intent.verb == "click" and (name in self.left_out or self._is_held_back(intent.target)):
                continue
            if intent.verb == "click" and not intent.purpose and names[name] == 1:
                found.append(replace(intent, purpose=self.purposes.get(name, "")))
            else:
                found.append(intent)
        return found

    def asks(self, intent: Intent) -> tuple[str, str]:
        """How a step asks the server, "link", "form" or "" for not at all, and for which path."""
        kind, path = self._call(_ASKS, self.query(intent.target.key), json.dumps(intent.verb))
        return str(kind), str(path)

    def _is_held_back(self, element: Element) -> bool:
        return element.role == "button" and bool(self._call(_HELD_BACK, self.query(element.key)))

    def faults(self) -> Sequence[Fault]:
        """The ways of the browser, and those of a server."""
        return (*super().faults(), *server_faults(self))


def new_folder() -> Path:
    """A new folder for temporary files, named after this process; those of processes that were killed are removed."""
    place = Path(tempfile.gettempdir())
    for old in place.glob(f"{_PREFIX}*-*"):
        pid = old.name.removeprefix(_PREFIX).partition("-")[0]
        if pid.isdigit() and not Path("/proc", pid).exists():
            shutil.rmtree(old, ignore_errors=True)
    return Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-"))
