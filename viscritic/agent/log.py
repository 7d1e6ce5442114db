"""The gate's log: one JSON object a line, screens beside it by their hash.

Whatever happens, the log is whole up to there: a line is written by one call and flushed to disk, a line that cannot be
written in full is taken back, and a torn last line (of a power cut) is cut off when the log is opened again. A screen
is on disk before the line that names it.
"""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from PIL import Image

from viscritic.errors import LogError
from viscritic.files import write_bytes
from viscritic.redaction import Redaction, redact
from viscritic.screen import Screen, screen_digest

LOG_NAME: Final = "steps.jsonl"
SCREENS_NAME: Final = "screens"


class StepLog:
    """A folder with `steps.jsonl` and `screens/<hash>.png`. One process writes it.

    Args:
        folder: where.
        redaction: takes out of each screen what must not be kept.

    Raises:
        LogError: the folder cannot be written.
    """

    def __init__(self, folder: str | os.PathLike[str], redaction: Redaction | None = None) -> None:
        self.folder = Path(folder)
        self._redaction = redaction
        try:
            (self.folder / SCREENS_NAME).mkdir(parents=True, exist_ok=True)
            self._file = os.open(self.folder / LOG_NAME, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            _cut_torn_line(self._file)
        except OSError as error:
            raise LogError(f"the log in {self.folder} cannot be written: {error}") from error

    def keep(self, screen: Screen) -> str:
        """Store a screen, once, as it may be kept; returns the hash of that.

        Raises:
            LogError: it cannot be written.
            ScreenError: it cannot be redacted.
        """
        screen = redact(screen, self._redaction)
        digest = screen_digest(screen)
        path = self.folder / SCREENS_NAME / f"{digest}.png"
        if not path.exists():
            buffer = io.BytesIO()
            Image.fromarray(screen).save(buffer, "PNG", compress_level=1)
            try:
                write_bytes(path, buffer.getvalue())
            except OSError as error:
                raise LogError(f"the screen {path} cannot be written: {error}") from error
        return digest

    def write(self, row: Mapping[str, Any]) -> None:
        """Append one row.

        Raises:
            LogError: it cannot be written; the log then ends with the row before it.
        """
        line = json.dumps(row, ensure_ascii=False, allow_nan=False).encode(errors="replace") + b"\n"
        size = os.fstat(self._file).st_size
        try:
            written = os.write(self._file, line)
            if written < len(line):  # a full disk takes a part
                raise OSError(f"only {written} of {len(line)} bytes fit")
            os.fsync(self._file)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._file, size)
            raise LogError(f"the log {self.folder / LOG_NAME} cannot be written: {error}") from error

    def close(self) -> None:
        """Release the file; more than once does no harm."""
        if self._file >= 0:
            os.close(self._file)
            self._file = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def read_log(folder: str | os.PathLike[str]) -> Iterator[dict[str, Any]]:
    """The rows of a log, oldest first; a torn last line is left out.

    Raises:
        LogError: there is no log, or a line in its middle is no JSON object.
    """
    path = Path(folder) / LOG_NAME
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise LogError(f"there is no log in {folder}: {error}") from error
    for number, line in enumerate(lines[:-1], 1):
        try:
            row = json.loads(line)
        except ValueError as error:
            raise LogError(f"{path}, line {number} is not JSON: {error}") from error
        if not isinstance(row, dict):
            raise LogError(f"{path}, line {number} is no JSON object")
        yield row


def _cut_torn_line(file: int) -> None:
    size = os.fstat(file).st_size
    end = size
    while end > 0:
        start = max(0, end - 65536)
        block = os.pread(file, end - start, start)
        if (at := block.rfind(b"\n")) >= 0:
            end = start + at + 1
            break
        end = start
    if end < size:
        os.ftruncate(file, end)
