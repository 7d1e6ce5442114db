"""`viscritic bench speed`: what a verdict costs."""

from __future__ import annotations

import platform
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from viscritic.errors import ConfigError
from viscritic.files import write_bytes, write_json

if TYPE_CHECKING:
    from viscritic.bench.speed.clock import Clock
    from viscritic.bench.speed.report import Figures


class Part(StrEnum):
    """What can be measured by itself."""

    SCORES = "scores"
    STAGES = "stages"
    MANY = "many"
    FOOTPRINT = "footprint"
    CURVES = "curves"


class ClockName(StrEnum):
    """How time is told."""

    WALL = "wall"
    PROCESSOR = "processor"


def speed(
    out: Annotated[Path | None, typer.Option(help="Write everything here, as JSON.")] = None,
    picture: Annotated[Path | None, typer.Option(help="Write the cost curves here, as PNG.")] = None,
    part: Annotated[list[Part] | None, typer.Option(help="Measure this only; repeat it.")] = None,
    threads: Annotated[int, typer.Option(min=1, help="Of the computation, and of the rivals.")] = 2,
    rounds: Annotated[int, typer.Option(min=1, help="Of each measurement.")] = 20,
    clock: Annotated[
        ClockName, typer.Option(help="processor: what this process computed, whatever else the machine does.")
    ] = ClockName.WALL,
    dense: Annotated[bool, typer.Option(help="With the dense ViT-S/14 Siamese; it takes seconds a round.")] = True,
    bundle: Annotated[
        str | None, typer.Option(help="A bundle's folder, zip or hub id; the shipped one if none.")
    ] = None,
    check: Annotated[
        Path | None, typer.Option(help="What --out of a former run wrote: exit 1 if a ratio grew by more than half.")
    ] = None,
) -> None:
    """What a verdict costs beside SSIM and a dense ViT: time by stage, size and change; memory, start, size."""
    from viscritic.bench.speed.report import find_regressions, list_ratios  # noqa: PLC0415  # help shall not wait

    parts = set(part or Part)
    if picture and Part.CURVES not in parts:
        raise ConfigError("--picture draws the curves: add --part curves, or leave --part out")
    if check and Part.SCORES not in parts:
        raise ConfigError("--check compares the scores: add --part scores, or leave --part out")
    figures = _measure(parts, bundle, threads, rounds, clock, dense)
    if out:
        write_json(out, figures.to_dict())
    if picture:
        from viscritic.bench.speed.curves import draw_curves  # noqa: PLC0415

        write_bytes(picture, draw_curves({axis: dict(times) for axis, times in figures.curves.items()}))
    _show(figures, Console())
    slower = find_regressions(list_ratios(figures.scores), check) if check else []
    for line in slower:
        typer.echo(line, err=True)
    if slower:
        raise typer.Exit(1)


def _measure(parts: set[Part], bundle: str | None, threads: int, rounds: int, clock: ClockName, dense: bool) -> Figures:
    from viscritic.bench.speed.curves import measure_curves  # noqa: PLC0415
    from viscritic.bench.speed.footprint import measure_footprint  # noqa: PLC0415
    from viscritic.bench.speed.report import Figures  # noqa: PLC0415
    from viscritic.bench.speed.scores import measure_many, measure_scores  # noqa: PLC0415
    from viscritic.bench.speed.stages import measure_stages  # noqa: PLC0415

    told: Clock = "wall" if clock is ClockName.WALL else "processor"
    return Figures(
        {"clock": told, "threads": threads, "rounds": rounds, "machine": platform.machine()},
        measure_scores(bundle, threads, rounds, told, dense) if Part.SCORES in parts else {},
        measure_stages(bundle, threads, rounds, told) if Part.STAGES in parts else {},
        measure_many(bundle, threads, 2 * rounds) if Part.MANY in parts else {},
        measure_footprint(bundle, threads) if Part.FOOTPRINT in parts else {},
        measure_curves(bundle, threads, rounds, told) if Part.CURVES in parts else {},
    )  # fmt: skip


def _show(figures: Figures, console: Console) -> None:
    from viscritic.bench.speed.report import list_bars  # noqa: PLC0415

    if figures.scores:
        table = Table(
            "a whole call", "median ms", "p95 ms", title=f"{figures.settings['clock']} time", title_justify="left"
        )
        for name, times in figures.scores.items():
            table.add_row(name, f"{times.median:.1f}", f"{times.p95:.1f}")
        console.print(table)
    if figures.stages:
        stages = next(iter(figures.stages.values())).stages
        table = Table("stage, ms and share", *figures.stages)
        for stage in stages:
            cells = [(s.stages[stage], s.stages[stage] / s.whole) for s in figures.stages.values()]
            table.add_row(stage, *(f"{ms:.1f}  {100 * share:.0f} %" for ms, share in cells))
        table.add_row("whole", *(f"{s.whole:.1f}" for s in figures.stages.values()))
        table.add_row("bare encoder and head", *(f"{s.sessions:.1f}" for s in figures.stages.values()))
        table.add_row("bare text encoder and reader", *(f"{s.reader:.1f}" for s in figures.stages.values()))
        table.add_row("one pass over both screens", *(f"{s.passing:.1f}" for s in figures.stages.values()))
        console.print(table)
    for rows, unit in ((figures.many, "pairs/s"), (figures.footprint, "")):
        if rows:
            table = Table("", unit)
            for name, value in rows.items():
                table.add_row(name, f"{value:.1f}" if value >= 10 else f"{value:.2f}")
            console.print(table)
    for axis, curve in figures.curves.items():
        table = Table(axis, "median ms", "p95 ms")
        for name, times in curve.items():
            table.add_row(name, f"{times.median:.1f}", f"{times.p95:.1f}")
        console.print(table)
    table = Table("bar", "measured", "at most", "")
    for bar in list_bars(figures):
        table.add_row(bar.name, f"{bar.value:.2f}", f"{bar.limit:.2f}", "met" if bar.met else "missed")
    console.print(table)
