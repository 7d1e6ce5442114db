"""Cradle: runs of an agent on desktop applications and games.

Layout: `runs/<unix time>/screen_<unix time>.jpg` and `memory.json`, a dict of lists that grow by one a turn and keep
the last few entries only; `checkpoints/checkpoint_<turn>.json` hold earlier states of it. Counted from the end,
`image[-j]` is the screen of a turn, `action[-j]` its skill calls, `action_error[-j]` what went wrong and
`success_detection[-j+1]` the agent's own verdict, which it gives a turn later; without self-reflection these verdicts
are fillers. Copies of the screens with marks or a drawn pointer (`_som`, `_with_mouse`, `_augmented`) are never used.
Points are in 0..1.
Source: cradle/memory/local_memory.py, module/executor.py and runner/ of https://github.com/BAAI-Agents/Cradle (MIT).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PureWindowsPath
from typing import Any, Final

from data_prep.readers.images import image_size
from data_prep.readers.json_files import need_object, read_json
from data_prep.readers.paths import file_name, name_of, natural_key, need_any, walk
from data_prep.readers.problems import Problems
from viscritic.actions import Action
from viscritic.errors import ActionError, DataError
from viscritic.trajectory import Step, Trajectory

SOURCE: Final = "cradle"
_SCREEN: Final = re.compile(r"screen_[0-9.]+\.(?:jpg|png)")
_VERDICTS: Final = {"true": True, "yes": True, "success": True, "false": False, "no": False, "fail": False}


def is_cradle(path: Path) -> bool:
    """Whether a file is one of this data set, by its name and its neighbours."""
    return path.name == "memory.json" and any(path.parent.glob("screen_*"))


def read_cradle(path: Path | str, *, strict: bool = False) -> Iterator[Trajectory]:
    """Yield each run under `path` that took a step.

    Args:
        path: a folder of runs, or one run.
        strict: a broken file or turn is an error; otherwise it is told of in the notes of its trajectory.

    Raises:
        DataError: no run under `path`; or the first broken file or turn where `strict`.
    """
    for file in need_any(walk(path, is_cradle), path, "run of Cradle (memory.json and screen_<time>.jpg)"):
        yield _trajectory(file, path, Problems(strict))


def _trajectory(memory: Path, root: Path | str, problems: Problems) -> Trajectory:
    run = memory.parent
    name = name_of(run, root)
    turns: dict[str, Step] = {}
    failures: dict[str, str] = {}
    task = ""
    checkpoints = run / "checkpoints"
    stored = [*walk(checkpoints)] if checkpoints.is_dir() else []
    for file in [*(file for file in stored if file.suffix == ".json"), memory]:
        try:
            history = need_object(read_json(file), "the memory")
        except DataError as error:
            problems.add(f"{name}/{file.name}", error)
            continue
        task = next((text for text in reversed(_list(history, "task_description")) if isinstance(text, str)), task)
        turns |= _read_turns(history, run, failures)
    for screen, reason in failures.items():
        if screen not in turns:
            problems.add(f"{name}, turn of {screen}", reason)
    ordered = [turns[screen] for screen in sorted(turns, key=natural_key)]
    steps = tuple(replace(step, index=index) for index, step in enumerate(ordered))
    return problems.attach(Trajectory(name, SOURCE, "cradle", "desktop", task, steps))


def _read_turns(history: dict[str, Any], run: Path, failures: dict[str, str]) -> dict[str, Step]:
    """The steps that a memory tells of, by the name of the screen before; what is wrong with others goes to failures.

    Memories overlap: a turn may be told of many times.
    """
    screens, actions = _list(history, "image"), _list(history, "action")
    errors = _list(history, "action_error")
    verdicts = _list(history, "success_detection") if _list(history, "self_reflection_reasoning") else []
    latest = _list(history, "cur_screenshot_path")
    turns: dict[str, Step] = {}
    for back in range(min(len(screens), len(actions)), 0, -1):
        after = screens[-back + 1] if back > 1 else (latest[-1] if latest else None)
        calls = actions[-back]
        calls = [calls] if isinstance(calls, str) else calls
        if not isinstance(calls, list) or not any(calls):
            continue  # a turn without a skill
        try:
            screen = _find_screen(screens[-back], run)
            size = image_size(screen)
            turns[screen.name] = Step(
                index=0,
                pre=screen,
                post=_after(after, run, screen),
                size=size,
                actions=tuple(action for call in calls if call for action in _read_skill(call, size)),
                success=_success(errors, verdicts, back),
            )
        except (ActionError, DataError) as error:
            failures[PureWindowsPath(str(screens[-back])).name] = str(error)
    return turns


def _list(history: dict[str, Any], key: str) -> list[Any]:
    value = history.get(key)
    return value if isinstance(value, list) else []


def _find_screen(text: Any, run: Path) -> Path:
    """A screen of the run, by the name that another machine's path ends in."""
    name = file_name(text)
    if not _SCREEN.fullmatch(name):
        raise DataError(f"{name} is not a screen of the run as it was taken")
    if not (run / name).is_file():
        raise DataError(f"the screen {name} is missing")
    return run / name


def _after(text: Any, run: Path, before: Path) -> Path | None:
    """The screen after, None where the application was left (another picture stands there) or it is not known."""
    try:
        screen = _find_screen(text, run)
    except DataError:
        return None
    return None if screen == before else screen


def _read_skill(call: Any, size: tuple[int, int]) -> tuple[Action, ...]:
    """A skill call; what it returned follows it behind " # " and may run over several lines."""
    try:
        return Action.parse_batch(call, dialect=SOURCE, size=size)
    except ActionError:
        if not isinstance(call, str) or " # " not in call:
            raise
        return Action.parse_batch(call.partition(" # ")[0], dialect=SOURCE, size=size)


def _success(errors: list[Any], verdicts: list[Any], back: int) -> bool | None:
    if len(errors) >= back and errors[-back]:
        return False
    verdict = verdicts[1 - back] if 1 < back <= len(verdicts) + 1 else None
    return verdict if isinstance(verdict, bool) else _VERDICTS.get(str(verdict).strip(" .").lower())
