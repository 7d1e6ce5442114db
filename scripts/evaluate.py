"""Compare critics and baselines on a split: python scripts/evaluate.py samples=DIR (--help shows examples)."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from viscritic.cli.ending import bad_input_told, extra_named
from viscritic.config import read_config
from viscritic.errors import DataError
from viscritic.sample import Split
from viscritic.sample_folder import SampleFolder

with extra_named("train"):
    import hydra
    from hydra.errors import HydraException
    from omegaconf import DictConfig, OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    from viscritic.evaluate import compare, run_baselines
    from viscritic.evaluate.systems import judge_with_bundle, judge_with_checkpoint

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
    check_splits(folder, fit, config)
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


def check_splits(folder: SampleFolder, fit: SampleFolder, config: EvaluateConfig) -> None:
    """Find out before the work whether there is something to judge, and something to fit on.

    Raises:
        DataError: a split is missing; the message says which ones there are.
    """
    if config.split not in (found := count_splits(folder)):
        raise DataError(f"{folder.path} has no split {config.split}: it has {tell(found)}; choose one with split=NAME")
    needed = ["train"] * config.baselines + ["val"] * bool(config.baselines or config.checkpoints)
    found = count_splits(fit)
    if missing := [split for split in needed if split not in found]:
        what = "baselines are fitted" if config.baselines else "checkpoints are calibrated"
        leave = "; or leave them out: baselines=false" if config.baselines else ""
        raise DataError(
            f"{fit.path} has no split {' and no split '.join(missing)}, on which {what}: it has {tell(found)}; name a "
            f"folder that has them: fit=DIR{leave}"
        )


def count_splits(folder: SampleFolder) -> Counter[str]:
    """Samples of each split that the folder has."""
    return Counter(sample.split for sample in folder)


def tell(splits: Counter[str]) -> str:
    """As in "test (841 samples)"."""
    return ", ".join(f"{name} ({count} samples)" for name, count in splits.items()) or "no samples"


@hydra.main(version_base="1.3", config_path=CONFIGS, config_name="evaluate")
def main(composed: DictConfig) -> None:
    """Compose, read strictly, evaluate."""
    OmegaConf.resolve(composed)
    evaluate(read_config(EvaluateConfig, OmegaConf.to_container(composed, throw_on_missing=True), "evaluate"))


if __name__ == "__main__":
    os.environ["HYDRA_FULL_ERROR"] = "1"  # Hydra would print them itself, and exit with 1
    with bad_input_told(HydraException, OmegaConfBaseException):
        main()
