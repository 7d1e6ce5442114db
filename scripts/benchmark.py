"""Measure what the README states: scoring beside SSIM, training beside the bare backbone, import, size.

python scripts/benchmark.py score                 a 1920x1080 pair: whole score, by size of change, beside SSIM
python scripts/benchmark.py train --samples DIR   pairs/s of a training step beside the backbone alone
python scripts/benchmark.py install               import time and size of a runtime-only installation
python scripts/benchmark.py build --source DIR    building 1k, 10k and 200k samples: speed, memory, beside decoding

Medians of one run on this machine; compare them within the run, not across machines.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from PIL import Image
from rich.console import Console
from rich.table import Table

ROOT = Path(__file__).parents[1]
SIZE = (1920, 1080)


def measure(call: Callable[[], object], repeat: int) -> float:
    """Median milliseconds of `repeat` calls after one that is not counted."""
    call()
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        call()
        times.append(1000 * (time.perf_counter() - start))
    return median(times)


def bench_score(threads: int, repeat: int) -> dict[str, float]:
    """Milliseconds on a 1920x1080 pair by size of change, beside SSIM."""
    from skimage.metrics import structural_similarity

    from viscritic import Action, Critic
    from viscritic.preprocess import prepare

    with Image.open(ROOT / "examples" / "shop-added" / "pre.webp") as image:
        pre = np.asarray(image.convert("RGB").resize(SIZE, Image.Resampling.LANCZOS))
    posts = {
        "a word changed": (540, 560, 900, 960),
        "a dialog opened": (300, 700, 600, 1300),
        "a new page": (0, 1080, 0, 1920),
    }
    action = Action("click", 930, 550)
    critic = Critic.load(threads=threads, cache=0)
    rows: dict[str, float] = {"nothing changed": measure(lambda: critic.score(pre, pre.copy(), action, "Save"), repeat)}
    for name, (top, bottom, left, right) in posts.items():
        post = pre.copy()
        post[top:bottom, left:right] = 255 - post[top:bottom, left:right]
        rows[name] = measure(lambda post=post: critic.score(pre, post, action, "Save"), repeat)
        rows[f"- of which preprocessing ({name})"] = measure(
            lambda post=post: prepare(pre, post, (action,), "Save", "", critic.config.preprocess), repeat
        )
    follow = Critic.load(threads=threads)
    steps = [np.roll(pre, 40 * i, axis=0) for i in range(repeat + 2)]
    times = []
    for before, after in pairwise(steps):
        start = time.perf_counter()
        follow.score(before, after, action, "Save")
        times.append(1000 * (time.perf_counter() - start))
    rows["a new page, pre was the last post"] = median(times[1:])
    grey = [np.asarray(Image.fromarray(screen).convert("L")) for screen in (pre, post)]
    rows["scikit-image SSIM, grey"] = measure(lambda: structural_similarity(*grey), max(3, repeat // 3))
    rows["scikit-image SSIM, colour"] = measure(lambda: structural_similarity(pre, post, channel_axis=2), 3)
    return rows


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


def bench_install() -> dict[str, float]:
    """Seconds to import, seconds to the first verdict, and megabytes of a fresh runtime-only installation."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = Path(folder) / "bin" / "python"
        empty = _size(Path(folder))
        subprocess.run([python, "-m", "pip", "install", "--quiet", str(ROOT)], check=True)
        installed = _size(Path(folder)) - empty
        example = ROOT / "examples" / "todo-ticked"
        first = (
            "from viscritic import Critic; "
            f"Critic.load().score({str(example / 'pre.webp')!r}, {str(example / 'post.webp')!r}, {{'kind': 'wait'}})"
        )
        return {
            "import viscritic, s": _run(python, "import viscritic"),
            "import viscritic.runtime, s": _run(python, "import viscritic.runtime"),
            "start to first verdict, s": _run(python, first),
            "python alone, s": _run(python, "pass"),
            "installed, MB": installed,
        }


def _run(python: Path, code: str) -> float:
    return measure(lambda: subprocess.run([python, "-c", code], check=True), 5) / 1000


def _size(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def main() -> None:
    """Measure, print, and write JSON if asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("score", "train", "install", "build"))
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
    if arguments.what == "score":
        rows = bench_score(arguments.threads, arguments.repeat)
    elif arguments.what == "train":
        rows = bench_train(arguments.samples, arguments.cache, arguments.threads, arguments.repeat)
    elif arguments.what == "build":
        from benchmark_build import bench_build

        rows = bench_build(arguments.source, arguments.work, arguments.sizes, arguments.workers)
    else:
        rows = bench_install()
    table = Table("", "ms" if arguments.what == "score" else "")
    for name, value in rows.items():
        table.add_row(name, f"{value:.1f}" if value >= 10 else f"{value:.3f}")
    Console().print(table)
    if arguments.out:
        arguments.out.write_text(json.dumps(rows, indent=2) + "\n")


if __name__ == "__main__":
    main()
