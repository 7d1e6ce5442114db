"""The folder of a run belongs to its settings: a run that was stopped goes on only with what it began with."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from viscritic.errors import ConfigError
from viscritic.files import sha256, write_json
from viscritic.sample_folder import ROWS, SampleFolder
from viscritic.train.config import TrainConfig

SETTINGS: Final = "settings.json"


def claim_folder(out: Path, config: TrainConfig, folder: SampleFolder) -> None:
    """Note the run's settings in `out`.

    Where it logs, on what it runs and where the samples lie may change between two starts; all else decides the
    weights.

    Raises:
        ConfigError: `out` holds a run with other settings.
    """
    settings: dict[str, Any] = json.loads(json.dumps(asdict(config)))
    for name in ("out", "device", "log"):
        del settings[name]
    del settings["data"]["folder"], settings["data"]["cache"]
    settings["data"]["samples_sha256"] = sha256(folder.path / ROWS)
    file = out / SETTINGS
    if file.is_file():
        differing = list(_differences(json.loads(file.read_text()), settings))
        if differing:
            raise ConfigError(f"{out} holds a run with other settings ({'; '.join(differing)}): give another out=")
    write_json(file, settings)


def _differences(old: Mapping[str, Any], new: Mapping[str, Any], prefix: str = "") -> Iterator[str]:
    """What changed, "stage2.epochs 3 -> 5"."""
    for name in sorted(old.keys() | new.keys()):
        before, after = old.get(name), new.get(name)
        if isinstance(before, Mapping) and isinstance(after, Mapping):
            yield from _differences(before, after, f"{prefix}{name}.")
        elif before != after:
            yield f"{prefix}{name} {before} -> {after}"
