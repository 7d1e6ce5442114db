"""WebArena: runs of agents on its web sites, as the pages that its harness renders.

Layout: `render_<task>.html`, a block a step: the observation, the screen as base64 PNG (where the run rendered
screens), the action as Python's `repr` of a dict, and in words. Nothing in it is escaped, so it is searched for the
harness's own tags and not parsed as HTML. PASS and FAIL stand in the logs alone (`log_files/*.log`). Runs that saved
traces have `traces/<task>.zip` beside the pages, which `data_prep.readers.playwright` reads; they take the place of a
page without screens.
Source: run.py and browser_env/helper_functions.py of https://github.com/web-arena-x/webarena (Apache-2.0).
"""

from __future__ import annotations

import ast
import html
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from data_prep.readers.images import decode_base64, image_size
from data_prep.readers.json_files import MOST_BYTES
from data_prep.readers.paths import base_of, natural_key, need_any, walk
from data_prep.readers.playwright import read_trace
from data_prep.readers.problems import Problems
from data_prep.readers.shots import Shot, link
from viscritic.actions import Action
from viscritic.actions.jsontext import LONGEST
from viscritic.actions.shown import shown
from viscritic.errors import ActionError, DataError
from viscritic.trajectory import Step, Trajectory

SOURCE: Final = "webarena"
_NAME: Final = re.compile(r"render_(?P<task>[\w.-]+)\.html")
_BLOCK: Final = "<h2>New Page</h2>"
_CONFIG: Final = re.compile(r"<pre>(.*?)</pre>", re.DOTALL)
_IMAGE: Final = re.compile(r"<img src=['\"]data:image/png;base64,(?P<data>[A-Za-z0-9+/=\s]+)['\"]")
_OBJECT: Final = re.compile(r"<div class=['\"]action_object['\"][^>]*><pre>(.*?)</pre></div>", re.DOTALL)
_PARSED: Final = re.compile(r"<div class=['\"]parsed_action['\"][^>]*><pre>(.*?)</pre></div>", re.DOTALL)
_CODE: Final = re.compile(r"<div class=['\"]predict_action['\"][^>]*>(.*?)</div>", re.DOTALL)
_TYPE: Final = re.compile(r"(?<='action_type': )<\w+\.\w+: (\d+)>")
_ARRAY: Final = re.compile(r"(?<='coords': )array\((\[[^\]]*\])(?:, dtype=[\w.]+)?\)")
_TARGET: Final = re.compile(
    r"(?P<verb>\w+) \[[^\]]*\](?P<text> \[.*\])? where \[[^\]]*\] is (?P<element>.*)", re.DOTALL
)
_RESULT: Final = re.compile(r"\[Result\] \((PASS|FAIL)\) .*?([\w-]+)\.json")


def is_webarena(path: Path) -> bool:
    """Whether a file is one of this data set, by its name."""
    return _NAME.fullmatch(path.name) is not None


def read_webarena(path: Path | str, *, strict: bool = False) -> Iterator[Trajectory]:
    """Yield the tasks under `path`, by page.

    Nothing is known of single steps, but of those of a trace. Actions on an element have no point; the instruction
    names the element.

    Args:
        path: a result folder, or one page. Logs are looked for in it.
        strict: a broken block is an error; otherwise it is told of in the notes of its trajectory.

    Raises:
        DataError: no page under `path`; or the first broken block where `strict`.
    """
    results = _read_logs(base_of(path))
    for file in need_any(walk(path, is_webarena), path, "page of WebArena (render_<task>.html)"):
        match = _NAME.fullmatch(file.name)
        if match is not None:
            yield _trajectory(file, match["task"], results.get(match["task"]), Problems(strict))


def _read_logs(folder: Path) -> dict[str, bool]:
    """Which tasks passed, by the name of their configuration."""
    results: dict[str, bool] = {}
    for file in sorted(
        [*folder.glob("*.log"), *folder.glob("log_files/*.log")], key=lambda path: natural_key(path.name)
    ):
        with file.open(encoding="utf-8", errors="replace") as lines:
            while line := lines.readline(2**16):
                if match := _RESULT.search(line):
                    results[match[2]] = match[1] == "PASS"
    return results


def _trajectory(file: Path, task: str, success: bool | None, problems: Problems) -> Trajectory:
    config: dict[str, str] = {}
    steps: tuple[Step, ...] = ()
    try:
        head, *blocks = _read_page(file).split(_BLOCK)
        config = _read_config(head)
        steps = link(_read_blocks(blocks, file.name, problems))
        trace = file.parent / "traces" / f"{task}.zip"
        if not steps and trace.is_file():
            steps = read_trace(trace, problems).steps
    except DataError as error:
        problems.add(file.name, error)
    sites = re.findall(r"[\w.-]+", config.get("sites", ""))
    return problems.attach(
        Trajectory(
            id=task,
            source=SOURCE,
            app="+".join(sites) or "web",
            platform="web",
            task=config.get("intent", ""),
            steps=steps,
            success=success,
        )
    )


def _read_page(file: Path) -> str:
    if file.stat().st_size > MOST_BYTES:
        raise DataError(f"{file.stat().st_size} bytes is more than a page may have")
    return file.read_text("utf-8", "replace")


def _read_config(head: str) -> dict[str, str]:
    """The `key: value` lines of the task."""
    found = _CONFIG.search(head)
    lines = (line.partition(": ") for line in found[1].splitlines()) if found else ()
    return {key.strip(): value.strip() for key, _, value in lines}


def _read_blocks(blocks: list[str], where: str, problems: Problems) -> list[Shot]:
    shots: list[Shot] = []
    for number, block in enumerate(blocks):
        image = _IMAGE.search(block)
        try:
            if image is None:
                problems.mention(f"{where}, step {number}: no screen was rendered")
                continue
            screen = decode_base64(image["data"])
            shots.append(Shot(number, screen, image_size(screen)))
            action = _read_action(block[image.end() :])
            shots[-1] = replace(
                shots[-1],
                actions=Action.parse_batch(action, dialect=SOURCE, size=shots[-1].size),
                instruction=_instruction(block[image.end() :]),
            )
        except (ActionError, DataError) as error:
            problems.add(f"{where}, step {number}", error)
    return shots


def _read_action(block: str) -> Any:
    """The dict whose `repr` a block shows; enums and arrays in it as plain values."""
    found = _OBJECT.search(block)
    if found is None:
        raise DataError("it shows no action_object" + (", but Playwright code" if _CODE.search(block) else ""))
    text = found[1] if "<ActionTypes" in found[1] else html.unescape(found[1])
    if len(text) > LONGEST:
        raise DataError(f"the action is longer than {LONGEST} characters")
    try:
        return ast.literal_eval(_ARRAY.sub(r"\1", _TYPE.sub(r"\1", text, count=1), count=1))
    except (ValueError, SyntaxError, MemoryError, RecursionError) as error:
        raise DataError(f"the action cannot be read: {shown(text)}") from error


def _instruction(block: str) -> str:
    """The action in words: "click [51] where [51] is link 'Sale'" -> "click link 'Sale'"."""
    found = _PARSED.search(block)
    match = _TARGET.fullmatch(found[1].strip()) if found else None
    if match is None:
        return ""
    element = " ".join(re.sub(r"^\[\d+\]\s*", "", match["element"]).split())
    typed = f' "{match["text"].strip()[1:-1]}" into' if match["text"] else ""
    return f"{match['verb']}{typed} {element}"
