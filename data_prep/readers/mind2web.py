"""Mind2Web: people's demonstrations on web sites, as its task files and the screens of its raw dump.

Layout: JSON lists of tasks (`data/train/train_0.json`) and `task/<annotation_id>/processed/screenshot.json` of the raw
dump, a list with an entry for each action: `before.screenshot` and `after.screenshot` in base64, of the whole page, and
`action.bounding_box` in pixels of it. Source: https://github.com/OSU-NLP-Group/Mind2Web (data under CC BY 4.0).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from data_prep.readers.images import decode_base64, image_size
from data_prep.readers.json_files import iterate_list, need_list, need_object, peek, text_of
from data_prep.readers.paths import base_of, name_of, need_any, walk
from data_prep.readers.problems import Problems
from data_prep.readers.shots import Shot, link, succeeded
from viscritic.actions import Action
from viscritic.errors import ActionError, DataError
from viscritic.trajectory import Box, Trajectory

SOURCE: Final = "mind2web"
_REPR: Final = re.compile(r"\[(?P<role>[^\]]*)\]\s*(?P<name>.*?)\s*-> (?P<op>[A-Z]+)(?:: ?(?P<value>.*))?", re.DOTALL)
_INVISIBLE: Final = "-1,-1,-1,-1"


def is_mind2web(path: Path) -> bool:
    """Whether a file is one of the raw dump's, by its name."""
    return path.name == "screenshot.json" and path.parent.name == "processed"


def _is_task_file(path: Path) -> bool:
    return path.suffix == ".json" and path.parent.name != "processed" and '"annotation_id"' in peek(path)


def read_mind2web(path: Path | str, *, strict: bool = False) -> Iterator[Trajectory]:
    """Yield the tasks under `path` whose screens are there, by file.

    The screen after is the next action's screen before, for the last action its own screen after. All steps are
    successes. The instruction is the representation of the action in words; `target_box` the element.

    Args:
        path: a folder that holds task files and the raw dump.
        strict: a broken row, or a task without screens, is an error; otherwise it is told of in the notes of its
            trajectory.

    Raises:
        DataError: no screens or no task file under `path`; or the first broken row where `strict`.
    """
    screens = {file.parent.parent.name: file for file in walk(path, is_mind2web)}
    if not screens:
        raise DataError(f"{path} holds no screens of Mind2Web (task/<annotation_id>/processed/screenshot.json)")
    for file in need_any(walk(path, _is_task_file), path, "task file of Mind2Web (JSON with annotation_id)"):
        problems = Problems(strict)
        where = name_of(file, path)
        try:
            for number, task in enumerate(iterate_list(file)):
                yield _trajectory(task, f"{where}, task {number}", screens, base_of(path), problems)
        except DataError as error:
            problems.add(where, error)
            yield problems.attach(Trajectory(f"unread/{where}", SOURCE, "web", "web", "", ()))


def _trajectory(task: Any, where: str, screens: dict[str, Path], root: Path, problems: Problems) -> Trajectory:
    name, site, goal = where, "web", ""
    shots: list[Shot] = []
    try:
        name = text_of(task, "annotation_id")
        site, goal = text_of(task, "website"), text_of(task, "confirmed_task")
        if name not in screens:
            raise DataError(f"task {name} has no screens in the raw dump")
        shots = _read_shots(task, screens[name], name_of(screens[name], root), problems)
    except DataError as error:
        problems.add(where, error)
    steps = succeeded(link(shots))
    return problems.attach(Trajectory(name, SOURCE, site, "web", goal, steps, True if steps else None))


def _read_shots(task: dict[str, Any], file: Path, where: str, problems: Problems) -> list[Shot]:
    actions = need_list(task.get("actions"), "actions")
    order = {_uid(action): i for i, action in enumerate(actions)}
    told = task.get("action_reprs")
    shots: list[Shot] = []
    for entry in iterate_list(file):
        number = order.get(_uid(entry), -1)
        if number < 0 or not _uid(entry):
            continue  # the dump holds actions that the task has dropped
        try:
            screen = decode_base64(_inside(entry, "before", "screenshot"))
            shots.append(Shot(number, screen, image_size(screen)))
            if after := _inside(entry, "after", "screenshot"):
                shots[-1] = replace(shots[-1], after=decode_base64(after))
            action = actions[number] | {"bounding_box": _inside(entry, "action", "bounding_box")}
            shots[-1] = replace(
                shots[-1],
                actions=Action.parse_batch(with_visible_target(action), dialect=SOURCE, size=shots[-1].size),
                instruction=words(told[number]) if isinstance(told, list) and number < len(told) else "",
                box=target_box(action),
            )
        except (ActionError, DataError) as error:
            problems.add(f"{where}, action {number}", error)
    return shots


def _uid(record: Any) -> str:
    return str(record.get("action_uid") or "") if isinstance(record, dict) else ""


def _inside(entry: dict[str, Any], part: str, name: str) -> Any:
    inner = entry.get(part)
    return inner.get(name) if isinstance(inner, dict) else None


def with_visible_target(action: dict[str, Any]) -> dict[str, Any]:
    """The action with the candidate in front that its point is taken from: the one a person chose, where it is visible.

    Candidates and their attributes are objects, or JSON text.
    """
    listed = action.get("pos_candidates")
    if not isinstance(listed, list | tuple):
        return action
    candidates = [_decoded(candidate) for candidate in listed]
    candidates.sort(key=lambda c: (_rect(c) in ("", _INVISIBLE), not c.get("is_original_target", False)))
    return {key: action.get(key) for key in ("operation", "bounding_box")} | {"pos_candidates": candidates[:1]}


def target_box(action: dict[str, Any]) -> Box | None:
    """The box of the element, None where it is not known or invisible."""
    box = action.get("bounding_box")
    if isinstance(box, dict):
        numbers = [box.get(name) for name in ("x", "y", "width", "height")]
    else:
        front = with_visible_target(action).get("pos_candidates")
        rect = _rect(_decoded(front[0])) if isinstance(front, list) and front else ""
        numbers = [_number(part) for part in rect.split(",")]
    if len(numbers) != 4 or not all(isinstance(n, int | float) and abs(n) < 1e6 for n in numbers):
        return None
    x, y, width, height = (float(n) for n in numbers if n is not None)
    return (x, y, width, height) if width >= 0 and height >= 0 else None


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _decoded(candidate: Any) -> dict[str, Any]:
    try:
        value = json.loads(candidate) if isinstance(candidate, str) else candidate
    except (ValueError, RecursionError) as error:
        raise DataError(f"a candidate is not JSON: {error}") from error
    return need_object(value, "a candidate")


def _rect(candidate: dict[str, Any]) -> str:
    attributes = candidate.get("attributes")
    rect = _decoded(attributes).get("bounding_box_rect") if attributes else None
    return rect if isinstance(rect, str) else ""


def words(representation: Any) -> str:
    """An action's representation as a sentence: "[button]  Search -> CLICK" -> 'Click the button "Search"'."""
    match = _REPR.fullmatch(representation.strip()) if isinstance(representation, str) else None
    if match is None:
        return representation.strip() if isinstance(representation, str) else ""
    target = f"the {match['role'].strip() or 'element'}"
    if name := " ".join(match["name"].split()):
        target += f' "{name}"'
    value = " ".join((match["value"] or "").split())
    match match["op"]:
        case "TYPE":
            return f'Type "{value}" into {target}'
        case "SELECT":
            return f'Select "{value}" in {target}'
        case "HOVER":
            return f"Point at {target}"
        case "ENTER":
            return f"Press Enter in {target}"
        case _:
            return f"Click {target}"
