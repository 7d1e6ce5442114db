"""`viscritic agent ...`: the critic in an agent's loop."""

from __future__ import annotations

from typing import Annotated

import typer

app = typer.Typer(help="The critic in an agent's loop: run a task, keep macros, ask it over MCP.", no_args_is_help=True)
_BUNDLE = typer.Option(help="A bundle's folder, zip or hub id; the shipped one if none.")


@app.command(epilog="Example, in an MCP client's settings: {'command': 'viscritic', 'args': ['agent', 'mcp']}")
def mcp(bundle: Annotated[str | None, _BUNDLE] = None) -> None:
    """Serve the read-only tool `verify` over MCP, on standard input and output."""
    from viscritic.agent.adapters.mcp import make_server  # noqa: PLC0415  # help shall not wait for it
    from viscritic.runtime import Critic  # noqa: PLC0415

    make_server(Critic.load(bundle)).run()
