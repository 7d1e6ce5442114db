"""`viscritic check`: is this bundle whole, and does it answer here as it did where it was made?"""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table


def check(
    bundle: Annotated[
        str | None, typer.Argument(help="A bundle's folder, zip or hub id; the shipped one if none.")
    ] = None,
) -> None:
    """Check a bundle: hashes, schema, graphs, and its golden pairs replayed on this machine.

    \b
    Exit codes: 0 all well, 1 a golden pair came out otherwise, 2 no usable bundle.

    \b
    viscritic check
    viscritic check outputs/bundle
    """
    from viscritic.runtime.bundle import Bundle, find_bundle  # noqa: PLC0415  # help shall not wait for it
    from viscritic.runtime.golden import TOLERANCES, replay_golden  # noqa: PLC0415
    from viscritic.runtime.graphs import Graphs  # noqa: PLC0415

    opened = Bundle(find_bundle(bundle))
    config = opened.config
    replays = replay_golden(opened, Graphs(opened, (), None, 0))
    console = Console(highlight=False)
    low, high = config.decision.unsure
    console.print(
        f"{config.name} ({config.precision}, schema {config.schema_version}) in {opened.source}: threshold "
        f"{config.decision.threshold:.3f}, unsure between {low:.3f} and {high:.3f}, knows "
        f"{', '.join(config.trained_outcomes)}", markup=False,
    )  # fmt: skip
    table = Table("golden pair", "largest difference", f"at most {TOLERANCES[config.precision]:g}")
    for replay in replays:
        table.add_row(
            escape(replay.name), f"{replay.difference:.2e}", "[green]passed[/]" if replay.passed else "[red]FAILED[/]"
        )
    console.print(table)
    raise typer.Exit(0 if all(replay.passed for replay in replays) else 1)
