"""OSWorld: runs of agents on a Linux desktop, with the verdict of the task's own check.

Layout: `<action_space>/<observation>/<model>/<domain>/<id>/traj.jsonl`, a line an action, beside the screens that
`screenshot_file` names and `result.txt`. A screen is taken **after** its action, so an action's screen before is that
of the line above; of the first one there is none, unless the run stored `step_0*.png`. An answer of several actions has
several lines with one `step_num`; within one second they overwrite each other's screen, and become one step. A run
that hit a time limit ends in a line {"Error": ...}; some runs begin with a line whose action is `__init__`. The task's
text stands in `evaluation_examples/examples/<domain>/<id>.json`, or in each line as `instruction`.
Source: lib_run_single.py and run.py of https://github.com/xlang-ai/OSWorld (Apache-2.0).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from data_prep.readers.images import image_size
from data_prep.readers.json_files import need_object, peek, read_json, read_lines, text_of
from data_prep.readers.paths import base_of, file_name, name_of, need_any, walk
from data_prep.readers.problems import Problems
from viscritic.actions import Action
from viscritic.errors import ActionError, DataError
from viscritic.trajectory import Step, Trajectory

SOURCE: Final = "osworld"
_EXAMPLES: Final = ("evaluation_examples/examples", "examples")


def is_osworld(path: Path) -> bool:
    """Whether a file is one of this data set, by its name."""
    return path.name == "traj.jsonl"


def read_osworld(path: Path | str, *, strict: bool = False) -> Iterator[Trajectory]:
    """Yield the runs under `path`, by folder.

    Nothing is known of single steps. A run is a success where `result.txt` says 1, a failure where it says 0; of a part
    the notes tell.

    Args:
        path: the results folder or any folder below it. The tasks' texts are looked for in it and the folders above.
        strict: a broken line is an error; otherwise it is told of in the notes of its trajectory.

    Raises:
        DataError: no run under `path`; or the first broken line where `strict`.
    """
    for file in need_any(walk(path, is_osworld), path, "run of OSWorld (traj.jsonl)"):
        yield _trajectory(file, path, Problems(strict))


def _trajectory(file: Path, root: Path | str, problems: Problems) -> Trajectory:
    run = file.parent
    name = name_of(run, root)
    before = _find_first(run)
    told = ""
    steps: list[Step] = []
    for where, screen, lines in _by_screen(file, name, problems):
        try:
            told = told or text_of(lines[0], "instruction")
            size = None if before is None else image_size(before)
            after = _find_screen(screen, run)
            image_size(after)
            actions = Action.parse_batch([line["action"] for line in lines], dialect=SOURCE, size=size)
            if before is None or size is None:
                problems.mention(f"{where}: the screen before the first action was not stored")
            else:
                steps.append(Step(index=len(steps), pre=before, post=after, size=size, actions=actions))
        except (ActionError, DataError) as error:
            problems.add(where, error)
        before = run / screen if screen and (run / screen).is_file() else None
    task = told or _read_task(run, base_of(root), problems)
    success = read_score(run / "result.txt", problems)
    return problems.attach(Trajectory(name, SOURCE, run.resolve().parent.name, "desktop", task, tuple(steps), success))


def _by_screen(file: Path, name: str, problems: Problems) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    """The lines of a run with the screen that was taken after them; neighbours that share one come together."""
    lines: list[dict[str, Any]] = []
    where = screen = ""
    for number, value in read_lines(file):
        place = f"{name}, line {number}"
        try:
            line = need_object(_raised(value), "a line")
            if "Error" in line:
                problems.mention(f"{place}: the run was cut off: {line['Error']}")
                continue
            if line.get("action") == "__init__":
                continue
            if line.get("action") is None:
                problems.mention(f"{place}: no action was taken")
                continue
            taken = file_name(line.get("screenshot_file"))
        except DataError as error:
            problems.add(place, error)
            continue
        if lines and taken != screen:
            yield where, screen, lines
            lines = []
        if not lines:
            where, screen = place, taken
        lines.append(line)
    if lines:
        yield where, screen, lines


def _raised(value: Any) -> Any:
    if isinstance(value, DataError):
        raise value
    return value


def _find_first(run: Path) -> Path | None:
    """The screen before the first action, where the run stored it."""
    return next((file for file in (run / "step_0.png", *sorted(run.glob("step_0_*.png"))) if file.is_file()), None)


def _find_screen(name: str, run: Path) -> Path:
    if not (run / name).is_file():
        raise DataError(f"the screen {name} is missing")
    return run / name


def _read_task(run: Path, root: Path, problems: Problems) -> str:
    stored = run / "instruction.txt"
    if stored.is_file():
        return peek(stored).strip()
    place = run.resolve()
    root = root.resolve()
    for folder in (root, *root.parents[:6]):
        for examples in _EXAMPLES:
            file = folder / examples / place.parent.name / f"{place.name}.json"
            if file.is_file():
                try:
                    return text_of(read_json(file), "instruction")
                except DataError as error:
                    problems.add(str(file), error)
    problems.mention(f"{place.name}: its text is not there (evaluation_examples/examples/{place.parent.name}/)")
    return ""


def read_score(file: Path, problems: Problems) -> bool | None:
    """What a file with one number in 0..1 says: True for 1, False for 0, None for a part, or where it is missing."""
    if not file.is_file():
        return None
    text = peek(file, 50).strip()
    try:
        return as_success(float(text), problems)
    except ValueError:
        problems.add(file.name, f"it must hold a number, got {text!r}")
        return None


def as_success(score: float, problems: Problems) -> bool | None:
    """A score in 0..1 as a verdict: True for 1, False for 0; a part is none, and told of; NaN is none."""
    if math.isnan(score):
        return None
    if score >= 1:
        return True
    if score <= 0:
        return False
    problems.mention(f"the task was reached in part: {score:g}")
    return None
