"""JSON that strangers wrote: whole files, long lists element by element, and lines, within bounds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from viscritic.actions.shown import shown
from viscritic.errors import DataError

MOST_BYTES: Final = 2**30  # of a file that is read whole
LONGEST_LINE: Final = 2**26  # bytes of a line of JSON lines
_LONGEST_ELEMENT: Final = 2**29  # characters of one element of a list: a task with its pages and screens
_CHUNK: Final = 2**20
_SPACE: Final = re.compile(r"[ \t\r\n]*")


def read_json(path: Path) -> Any:
    """The value of a file.

    Raises:
        DataError: unreadable, too large, or not JSON.
    """
    try:
        if (size := path.stat().st_size) > MOST_BYTES:
            raise DataError(f"{size} bytes is more than a JSON file may have here ({MOST_BYTES})")
        return json.loads(path.read_bytes())
    except DataError:
        raise
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(f"cannot be read as JSON: {_reason(error)}") from error


def read_lines(path: Path) -> Iterator[tuple[int, Any]]:
    """The number and value of each line that is not blank; a broken line's value is the DataError that tells why.

    Raises:
        DataError: the file cannot be read.
    """
    try:
        with path.open("rb") as file:
            number = 0
            while line := file.readline(LONGEST_LINE + 1):
                number += 1
                if len(line) > LONGEST_LINE:
                    yield number, DataError(f"the line is longer than {LONGEST_LINE} bytes")
                    while line and not line.endswith(b"\n"):
                        line = file.readline(LONGEST_LINE)
                elif line.strip():
                    yield number, _parsed(line)
    except OSError as error:
        raise DataError(f"cannot be read: {_reason(error)}") from error


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        return DataError(f"not JSON: {_reason(error)}")


def iterate_list(path: Path) -> Iterator[Any]:
    """The elements of a file that holds one list, one after the other; another value is its only element.

    The memory grows with the longest element, not with the file.

    Raises:
        DataError: unreadable, an element that is too long, or not JSON; the elements before it have been given.
    """
    try:
        with path.open(encoding="utf-8") as file:
            yield from _Elements(file).read()
    except DataError:
        raise
    except (OSError, ValueError, RecursionError) as error:
        raise DataError(f"cannot be read as JSON: {_reason(error)}") from error


class _Elements:
    """Decodes a list from a window over a text file."""

    def __init__(self, file: Any) -> None:
        self.file = file
        self.text = ""
        self.at = 0
        self.wanted = _CHUNK

    def read(self) -> Iterator[Any]:
        if self._peek() != "[":
            yield self._decode()
            return
        self.at += 1
        if self._peek() == "]":
            return
        while True:
            yield self._decode()
            follows = self._peek()
            self.at += 1
            if follows == "]":
                return
            if follows != ",":
                raise DataError(f"cannot be read as JSON: ',' or ']' expected, got {follows!r}")

    def _peek(self) -> str:
        """The next character that is not blank, "" at the end."""
        while True:
            self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]  # it matches the empty text
            if self.at < len(self.text) or not self._fill():
                return self.text[self.at : self.at + 1]

    def _decode(self) -> Any:
        self._peek()
        while True:
            try:
                value, end = json.JSONDecoder().raw_decode(self.text, self.at)
            except ValueError:
                if not self._fill():
                    raise
                continue
            if end == len(self.text) and self._fill():
                continue  # a number may go on behind the window
            self.at, self.wanted = end, _CHUNK
            return value

    def _fill(self) -> bool:
        """Read on, twice as much each time that an element does not end; False at the end of the file."""
        if len(self.text) - self.at > _LONGEST_ELEMENT:
            raise DataError(f"an element is longer than {_LONGEST_ELEMENT} characters")
        more = self.file.read(self.wanted)
        self.text, self.at = self.text[self.at :] + more, 0
        self.wanted = max(len(self.text), _CHUNK)
        return bool(more)


def peek(path: Path, size: int = 2**16) -> str:
    """The first bytes of a file as text, "" where it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(size).decode("utf-8", "replace")
    except OSError:
        return ""


def text_of(record: Any, key: str) -> str:
    """A field of text, without blanks around it; "" where it is missing or null.

    Raises:
        DataError: the record is no object, or the field holds something else.
    """
    value = need_object(record, "a record").get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise DataError(f"{key} must be text, got {shown(value)}")
    return value.strip()


def need_object(value: Any, what: str) -> dict[str, Any]:
    """The value, where it is an object.

    Raises:
        DataError: it is something else.
    """
    if not isinstance(value, dict):
        raise DataError(f"{what} must be an object, got {shown(value)}")
    return value


def need_list(value: Any, what: str) -> list[Any]:
    """The value, where it is a list.

    Raises:
        DataError: it is something else.
    """
    if not isinstance(value, list):
        raise DataError(f"{what} must be a list, got {shown(value)}")
    return value


def _reason(error: BaseException) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    return getattr(error, "strerror", None) or str(error)
