"""Which data set lies at a path."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from data_prep.readers.paths import walk
from data_prep.sources import SOURCES
from viscritic.errors import DataError

_MOST_FILES: Final = 20_000  # that are looked at, and after the first find:
_MORE_FILES: Final = 2_000
_PARTS: Final = {"webarena": ("playwright",)}  # a data set that holds files of another


def detect_format(path: Path | str) -> str:
    """The name in `SOURCES` of the data set at `path`.

    Looks at the names of its files, and at the beginning of some.

    Raises:
        DataError: nothing is there, none of the known layouts, or more than one of them.
        MissingExtraError: its files cannot be looked at without an extra that is not installed.
    """
    found: dict[str, Path] = {}
    seen, limit = 0, _MOST_FILES
    for file in walk(path):
        seen += 1
        for name, source in SOURCES.items():
            if name not in found and source.owns(file):
                found[name] = file
                limit = min(limit, seen + _MORE_FILES)
        if seen >= limit:
            break
    inner = {part for name in found for part in _PARTS.get(name, ())}
    names = [name for name in found if name not in inner]
    if len(names) == 1:
        return names[0]
    if names:
        listed = ", ".join(f"{name} ({found[name]})" for name in names)
        raise DataError(f"{path} holds more than one data set: {listed}; name one with --format, or a folder of it")
    what = f"none of its {seen} files belongs to one" if seen else "it holds no file"
    raise DataError(
        f"{path} is no data set that is known: {what}. Known are {', '.join(SOURCES)} (docs/data.md tells their files);"
        " the plainest is a folder of numbered screens with actions.json"
    )
