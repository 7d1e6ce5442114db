"""`viscritic audit`: judge every step of recorded trajectories."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from viscritic.cli.engine import Address, Engine, EngineName, Workers, read_engine
from viscritic.cli.format import Format
from viscritic.cli.score import STATE_COLOURS
from viscritic.errors import DataError
from viscritic.files import check_file_place, propose_name, write_json, write_text

if TYPE_CHECKING:
    from viscritic.audit import AuditedTrajectory

_MOST_ROWS: Final = 40  # of a trajectory's steps that are printed; beyond it only those with something to tell


def audit(  # a command's options
    trajectory: Annotated[Path, typer.Argument(help="A folder or file of trajectories, or a zip.", show_default=False)],
    format: Annotated[Format | None, typer.Option(help="The layout.", show_default="found out")] = None,  # noqa: A002
    report: Annotated[
        Path | None,
        typer.Option(help="Write an HTML report, and beside it JSON and JUnit XML.", metavar="OUT.html"),
    ] = None,
    redact: Annotated[
        str | None,
        typer.Option(help="module:function that takes out of each screen what the report must not show."),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Judge so many trajectories at most.")] = None,
    bundle: Annotated[
        str | None, typer.Option(help="A bundle's folder, zip or hub id; the shipped one if none.")
    ] = None,
    threshold: Annotated[float | None, typer.Option(help="Success counts as reached from here on.")] = None,
    engine: Engine = EngineName.LOCAL,
    workers: Workers = 1,
    ray_address: Address = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the audit as JSON.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Show no progress.")] = False,
) -> None:
    """Judge every step of a trajectory: the first failing step, loops, no-ops, steps that led nowhere.

    \b
    Exit codes: 0 every step confirmed, 1 a step failed, 3 none failed but some are unsure, 2 bad input.

    \b
    viscritic audit runs/today --report audit.html      writes audit.html, audit.json and audit.xml (JUnit)
    viscritic audit trace.zip --format playwright --json
    viscritic audit data/ScreenAgent --workers 8        in 8 processes; a trajectory is the work of one
    """
    from data_prep.progress import progress_bar  # noqa: PLC0415  # help and errors shall not wait for it
    from viscritic.audit.archive import unpacked  # noqa: PLC0415
    from viscritic.audit.bulk import audit_all  # noqa: PLC0415
    from viscritic.audit.document import describe_audit  # noqa: PLC0415
    from viscritic.audit.pictures import Pictures  # noqa: PLC0415
    from viscritic.audit.source import read_trajectories  # noqa: PLC0415
    from viscritic.redaction import load_redaction  # noqa: PLC0415
    from viscritic.runtime import Critic  # noqa: PLC0415

    if report is not None and report.suffix.lower() not in (".html", ".htm"):
        raise DataError(f"the report is written as HTML: name it {propose_name(report, '.html')}")
    for file in _files(report):  # an hour of judging must not end in a place where nothing can be written
        check_file_place(file)
    where = read_engine(engine, workers, ray_address)
    with unpacked(trajectory) as place:
        layout, found = read_trajectories(place, format.value if format else None, limit)
        steps = sum(len(one.steps) for one in found)
        critic = Critic.load(bundle, threshold=threshold)
        pictures = None if report is None else Pictures(steps, load_redaction(redact) if redact else None)
        with progress_bar(not quiet) as bar:
            work = bar.add_task("judging", total=steps)
            audited = audit_all(
                found, critic, pictures, bundle=bundle, threshold=threshold, engine=where,
                advance=lambda judged: bar.advance(work, judged),
            )  # fmt: skip
    described = describe_audit(audited, critic, name=trajectory.resolve().name, format=layout, pictures=pictures)
    if report is not None:
        _write(report, described, audited)
    if as_json:
        described.pop("screens", None)
        typer.echo(json.dumps(described, ensure_ascii=False, allow_nan=False))
    else:
        _print(described, report)
    states = described["summary"]["states"]
    raise typer.Exit(1 if states["failed"] else 0 if states["confirmed"] == steps else 3)


def _write(report: Path, described: dict[str, Any], audited: Sequence[AuditedTrajectory]) -> None:
    """The report with its screens; JSON and JUnit XML beside it without."""
    from viscritic.audit.junit import junit_xml  # noqa: PLC0415
    from viscritic.audit.report import report_html  # noqa: PLC0415

    page, data, xml = _files(report)
    write_text(page, report_html(described))
    write_json(data, {name: value for name, value in described.items() if name != "screens"})
    write_text(xml, junit_xml(audited))


def _files(report: Path | None) -> tuple[Path, ...]:
    """What a report is: the page, and beside it JSON and XML."""
    return () if report is None else (report, report.with_suffix(".json"), report.with_suffix(".xml"))


def _print(described: dict[str, Any], report: Path | None) -> None:
    console = Console(highlight=False)
    for trajectory in described["trajectories"]:
        _print_trajectory(console, trajectory)
    summary = described["summary"]
    counts = {**summary["states"], **summary["findings"]}
    words = ", ".join(f"{number} {name.replace('_', '-')}" for name, number in counts.items() if number)
    console.print(f"{summary['steps']} steps: {words}")
    if report is not None:
        names = ", ".join(report.with_suffix(suffix).name for suffix in (".json", ".xml"))
        console.print(f"report: {report} (beside it {names})", markup=False, soft_wrap=True)


def _print_trajectory(console: Console, trajectory: dict[str, Any]) -> None:
    steps = trajectory["steps"]
    console.print(f"{trajectory['id']}: {trajectory['task'] or trajectory['app']}", style="bold", markup=False)
    shown = steps if len(steps) <= _MOST_ROWS else [s for s in steps if s["state"] == "failed" or s["findings"]]
    table = Table("step", "state", "success", "what was done", "findings")
    for step in shown[:_MOST_ROWS]:
        verdict = step["verdict"]
        done = step["instruction"] or step["action"]
        table.add_row(
            str(step["number"]),
            f"[{STATE_COLOURS.get(step['state'], 'dim')}]{step['state']}[/]",
            f"{verdict['success']:.2f}" if verdict else "-",
            escape(_printable(done)),
            escape(", ".join(_finding(found) for found in step["findings"]) or step["unjudged"]),
        )
    console.print(table)
    if len(steps) > _MOST_ROWS:
        console.print(f"{len(shown[:_MOST_ROWS])} of {len(steps)} steps are listed: failures and findings")
    console.print(_ending(trajectory))
    for note in trajectory["notes"][:3]:
        console.print(f"- {_printable(note)}", markup=False, soft_wrap=True)


def _ending(trajectory: dict[str, Any]) -> str:
    """The first failing step; or that none failed, and of how many nobody knows."""
    if trajectory["first_failing"] is not None:
        return f"first failing step: {trajectory['first_failing']}"
    states = [step["state"] for step in trajectory["steps"]]
    open_ = {name: states.count(name) for name in ("unsure", "pending", "unjudged") if name in states}
    if not open_:
        return "no step failed"
    return f"no step is known to have failed, but {', '.join(f'{number} {name}' for name, number in open_.items())}"


def _finding(found: dict[str, Any]) -> str:
    if found["kind"] == "loop":
        return f"repeats step {found['steps'][0]}"
    return "nothing changed" if found["kind"] == "no_op" else "led back to where it began"


def _printable(text: str) -> str:
    """What strangers wrote must not steer the terminal."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
