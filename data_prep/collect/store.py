"""An application's database seen from outside: read for the truth, and put back from a copy."""

from __future__ import annotations

import hashlib
import shutil
import sqlite3
from collections.abc import Collection, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

_MOMENTS = ("date", "time")  # declared types that hold when something happened: never the same on a replay


class SqliteStore:
    """An SQLite file that a server works with.

    Args:
        file: the server's file. It is replaced, never written over, so what the server still has open harms nothing.
        skipped: tables that tell nothing of the application (sessions, caches).
        columns: columns that differ from replay to replay, "table.column".
    """

    def __init__(self, file: Path, skipped: Collection[str] = (), columns: Collection[str] = ()) -> None:
        self._file, self._skipped, self._columns = file, frozenset(skipped), frozenset(columns)
        self._stamp: tuple[int, int, int] | None = None
        self._read: dict[str, str] = {}

    def restore(self, copy: Path) -> None:
        """Begin again with the content of a copy."""
        fresh = self._file.with_suffix(".fresh")
        shutil.copyfile(copy, fresh)
        for rest in ("-journal", "-wal", "-shm"):
            self._file.with_name(self._file.name + rest).unlink(missing_ok=True)
        fresh.replace(self._file)

    def spoil(self) -> None:
        """Leave a file that is no database, as a broken disk does."""
        fresh = self._file.with_suffix(".fresh")
        fresh.write_bytes(b"no database at all " * 64)
        fresh.replace(self._file)

    def read(self) -> dict[str, str]:
        """For each table its number of rows and a digest of schema and rows, without moments."""
        status = self._file.stat()
        stamp = (status.st_ino, status.st_mtime_ns, status.st_size)
        if stamp != self._stamp:
            try:
                self._read = self._digest()
            except sqlite3.DatabaseError as error:
                return {"error": str(error)}
            self._stamp = stamp
        return self._read

    def change(self, statement: str, values: Sequence[Any] = ()) -> int:
        """Change something behind the application's back; the number of rows."""
        with closing(sqlite3.connect(self._file, timeout=5)) as database, database:
            return database.execute(statement, values).rowcount

    def ask(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """The rows of a query."""
        with closing(self._open()) as database:
            return database.execute(query, values).fetchall()

    def _open(self) -> sqlite3.Connection:
        return sqlite3.connect(f"file:{self._file}?mode=ro", uri=True, timeout=5)

    def _digest(self) -> dict[str, str]:
        found = {}
        with closing(self._open()) as database:
            things = database.execute("SELECT type, name, sql FROM sqlite_master ORDER BY name").fetchall()
            for kind, name, sql in things:
                rows: list[tuple[Any, ...]] = []
                if kind == "table" and name not in self._skipped and not name.startswith("sqlite_"):
                    rows = self._rows(database, name)
                elif name in self._skipped:
                    continue
                digest = hashlib.sha256(repr((sql, rows)).encode()).hexdigest()[:16]
                found[f"{kind} {name}"] = f"{len(rows)} rows {digest}"
        return found

    def _rows(self, database: sqlite3.Connection, table: str) -> list[tuple[Any, ...]]:
        columns = [
            f'"{name}"'
            for _, name, kind, *_ in database.execute(f'PRAGMA table_info("{table}")')
            if not any(word in kind.lower() for word in _MOMENTS) and f"{table}.{name}" not in self._columns
        ]
        if not columns:
            return []
        return sorted(database.execute(f'SELECT {", ".join(columns)} FROM "{table}"').fetchall(), key=repr)
