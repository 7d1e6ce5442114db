"""`viscritic data inspect`: what is this, and is it whole?"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from viscritic.cli.format import Format
from viscritic.errors import DataError
from viscritic.files import check_file_place, propose_name, write_bytes

if TYPE_CHECKING:
    from data_prep.inspection import Inspection

_MOST: Final = 20  # entries of a count, and notes, that are printed


def inspect(
    path: Annotated[Path, typer.Argument(help="A folder or file of trajectories.", show_default=False)],
    format: Annotated[Format | None, typer.Option(help="The layout.", show_default="found out")] = None,  # noqa: A002
    strict: Annotated[bool, typer.Option("--strict", help="End at the first broken row.")] = False,
    sheet: Annotated[Path | None, typer.Option(help="Draw some steps to this PNG.", metavar="OUT.png")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Read so many trajectories at most.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Say what lies at a path: format, trajectories, steps, actions, sizes, outcomes, broken rows.

    Every screen is decoded; --limit ends a large data set early.
    """
    from data_prep.contact_sheet import draw_sheet  # noqa: PLC0415
    from data_prep.inspection import inspect as look  # noqa: PLC0415  # --help must work without the extra
    from data_prep.progress import progress_bar  # noqa: PLC0415

    if sheet is not None:
        if sheet.suffix.lower() != ".png":
            raise DataError(f"the sheet is written as PNG: name it {propose_name(sheet, '.png')}")
        check_file_place(sheet)
    with progress_bar(sys.stderr.isatty()) as bar:
        watch = partial(bar.track, description="reading trajectories")
        found = look(path, format.value if format else None, strict=strict, limit=limit, watch=watch)
    if sheet is not None:
        buffer = io.BytesIO()
        draw_sheet(found.samples, f"{found.path}: {found.format}").save(buffer, "PNG")
        write_bytes(sheet, buffer.getvalue())
    if as_json:
        typer.echo(json.dumps(found.to_dict(), indent=2))
        return
    _print(found, sheet)


def _print(found: Inspection, sheet: Path | None) -> None:
    console = Console()
    table = Table(show_header=False)
    table.add_row("format", found.format)
    table.add_row("trajectories", f"{found.trajectories}" + (f", {found.empty} without steps" if found.empty else ""))
    table.add_row("steps", f"{found.steps}, {found.with_instruction} with an instruction")
    for name, counts in (
        ("actions", found.actions),
        ("screens", found.sizes),
        ("apps", found.apps),
        ("platforms", found.platforms),
        ("results of steps", found.steps_by_result),
        ("results of trajectories", found.trajectories_by_result),
        ("outcomes", found.outcomes),
    ):
        if counts:
            table.add_row(name, escape(_listed(dict(counts.most_common()))))
    for name, number in (
        ("without a screen after", found.without_after),
        ("clicks without a point", found.without_point),
        ("points off the screen", found.outside),
        ("with an agent's marks", found.marked),
    ):
        if number:
            table.add_row(name, f"{number} steps")
    table.add_row("broken rows", f"{found.broken}" + (", left out" if found.broken else ""))
    console.print(table)
    for note in found.notes[:_MOST]:
        console.print(f"- {_printable(note)}", markup=False, highlight=False, soft_wrap=True)
    if len(found.notes) > _MOST:
        console.print(f"... and {len(found.notes) - _MOST} more notes; --json prints {len(found.notes)}")
    if sheet is not None:
        console.print(f"{len(found.samples)} steps are drawn in {sheet}", markup=False)


def _listed(counts: Mapping[str, int]) -> str:
    shown = [f"{_printable(name)} {number}" for name, number in list(counts.items())[:_MOST]]
    return ", ".join(shown) + (f", and {len(counts) - _MOST} more" if len(counts) > _MOST else "")


def _printable(text: str) -> str:
    """What strangers wrote must not steer the terminal, and half a character cannot be printed."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
