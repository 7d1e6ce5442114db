"""`viscritic bench ...`: what the critic is worth, and what it costs."""

from __future__ import annotations

import json
import shlex
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from viscritic.config import read_config
from viscritic.errors import ConfigError
from viscritic.files import write_bytes, write_json, write_text

app = typer.Typer(help="What the critic is worth to agents and in a game, and what it costs.", no_args_is_help=True)
_PICTURE = "agents.png"


@app.command(epilog="Example: viscritic bench agents --out outputs/bench-agents --seeds 5 --report docs/bench.md")
def agents(
    out: Annotated[Path, typer.Option(help="A folder; a run that was broken off goes on in it.")],
    config: Annotated[
        Path | None, typer.Option(help="A JSON file with settings (viscritic/bench/config.py names them).")
    ] = None,
    task: Annotated[list[str] | None, typer.Option(help="A task or a pattern ('miniwob-*'); repeat it.")] = None,
    agent: Annotated[list[str] | None, typer.Option(help="dom, noisy or cloned; repeat it.")] = None,
    verifier: Annotated[
        list[str] | None, typer.Option(help="none, before, retry, pixels, ssim, critic or truth; repeat it.")
    ] = None,
    seeds: Annotated[int | None, typer.Option(help="Seeds of each task.", show_default="5")] = None,
    part: Annotated[str, typer.Option(help="K/N: play every N-th task only; N processes share the work.")] = "1/1",
    report: Annotated[Path | None, typer.Option(help="Also write a page in Markdown, and a picture beside it.")] = None,
    bundle: Annotated[
        str | None, typer.Option(help="A bundle's folder, zip or hub id; the shipped one if none.")
    ] = None,
    cache: Annotated[Path | None, typer.Option(help="Where `viscritic data collect --install` put things.")] = None,
) -> None:
    """Do agents get better by being verified? MiniWoB++ and real applications; writes table.md and summary.json."""
    from data_prep.collect.install import default_cache  # noqa: PLC0415  # help shall not wait for it
    from viscritic.bench import report as tables  # noqa: PLC0415
    from viscritic.bench.config import BenchConfig  # noqa: PLC0415
    from viscritic.bench.run import read_part, run_bench  # noqa: PLC0415
    from viscritic.runtime import Critic  # noqa: PLC0415

    settings = _read(config) if config else {}
    given = {"tasks": task, "agents": agent, "verifiers": verifier, "seeds": seeds}
    chosen = read_config(BenchConfig, settings | {key: value for key, value in given.items() if value}, "bench")
    with Progress() as progress:
        bar = progress.add_task("episodes")
        rows, failed = run_bench(
            chosen, Critic.load(bundle, threads=1), cache or default_cache(), out, part=read_part(part),
            tell=lambda number, total: progress.update(bar, completed=number, total=total),
        )  # fmt: skip
    for line in failed:
        Console(stderr=True).print(f"not played: {line}", markup=False, highlight=False, soft_wrap=True)
    summaries = tables.summarise(rows)
    table = tables.write_table(summaries)
    write_text(out / "table.md", table)
    write_json(out / "summary.json", [{name: getattr(s, name) for name in s.__slots__} for s in summaries])
    if report is not None:
        write_bytes(report.with_name(_PICTURE), tables.draw_picture(summaries))
        command = shlex.join(["viscritic", *sys.argv[1:]])
        write_text(report, tables.write_report(rows, _PICTURE, command))
    Console().print(table, markup=False, highlight=False, soft_wrap=True)


@app.command(epilog="Example: viscritic bench game --out outputs/bench-game --games 20")
def game(
    out: Annotated[Path, typer.Option(help="A folder for games.jsonl and table.md.")],
    games: Annotated[int, typer.Option(help="How many games.", min=1)] = 20,
    drop: Annotated[float, typer.Option(help="Share of clicks that are lost.", min=0, max=1)] = 0.15,
    miss: Annotated[float, typer.Option(help="Share of clicks that hit the square beside.", min=0, max=1)] = 0.1,
    bundle: Annotated[
        str | None, typer.Option(help="A bundle's folder, zip or hub id; the shipped one if none.")
    ] = None,
) -> None:
    """Cradle's loop in a real game (Flip of sgt-puzzles), by its reflection: success, steps, efficiency."""
    from viscritic.bench.config import Faults  # noqa: PLC0415  # help shall not wait for it
    from viscritic.bench.flip_report import play_games, to_json, write_flip_table  # noqa: PLC0415
    from viscritic.runtime import Critic  # noqa: PLC0415

    faults = Faults(drop=drop, miss=miss, slow=0, popup=0)
    with Progress() as progress:
        bar = progress.add_task("games")
        rows = play_games(
            Critic.load(bundle), games, faults,
            tell=lambda number, total: progress.update(bar, completed=number, total=total),
        )  # fmt: skip
    table = write_flip_table(rows)
    write_text(out / "games.jsonl", to_json(rows))
    write_text(out / "table.md", table)
    Console().print(table, markup=False, highlight=False, soft_wrap=True)


def _read(path: Path) -> dict[str, object]:
    try:
        read = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"the settings {path} cannot be read: {error}") from error
    if not isinstance(read, dict):
        raise ConfigError(f"the settings {path} must be a JSON object")
    return read
