"""Files written whole or not at all."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any


@contextmanager
def atomic_write(path: str | os.PathLike[str]) -> Iterator[IO[bytes]]:
    """Open a binary file that takes the place of `path` only when the block ends without an error.

    The bytes are flushed to disk before the name changes, so a kill or a power cut leaves the old file or the new one.

    Raises:
        OSError: the file cannot be written, or `path` is a folder or a device.
    """
    target = Path(path)
    if target.exists() and not target.is_file():  # as root, a rename would even replace /dev/null
        raise OSError(f"{target} is not a regular file, so that no file can take its place")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:  # "File exists" alone would puzzle
        raise OSError(
            f"{target} cannot be written: {target.parent} is no folder and cannot be made ({error})"
        ) from error
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    except OSError as error:  # its message would name the temporary file
        raise OSError(f"{target} cannot be written: {error.strerror}") from error
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(0o644)
        temporary.replace(target)
    except BaseException:
        with suppress(FileNotFoundError):
            temporary.unlink()
        raise


def check_file_place(path: str | os.PathLike[str]) -> None:
    """Find out before long work whether a file can be written to a place that somebody named; nothing stays behind.

    Raises:
        OSError: the folder is missing (a slip, most likely) or does not let files be written, or `path` is no file.
    """
    target = Path(path)
    if target.exists() and not target.is_file():
        raise OSError(f"{target} is not a regular file{' but a folder' * target.is_dir()}: name another place")
    if not target.parent.is_dir():
        raise OSError(f"{target} cannot be written: there is no folder {target.parent}; make it first")
    try:
        tempfile.TemporaryFile(dir=target.parent).close()
    except OSError as error:
        raise OSError(f"{target} cannot be written: {error.strerror}") from error


def propose_name(path: Path, suffix: str) -> str:
    """For a message: the path with the suffix that it should have; "." and the like have no name to put it to."""
    return str(path.with_suffix(suffix)) if path.name else f"OUT{suffix}"


def write_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Write `data` to `path` atomically."""
    with atomic_write(path) as file:
        file.write(data)


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write UTF-8 text to `path` atomically; a lone surrogate, which has no UTF-8 form, becomes "?"."""
    write_bytes(path, text.encode(errors="replace"))


def write_json(path: str | os.PathLike[str], value: Any) -> None:
    """Write `value` as indented JSON to `path` atomically; NaN is refused, since it is not JSON."""
    write_text(path, json.dumps(value, indent=2, ensure_ascii=False, allow_nan=False) + "\n")


def sha256(path: str | os.PathLike[str]) -> str:
    """Hex SHA-256 of a file's bytes."""
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
