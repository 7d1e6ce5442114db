"""Export a checkpoint: python scripts/export.py checkpoint=DIR samples=DIR out=DIR (--help shows examples)."""

from __future__ import annotations

import sys
from pathlib import Path

import hydra
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from viscritic.config import read_config
from viscritic.errors import VisCriticError
from viscritic.export.bundle import export_bundle
from viscritic.export.config import ExportConfig

CONFIGS = str(Path(__file__).parents[1] / "configs")


@hydra.main(version_base="1.3", config_path=CONFIGS, config_name="export")
def main(composed: DictConfig) -> None:
    """Compose, read strictly, export."""
    try:
        OmegaConf.resolve(composed)
        export_bundle(read_config(ExportConfig, OmegaConf.to_container(composed, throw_on_missing=True), "export"))
    except (VisCriticError, OmegaConfBaseException, OSError) as error:
        sys.exit(f"error: {' '.join(str(error).split())}")


if __name__ == "__main__":
    main()
