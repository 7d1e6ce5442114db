"""`viscritic bench ...`: what the critic is worth."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from viscritic.config import read_config
from viscritic.errors import ConfigError
from viscritic.files import write_json, write_text

app = typer.Typer(help="What the critic is worth: to agents.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """A group, though it has one command as yet."""


@app.command(epilog="Example: viscritic bench agents --out outputs/bench-agents --seeds 5")
def agents(
    out: Annotated[Path, typer.Option(help="A folder; a run that was broken off goes on in it.")],
    config: Annotated[
        Path | None, typer.Option(help="A JSON file with settings (viscritic/bench/config.py names them).")
    ] = None,
    task: Annotated[list[str] | None, typer.Option(help="A MiniWoB++ task type; repeat it.")] = None,
    seeds: Annotated[int | None, typer.Option(help="Seeds of each type.", show_default="5")] = None,
    bundle: Annotated[
        str | None, typer.Option(help="A bundle's folder, zip or hub id; the shipped one if none.")
    ] = None,
    cache: Annotated[Path | None, typer.Option(help="Where `viscritic data collect --install` put MiniWoB++.")] = None,
) -> None:
    """Do agents get better by being verified? MiniWoB++ in a real browser; writes table.md and summary.json."""
    from data_prep.collect.install import default_cache  # noqa: PLC0415  # help shall not wait for it
    from viscritic.bench.config import BenchConfig  # noqa: PLC0415
    from viscritic.bench.report import summarise, write_table  # noqa: PLC0415
    from viscritic.bench.run import run_bench  # noqa: PLC0415
    from viscritic.runtime import Critic  # noqa: PLC0415

    settings = _read(config) if config else {}
    settings |= {key: value for key, value in (("tasks", task), ("seeds", seeds)) if value}
    chosen = read_config(BenchConfig, settings, "bench")
    with Progress() as progress:
        bar = progress.add_task("episodes")
        rows = run_bench(
            chosen, Critic.load(bundle), cache or default_cache(), out,
            tell=lambda number, total: progress.update(bar, completed=number, total=total),
        )  # fmt: skip
    summaries = summarise(rows)
    table = write_table(summaries)
    write_text(out / "table.md", table)
    write_json(out / "summary.json", [{name: getattr(s, name) for name in s.__slots__} for s in summaries])
    Console().print(table, markup=False, highlight=False)


def _read(path: Path) -> dict[str, object]:
    try:
        read = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"the settings {path} cannot be read: {error}") from error
    if not isinstance(read, dict):
        raise ConfigError(f"the settings {path} must be a JSON object")
    return read
