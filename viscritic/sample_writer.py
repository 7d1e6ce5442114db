"""Writes sample folders whole or not at all.

A folder grows under a temporary name beside its place and takes its name only when everything is on disk; a kill
leaves the old folder, or none, and a hidden `.part` folder that can be removed.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

from PIL import Image

from viscritic.errors import DataError
from viscritic.files import sha256, write_json, write_text
from viscritic.sample import SPLITS, Sample
from viscritic.sample_folder import CARD, MANIFEST, ROWS, SCHEMA_VERSION, SCREENS, is_sample_folder, screens_of

COUNTED: Final = ("split", "cause", "outcome", "origin", "app")  # what the manifest counts samples by
_EXTENSIONS: Final = {"PNG": "png", "JPEG": "jpg", "WEBP": "webp", "GIF": "gif", "BMP": "bmp"}


class SampleWriter:
    """Writes a sample folder: use it as a context manager, add screens, append samples.

    The folder appears under its name when the block ends without an error, and not at all otherwise. An older sample
    folder of that name is replaced; anything else in its place is refused.

    Args:
        path: where the folder shall be.
        command: the command that made it, for the manifest.
        configuration: what it was made with, as plain JSON values.
        seed: the seed of every choice that was made.
        facts: further entries of the manifest (sources, notes), as plain JSON values.
        card: writes `CARD.md` from the manifest.

    Raises:
        DataError: the place is taken; or a broken screen, a second sample of one id, or an unknown screen, at its call.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        command: str,
        configuration: Mapping[str, Any],
        seed: int,
        facts: Mapping[str, Any] | None = None,
        card: Callable[[Mapping[str, Any]], str] | None = None,
    ) -> None:
        self.path = Path(path).absolute()
        self.manifest: dict[str, Any] = {}
        self._made_by = {"command": command, "configuration": dict(configuration), "seed": seed, **(facts or {})}
        self._card = card
        self._ids: set[str] = set()
        self._screens: set[str] = set()
        self._tally = Tally()
        check_place(self.path)

    def __enter__(self) -> Self:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._folder = Path(tempfile.mkdtemp(prefix=f".{self.path.name}.", suffix=".part", dir=self.path.parent))
        (self._folder / SCREENS).mkdir()
        self._rows = (self._folder / ROWS).open("wb")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._finish()
        finally:
            self._rows.close()
            shutil.rmtree(self._folder, ignore_errors=True)

    def add_screen(self, source: Path | bytes) -> str:
        """Store an encoded image once, byte for byte, and return its name."""
        try:
            data = source if isinstance(source, bytes) else source.read_bytes()
        except OSError as error:
            raise DataError(f"the screen {source!r} cannot be read: {error.strerror}") from error
        name = screen_name(data)
        if name not in self._screens:
            (self._folder / SCREENS / name).write_bytes(data)
            self._screens.add(name)
        return name

    def append(self, sample: Sample) -> None:
        """Add one row; the screens that it names must have been added."""
        line = write_row(sample)
        if sample.id in self._ids:
            raise DataError(f"two samples have the id {sample.id!r}")
        if missing := [name for name in screens_of(sample) if name not in self._screens]:
            raise DataError(f"sample {sample.id!r} names the screen {missing[0]!r}, which was not added")
        self._ids.add(sample.id)
        self._tally.add(sample)
        self._rows.write(line)

    def _finish(self) -> None:
        self._rows.flush()
        os.fsync(self._rows.fileno())
        self.manifest = self._tally.manifest(self._folder / ROWS, len(self._screens), self._made_by)
        write_json(self._folder / MANIFEST, self.manifest)
        if self._card:
            write_text(self._folder / CARD, self._card(self.manifest))
        self._folder.chmod(0o755)
        take_place(self._folder, self.path)


class Tally:
    """Counts samples for a manifest."""

    def __init__(self) -> None:
        self.samples = 0
        self._counts: dict[str, Counter[str]] = {key: Counter() for key in COUNTED}
        self._by_split: dict[str, Counter[str]] = {split: Counter() for split in SPLITS}

    def add(self, sample: Sample) -> None:
        """One more sample."""
        self.samples += 1
        for key, counter in self._counts.items():
            counter[str(getattr(sample, key))] += 1
        self._by_split[sample.split][sample.cause] += 1

    def manifest(self, rows: Path, screens: int, made_by: Mapping[str, Any]) -> dict[str, Any]:
        """What `manifest.json` holds.

        Args:
            rows: the finished file of samples.
            screens: how many the folder has.
            made_by: the command, the configuration, the seed, and further facts.
        """
        return {
            "schema_version": SCHEMA_VERSION,
            "samples": self.samples,
            "screens": screens,
            "samples_sha256": sha256(rows),
            "counts": {key: dict(sorted(counter.items())) for key, counter in self._counts.items()},
            "causes_by_split": {split: dict(sorted(counter.items())) for split, counter in self._by_split.items()},
            **made_by,
        }


def write_row(sample: Sample) -> bytes:
    """A line of `samples.jsonl`; what is written can be read.

    Raises:
        DataError: a value out of its range.
    """
    row = sample.to_dict()
    Sample.from_dict(row)
    # Texts of strangers may hold lone surrogates, which have no UTF-8 form: they become "?".
    return json.dumps(row, ensure_ascii=False, allow_nan=False).encode(errors="replace") + b"\n"


def take_place(folder: Path, path: Path) -> None:
    """Rename a finished folder to its name. Between the two renames the name is absent, never half full.

    Raises:
        DataError: something that is no sample folder is there.
    """
    check_place(path)
    if path.exists():
        old = folder.with_suffix(".old")
        path.rename(old)
        folder.rename(path)
        shutil.rmtree(old)
    else:
        folder.rename(path)


def check_place(path: Path | str) -> None:
    """Raise DataError where a sample folder must not be put: something else is there."""
    place = Path(path)
    if place.exists() and not is_sample_folder(place) and not (place.is_dir() and not any(place.iterdir())):
        raise DataError(f"{place} exists and is not a sample folder: choose another place, or remove it yourself")


def screen_name(data: bytes) -> str:
    """The name of an encoded image: 32 hex digits of its SHA-256, and its format's extension.

    Raises:
        DataError: bytes that are no image of a known format.
    """
    digest = hashlib.sha256(data).hexdigest()[:32]
    try:
        with Image.open(io.BytesIO(data), formats=tuple(_EXTENSIONS)) as image:
            return f"{digest}.{_EXTENSIONS[str(image.format)]}"
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise DataError(f"bytes that are no {', '.join(_EXTENSIONS)} image ({len(data)} bytes): {error}") from error
