"""sqlite-web: browses and edits an SQLite database, here one of three by the seed. PyPI package `sqlite-web`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Final
from urllib.parse import quote

from data_prep.collect.application import Application, Element, Fault, Intent, State
from data_prep.collect.apps.sqlite_databases import QUERIES, TABLES, write_databases
from data_prep.collect.install import python_of
from data_prep.collect.server import ProcessServer
from data_prep.collect.server_application import ServerApplication
from data_prep.collect.server_faults import Rejection
from data_prep.collect.sites import SITES
from data_prep.collect.store import SqliteStore
from data_prep.collect.web_intents import click, point_in
from viscritic.actions import Action

_NAMES: Final = tuple(TABLES)
_PASSWORD: Final = "harbour42"
_PAGES: Final = ("", "content/", "content/", "query/", "query/", "insert/", "insert/", "add-column/", "rename-column/")
_CHANGES: Final = ("Insert", "Update", "Delete", "Bulk Delete", "Yes, delete")
_REASONS: Final = (
    "the period is closed", "not allowed for this user", "row is locked by another session", "quota exceeded",
    "value fails validation", "table is being backed up",
)  # fmt: skip


class SqliteWeb(ServerApplication):
    """The browser; a seed chooses the database, the page and whether somebody is logged in."""

    name = "sqlite-web"
    family = "sqlite-web"
    split = "val"
    folder = "python/sqlite-web"
    refusals = ".alert-danger,.alert-warning,.invalid-feedback"
    login = "/login/"
    session = "sqlite_web_session"
    left_out = ("JSON", "CSV", "Export", "Import", "Download", "Copy row as JSON")
    purposes: ClassVar[Mapping[str, str]] = {
        "Structure": "see how the table is built", "Content": "see the rows", "Log-out": "log out",
        "Execute": "run the query", "Add column": "add a column", "Create": "make the new table",
        "Explain": "see how the query would be carried out", "Cancel": "leave it as it is", "Update": "save the row",
    }  # fmt: skip
    database: SqliteStore

    def launch(self, root: Path, folder: Path) -> ProcessServer:
        """Write the databases, and serve the first."""
        write_databases(folder)
        file = folder / "office.db"
        self._copies = folder
        self.database = SqliteStore(file)
        self.database.restore(folder / f"{_NAMES[0]}.db")
        site = str(SITES / "sqlite_web_site.py")
        return ProcessServer(
            lambda port: [str(python_of(root)), site, "-H", "127.0.0.1", "-p", str(port), "-x", "-P", str(file)],
            folder,
            {"SQLITE_WEB_PASSWORD": _PASSWORD},
        )

    def restore(self, seed: int) -> None:
        """Put the seed's database in place."""
        self.chosen = Random(f"database {seed}").choice(_NAMES)
        self.database.restore(self._copies / f"{self.chosen}.db")

    def address(self, seed: int) -> str:
        """A page of one of the tables, the first page, or now and then the login page."""
        random = Random(f"page {seed}")
        if random.random() < 0.06:
            return self.login
        page = "/"
        if random.random() < 0.92:
            page = f"/{random.choice(TABLES[self.chosen])}/{random.choice(_PAGES)}"
        elif random.random() < 0.5:
            page = "/query/"
        return f"/static/enter?next={quote(page)}"

    def prepare(self, seed: int) -> None:
        """Begin somewhere down the page now and then."""
        if (random := Random(f"scroll {seed}")).random() < 0.2:
            self.run(f"scrollTo(0, {random.random()} * (document.documentElement.scrollHeight - innerHeight))")

    def intents(self, elements: Sequence[Element], random: Random) -> list[Intent]:
        """What every page offers; queries; the password."""
        found = []
        for intent in super().intents(elements, random):
            if intent.verb != "type" or not self._is_query(intent.target):
                found.append(intent)
        for element in elements:
            if self._is_query(element):
                found.insert(random.choice((0, len(found))), self._asking(element, random))
            elif element.role == "password field" and not element.value:
                found.insert(0, self._entering(element, random))
            elif element.name in ("Execute", "Insert", "Update") and element.role == "button":
                step = click(element, random, purpose=self.purposes.get(element.name, "add the row"))
                found.insert(random.choice((0, len(found))), step)
        return found

    def _is_query(self, element: Element) -> bool:
        return element.role == "text area" and bool(self.run(f"{self.query(element.key)}.name === 'sql'"))

    def _asking(self, element: Element, random: Random) -> Intent:
        text = random.choice(QUERIES[self.chosen])
        x, y = point_in(element, random)
        actions: tuple[Action, ...] = (Action("click", x=x, y=y),)
        if element.value:
            actions += (Action("key", keys=("ctrl", "a")),)
        actions += (Action("type", text=text),)
        purpose = f"write the query {text}"
        return Intent("type", element, actions, text, purpose, partial(_holds, element.key, text))

    def _entering(self, element: Element, random: Random) -> Intent:
        x, y = point_in(element, random)
        actions = (Action("click", x=x, y=y), Action("type", text=_PASSWORD), Action("key", keys=("enter",)))
        return Intent("type", element, actions, _PASSWORD, f"log in with the password {_PASSWORD}", _is_in)

    def faults(self) -> Sequence[Fault]:
        """Those of a server, and what this one refuses."""
        return (*super().faults(), RowsRefused(), BrokenQuery(), WrongPassword())


class RowsRefused(Rejection):
    """The database takes no changes of a table any more. Evidence: the application's own message with the reason."""

    def prepare(self, app: ServerApplication, intent: Intent, elements: Sequence[Element], random: Random) -> bool:
        """Only where rows are about to change."""
        if not super().prepare(app, intent, elements, random):
            return False
        self._reason = random.choice(_REASONS)
        sql = str(app.run(f"(({self._node}.form || {{}}).sql || {{value: ''}}).value"))
        return intent.target.name in _CHANGES or sql.startswith(("UPDATE", "DELETE"))

    def arm(self, app: Application) -> None:
        """A trigger in each table that says no."""
        store: SqliteStore = _own(app).database
        no = f"BEGIN SELECT RAISE(ABORT, '{self._reason}'); END"
        for table in TABLES[_own(app).chosen]:
            for event in ("INSERT", "UPDATE", "DELETE"):
                store.change(f"CREATE TRIGGER {table}_no_{event} BEFORE {event} ON {table} {no}")


class BrokenQuery(Rejection):
    """The query has a slip. Evidence: the database's message below it."""

    def prepare(self, app: ServerApplication, intent: Intent, elements: Sequence[Element], random: Random) -> bool:
        """Only where a query is about to run."""
        if intent.target.name not in ("Execute", "Explain") or not super().prepare(app, intent, elements, random):
            return False
        old, new = random.choice((("SELECT", "SELCT"), ("FROM", "FORM"), ("FROM ", "FROM old_")))
        slip = f"text => text.includes('{old}') ? text.replace('{old}', '{new}') : text.slice(0, -2) + ' )('"
        app.run(f"(() => {{ const field = {self._node}.form.sql; field.value = ({slip})(field.value); }})()")
        return True


class WrongPassword(Rejection):
    """A password that is not the right one. Evidence: the application's message."""

    cause = "rejected_password"

    def begin(
        self, app: Application, intent: Intent, elements: Sequence[Element], random: Random
    ) -> tuple[Action, ...] | None:
        """Type another one."""
        if intent.text != _PASSWORD:
            return None
        wrong = random.choice(("harbor42", "harbour4", "Harbour42", "letmein"))
        return tuple(Action("type", text=wrong) if a.kind == "type" else a for a in intent.actions)


def _own(app: Application) -> Any:
    return app


def _holds(key: str, text: str, _: State, after: State) -> bool:
    return any(row[0] == key and row[2] == text for row in after.shown)


def _is_in(_: State, after: State) -> bool:
    return "/login/" not in str(after.truth["url"])


SQLITE_WEB: Final[dict[str, Callable[[], SqliteWeb]]] = {"sqlite-web": SqliteWeb}
