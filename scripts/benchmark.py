"""Measure what training and building cost; `viscritic bench speed` measures verdicts.

python scripts/benchmark.py train --samples DIR   pairs/s of a training step beside the backbone alone
python scripts/benchmark.py build --source DIR    building 1k, 10k and 200k samples: speed, memory, beside decoding

Medians of one run on this machine; compare them within the run, not across machines.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

from viscritic.cli.ending import bad_input_told


def bench_train(samples: Path, cache: Path, threads: int, repeat: int) -> dict[str, float]:
    """Pairs/s of stage 2's step on real batches, beside the backbone's forward and backward on the same tokens."""
    import torch

    from viscritic.model.config import ModelConfig
    from viscritic.model.critic import CriticModel
    from viscritic.sample_folder import SampleFolder
    from viscritic.train.arrays import open_arrays
    from viscritic.train.config import DeviceConfig, LossConfig, StageConfig
    from viscritic.train.data import TransitionDataset, make_loader
    from viscritic.train.run import choose_precision
    from viscritic.train.stages import JudgementStage

    torch.set_num_threads(threads)
    folder = SampleFolder(samples)
    rows = list(folder)
    model = CriticModel.build(ModelConfig())
    store = open_arrays(folder, model.config.preprocess, cache)
    stage = JudgementStage(model, StageConfig(epochs=1), LossConfig(), 0)
    stage.log = lambda *_, **__: None  # type: ignore[method-assign]  # no trainer here
    dataset = TransitionDataset(rows, store, range(16 * (repeat + 1)), model.text.tokenizer, 40)
    batches = iter(make_loader(dataset, 16, None))
    bf16 = choose_precision(DeviceConfig(accelerator="cpu")) == "bf16-mixed"
    optimizer = torch.optim.AdamW([p for p in stage.parameters() if p.requires_grad])
    whole, bare, loading = [], [], []
    for _ in range(repeat + 1):
        start = time.perf_counter()
        batch, labels = next(batches)
        loaded = time.perf_counter()
        with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
            loss = stage.training_step((batch, labels), 0)
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
        stepped = time.perf_counter()
        with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
            features = torch.cat(model.encode_screens(batch), dim=1)
        features.float().square().mean().backward()
        optimizer.zero_grad()
        whole.append(stepped - start)
        loading.append(loaded - start)
        bare.append(time.perf_counter() - stepped)
    step, backbone = median(whole[1:]), median(bare[1:])
    return {
        "whole step, pairs/s": 16 / step,
        "bare backbone, pairs/s": 16 / backbone,
        "ratio": backbone / step,
        "share of loading": median(loading[1:]) / step,
    }


def main() -> None:
    """Measure, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("train", "build"))
    parser.add_argument("--samples", type=Path, help="a sample folder (for train)")
    parser.add_argument(
        "--cache", type=Path, default=Path("~/.cache/viscritic").expanduser(), help="arrays (for train)"
    )
    parser.add_argument("--source", type=Path, help="the ScreenAgent data set (for build)")
    parser.add_argument("--work", type=Path, default=Path("outputs/benchmark"), help="where to build (for build)")
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000, 200_000], help="samples (for build)")
    parser.add_argument("--workers", type=int, default=1, help="processes (for build)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--repeat", type=int, default=15)
    parser.add_argument("--json", type=Path, dest="out", help="write the figures there too")
    arguments = parser.parse_args()
    if arguments.what == "train" and arguments.samples is None:
        parser.error("train needs --samples DIR")
    if arguments.what == "build" and arguments.source is None:
        parser.error("build needs --source DIR")
    rows: dict[str, Any]
    if arguments.what == "train":
        rows = bench_train(arguments.samples, arguments.cache, arguments.threads, arguments.repeat)
    else:
        from benchmark_build import bench_build

        rows = bench_build(arguments.source, arguments.work, arguments.sizes, arguments.workers)
    table = Table("", "")
    for name, value in rows.items():
        table.add_row(name, f"{value:.1f}" if value >= 10 else f"{value:.3f}")
    Console().print(table)
    if arguments.out:
        arguments.out.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    with bad_input_told():
        main()
