"""Train the critic: python scripts/train.py experiment=NAME [key=value ...] (--help shows examples and every key)."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path

from viscritic.cli.ending import bad_input_told, extra_named
from viscritic.config import read_config

with extra_named("train"):
    import hydra
    from hydra.errors import HydraException
    from omegaconf import DictConfig, OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    from viscritic.train.config import TrainConfig
    from viscritic.train.run import train

CONFIGS = str(Path(__file__).parents[1] / "configs")


@hydra.main(version_base="1.3", config_path=CONFIGS, config_name="train")
def main(composed: DictConfig) -> None:
    """Compose, read strictly, train."""
    OmegaConf.resolve(composed)
    config = read_config(TrainConfig, OmegaConf.to_container(composed, throw_on_missing=True), "train")
    checkpoint = train(config)
    if os.environ.get("LOCAL_RANK", "0") == "0":  # of several processes one speaks
        print("\n".join(describe(config, checkpoint)))


def describe(config: TrainConfig, checkpoint: Path) -> list[str]:
    """What came out, and what to do next, a line each: figures of the validation split at the epoch that was kept."""
    lines = []
    meta = json.loads((checkpoint / "meta.json").read_text("utf-8"))
    for name, kept in meta["metrics"].items():
        epochs = read_epochs(Path(config.out) / name / "metrics" / "metrics.csv")
        best = int(kept["epoch"])
        figures = ", ".join(f"{figure} {value:.3f}" for figure, value in epochs.get(best, {}).items())
        lines.append(f"{name}: kept epoch {best + 1} of {len(epochs)}; validation {figures or 'figures are not there'}")
    bundle = Path(config.out) / "bundle"
    lines.append(f"checkpoint: {checkpoint}")
    lines.append(
        f"next: python scripts/export.py checkpoint={checkpoint} samples={config.data.folder} out={bundle}"
        f" && viscritic check {bundle}"
    )
    return lines


def read_epochs(file: Path) -> dict[int, dict[str, float]]:
    """The figures of the validation split by epoch, from 0; {} where the file is gone."""
    if not file.is_file():
        return {}
    with file.open(newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if row.get("val/loss")]
    return {
        int(row["epoch"]): {name[4:]: float(value) for name, value in row.items() if name.startswith("val/") and value}
        for row in rows
    }


if __name__ == "__main__":
    os.environ["HYDRA_FULL_ERROR"] = "1"  # Hydra would print them itself, and exit with 1
    with bad_input_told(HydraException, OmegaConfBaseException):
        main()
