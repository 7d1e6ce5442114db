"""Swagger-UI in front of a small interface that it really calls, for testing only. npm package `swagger-ui-dist`."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import ClassVar, Final, cast

from data_prep.collect.application import Application, Element, Fault, Intent, State
from data_prep.collect.server import ProcessServer
from data_prep.collect.server_application import ServerApplication
from data_prep.collect.server_faults import ServerFault
from data_prep.collect.sites import SITES
from data_prep.collect.store import SqliteStore
from data_prep.collect.web_intents import click, point_in
from viscritic.actions import Action

_KEY: Final = "lib-7731"
_SCHEMA: Final = """
CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT, author TEXT, copies INTEGER);
CREATE TABLE members (id INTEGER PRIMARY KEY, name TEXT, town TEXT);
CREATE TABLE loans (id INTEGER PRIMARY KEY, book INTEGER, member INTEGER, back INTEGER DEFAULT 0);
CREATE TABLE keys (key TEXT);
"""
_TITLES: Final = (
    "Night Trains", "The Quiet Harbour", "Iron and Honey", "An Atlas of Clouds", "Salt Roads", "The Glass Apprentice",
    "Maps of Winter", "Rivers Without Names", "Seven Lighthouses", "The Last Orchard", "Letters to the Coast",
)  # fmt: skip
_NAMES: Final = ("Clara Ito", "Hugo Costa", "Nadia Larsen", "Peter Osei", "Elsa Petit", "Dario Varga")
_PLACES: Final = (
    "", "", "#/Books/get_books", "#/Books/get_books__id_", "#/Books/post_books", "#/Members/get_members",
    "#/Loans/get_loans", "#/Loans/post_loans", "#/Books/put_books__id_", "#/Loans/post_loans__id__return",
    "#/Books/delete_books__id_", "#/Members/post_members",
)  # fmt: skip


class SwaggerUi(ServerApplication):
    """The page; a seed chooses what is open, whether requests can be edited, and whether somebody has given a key."""

    name = "swagger-ui"
    family = "swagger-ui"
    split = "test"
    folder = "npm/node_modules/swagger-ui-dist"
    refusals = "input.invalid,textarea.invalid,select.invalid,.errors-wrapper"
    waiting = ".loading-container"
    left_out = ("Download", "Copy to clipboard", "/openapi.json")
    purposes: ClassVar[Mapping[str, str]] = {
        "Execute": "send the request", "Try it out": "make the request editable", "Clear": "forget the answer",
        "Authorize": "give the key", "Logout": "forget the key", "Close": "close the dialog",
    }  # fmt: skip
    database: SqliteStore

    def launch(self, root: Path, folder: Path) -> ProcessServer:
        """Write the library's data, and serve it."""
        self._copy = folder / "copy.db"
        _write_library(self._copy)
        self.database = SqliteStore(folder / "library.db")
        self.database.restore(self._copy)
        script, file = str(SITES / "library_api.py"), str(folder / "library.db")
        return ProcessServer(lambda port: [sys.executable, "-S", script, str(port), file, str(root)], folder, {})

    def restore(self, seed: int) -> None:
        """Put the library's data back."""
        self.database.restore(self._copy)

    def address(self, seed: int) -> str:
        """The page, with an operation open most of the time."""
        random = Random(f"page {seed}")
        asked = [f"open={random.choice(('list', 'list', 'none', 'full'))}"]
        asked += [name for name, share in (("try", 0.6), ("filter", 0.3), ("models", 0.2)) if random.random() < share]
        return f"/?{'&'.join(asked)}{random.choice(_PLACES)}"

    def prepare(self, seed: int) -> None:
        """Wait for the page's own drawing, and give the key most of the time."""
        self.run("""(async () => {
          for (let i = 0; i < 80 && !document.querySelector('.opblock-tag-section'); i++)
            await new Promise(done => setTimeout(done, 50));
        })()""")
        if Random(f"key {seed}").random() < 0.75:
            self.run(f"void library.preauthorizeApiKey('key', '{_KEY}')")

    def asks(self, intent: Intent) -> tuple[str, str]:
        """Only `Execute` asks the interface."""
        return ("data", "/api/") if intent.target.name == "Execute" else ("", "")

    def elements(self) -> list[Element]:
        """What every page lists; addresses have marks in them where they may be broken."""
        return [replace(element, name=element.name.replace("\u200b", "")) for element in super().elements()]

    def intents(self, elements: Sequence[Element], random: Random) -> list[Intent]:
        """What every page offers, with values that fit the parameters, and the request more often."""
        found = [i for i in super().intents(elements, random) if i.verb != "type" or i.target.role == "search field"]
        for element in elements:
            if element.name == "Execute":
                found.insert(0, click(element, random, purpose=self.purposes["Execute"]))
            elif element.role in ("text field", "number field") and not element.value:
                found.insert(random.choice((0, len(found))), _giving(element, random))
        return found

    def faults(self) -> Sequence[Fault]:
        """Those of a server, and what the library refuses."""
        return (*super().faults(), KeyRevoked(), Emptied())


class KeyRevoked(ServerFault):
    """The key is no longer valid. Evidence: the answer's status, 401."""

    cause = "key_revoked"

    def arm(self, app: Application) -> None:
        """Revoke all keys."""
        _own(app).database.change("DELETE FROM keys")


class Emptied(ServerFault):
    """What is asked for has gone, or is lent. Evidence: the answer's status, 404 or 409."""

    cause = "gone"

    def arm(self, app: Application) -> None:
        """Lend the books, and forget half of everything."""
        _own(app).database.change("UPDATE books SET copies = 0")
        _own(app).database.change("DELETE FROM books WHERE id % 2 = 1")
        _own(app).database.change("UPDATE loans SET back = 1")


def _giving(element: Element, random: Random) -> Intent:
    """A value that fits a parameter by its name."""
    name = element.name.lower()
    text = str(random.randint(1, len(_TITLES)))
    if name == "word":
        text = random.choice(("Night", "Salt", "the", "Winter", "Harbour"))
    elif name not in ("id", "limit"):
        text = _KEY
    x, y = point_in(element, random)
    actions = (Action("click", x=x, y=y), Action("type", text=text))
    return Intent(
        "type", element, actions, text, f"give {text} as {name or 'the key'}", partial(_holds, element.key, text)
    )


def _holds(key: str, text: str, _: State, after: State) -> bool:
    return any(row[0] == key and row[2] == text for row in after.shown)


def _write_library(file: Path) -> None:
    random = Random("library")
    with closing(sqlite3.connect(file)) as database, database:
        database.executescript(_SCHEMA)
        for title in _TITLES:
            author, copies = random.choice(("E. Larsen", "M. Costa", "T. Ito")), random.randint(1, 5)
            database.execute("INSERT INTO books (title, author, copies) VALUES (?, ?, ?)", (title, author, copies))
        for name in _NAMES:
            town = random.choice(("Graz", "Porto", "Bergen"))
            database.execute("INSERT INTO members (name, town) VALUES (?, ?)", (name, town))
        for _ in range(9):
            book, member, back = random.randint(1, len(_TITLES)), random.randint(1, len(_NAMES)), random.random() < 0.4
            database.execute("INSERT INTO loans (book, member, back) VALUES (?, ?, ?)", (book, member, back))
        database.execute("INSERT INTO keys VALUES (?)", (_KEY,))


def _own(app: Application) -> SwaggerUi:
    return cast("SwaggerUi", app)


SWAGGER_UI: Final[dict[str, Callable[[], SwaggerUi]]] = {"swagger-ui": SwaggerUi}
