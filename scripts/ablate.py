"""What each part of the critic is worth: train without it, judge the same samples.

python scripts/ablate.py samples=DIR tested=DIR [seeds=3] [variants=whole,no-forest] (--help shows the variants)
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from rich.console import Console

from viscritic.cli.ending import bad_input_told, extra_named
from viscritic.config import read_config
from viscritic.errors import ConfigError
from viscritic.files import write_json, write_text
from viscritic.sample_folder import SampleFolder

with extra_named("train"):
    from hydra import compose, initialize_config_dir
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    from viscritic.evaluate import evaluate
    from viscritic.evaluate.systems import judge_with_checkpoint
    from viscritic.train.config import TrainConfig
    from viscritic.train.run import train

CONFIGS: Final = str((Path(__file__).parents[1] / "configs").resolve())
VARIANTS: Final[Mapping[str, tuple[str, ...]]] = {
    "whole": (),
    "no-forest": ("model.head.trees=0",),
    "forest-alone": ("stage2.epochs=0",),
    "no-reading": ("model.preprocess.reader=false",),
    "no-reading-no-forest": ("model.preprocess.reader=false", "model.head.trees=0"),
    "success-alone": ("loss.progress=0", "loss.outcome=0"),
    "contrastive": ("stage1.epochs=3", "stage1.encoder_blocks=0", "stage1.learning_rate=1e-3"),
    "nothing-hidden": ("stage2.hidden=0",),
    "few-tokens": ("model.preprocess.changed_tokens=32", "model.preprocess.thumbnail_tokens=15"),
    "dense": (
        "model.preprocess.changed_tokens=0", "model.preprocess.window=[0,0]", "model.preprocess.thumbnail_tokens=195",
    ),
}  # fmt: skip
FIGURES: Final = ("f1", "auroc", "macro_f1")


def ablate(samples: Path, tested: Path, out: Path, variants: Sequence[str], seeds: int, cache: Path) -> str:
    """Train every variant with every seed, judge the test split of `tested`; a Markdown table.

    Runs that are complete are not trained again.
    """
    fit, folder = SampleFolder(samples), SampleFolder(tested)
    chosen = folder.by_split("test")
    rows = {}
    for variant in variants:
        figures = []
        for seed in range(seeds):
            with initialize_config_dir(CONFIGS, version_base="1.3"):
                composed = compose("train", [
                    "experiment=gui", f"data.folder={samples}", f"data.cache={cache}", f"seed={seed}",
                    f"out={out / f'{variant}-{seed}'}", "log.progress_bar=false", *VARIANTS[variant],
                ])  # fmt: skip
            config = read_config(TrainConfig, OmegaConf.to_container(composed, throw_on_missing=True), "train")
            predictions, threshold = judge_with_checkpoint(train(config), chosen, folder, cache, fit)
            report = evaluate(chosen, predictions, threshold, resamples=100)
            figures.append({name: report.metrics[name].value for name in FIGURES})
        rows[variant] = figures
        write_json(out / "ablation.json", rows)
    table = _draw_table(rows)
    write_text(out / "ablation.md", table)
    return table


def _draw_table(rows: Mapping[str, Sequence[Mapping[str, float]]]) -> str:
    lines = ["| variant | " + " | ".join(FIGURES) + " |", "|---|" + "---|" * len(FIGURES)]
    for variant, figures in rows.items():
        cells = []
        for name in FIGURES:
            values = np.array([row[name] for row in figures])
            cells.append(f"{values.mean():.3f} ({values.min():.3f} to {values.max():.3f})")
        lines.append(f"| {variant} | " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str]) -> None:
    """Read key=value arguments, run, print."""
    settings = {
        "samples": "", "tested": "", "out": "outputs/ablation", "variants": ",".join(VARIANTS), "seeds": "3",
        "cache": "~/.cache/viscritic",
    }  # fmt: skip
    if not arguments or "--help" in arguments:
        print(__doc__, "variants:", ", ".join(VARIANTS), "\n keys:", ", ".join(settings))
        return
    with bad_input_told(OmegaConfBaseException):
        for argument in arguments:
            key, _, value = argument.partition("=")
            if key not in settings or not value:
                raise ConfigError(f"{argument!r} is no setting; known: {', '.join(settings)}")
            settings[key] = value
        variants = settings["variants"].split(",")
        if unknown := [name for name in variants if name not in VARIANTS]:
            raise ConfigError(f"there is no variant {unknown[0]!r}; known: {', '.join(VARIANTS)}")
        if not settings["seeds"].isdigit() or settings["seeds"] == "0":
            raise ConfigError(f"seeds must be 1 or more, got {settings['seeds']!r}")
        table = ablate(
            Path(settings["samples"]), Path(settings["tested"]), Path(settings["out"]), variants,
            int(settings["seeds"]), Path(settings["cache"]).expanduser(),
        )  # fmt: skip
    Console().print(table, markup=False)


if __name__ == "__main__":
    main(sys.argv[1:])
