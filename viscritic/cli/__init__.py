"""The command line: `viscritic --help`."""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer

import viscritic
from viscritic.cli import agent, audit, bench, check, data, doctor, score, serve, speed
from viscritic.cli.ending import bad_input_told

app = typer.Typer(
    help="""Did the GUI action work? A critic that looks at the screens before and after.

    \b
    Judge one step          viscritic score pre.png post.png --action '{"action": "click", "x": 960, "y": 540}'
    See where it looked     ... --heatmap out.png
    Judge a whole run       viscritic audit runs/today --report audit.html
    Try it in a browser     viscritic serve          then open http://127.0.0.1:8765
    Use it from elsewhere   curl 127.0.0.1:8765/v1/score -H 'Content-Type: application/json' -d @transition.json
    Guard an agent          viscritic agent --help
    What is it worth?       viscritic bench agents --out outputs/bench-agents
    What does it cost?      viscritic bench speed
    Is all well here?       viscritic doctor
    Check a bundle          viscritic check outputs/bundle
    What is this data?      viscritic data inspect SOURCE
    Build samples           viscritic data build SOURCE --out samples
    Complete with Tab       viscritic --install-completion

    \b
    Every command has examples: viscritic COMMAND --help
    """,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command()(score.score)
app.command()(audit.audit)
app.command()(serve.serve)
app.command()(check.check)
app.command()(doctor.doctor)
app.add_typer(agent.app, name="agent")
bench.app.command(epilog="Example: viscritic bench speed --out speed.json --picture speed.png")(speed.speed)
app.add_typer(bench.app, name="bench")
app.add_typer(data.app, name="data")


@app.callback(invoke_without_command=True)
def _version(version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False) -> None:
    if version:
        typer.echo(viscritic.__version__)
        raise typer.Exit


def main() -> None:
    """Run the command line; bad input ends in one line on standard error and exit code 2, never in a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(
            stream, io.TextIOWrapper
        ):  # a name that the terminal's encoding lacks must not end in a traceback
            stream.reconfigure(errors="backslashreplace")
    with bad_input_told():
        app(prog_name="viscritic")
