"""`viscritic bench speed`: what a verdict costs."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from viscritic.errors import ConfigError
from viscritic.files import check_file_place, write_bytes, write_json, write_text

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
    markdown: Annotated[Path | None, typer.Option(help="Write the tables here, as Markdown.")] = None,
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
    for place in filter(None, (out, markdown, picture)):
        check_file_place(place)
    figures = _measure(parts, bundle, threads, rounds, clock, dense)
    if out:
        write_json(out, figures.to_dict())
    if markdown:
        write_text(markdown, _write_tables(figures))
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
    busy = {"load before": round(os.getloadavg()[1], 1)} if hasattr(os, "getloadavg") else {}  # Windows has none
    return Figures(
        {"clock": told, "threads": threads, "rounds": rounds, "processors": os.cpu_count(),
         "machine": platform.machine()} | busy,
        measure_scores(bundle, threads, rounds, told, dense) if Part.SCORES in parts else {},
        measure_stages(bundle, threads, rounds, told) if Part.STAGES in parts else {},
        measure_many(bundle, threads, 2 * rounds) if Part.MANY in parts else {},
        measure_footprint(bundle, threads) if Part.FOOTPRINT in parts else {},
        measure_curves(bundle, threads, rounds, told) if Part.CURVES in parts else {},
    )  # fmt: skip


def _list_tables(figures: Figures) -> Iterator[tuple[tuple[str, ...], list[tuple[str, ...]]]]:
    """Every table that has something in it: its head and its rows."""
    from viscritic.bench.speed.report import list_bars  # noqa: PLC0415

    if figures.scores:
        head = (f"a whole call, {figures.settings['clock']} time", "median ms", "p95 ms")
        yield head, [(name, f"{t.median:.1f}", f"{t.p95:.1f}") for name, t in figures.scores.items()]
    if figures.stages:
        yield ("stage, ms and share", *figures.stages), list(_list_stages(figures))
    for rows, unit in ((figures.many, "pairs/s"), (figures.footprint, "measured")):
        if rows:
            yield ("", unit), [(name, f"{v:.1f}" if v >= 10 else f"{v:.2f}") for name, v in rows.items()]
    for axis, curve in figures.curves.items():
        yield (axis, "median ms", "p95 ms"), [(k, f"{t.median:.1f}", f"{t.p95:.1f}") for k, t in curve.items()]
    bars: list[tuple[str, ...]] = [
        (b.name, f"{b.value:.2f}", f"{b.limit:.2f}", "met" if b.met else "missed") for b in list_bars(figures)
    ]
    yield ("bar", "measured", "at most", ""), bars


def _list_stages(figures: Figures) -> Iterator[tuple[str, ...]]:
    all_shares = list(figures.stages.values())
    for stage in all_shares[0].stages:
        cells = [(shares.stages[stage], shares.stages[stage] / shares.whole) for shares in all_shares]
        yield stage, *(f"{ms:.1f}  {100 * share:.0f} %" for ms, share in cells)
    for name, field in (
        ("whole", "whole"),
        ("bare encoder and head", "sessions"),
        ("bare text encoder and reader", "reader"),
        ("one pass over both screens", "passing"),
    ):
        yield name, *(f"{getattr(shares, field):.1f}" for shares in all_shares)


def _show(figures: Figures, console: Console) -> None:
    for head, rows in _list_tables(figures):
        table = Table(*head)
        for row in rows:
            table.add_row(*row)
        console.print(table)


def _write_tables(figures: Figures) -> str:
    settings = ", ".join(f"{name} {value}" for name, value in figures.settings.items())
    tables = (
        "".join(f"| {' | '.join(row)} |\n" for row in (head, ("---",) * len(head), *rows))
        for head, rows in _list_tables(figures)
    )
    return "\n".join((f"{settings}\n", *tables))
