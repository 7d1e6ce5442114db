"""Compare critics and baselines on a split: python scripts/evaluate.py samples=DIR (--help shows examples)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import hydra
from hydra.errors import HydraException
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from viscritic.cli.ending import bad_input_told
from viscritic.config import read_config
from viscritic.evaluate import compare, run_baselines
from viscritic.evaluate.systems import judge_with_bundle, judge_with_checkpoint
from viscritic.sample import Split
from viscritic.sample_folder import SampleFolder

CONFIGS = str(Path(__file__).parents[1] / "configs")


@dataclass(frozen=True, slots=True)
class EvaluateConfig:
    """What is compared on which samples; configs/evaluate.yaml explains each key."""

    samples: str
    fit: str | None
    out: str
    split: Split
    bundles: Mapping[str, str]
    checkpoints: Mapping[str, str]
    frames: bool
    baselines: bool
    resamples: int
    seed: int
    cache: str


def evaluate(config: EvaluateConfig) -> None:
    """Judge, compare, print, write."""
    folder = SampleFolder(config.samples)
    fit = folder if config.fit is None else SampleFolder(config.fit)
    chosen = folder.by_split(config.split)
    systems, thresholds = {}, {}
    for name, source in config.bundles.items():
        bundle = None if source == "shipped" else source
        systems[name], thresholds[name] = judge_with_bundle(bundle, chosen, folder, frames=config.frames)
    for name, checkpoint in config.checkpoints.items():
        cache = Path(config.cache).expanduser()
        systems[name], thresholds[name] = judge_with_checkpoint(checkpoint, chosen, folder, cache, fit)
    if config.baselines:
        predictions, limits = run_baselines(fit.by_split("train"), fit.by_split("val"), chosen, fit, folder)
        systems |= predictions
        thresholds |= limits
    compare(chosen, folder, systems, thresholds, config.out, resamples=config.resamples, seed=config.seed)


@hydra.main(version_base="1.3", config_path=CONFIGS, config_name="evaluate")
def main(composed: DictConfig) -> None:
    """Compose, read strictly, evaluate."""
    OmegaConf.resolve(composed)
    evaluate(read_config(EvaluateConfig, OmegaConf.to_container(composed, throw_on_missing=True), "evaluate"))


if __name__ == "__main__":
    os.environ["HYDRA_FULL_ERROR"] = "1"  # Hydra would print them itself, and exit with 1
    with bad_input_told(HydraException, OmegaConfBaseException):
        main()
