"""The folder that holds samples: `samples.jsonl`, `screens/`, `manifest.json` and `CARD.md`.

Reading is lazy: opening a folder reads no row. `viscritic.sample_writer` makes such folders.
"""

from __future__ import annotations

import json
import os
import re
from array import array
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from viscritic.errors import DataError
from viscritic.files import sha256
from viscritic.sample import SPLITS, Sample, Split

SCHEMA_VERSION: Final = 1
ROWS, MANIFEST, SCREENS, CARD = "samples.jsonl", "manifest.json", "screens", "CARD.md"

# Names come from files that strangers may have written: only what a writer makes is opened.
_NAME: Final = re.compile(r"[0-9a-f]{32}\.(?:png|jpg|webp|gif|bmp)")


class SampleFolder:
    """A folder of samples, read lazily and strictly.

    Args:
        path: the folder; it must hold `samples.jsonl` and `manifest.json`.

    Raises:
        DataError: it is not a sample folder, here; a damaged row or screen, at the access that meets it.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        if not is_sample_folder(self.path):
            raise DataError(
                f"{self.path} is not a sample folder (it needs {ROWS} and {MANIFEST}):"
                " build one with  viscritic data build"
            )

    @cached_property
    def manifest(self) -> dict[str, Any]:
        """What `manifest.json` holds: counts, hashes, and how the folder was made."""
        try:
            manifest = json.loads((self.path / MANIFEST).read_text("utf-8"))
        except ValueError as error:
            raise DataError(f"{self.path / MANIFEST} is not JSON: {error}") from error
        if not isinstance(manifest, dict) or not isinstance(manifest.get("schema_version"), int):
            raise DataError(f"{self.path / MANIFEST} has no schema_version")
        if manifest["schema_version"] > SCHEMA_VERSION:
            raise DataError(
                f"{self.path} has schema version {manifest['schema_version']}; this release reads up to"
                f" {SCHEMA_VERSION}: upgrade viscritic"
            )
        return manifest

    @cached_property
    def _offsets(self) -> array[int]:
        offsets, position = array("Q"), 0
        with (self.path / ROWS).open("rb") as file:
            for line in file:
                if line.strip():
                    offsets.append(position)
                position += len(line)
        return offsets

    def __len__(self) -> int:
        return len(self._offsets)

    def __getitem__(self, index: int) -> Sample:
        """The sample of one row; negative indices count from the end."""
        offset = self._offsets[index]
        with (self.path / ROWS).open("rb") as file:
            file.seek(offset)
            return self._parse(file.readline(), index % len(self))

    def __iter__(self) -> Iterator[Sample]:
        with (self.path / ROWS).open("rb") as file:
            for number, line in enumerate(line for line in file if line.strip()):
                yield self._parse(line, number)

    def _parse(self, line: bytes, number: int) -> Sample:
        try:
            return Sample.from_dict(json.loads(line))
        except ValueError as error:  # DataError is one as well
            raise DataError(f"{self.path / ROWS}, row {number + 1}: {error}") from error

    def by_split(self, split: Split) -> list[Sample]:
        """The samples of one split, in the order of the file."""
        if split not in SPLITS:
            raise DataError(f"unknown split {split!r}; known: {', '.join(SPLITS)}")
        return [sample for sample in self if sample.split == split]

    def screen_path(self, name: str) -> Path:
        """The file of a screen that a sample names.

        Raises:
            DataError: a name that no writer makes (a path out of the folder, say), or a missing file.
        """
        if not _NAME.fullmatch(name):
            raise DataError(f"{name!r} is not the name of a screen (32 hex digits and an extension)")
        path = self.path / SCREENS / name
        if not path.is_file():
            raise DataError(f"the screen {name} is missing from {self.path / SCREENS}: build the folder again")
        return path

    def check(self) -> None:
        """Compare the rows and every screen that they name with their hashes.

        Raises:
            DataError: the first thing that differs.
        """
        if sha256(self.path / ROWS) != self.manifest.get("samples_sha256"):
            raise DataError(
                f"{self.path / ROWS} is not the file that {MANIFEST} was written for: build the folder again"
            )
        for name in sorted({name for sample in self for name in screens_of(sample)}):
            if sha256(self.screen_path(name))[:32] != name[:32]:
                raise DataError(f"the screen {name} of {self.path} has changed since it was stored")


def is_sample_folder(path: Path) -> bool:
    """Whether `path` holds what a `SampleWriter` leaves."""
    return (path / ROWS).is_file() and (path / MANIFEST).is_file()


def screens_of(sample: Sample) -> tuple[str, ...]:
    """The names of every screen that a sample needs, in the order of time."""
    return (*sample.idle, sample.pre, *sample.burst, sample.post)
