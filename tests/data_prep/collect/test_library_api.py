"""The interface behind Swagger-UI: what it does, what it refuses and why, and what it keeps."""

import json
import sys
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from data_prep.collect.apps import swagger_ui
from data_prep.collect.server import ProcessServer
from data_prep.collect.sites import SITES
from data_prep.collect.store import SqliteStore

KEY = {"X-Key": "lib-7731"}


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """The running server, and its store."""
    folder = tmp_path_factory.mktemp("library")
    (folder / "pages").mkdir()
    (folder / "pages" / "swagger-ui.css").write_text("body {}")
    swagger_ui._write_library(folder / "library.db")
    command = [sys.executable, "-S", str(SITES / "library_api.py")]
    files = [str(folder / "library.db"), str(folder / "pages")]
    server = ProcessServer(lambda port: [*command, str(port), *files], folder, {}, "/openapi.json")
    yield server, SqliteStore(folder / "library.db")
    server.close()


def ask(library, method, path, body=None, headers=KEY):
    """Status and answer."""
    sent = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
    request = Request(library[0].url + path, sent, headers, method=method)
    try:
        with urlopen(request, timeout=20) as answer:
            return answer.status, json.loads(answer.read() or b"null")
    except HTTPError as error:
        with error:
            return error.code, json.loads(error.read())


def test_lends_and_takes_back(library):
    before = library[1].read()
    status, loan = ask(library, "POST", "/api/loans", {"book": 1, "member": 2})
    assert (status, loan["back"]) == (201, 0)
    assert library[1].read() != before
    assert ask(library, "POST", f"/api/loans/{loan['id']}/return")[1]["back"] == 1
    status, answer = ask(library, "POST", f"/api/loans/{loan['id']}/return")
    assert (status, answer["error"]) == (409, "This book is back already.")


@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "status", "words"),
    [
        ("GET", "/api/books/999", None, KEY, 404, "no book 999"),
        ("GET", "/api/nothing", None, KEY, 404, "no such address"),
        ("DELETE", "/api/books/1", None, {}, 401, "valid key"),
        ("DELETE", "/api/books/1", None, {"X-Key": "guess"}, 401, "valid key"),
        ("POST", "/api/books", {"title": "", "author": "A", "copies": 1}, KEY, 422, "'title'"),
        ("POST", "/api/books", {"title": "New", "author": "A", "copies": "many"}, KEY, 422, "'copies'"),
        ("POST", "/api/books", {"title": "Night Trains", "author": "A", "copies": 1}, KEY, 409, "already"),
        ("POST", "/api/members", b"{", KEY, 400, "not valid JSON"),
    ],
)
def test_refuses_and_changes_nothing(library, method, path, body, headers, status, words):
    before = library[1].read()
    got, answer = ask(library, method, path, body, headers)
    assert got == status
    assert words in answer["error"]
    assert library[1].read() == before


def test_shows_the_same_moment_always(library):
    for path in ("/", "/openapi.json", "/api/books?word=the&limit=2", "/swagger-ui.css"):
        with urlopen(library[0].url + path, timeout=20) as answer:
            assert answer.headers["Date"] == "Wed, 14 May 2025 09:41:00 GMT"


def test_describes_every_route_that_it_has(library):
    with urlopen(library[0].url + "/openapi.json", timeout=20) as answer:
        described = json.loads(answer.read())
    for path, methods in described["paths"].items():
        for method in methods:
            status, _ = ask(library, method.upper(), "/api" + path.replace("{id}", "4"), headers={})
            assert status in (200, 401)
