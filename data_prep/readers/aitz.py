"""Android in the Zoo: a part of AITW with descriptions of each action, as JSON and PNG.

Layout: `<split>/<subset>/<episode>/<episode>.json`, a list of steps, beside the images that `image_path` names. Points
are (y, x) in 0..1, as JSON text.
Source: https://github.com/IMNearth/CoAT (Apache-2.0).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import Any, Final

from data_prep.readers.images import image_size
from data_prep.readers.json_files import iterate_list, need_object, peek, text_of
from data_prep.readers.paths import base_of, file_name, find_inside, name_of, need_any, walk
from data_prep.readers.problems import Problems
from data_prep.readers.shots import Shot, ended_well, link, succeeded
from viscritic.actions import Action
from viscritic.actions.shown import shown
from viscritic.errors import ActionError, DataError
from viscritic.trajectory import Trajectory

SOURCE: Final = "aitz"


def is_aitz(path: Path) -> bool:
    """Whether a file is one of this data set."""
    return path.suffix == ".json" and '"result_action_type"' in peek(path) and '"result_touch_yx"' in peek(path)


def read_aitz(path: Path | str, *, strict: bool = False) -> Iterator[Trajectory]:
    """Yield the episodes under `path`, by file.

    The instruction is the description of the action. Outcomes are read as in AITW: the steps of an episode that ended
    as complete are successes.

    Args:
        path: the folder of the data set, or one JSON file of it.
        strict: a broken row is an error; otherwise it is told of in the notes of its trajectory.

    Raises:
        DataError: no episode under `path`; or the first broken row where `strict`.
    """
    for file in need_any(walk(path, is_aitz), path, "episode of AITZ (JSON lists with result_action_type)"):
        problems = Problems(strict)
        for episode, rows in groupby(_rows(file, path, problems), key=lambda row: str(row.get("episode_id"))):
            yield _trajectory(episode, list(rows), file, base_of(path), problems)
        if problems.broken:
            yield problems.attach(Trajectory(f"unread/{name_of(file, path)}", SOURCE, "android", "mobile", "", ()))


def _rows(file: Path, root: Path | str, problems: Problems) -> Iterator[dict[str, Any]]:
    where = name_of(file, root)
    try:
        for number, row in enumerate(iterate_list(file)):
            try:
                yield need_object(row, "a step")
            except DataError as error:
                problems.add(f"{where}, row {number}", error)
    except DataError as error:
        problems.add(where, error)


def _trajectory(episode: str, rows: list[dict[str, Any]], file: Path, root: Path, problems: Problems) -> Trajectory:
    shots: list[Shot] = []
    app, task = "android", ""
    for row in rows:
        where = f"{name_of(file, root)}, step {row.get('step_id')}"
        try:
            screen = _find_screen(row, file, root)
            shot = Shot(_index(row), screen, image_size(screen))
            app, task = PurePosixPath(text_of(row, "image_path")).parts[0], task or text_of(row, "instruction")
            shots.append(shot)
            actions = Action.parse_batch(row, dialect=SOURCE, size=shot.size)
            shots[-1] = replace(shot, actions=actions, instruction=text_of(row, "coat_action_desc"))
        except (ActionError, DataError) as error:
            problems.add(where, error)
    steps = link(shots)
    success = ended_well(steps)
    steps = succeeded(steps) if success else steps
    return problems.attach(Trajectory(episode, SOURCE, app, "mobile", task, steps, success))


def _index(row: dict[str, Any]) -> int:
    step = row.get("step_id")
    if isinstance(step, bool) or not isinstance(step, int):
        raise DataError(f"step_id must be a whole number, got {shown(step)}")
    return step


def _find_screen(row: dict[str, Any], file: Path, root: Path) -> Path:
    path = text_of(row, "image_path")
    beside = file.parent / file_name(path)
    return beside if beside.is_file() else find_inside(root, path, _between(file, root))


def _between(file: Path, root: Path) -> list[Path]:
    """The folders from that of a file up to the root."""
    return [folder for folder in file.parents if folder.is_relative_to(root)]
