"""Judge the example pairs with the shipped bundle: verdicts on the terminal, cards and a page in a folder."""

from __future__ import annotations

import argparse
import html
import json
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from viscritic import Action, Critic, Verdict
from viscritic.card import draw_verdict
from viscritic.cli.ending import bad_input_told
from viscritic.files import atomic_write, write_text
from viscritic.screen import load_screen

EXAMPLES = Path(__file__).parents[1] / "examples"


def judge_example(critic: Critic, folder: Path, out: Path) -> tuple[dict[str, Any], Verdict]:
    """Judge one pair and draw its card into `out`."""
    example = json.loads((folder / "transition.json").read_text())
    pre, post = (load_screen(folder / example[name], name=name) for name in ("pre", "post"))
    action = Action.from_dict(example["action"])
    instruction, task = example.get("instruction", ""), example.get("task", "")
    verdict = critic.score(pre, post, action, instruction, task)
    with atomic_write(out / f"{example['id']}.png") as file:
        draw_verdict(pre, post, verdict, (action,), instruction=instruction).save(file, "PNG")
    return example, verdict


def is_right(example: dict[str, Any], verdict: Verdict) -> bool:
    """Whether a verdict that commits itself agrees with the page's own state."""
    return bool((verdict.state == "confirmed") == example["success"])


def write_page(rows: list[tuple[dict[str, Any], Verdict]], out: Path) -> None:
    """index.html with every card."""
    cards = "\n".join(
        f'<h2>{html.escape(example["id"])}</h2><p>truth: <b>{example["outcome"]}</b>, verdict: '
        f'<b>{verdict.state}</b> ({verdict.outcome}, {verdict.success:.2f})</p>'
        f'<img src="{html.escape(example["id"])}.png" alt="{html.escape(verdict.note)}">'
        for example, verdict in rows
    )  # fmt: skip
    style = "body{font:16px sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem}img{width:100%}"
    write_text(
        out / "index.html",
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>VisCritic: examples</title>'
        f"<style>{style}</style><h1>Verdicts on the example pairs</h1>{cards}</html>",
    )


def main() -> None:
    """Judge, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("demo-out"), help="folder of the cards and index.html")
    out: Path = parser.parse_args().out
    critic = Critic.load()
    rows = [judge_example(critic, file.parent, out) for file in sorted(EXAMPLES.glob("*/transition.json"))]
    write_page(rows, out)
    table = Table(
        "example", "truth", "verdict", "outcome", "success", "ms", title="Real pairs, judged from pixels alone"
    )
    for example, verdict in rows:
        colour = "yellow" if verdict.state == "unsure" else "green" if is_right(example, verdict) else "red"
        table.add_row(
            example["id"], example["outcome"], verdict.state, verdict.outcome,
            f"[{colour}]{verdict.success:.2f}[/]", f"{verdict.elapsed_ms:.0f}",
        )  # fmt: skip
    console = Console()
    console.print(table)
    sure = [(example, verdict) for example, verdict in rows if verdict.state != "unsure"]
    right = sum(is_right(example, verdict) for example, verdict in sure)
    console.print(
        f"{len(rows)} pairs: sure of {len(sure)}, of which {right} right; unsure of {len(rows) - len(sure)}. "
        f"Cards: {out / 'index.html'}", soft_wrap=True,
    )  # fmt: skip


if __name__ == "__main__":
    with bad_input_told():
        main()
