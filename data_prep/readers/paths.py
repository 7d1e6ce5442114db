"""Files of a data set: found in a fixed order, and never outside of its folder."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Final

from viscritic.actions.shown import shown
from viscritic.errors import DataError

_DEEPEST: Final = 12  # folders below the root
_LONGEST: Final = 255  # bytes of a file's name


def walk(root: Path | str, wanted: Callable[[Path], bool] | None = None) -> Iterator[Path]:
    """The file `root`, or every file below the folder `root`, by name, a folder at a time.

    Hidden folders are left out, links to folders are not followed. The memory does not grow with the data set.

    Args:
        wanted: leaves out the files for which it is False.

    Raises:
        DataError: there is nothing at `root`.
    """
    start = Path(root)
    if start.is_file():
        if wanted is None or wanted(start):
            yield start
    elif start.is_dir():
        yield from (path for path in _below(start, 0) if wanted is None or wanted(path))
    else:
        raise DataError(f"{start} does not exist")


def need_any(files: Iterable[Path], root: Path | str, what: str) -> Iterator[Path]:
    """The same files, or a DataError where there is none: "{root} holds no {what}"."""
    empty = True
    for file in files:
        empty = False
        yield file
    if empty:
        raise DataError(f"{root} holds no {what}")


def _below(folder: Path, depth: int) -> Iterator[Path]:
    try:
        with os.scandir(folder) as entries:
            listed = sorted(((entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries), key=_in_order)
    except OSError as error:
        raise DataError(f"the folder {folder} cannot be read: {error.strerror}") from error
    for name, is_folder in listed:
        if not is_folder and (folder / name).is_file():
            yield folder / name
    if depth < _DEEPEST:
        for name, is_folder in listed:
            if is_folder and not name.startswith("."):
                yield from _below(folder / name, depth + 1)


def _in_order(entry: tuple[str, bool]) -> tuple[list[tuple[int, int, str]], str]:
    return natural_key(entry[0]), entry[0]


def natural_key(name: str) -> list[tuple[int, int, str]]:
    """Sorts "step_9" before "step_10"."""
    parts = re.split(r"([0-9]{1,18})", name)
    return [(1, int(part), "") if index % 2 else (0, 0, part) for index, part in enumerate(parts)]


def base_of(root: Path | str) -> Path:
    """The folder that a data set lies in: `root`, or the folder of the file `root`."""
    path = Path(root)
    return path.parent if path.is_file() else path


def name_of(path: Path, root: Path | str) -> str:
    """What `path` is called below `root`, with slashes; the name of the folder where it is `root` itself."""
    relative = path.relative_to(base_of(root)).as_posix()
    return relative if relative != "." else path.resolve().name


def file_name(text: object) -> str:
    """The last part of a path of any system, as strangers wrote it ("C:\\runs\\1.png" -> "1.png").

    Raises:
        DataError: not text, or no name.
    """
    name = PureWindowsPath(text).name if isinstance(text, str) else ""
    if name in ("", ".", "..") or not _can_exist(name):
        raise DataError(f"not the name of a file: {shown(text)}")
    return name


def _can_exist(name: str) -> bool:
    """Whether a file system may hold a file of that name: `Path.is_file` ends in an OSError otherwise."""
    return "\0" not in name and len(name.encode(errors="replace")) <= _LONGEST


def find_inside(root: Path, text: object, bases: Iterable[Path] = ()) -> Path:
    """The file that a relative path of a data set names.

    It is looked for below each of `bases` and `root`; leading folders that are missing there are dropped, since data
    sets are unpacked at other places than they were written at ("trajectories/screenshots/a.png").

    Raises:
        DataError: not text, an absolute path, one with "..", a file outside of `root`, or none at all.
    """
    path = PurePosixPath(text if isinstance(text, str) else "")
    if not path.parts or "\\" in str(path) or len(path.parts) > _DEEPEST or not all(map(_can_exist, path.parts)):
        raise DataError(f"not a path of the data set: {shown(text)}")
    if path.is_absolute() or ".." in path.parts:
        raise DataError(f"the path {shown(text)} leads out of the data set")
    inside = root.resolve()
    for base in (*bases, root):
        for start in range(len(path.parts)):
            found = base.joinpath(*path.parts[start:])
            if found.is_file():
                if not found.resolve().is_relative_to(inside):
                    raise DataError(f"the path {shown(text)} leads out of the data set")
                return found
    raise DataError(f"the file {shown(text)} is missing")
