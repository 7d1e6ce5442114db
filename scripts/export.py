"""Export a checkpoint: python scripts/export.py checkpoint=DIR samples=DIR out=DIR (--help shows examples)."""

from __future__ import annotations

import os
from pathlib import Path

from viscritic.cli.ending import bad_input_told, extra_named
from viscritic.config import read_config

with extra_named("train"):
    import hydra
    from hydra.errors import HydraException
    from omegaconf import DictConfig, OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    from viscritic.export.bundle import export_bundle
    from viscritic.export.config import ExportConfig

CONFIGS = str(Path(__file__).parents[1] / "configs")


@hydra.main(version_base="1.3", config_path=CONFIGS, config_name="export")
def main(composed: DictConfig) -> None:
    """Compose, read strictly, export."""
    OmegaConf.resolve(composed)
    export_bundle(read_config(ExportConfig, OmegaConf.to_container(composed, throw_on_missing=True), "export"))


if __name__ == "__main__":
    os.environ["HYDRA_FULL_ERROR"] = "1"  # Hydra would print them itself, and exit with 1
    with bad_input_told(HydraException, OmegaConfBaseException):
        main()
