"""`viscritic score`: judge one transition."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.console import Console
from rich.table import Table

from viscritic.actions import Action
from viscritic.errors import ActionError, ConfigError
from viscritic.files import atomic_write, check_file_place, propose_name, write_text

if TYPE_CHECKING:
    from viscritic.screen import Screen
    from viscritic.verdict import Verdict

EXIT_CODES = {"confirmed": 0, "failed": 1, "unsure": 3, "pending": 3}
_DRAWN: Final = (".png", ".html", ".htm")
STATE_COLOURS = {"confirmed": "green", "failed": "red", "unsure": "yellow", "pending": "cyan"}


def score(  # a command's options
    pre: Annotated[Path, typer.Argument(help="The screen before the action (PNG, JPEG, WebP, BMP, GIF).")],
    post: Annotated[Path, typer.Argument(help="The screen after it.")],
    action: Annotated[
        str, typer.Option(help="What was done, as JSON or a call in any known dialect; @FILE reads it from a file.")
    ],
    instruction: Annotated[str, typer.Option(help="The step's intent in words.")] = "",
    task: Annotated[str, typer.Option(help="The whole goal in words.")] = "",
    dialect: Annotated[str | None, typer.Option(help="The action's dialect, where it cannot be told.")] = None,
    burst: Annotated[
        list[Path] | None, typer.Option(help="A screen between action and post; repeat it, oldest first.")
    ] = None,
    idle: Annotated[
        list[Path] | None, typer.Option(help="A screen before the action, nothing done; repeat it.")
    ] = None,
    bundle: Annotated[
        str | None, typer.Option(help="A bundle's folder, zip or hub id; the shipped one if none.")
    ] = None,
    threshold: Annotated[float | None, typer.Option(help="Success counts as reached from here on.")] = None,
    heatmap: Annotated[
        Path | None, typer.Option(help="Draw the verdict: a picture, or a page.", metavar="OUT.png|OUT.html")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the verdict as JSON.")] = False,
) -> None:
    """Judge one action from the screens before and after it.

    \b
    Exit codes: 0 confirmed, 1 failed, 3 unsure or pending (look again), 2 bad input.

    \b
    viscritic score pre.png post.png --action '{"action": "click", "x": 960, "y": 540}' \\
        --instruction "Open the menu" --heatmap verdict.png
    viscritic score pre.png post.png --action "pyautogui.click(960, 540)" --json
    """
    from viscritic.runtime import Critic  # noqa: PLC0415  # help and errors shall not wait for it
    from viscritic.screen import load_screen  # noqa: PLC0415

    if heatmap is not None:
        check_file_place(heatmap)
        if heatmap.suffix.lower() not in _DRAWN:
            raise ConfigError(f"the verdict is drawn as {', '.join(_DRAWN)}: name it {propose_name(heatmap, '.png')}")
    critic = Critic.load(bundle, threshold=threshold)
    before, after = load_screen(pre, name="pre"), load_screen(post, name="post")
    actions = Action.parse_batch(_read(action), dialect=dialect, size=(before.shape[1], before.shape[0]))
    verdict = critic.score(before, after, actions, instruction, task, burst or (), idle or ())
    if heatmap is not None:
        _draw(heatmap, before, after, verdict, actions, instruction)
    if as_json:
        typer.echo(json.dumps(verdict.to_dict(), ensure_ascii=False, allow_nan=False))
    else:
        _print(verdict, heatmap)
    raise typer.Exit(EXIT_CODES[verdict.state])


def _draw(
    out: Path, before: Screen, after: Screen, verdict: Verdict, actions: Sequence[Action], instruction: str
) -> None:
    from viscritic.card import draw_verdict  # noqa: PLC0415
    from viscritic.card_page import verdict_page  # noqa: PLC0415

    if out.suffix.lower() != ".png":
        write_text(out, verdict_page(before, after, verdict, actions, instruction=instruction))
        return
    with atomic_write(out) as file:
        draw_verdict(before, after, verdict, actions, instruction=instruction).save(file, "PNG")


def _read(action: str) -> str:
    if not action.startswith("@"):
        return action
    try:
        return Path(action[1:]).read_text("utf-8")
    except (OSError, ValueError) as error:  # a ValueError is a file that is not UTF-8
        raise ActionError(f"the action's file {action[1:]!r} cannot be read ({error})", field="action") from error


def _print(verdict: Verdict, heatmap: Path | None) -> None:
    console = Console(highlight=False)
    outcome = f"likeliest {verdict.likeliest}" if verdict.state == "unsure" else f"outcome {verdict.outcome}"
    console.print(f"[bold {STATE_COLOURS[verdict.state]}]{verdict.state}[/]  success {verdict.success:.3f}, "
                  f"progress {verdict.progress:+.2f}, {outcome}")  # fmt: skip
    console.print(verdict.note, markup=False)
    table = Table(show_header=False, box=None, pad_edge=False)
    for name, probability in sorted(verdict.outcome_probs.items(), key=lambda item: -item[1]):
        table.add_row(name, f"{probability:.3f}", "█" * round(30 * probability))
    console.print(table)
    console.print(f"{verdict.model}, {verdict.elapsed_ms:.0f} ms", style="dim", markup=False)
    if heatmap is not None:
        console.print(f"heat map: {heatmap}", style="dim", markup=False)
