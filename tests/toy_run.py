"""The whole sequence on toy samples, small: what the tests of model, training, export and runtime are fed with."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
CONFIGS = ROOT / "configs"
EXAMPLES = ROOT / "examples"


@dataclass(frozen=True)
class ToyRun:
    """Toy samples and the checkpoint that was trained on them."""

    samples: Path
    cache: Path
    run: Path

    @property
    def checkpoint(self) -> Path:
        """The folder of the checkpoint."""
        return self.run / "checkpoint"


@contextmanager
def foreign_warnings_ignored() -> Iterator[None]:
    """Lightning, torch's exporter and the quantiser warn of themselves."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def compose_training(*overrides: str) -> Any:
    """A `TrainConfig`, as scripts/train.py would read it with these overrides."""
    from hydra import compose, initialize_config_dir
    from omegaconf import OmegaConf

    from viscritic.config import read_config
    from viscritic.train.config import TrainConfig

    with initialize_config_dir(str(CONFIGS), version_base="1.3"):
        composed = compose("train", list(overrides))
    return read_config(TrainConfig, OmegaConf.to_container(composed, resolve=True, throw_on_missing=True), "train")


def compose_tiny(samples: Path, cache: Path, out: Path, *overrides: str) -> Any:
    """The configuration of experiment=tiny, shortened."""
    return compose_training(
        "experiment=tiny", f"data.folder={samples}", f"data.cache={cache}", f"out={out}", "stage1.epochs=1",
        "stage2.epochs=3", "device.threads=1", "log.progress_bar=false", *overrides,
    )  # fmt: skip


def train_quietly(config: Any) -> Path:
    """`viscritic.train.run.train`, whose libraries' warnings are no errors here."""
    from viscritic.train.run import train

    with foreign_warnings_ignored():
        return train(config)


@contextmanager
def graphs_copied(bundle: Path) -> Iterator[None]:
    """Exports within take their float32 graphs from a bundle of the same checkpoint: tracing them takes most time."""
    import pytest

    from viscritic.export import bundle as bundle_module
    from viscritic.runtime.bundle import GRAPHS

    def copy(_: Any, folder: Path) -> None:
        for name in GRAPHS:
            shutil.copyfile(bundle / name, folder / name)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bundle_module, "export_graphs", copy)
        yield


def export_quietly(checkpoint: Path, samples: Path, cache: Path, out: Path, **settings: Any) -> Path:
    """`viscritic.export.bundle.export_bundle` with the defaults of the tests."""
    from viscritic.export.bundle import export_bundle
    from viscritic.export.config import ExportConfig

    defaults: dict[str, Any] = {
        "examples": str(EXAMPLES), "name": "toy", "precision": "fp32", "unsure": 0.1, "parity": 1e-4,
        "parity_pairs": 64, "tested": None,
    }  # fmt: skip
    paths = {"checkpoint": str(checkpoint), "samples": str(samples), "cache": str(cache), "out": str(out)}
    with foreign_warnings_ignored():
        return export_bundle(ExportConfig(**{**defaults, **settings}, **paths))
