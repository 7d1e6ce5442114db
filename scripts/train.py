"""Train the critic: python scripts/train.py experiment=NAME [key=value ...] (--help shows examples and every key)."""

from __future__ import annotations

import sys
from pathlib import Path

import hydra
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from viscritic.config import read_config
from viscritic.errors import VisCriticError
from viscritic.train.config import TrainConfig
from viscritic.train.run import train

CONFIGS = str(Path(__file__).parents[1] / "configs")


@hydra.main(version_base="1.3", config_path=CONFIGS, config_name="train")
def main(composed: DictConfig) -> None:
    """Compose, read strictly, train."""
    try:
        OmegaConf.resolve(composed)
        train(read_config(TrainConfig, OmegaConf.to_container(composed, throw_on_missing=True), "train"))
    except (VisCriticError, OmegaConfBaseException, OSError) as error:
        sys.exit(f"error: {' '.join(str(error).split())}")


if __name__ == "__main__":
    main()
