"""A small library as an HTTP interface, with Swagger-UI in front of it.

    python library_api.py PORT DATABASE FOLDER-OF-SWAGGER-UI

Needs nothing but Python. What it keeps lies in the database alone. Every change wants a key in the header X-Key.
"""

from __future__ import annotations

import json
import re
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Library API</title>
<link rel="stylesheet" href="/swagger-ui.css"><link rel="icon" href="data:,"></head><body><div id="ui"></div>
<script src="/swagger-ui-bundle.js"></script><script>
const asked = new URLSearchParams(location.search);
window.library = SwaggerUIBundle({url: "/openapi.json", dom_id: "#ui", deepLinking: true,
  docExpansion: asked.get("open") || "list", tryItOutEnabled: asked.has("try"),
  filter: asked.has("filter"), validatorUrl: null,
  defaultModelsExpandDepth: asked.has("models") ? 1 : -1, syntaxHighlight: {theme: "agate"}});
</script></body></html>"""


class Refusal(Exception):  # noqa: N818 - an answer, no error of the program
    """An answer that says no.

    Args:
        status: 400 and above.
        reason: one sentence.
    """

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


Answer = tuple[int, Any]
Work = Callable[[sqlite3.Connection, dict[str, Any]], Answer]


def rows(database: sqlite3.Connection, query: str, *values: object) -> list[dict[str, Any]]:
    """The rows of a query as dictionaries."""
    return [dict(row) for row in database.execute(query, values)]


def one(database: sqlite3.Connection, table: str, number: object) -> dict[str, Any]:
    """The row of a number, or 404."""
    found = rows(database, f"SELECT * FROM {table} WHERE id = ?", number)
    if not found:
        raise Refusal(404, f"There is no {table[:-1]} {number}.")
    return found[0]


def text(values: dict[str, Any], name: str) -> str:
    """A text that is there and not empty, or 422."""
    value = values.get(name)
    if not isinstance(value, str) or not value.strip():
        raise Refusal(422, f"'{name}' must be a text that is not empty.")
    return value


def whole(values: dict[str, Any], name: str, least: int = 0) -> int:
    """A whole number, or 422."""
    try:
        value = int(values[name])
    except (KeyError, TypeError, ValueError):
        raise Refusal(422, f"'{name}' must be a whole number.") from None
    if value < least:
        raise Refusal(422, f"'{name}' must be at least {least}.")
    return value


def list_books(database: sqlite3.Connection, values: dict[str, Any]) -> Answer:
    """All books, or those whose title has a word."""
    found = rows(database, "SELECT * FROM books WHERE title LIKE ? ORDER BY id", f"%{values.get('word', '')}%")
    return 200, found[: whole(values, "limit", 1) if "limit" in values else 10]


def get_book(database: sqlite3.Connection, values: dict[str, Any]) -> Answer:
    """One book."""
    return 200, one(database, "books", values["id"])


def add_book(database: sqlite3.Connection, values: dict[str, Any]) -> Answer:
    """A new book."""
    title, author, copies = text(values, "title"), text(values, "author"), whole(values, "copies", 1)
    if rows(database, "SELECT 1 FROM books WHERE title = ?", title):
        raise Refusal(409, f"There is a book '{title}' already.")
    made = database.execute("INSERT INTO books (title, author, copies) VALUES (?, ?, ?)", (title, author, copies))
    return 201, one(database, "books", made.lastrowid)


def change_book(database: sqlite3.Connection, values: dict[str, Any]) -> Answer:
    """Another number of copies."""
    one(database, "books", values["id"])
    database.execute("UPDATE books SET copies = ? WHERE id = ?", (whole(values, "copies", 0), values["id"]))
    return 200, one(database, "books", values["id"])


def remove_book(database: sqlite3.Connection, values: dict[str, Any]) -> Answer:
    """One book less."""
    one(database, "books", values["id"])
    database.execute("DELETE FROM books WHERE id = ?", (values["id"],))
    return 204, None


def list_members(database: sqlite3.Connection, values: dict[str, Any]) -> Answer:
    """All members."""
    return 200, rows(database, "SELECT * FROM members ORDER BY id")


def add_member(database: sqlite3.Connection, values: dict[str, Any]) -> Answer:
    """A new member."""
    made = database.execute(
        "INSERT INTO members (name, town) VALUES (?, ?)", (text(values, "name"), text(values, "town"))
    )
    return 201, one(database, "members", made.lastrowid)


def list_loans(database: sqlite3.Connection, values: dict[str, Any]) -> Answer:
    """All loans, or the open ones."""
    only = " WHERE back = 0" if values.get("open") == "true" else ""
    return 200, rows(database, f"SELECT * FROM loans{only} ORDER BY id")


def lend(database: sqlite3.Connection, values: dict[str, Any]) -> Answer:
    """A book goes to a member."""
    book = one(database, "books", whole(values, "book"))
    member = one(database, "members", whole(values, "member"))
    if book["copies"] < 1:
        raise Refusal(409, f"No copy of '{book['title']}' is left.")
    database.execute("UPDATE books SET copies = copies - 1 WHERE id = ?", (book["id"],))
    made = database.execute("INSERT INTO loans (book, member) VALUES (?, ?)", (book["id"], member["id"]))
    return 201, one(database, "loans", made.lastrowid)


def take_back(database: sqlite3.Connection, values: dict[str, Any]) -> Answer:
    """A book comes back."""
    loan = one(database, "loans", values["id"])
    if loan["back"]:
        raise Refusal(409, "This book is back already.")
    database.execute("UPDATE loans SET back = 1 WHERE id = ?", (loan["id"],))
    database.execute("UPDATE books SET copies = copies + 1 WHERE id = ?", (loan["book"],))
    return 200, one(database, "loans", values["id"])


NUMBER, WORD = {"type": "integer"}, {"type": "string"}
BOOK = {"title": (WORD, "The Paper Bridge"), "author": (WORD, "E. Larsen"), "copies": (NUMBER, 2)}
# method, path, group, what it does, work, parameters of the query, body
ROUTES: tuple[tuple[str, str, str, str, Work, dict[str, Any], dict[str, Any]], ...] = (
    ("get", "/books", "Books", "List the books", list_books, {"word": WORD, "limit": NUMBER}, {}),
    ("post", "/books", "Books", "Add a book", add_book, {}, BOOK),
    ("get", "/books/{id}", "Books", "Show a book", get_book, {}, {}),
    ("put", "/books/{id}", "Books", "Change the number of copies", change_book, {}, {"copies": (NUMBER, 3)}),
    ("delete", "/books/{id}", "Books", "Remove a book", remove_book, {}, {}),
    ("get", "/members", "Members", "List the members", list_members, {}, {}),
    (
        "post",
        "/members",
        "Members",
        "Add a member",
        add_member,
        {},
        {"name": (WORD, "Lena Novak"), "town": (WORD, "Graz")},
    ),
    ("get", "/loans", "Loans", "List the loans", list_loans, {"open": {"type": "boolean"}}, {}),
    ("post", "/loans", "Loans", "Lend a book", lend, {}, {"book": (NUMBER, 3), "member": (NUMBER, 2)}),
    ("post", "/loans/{id}/return", "Loans", "Take a book back", take_back, {}, {}),
)


def describe() -> dict[str, Any]:
    """The interface in the form that Swagger-UI reads."""
    paths: dict[str, dict[str, Any]] = {}
    for method, path, group, summary, _, query, body in ROUTES:
        parameters = [{"name": n, "in": "query", "schema": kind} for n, kind in query.items()]
        if "{id}" in path:
            parameters.insert(0, {"name": "id", "in": "path", "required": True, "schema": NUMBER})
        answers = {"200": {"description": "Done"}, "404": {"description": "Not there"}, "422": {"description": "Wrong"}}
        entry: dict[str, Any] = {"tags": [group], "summary": summary, "parameters": parameters, "responses": answers}
        if method != "get":
            entry["security"] = [{"key": []}]
        if body:
            schema = {"type": "object", "properties": {n: kind | {"example": e} for n, (kind, e) in body.items()}}
            entry["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
        paths.setdefault(path, {})[method] = entry
    key = {"key": {"type": "apiKey", "in": "header", "name": "X-Key"}}
    info = {"title": "Town library", "version": "1.4.0", "description": "Books, members and loans of a small library."}
    return {
        "openapi": "3.0.3", "info": info, "servers": [{"url": "/api"}], "paths": paths,
        "components": {"securitySchemes": key},
    }  # fmt: skip


class Handler(SimpleHTTPRequestHandler):
    """Answers for the page, its parts, and the interface."""

    protocol_version = "HTTP/1.1"

    def __init__(self, *args: Any, database: Path, **kwargs: Any) -> None:
        self._database = database
        super().__init__(*args, **kwargs)  # it answers in here

    def do_GET(self) -> None:
        """A page, a file, or something of the interface."""
        path = urlsplit(self.path).path
        if path == "/":
            self._send(200, PAGE.encode(), "text/html; charset=utf-8")
        elif path == "/openapi.json":
            self._send(200, json.dumps(describe()).encode(), "application/json")
        elif path.startswith("/api/"):
            self._work("get")
        else:
            super().do_GET()

    def do_POST(self) -> None:
        """Something new."""
        self._work("post")

    def do_PUT(self) -> None:
        """Something else."""
        self._work("put")

    def do_DELETE(self) -> None:
        """Something less."""
        self._work("delete")

    def _work(self, method: str) -> None:
        try:
            status, answer = self._answer(method)
        except Refusal as refusal:
            status, answer = refusal.status, {"error": str(refusal)}
        except sqlite3.Error as error:
            status, answer = 500, {"error": f"Internal error: {error}"}
        body = b"" if answer is None else json.dumps(answer, indent=2).encode()
        self._send(status, body, "application/json")

    def _answer(self, method: str) -> Answer:
        sent = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        split = urlsplit(self.path)
        values: dict[str, Any] = {name: found[0] for name, found in parse_qs(split.query).items()}
        with closing(sqlite3.connect(self._database)) as database, database:
            database.row_factory = sqlite3.Row
            database.execute("PRAGMA synchronous = OFF")
            if method != "get" and not rows(database, "SELECT 1 FROM keys WHERE key = ?", self.headers.get("X-Key")):
                raise Refusal(401, "This needs a valid key.")
            if sent:
                try:
                    values |= json.loads(sent)
                except (ValueError, TypeError):
                    raise Refusal(400, "The body is not valid JSON.") from None
            for verb, path, _, _, work, *_ in ROUTES:
                found = re.fullmatch(path.replace("{id}", r"(?P<id>[^/]+)"), split.path.removeprefix("/api"))
                if found and verb == method:
                    return work(database, values | found.groupdict())
        raise Refusal(404, "There is no such address.")

    def _send(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)

    def date_time_string(self, timestamp: float | None = None) -> str:
        """The same moment in every answer: the page shows it."""
        return "Wed, 14 May 2025 09:41:00 GMT" if timestamp is None else super().date_time_string(timestamp)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


if __name__ == "__main__":
    port, file, folder = sys.argv[1:]
    ThreadingHTTPServer(
        ("127.0.0.1", int(port)), partial(Handler, directory=folder, database=Path(file))
    ).serve_forever()
