"""The plainest layout: numbered screens and a list of the actions between them.

Layout of a trajectory: a folder with images whose names end in numbers (`0.png`, `screen_001.jpg`, ...) and
`actions.json` or `actions.jsonl`. Action i was done between the i-th and the next screen; a batch of actions is a list.
An entry is an action of any dialect, or an object with the keys

    action, instruction, success (true, false or null), target_box ([x, y, width, height])

of which only `action` must be there. `actions.json` is a list of entries, or an object with `steps` (that list) and
what there is to say of the whole: `task`, `app`, `platform` (web, mobile or desktop), `success`, `dialect`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from data_prep.readers.images import image_size
from data_prep.readers.json_files import need_list, need_object, read_json, read_lines, text_of
from data_prep.readers.paths import name_of, natural_key, need_any, walk
from data_prep.readers.problems import Problems
from data_prep.readers.shots import Shot, link
from viscritic.actions import Action
from viscritic.actions.shown import shown
from viscritic.errors import ActionError, DataError
from viscritic.trajectory import PLATFORMS, Box, Trajectory

SOURCE: Final = "folder"
_NAMES: Final = ("actions.json", "actions.jsonl")
_IMAGE: Final = re.compile(r".*?\d+\.(?:png|jpe?g|webp|gif|bmp)", re.IGNORECASE)
_ENTRY: Final = ("action", "instruction", "success", "target_box")
_WHOLE: Final = ("steps", "task", "app", "platform", "success", "dialect")


def is_numbered(path: Path) -> bool:
    """Whether a file is the list of actions of such a folder, by its name."""
    return path.name in _NAMES


def read_numbered(path: Path | str, *, strict: bool = False) -> Iterator[Trajectory]:
    """Yield the trajectories under `path`, by folder.

    Args:
        path: a folder with screens and actions, or a folder of such.
        strict: a broken entry is an error; otherwise it is told of in the notes of its trajectory.

    Raises:
        DataError: no such folder under `path`; or the first broken entry where `strict`.
    """
    for file in need_any(
        walk(path, is_numbered), path, "folder of numbered screens with actions.json or actions.jsonl"
    ):
        yield _trajectory(file, path, Problems(strict))


def _trajectory(file: Path, root: Path | str, problems: Problems) -> Trajectory:
    folder = file.parent
    name = name_of(folder, root)
    whole: dict[str, Any] = {}
    entries: list[Any] = []
    try:
        whole, entries = _read_file(file)
    except DataError as error:
        problems.add(f"{name}/{file.name}", error)
    screens = sorted((p for p in folder.iterdir() if _IMAGE.fullmatch(p.name)), key=lambda p: natural_key(p.name))
    if len(screens) not in (len(entries), len(entries) + 1):
        problems.add(name, f"{len(screens)} screens do not fit {len(entries)} actions: one more is needed")
        screens = []
    shots: list[Shot] = []
    for number, screen in enumerate(screens):
        try:
            shots.append(Shot(number, screen, image_size(screen)))
            if number < len(entries):
                shots[-1] = _read_entry(entries[number], shots[-1], whole.get("dialect"))
        except (ActionError, DataError) as error:
            problems.add(f"{name}, entry {number}", error)
    return problems.attach(
        Trajectory(
            id=name,
            source=SOURCE,
            app=whole.get("app") or folder.resolve().name,
            platform=whole.get("platform") or "desktop",
            task=whole.get("task") or "",
            steps=link(shots),
            success=whole.get("success"),
        )
    )


def _read_file(file: Path) -> tuple[dict[str, Any], list[Any]]:
    """What is said of the whole, and the entries; a broken line of JSON lines stays as the error that it is."""
    if file.suffix == ".jsonl":
        return {}, [value for _, value in read_lines(file)]
    value = read_json(file)
    if isinstance(value, list):
        return {}, value
    whole = need_object(value, "actions.json")
    if unknown := sorted(set(whole) - set(_WHOLE)):
        raise DataError(f"unknown key {shown(unknown[0])}; known: {', '.join(_WHOLE)}")
    for key in ("task", "app", "platform", "dialect"):
        text_of(whole, key)
    if whole.get("platform") not in (None, *PLATFORMS):
        raise DataError(f"platform must be one of {', '.join(PLATFORMS)}, got {shown(whole['platform'])}")
    _check_success(whole.get("success"))
    return whole, need_list(whole.get("steps"), "steps")


def _read_entry(entry: Any, shot: Shot, dialect: str | None) -> Shot:
    if isinstance(entry, DataError):
        raise entry
    if not _is_wrapped(entry):
        return replace(shot, actions=Action.parse_batch(entry, dialect=dialect, size=shot.size))
    if unknown := sorted(set(entry) - set(_ENTRY)):
        raise DataError(f"unknown key {shown(unknown[0])}; known: {', '.join(_ENTRY)}")
    return replace(
        shot,
        actions=Action.parse_batch(entry["action"], dialect=dialect, size=shot.size),
        instruction=text_of(entry, "instruction"),
        success=_check_success(entry.get("success")),
        box=_read_box(entry.get("target_box")),
    )


def _is_wrapped(entry: Any) -> bool:
    """Whether an entry holds an action and more; {"action": "click", "x": 1, "y": 2} is an action of its own."""
    if not isinstance(entry, dict) or "action" not in entry:
        return False
    return not isinstance(entry["action"], str) or (set(entry) <= set(_ENTRY) and len(entry) > 1)


def _check_success(value: Any) -> bool | None:
    if value is not None and not isinstance(value, bool):
        raise DataError(f"success must be true, false or null, got {shown(value)}")
    return value


def _read_box(value: Any) -> Box | None:
    if value is None:
        return None
    if not isinstance(value, list) or len(value) != 4 or not all(isinstance(n, int | float) for n in value):
        raise DataError(f"target_box must be [x, y, width, height] in pixels, got {shown(value)}")
    x, y, width, height = (float(n) for n in value)
    return x, y, width, height
