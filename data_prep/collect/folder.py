"""A sample folder that grows while it is collected.

    shards/NNN.jsonl     a line for each finished walk: its rows, and why steps were dropped; one file a worker
    screens/             as in every sample folder
    samples.jsonl, manifest.json, CARD.md      written anew by `publish`, whole
    unobservable.jsonl   rows of the same form whose effect no screen shows (something was copied or saved): kept apart,
                         so that whatever reads samples never meets them

A line is written at once when its walk is done and its screens are stored, so a kill loses the walk in work and
nothing else: a torn last line is left out, and its walk is taken again.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from data_prep.collect.card import collected_card
from data_prep.collect.walk import UNOBSERVABLE
from viscritic.errors import DataError
from viscritic.files import atomic_write, sha256, write_json, write_text
from viscritic.sample import SPLITS, Sample
from viscritic.sample_folder import CARD, MANIFEST, ROWS, SCHEMA_VERSION, SCREENS, screens_of
from viscritic.sample_writer import screen_name

SHARDS: Final = "shards"
APART: Final = "unobservable.jsonl"
COUNTED: Final = ("split", "cause", "outcome", "origin", "app", "platform", "change", "noise")


class CollectFolder:
    """The folder of one collection.

    Args:
        path: the folder; made where it is missing.

    Raises:
        DataError: something else is there.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if path.exists() and any(path.iterdir()) and not (path / SHARDS).is_dir():
            raise DataError(f"{path} exists and is not a collection: choose another place, or remove it yourself")
        for name in (SHARDS, SCREENS):
            (path / name).mkdir(parents=True, exist_ok=True)

    def store(self, data: bytes) -> str:
        """Store an encoded screen once, and return its name."""
        name = screen_name(data)
        place = self.path / SCREENS / name
        if not place.exists():
            part = place.with_name(f".{name}.{os.getpid()}")
            part.write_bytes(data)
            part.replace(place)
        return name

    def add_walk(self, worker: int, trajectory: str, samples: Sequence[Sample], dropped: Mapping[str, int]) -> None:
        """Add a finished walk, whole or not at all."""
        rows = [sample.to_dict() for sample in samples]
        for row in rows:
            Sample.from_dict(row)  # what is written can be read
        line = {"walk": trajectory, "rows": rows, "dropped": dict(dropped)}
        shard = self.path / SHARDS / f"{worker:03}.jsonl"
        data = json.dumps(line, ensure_ascii=False, allow_nan=False).encode() + b"\n"
        with shard.open("ab") as file:
            if file.tell() and not _ends_whole(shard):
                file.write(b"\n")  # after a kill in the middle of a line
            file.write(data)

    def walks(self) -> Iterator[dict[str, Any]]:
        """Every finished walk, each once."""
        seen: set[str] = set()
        for shard in sorted((self.path / SHARDS).glob("*.jsonl")):
            with shard.open("rb") as file:
                for line in file:
                    try:
                        walk = json.loads(line)
                    except ValueError:  # torn by a kill
                        continue
                    if walk["walk"] not in seen:
                        seen.add(walk["walk"])
                        yield walk

    def done(self) -> set[str]:
        """The names of the finished walks."""
        return {walk["walk"] for walk in self.walks()}

    def publish(self, facts: Mapping[str, Any], *, clean: bool = False) -> dict[str, Any]:
        """Write rows, manifest and card of what is there; the manifest.

        Args:
            facts: further entries of the manifest: the command, the configuration, the seed.
            clean: also remove screens that no row names. Only when no worker runs.
        """
        counts: dict[str, Counter[str]] = {key: Counter() for key in COUNTED}
        by_split: dict[str, Counter[str]] = {split: Counter() for split in SPLITS}
        tables: dict[str, Counter[str]] = {
            "outcome by app": Counter(),
            "outcome by noise": Counter(),
            "cause by noise": Counter(),
        }
        dropped: Counter[str] = Counter()
        screens: set[str] = set()
        samples = walks = apart = 0
        with atomic_write(self.path / ROWS) as file, atomic_write(self.path / APART) as unseen:
            for walk in self.walks():
                walks += 1
                dropped.update(walk["dropped"])
                for row in walk["rows"]:
                    screens.update(screens_of(Sample.from_dict(row)))
                    line = json.dumps(row, ensure_ascii=False, allow_nan=False).encode() + b"\n"
                    if row["cause"] == UNOBSERVABLE:
                        unseen.write(line)
                        apart += 1
                        continue
                    samples += 1
                    for key, counter in counts.items():
                        counter[str(row[key])] += 1
                    by_split[row["split"]][row["cause"]] += 1
                    tables["outcome by app"][f"{row['app']}|{row['outcome']}"] += 1
                    tables["outcome by noise"][f"{row['noise'] or 'none'}|{row['outcome']}"] += 1
                    tables["cause by noise"][f"{row['cause']}|{'noise' if row['noise'] else 'none'}"] += 1
                    file.write(line)
        manifest = {
            "schema_version": SCHEMA_VERSION,
            "samples": samples,
            "unobservable": apart,
            "screens": len(screens),
            "trajectories": walks,
            "samples_sha256": sha256(self.path / ROWS),
            "counts": {key: dict(sorted(counter.items())) for key, counter in counts.items()},
            "causes_by_split": {split: dict(sorted(counter.items())) for split, counter in by_split.items()},
            "tables": {name: dict(sorted(counter.items())) for name, counter in tables.items()},
            "dropped": dict(sorted(dropped.items())),
            "collected": True,
            **facts,
        }
        write_json(self.path / MANIFEST, manifest)
        write_text(self.path / CARD, collected_card(manifest))
        if clean:
            self._remove_orphans(screens)
        return manifest

    def _remove_orphans(self, named: set[str]) -> None:
        for file in (self.path / SCREENS).iterdir():
            if file.name not in named:
                file.unlink()


def _ends_whole(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
