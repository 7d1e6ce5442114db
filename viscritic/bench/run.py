"""All episodes, one after the other; what is done is kept, so that a broken-off run goes on where it was."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from data_prep.collect.browser import FLAGS, find_chromium
from viscritic.agent import Scorer
from viscritic.bench.config import BenchConfig
from viscritic.bench.episode import Row, play
from viscritic.bench.miniwob import SCALE, VIEW, Episode, find_tasks
from viscritic.bench.verifiers import PixelScorer, SsimScorer
from viscritic.errors import AgentError, MissingExtraError
from viscritic.files import write_text

ROWS_NAME: Final = "episodes.jsonl"
Key = tuple[str, str, str, int]


def run_bench(
    config: BenchConfig, critic: Scorer, cache: Path, out: Path, tell: Callable[[int, int], None]
) -> list[Row]:
    """Play what has not been played yet; returns every row of the configuration.

    Args:
        cache: where `viscritic data collect --install` put MiniWoB++.
        out: a folder; `episodes.jsonl` in it keeps the rows.
        tell: hears how many episodes of how many are done.

    Raises:
        AgentError: MiniWoB++ is not there, or the rows are damaged.
        MissingExtraError: Playwright is not installed.
    """
    folder = find_tasks(cache)
    done = {(row.agent, row.verifier, row.task, row.seed): row for row in read_rows(out)}
    wanted = list(itertools.product(config.tasks, range(config.seeds), config.agents, config.verifiers))
    scorers: dict[str, Scorer | None] = {"pixels": PixelScorer(), "critic": critic}
    if "ssim" in config.verifiers:
        scorers["ssim"] = SsimScorer(config.ssim)
    out.mkdir(parents=True, exist_ok=True)
    write_text(out / ROWS_NAME, "".join(json.dumps(row.to_dict()) + "\n" for row in done.values()))  # cuts a torn line
    with (out / ROWS_NAME).open("a", encoding="utf-8") as file:
        pages = _pages()
        for number, (task, seed, agent, verifier) in enumerate(wanted, 1):
            key = (agent, verifier, task, seed)
            if key not in done:
                won, steps, seconds, moves = _attempt(pages, folder, key, scorers.get(verifier), config)
                done[key] = Row(agent, verifier, task, seed, won, steps, round(seconds, 3), moves)
                file.write(json.dumps(done[key].to_dict()) + "\n")
                file.flush()
                os.fsync(file.fileno())
            tell(number, len(wanted))
        pages.close()
    return [done[agent, verifier, task, seed] for task, seed, agent, verifier in wanted]


def read_rows(out: Path) -> list[Row]:
    """The rows of a run so far; a torn last line is left out.

    Raises:
        AgentError: a line in the middle is damaged.
    """
    path = out / ROWS_NAME
    if not path.exists():
        return []
    rows = []
    for number, line in enumerate(path.read_text("utf-8").split("\n")[:-1], 1):
        try:
            rows.append(Row(**json.loads(line)))
        except (ValueError, TypeError) as error:
            raise AgentError(
                f"{path}, line {number} is damaged ({error}): remove it, or name another folder"
            ) from error
    return rows


def _attempt(
    pages: Iterator[Any], folder: Path, key: Key, scorer: Scorer | None, config: BenchConfig
) -> tuple[Any, ...]:
    agent, verifier, task, seed = key
    page = next(pages)
    faults = config.faults if agent == "noisy" else None
    try:
        return play(Episode(page, folder, task, seed, faults), agent, verifier, scorer, config)
    finally:
        page.close()


def _pages() -> Any:
    """Fresh pages of one browser, without end."""
    try:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise MissingExtraError("The benchmark", "agent", "playwright") from error
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=list(FLAGS))
        context = browser.new_context(viewport={"width": VIEW[0], "height": VIEW[1]}, device_scale_factor=SCALE)
        context.set_default_timeout(20_000)
        try:
            while True:
                yield context.new_page()
        finally:
            browser.close()
