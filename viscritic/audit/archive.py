"""Trajectories that come as a zip: unpacked into a folder of their own, with nothing that leads out of it."""

from __future__ import annotations

import errno
import lzma
import stat
import struct
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Final

from data_prep.readers.playwright import is_playwright
from viscritic.errors import DataError

MOST_BYTES: Final = 4 << 30  # of all files together, unpacked
_MOST_FILES: Final = 50_000
# What zipfile raises of a damaged, an encrypted, or an oddly compressed member.
_BROKEN: Final = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, RuntimeError, NotImplementedError,
    ValueError,
)  # fmt: skip
_FULL: Final = (errno.ENOSPC, errno.EDQUOT)  # what is no fault of the zip


@contextmanager
def unpacked(path: Path, *, most_bytes: int = MOST_BYTES) -> Iterator[Path]:
    """Where the trajectories of `path` can be read: a temporary folder for a zip, else `path` itself.

    A trace of Playwright is read as the zip that it is.

    Raises:
        DataError: a zip that is damaged, leads out of its folder or unpacks to more than `most_bytes`.
    """
    if not path.is_file() or not zipfile.is_zipfile(path) or is_playwright(path):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="viscritic-") as temporary:
        folder = Path(temporary) / (path.stem or "trajectory")  # readers name trajectories by their folder
        folder.mkdir()
        try:
            with zipfile.ZipFile(path) as archive:
                _unpack(archive, folder, most_bytes)
        except _BROKEN as error:
            if isinstance(error, DataError):
                raise
            raise DataError(f"the zip {path.name} cannot be unpacked: {error}") from error
        except OSError as error:  # an offset before the file's beginning, a name that is taken or too long
            if error.errno in _FULL:
                raise
            raise DataError(f"the zip {path.name} cannot be unpacked: {error.strerror}") from error
        yield folder


def _unpack(archive: zipfile.ZipFile, folder: Path, most_bytes: int) -> None:
    # macOS adds a second, useless file to each.
    members = [m for m in archive.infolist() if not m.is_dir() and not m.filename.startswith("__MACOSX/")]
    if len(members) > _MOST_FILES:
        raise DataError(f"the zip holds {len(members)} files, more than {_MOST_FILES}")
    left = most_bytes
    for member in members:
        target = folder / _checked_name(member)
        target.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(member) as packed, target.open("xb") as file:
            while chunk := packed.read(1 << 20):
                left -= len(chunk)  # counted, since the size that a zip states may be a lie
                if left < 0:
                    raise DataError(f"the zip unpacks to more than {most_bytes} bytes")
                file.write(chunk)


def _checked_name(member: zipfile.ZipInfo) -> PurePosixPath:
    name = PurePosixPath(member.filename)
    linked = stat.S_ISLNK(member.external_attr >> 16)
    if linked or name.is_absolute() or ".." in name.parts or not name.parts or "\\" in member.filename:
        raise DataError(f"the zip holds {member.filename[:80]!r}, which leads out of its folder")
    return name
