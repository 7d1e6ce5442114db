"""Measure what training and building cost; `viscritic bench speed` measures verdicts.

python scripts/benchmark.py train --samples DIR   pairs/s of a step beside the backbone; an epoch by samples and device
python scripts/benchmark.py build --source DIR    building 1k, 10k and 200k samples: speed, memory, beside decoding

Medians of one run on this machine; compare them within the run, not across machines. `--picture OUT.png` draws a curve.
"""

from __future__ import annotations

import argparse
import io
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from viscritic.cli.ending import extra_named
from viscritic.files import check_file_place, write_bytes, write_json

Curves = Mapping[str, Mapping[int, float]]  # seconds by what was measured and number of samples


def measure_train(chosen: argparse.Namespace) -> tuple[dict[str, Any], Curves]:
    """The figures of a step, and epochs by device."""
    from benchmark_train import Course, bench_epochs, bench_step

    course = Course(chosen.samples, chosen.cache, chosen.clock)
    rows: dict[str, Any] = bench_step(course, chosen.threads, chosen.repeat)
    epochs = bench_epochs(course, chosen.sizes or [64, 128, 256], chosen.threads)
    rows |= {f"an epoch of {n}, {name}, s": s for name, curve in epochs.items() for n, s in curve.items()}
    return rows, epochs


def measure_build(chosen: argparse.Namespace) -> tuple[dict[str, Any], Curves]:
    """The figures of each size, and the processor's time by what was built."""
    from benchmark_build import bench_build

    sizes = chosen.sizes or [1000, 10_000, 200_000]
    rows = bench_build(chosen.source, chosen.work, sizes, chosen.workers)
    built = {int(rows[f"{size}: samples"]): float(rows[f"{size}: s of processor"]) for size in sizes}
    return rows, {"building": dict(sorted(built.items()))}


def draw_curves(curves: Curves, label: str) -> bytes:
    """A PNG of seconds against samples."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(5, 3.6), layout="constrained")
    axes = figure.subplots()
    for name, curve in curves.items():
        axes.plot(list(curve), list(curve.values()), "o-", label=name)
    axes.set(xlabel="samples", ylabel=label, xlim=(0, None), ylim=(0, None))
    axes.legend()
    axes.grid(alpha=0.3)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=110)
    return buffer.getvalue()


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
    parser.add_argument("--sizes", type=int, nargs="+", help="samples to build, or of an epoch")
    parser.add_argument("--workers", type=int, default=1, help="processes (for build)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--clock", choices=("wall", "processor"), default="wall", help="how time is told (for train)")
    parser.add_argument("--repeat", type=int, default=15)
    parser.add_argument("--json", type=Path, dest="out", help="write the figures there too")
    parser.add_argument("--picture", type=Path, help="draw the curve there, as PNG")
    chosen = parser.parse_args()
    if chosen.what == "train" and chosen.samples is None:
        parser.error("train needs --samples DIR")
    if chosen.what == "build" and chosen.source is None:
        parser.error("build needs --source DIR")
    for place in filter(None, (chosen.out, chosen.picture)):
        check_file_place(place)
    rows, curves = (measure_train if chosen.what == "train" else measure_build)(chosen)
    rows["load of the machine at the end"] = os.getloadavg()[1]
    table = Table("", "")
    for name, value in rows.items():
        table.add_row(name, f"{value:.1f}" if value >= 10 else f"{value:.3f}")
    Console().print(table)
    if chosen.out:
        write_json(chosen.out, rows)
    if chosen.picture:
        label = "s of an epoch" if chosen.what == "train" else "s of the processor"
        write_bytes(chosen.picture, draw_curves(curves, label))


if __name__ == "__main__":
    with extra_named("train"):
        main()
