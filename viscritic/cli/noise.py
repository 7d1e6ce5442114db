"""`viscritic data noise`: how often weak labels are right."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.table import Table

from viscritic.config import read_config
from viscritic.errors import DataError
from viscritic.files import check_file_place, propose_name, write_bytes
from viscritic.trajectory import OUTCOMES

if TYPE_CHECKING:
    from data_prep.noise_report import Rate, Report


def noise(
    folder: Annotated[Path, typer.Argument(help="A folder that  viscritic data collect  wrote.", show_default=False)],
    seed: Annotated[int, typer.Option(help="Decides every choice of the weak labels.")] = 0,
    limit: Annotated[int | None, typer.Option(min=1, help="Use so many walks at most.")] = None,
    sheet: Annotated[Path | None, typer.Option(help="Draw wrong labels to this PNG.", metavar="OUT.png")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Measure label noise: label a collection weakly, as if nobody had observed its outcomes, and compare.

    Runs are put together from its walks as an agent would have recorded them (data_prep/noise.py tells how), samples
    are made of them as of any data set, and each is compared with what really happened.
    """
    from data_prep.config import BuildConfig  # noqa: PLC0415  # --help must work without the extra
    from data_prep.noise import measure  # noqa: PLC0415
    from data_prep.noise_report import draw_disagreements, report_of  # noqa: PLC0415
    from data_prep.progress import progress_bar  # noqa: PLC0415

    if sheet is not None:
        if sheet.suffix.lower() != ".png":
            raise DataError(f"the sheet is written as PNG: name it {propose_name(sheet, '.png')}")
        check_file_place(sheet)
    with progress_bar(sys.stderr.isatty()) as bar:
        watch = partial(bar.track, description="reading walks")
        measured = measure(folder, read_config(BuildConfig, {"seed": seed}, "build"), limit=limit, watch=watch)
    report = report_of(measured)
    if sheet is not None:
        buffer = io.BytesIO()
        draw_disagreements(measured.judged, f"{folder}: weak labels that are wrong").save(buffer, "PNG")
        write_bytes(sheet, buffer.getvalue())
    if as_json:
        typer.echo(json.dumps(report.to_dict(), indent=2))
    else:
        _print(report, sheet)


def _print(report: Report, sheet: Path | None) -> None:
    from data_prep.noise_report import PAPER  # noqa: PLC0415

    console = Console()
    measured = report.measured
    runs = ", ".join(f"{number} {kind}" for kind, number in sorted(measured.runs.items()))
    console.print(f"{measured.observed} observed samples of {measured.walks} walks, put together to runs: {runs}")
    console.print(_rate_table("class", report.classes, report.made))
    for rate in report.overall:
        console.print(f"{rate.name}: {_figures(rate)} of {rate.judged} labels are right")
    console.print(f"(Of 500 of the paper's samples, checked by hand, {100 * PAPER:.1f} % were.)")
    console.print(f"the kind of failure, where both see one: {_figures(report.outcomes)} of {report.outcomes.judged}")
    console.print(_rate_table("what happened (observed)", report.happened))
    console.print(_confusion_table(report))
    if measured.left_out:
        told = ", ".join(f"{name} {number}" for name, number in measured.left_out.most_common())
        console.print(f"observed samples that get no label as they happened, by their outcome: {told}")
    if sheet is not None:
        console.print(f"wrong labels are drawn in {sheet}", markup=False)


def _rate_table(title: str, rates: Sequence[Rate], made: dict[str, int] | None = None) -> Table:
    table = Table(title, *(["made"] if made is not None else []), "judged", "right", "95 %", "claimed")
    judged = {rate.name for rate in rates}
    for rate in rates:
        numbers = [str(made[rate.name])] if made is not None else []
        interval = f"{100 * rate.low:.1f}-{100 * rate.high:.1f}"
        table.add_row(
            rate.name,
            *numbers,
            str(rate.judged),
            f"{100 * rate.agreement:.1f} %",
            interval,
            f"{100 * rate.claimed:.1f} %",
        )
    for name, number in (made or {}).items():
        if name not in judged:
            table.add_row(name, str(number), "0", "", "", "")
    return table


def _figures(rate: Rate) -> str:
    if not rate.judged:
        return "none"
    return f"{100 * rate.agreement:.1f} % [{100 * rate.low:.1f}, {100 * rate.high:.1f}]"


def _confusion_table(report: Report) -> Table:
    table = Table("weak label \\ truth (observed)", *OUTCOMES)
    for weak in dict.fromkeys(weak for weak, _ in report.confusion):
        table.add_row(weak, *(str(report.confusion.get((weak, outcome), 0)) for outcome in OUTCOMES))
    return table
