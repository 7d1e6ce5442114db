"""The command line: `viscritic --help`."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer
from rich.console import Console

import viscritic
from viscritic.cli import check, data, score
from viscritic.errors import VisCriticError

BAD_INPUT = 2

app = typer.Typer(
    help="""Did the GUI action work? A critic that looks at the screens before and after.

    \b
    Judge one step:     viscritic score pre.png post.png --action '{"action": "click", "x": 960, "y": 540}'
    See where it looked: ... --heatmap out.png
    Check a bundle:     viscritic check
    Build samples:      viscritic data build SOURCE --format screenagent --out samples
    """,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command()(score.score)
app.command()(check.check)
app.add_typer(data.app, name="data")


@app.callback(invoke_without_command=True)
def _version(version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False) -> None:
    if version:
        typer.echo(viscritic.__version__)
        raise typer.Exit


def main() -> None:
    """Run the command line; bad input ends in one line on standard error and exit code 2, never in a traceback."""
    try:
        app()
    except (VisCriticError, OSError) as error:
        if isinstance(error, BrokenPipeError):  # the reader of a pipe has gone; nothing is wrong
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(1)
        Console(stderr=True, soft_wrap=True, highlight=False).print(f"error: {error}", markup=False)
        sys.exit(BAD_INPUT)
