"""A database seen from outside: what counts as a change, and how it is put back."""

import sqlite3
from contextlib import closing, suppress

import pytest

from data_prep.collect.apps.sqlite_databases import QUERIES, TABLES, write_databases
from data_prep.collect.store import SqliteStore


@pytest.fixture
def store(tmp_path):
    with closing(sqlite3.connect(tmp_path / "copy.db")) as database, database:
        database.executescript(
            "CREATE TABLE notes (id INTEGER PRIMARY KEY, text VARCHAR, saved_at DATETIME, token VARCHAR);"
            "CREATE TABLE sessions (key VARCHAR); INSERT INTO notes VALUES (1, 'milk', '2025-01-01', 'a');"
        )
    store = SqliteStore(tmp_path / "live.db", skipped=("sessions",), columns=("notes.token",))
    store.restore(tmp_path / "copy.db")
    return store


@pytest.mark.parametrize(
    ("statement", "counts"),
    [
        ("UPDATE notes SET text = 'oat milk'", True),
        ("INSERT INTO notes (text) VALUES ('milk')", True),
        ("DELETE FROM notes", True),
        ("ALTER TABLE notes ADD COLUMN done BOOLEAN", True),
        ("UPDATE notes SET saved_at = '2025-05-05'", False),
        ("UPDATE notes SET token = 'b'", False),
        ("INSERT INTO sessions VALUES ('x')", False),
    ],
)
def test_reads_what_differs_and_no_more(store, tmp_path, statement, counts):
    before = store.read()
    store.change(statement)
    assert (store.read() != before) is counts
    store.restore(tmp_path / "copy.db")
    assert store.read() == before


def test_a_server_that_has_it_open_harms_nothing(store, tmp_path):
    before = store.read()
    with closing(sqlite3.connect(tmp_path / "live.db")) as server:
        server.execute("INSERT INTO notes (text) VALUES ('late')")  # not committed yet
        store.restore(tmp_path / "copy.db")
        with suppress(sqlite3.OperationalError):  # its journal is gone
            server.commit()
    assert store.read() == before


def test_spoilt_until_it_is_restored(store, tmp_path):
    store.spoil()
    assert list(store.read()) == ["error"]
    store.restore(tmp_path / "copy.db")
    assert store.ask("SELECT text FROM notes WHERE id = ?", (1,)) == [("milk",)]


def test_the_databases_are_the_same_every_time_and_take_their_queries(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        write_databases(tmp_path / name)
    for name, tables in TABLES.items():
        a, b = (SqliteStore(tmp_path / folder / f"{name}.db") for folder in ("a", "b"))
        assert a.read() == b.read()
        assert all(a.ask(f"SELECT COUNT(*) FROM {table}")[0][0] >= 6 for table in tables)
        for query in QUERIES[name]:
            if query.startswith("SELECT"):
                assert a.ask(query)
            else:
                assert a.change(query) > 0
