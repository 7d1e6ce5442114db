"""GUI-Odyssey: people's demonstrations across several apps on six Android devices.

Layout: `annotations/<episode>.json` and `screenshots/<name>` (older releases: `screenshots/data_<n>/<name>`). Points
and `sam2_bbox` [x0, y0, x1, y1] are in 0..1000.
Source: https://github.com/OpenGVLab/GUI-Odyssey (data under CC BY 4.0).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from data_prep.readers.images import image_size
from data_prep.readers.json_files import need_list, need_object, peek, read_json, text_of
from data_prep.readers.paths import file_name, name_of, need_any, walk
from data_prep.readers.problems import Problems
from data_prep.readers.shots import Shot, ended_well, link, succeeded
from viscritic.actions import Action
from viscritic.errors import ActionError, DataError
from viscritic.trajectory import Box, Trajectory

SOURCE: Final = "gui-odyssey"


def is_guiodyssey(path: Path) -> bool:
    """Whether a file is one of this data set."""
    return path.suffix == ".json" and '"device_info"' in (start := peek(path)) and '"task_info"' in start


def read_guiodyssey(path: Path | str, *, strict: bool = False) -> Iterator[Trajectory]:
    """Yield the episodes under `path`, by file.

    The instruction is `low_level_instruction`, where a release has it. The steps of an episode that ended with COMPLETE
    are successes. `target_box` is the segment that a model found under the click.

    Args:
        path: the folder that holds `annotations/` and `screenshots/`, or one annotation file.
        strict: a broken row is an error; otherwise it is told of in the notes of its trajectory.

    Raises:
        DataError: no episode under `path`; or the first broken row where `strict`.
    """
    for file in need_any(walk(path, is_guiodyssey), path, "episode of GUI-Odyssey (annotations/<episode>.json)"):
        yield _trajectory(file, path, Problems(strict))


def _trajectory(file: Path, root: Path | str, problems: Problems) -> Trajectory:
    where, task, app, rows = name_of(file, root), "", "android", list[Any]()
    try:
        record = need_object(read_json(file), "an episode")
        info = need_object(record.get("task_info"), "task_info")
        task = text_of(info, "instruction") or text_of(info, "task")
        listed = info.get("app")
        app = "+".join(map(str, listed)) if isinstance(listed, list) else str(listed or app)
        rows = need_list(record.get("steps"), "steps")
    except DataError as error:
        problems.add(where, error)
    shots: list[Shot] = []
    for number, row in enumerate(rows):
        try:
            screen = _find_screen(row, file)
            shots.append(Shot(number, screen, image_size(screen)))
            shots[-1] = _read_step(row, shots[-1])
        except (ActionError, DataError) as error:
            problems.add(f"{where}, step {number}", error)
    steps = link(shots)
    success = ended_well(steps)
    return problems.attach(
        Trajectory(
            id=file.stem,
            source=SOURCE,
            app=app,
            platform="mobile",
            task=task,
            steps=succeeded(steps) if success else steps,
            success=success,
        )
    )


def _read_step(row: dict[str, Any], shot: Shot) -> Shot:
    info = row.get("info")
    if (
        row.get("action") in ("CLICK", "LONG_PRESS")
        and isinstance(info, list)
        and len(info) == 2
        and info[0] == info[1]
    ):
        row = row | {"info": info[:1]}  # some releases write where the finger went down and up
    return replace(
        shot,
        actions=Action.parse_batch(row, dialect=SOURCE, size=shot.size),
        instruction=text_of(row, "low_level_instruction"),
        box=_read_box(row.get("sam2_bbox"), shot.size),
    )


def _read_box(corners: Any, size: tuple[int, int]) -> Box | None:
    if not isinstance(corners, list) or len(corners) != 4 or not all(isinstance(n, int | float) for n in corners):
        return None
    x0, y0, x1, y1 = (n / 1000 * extent for n, extent in zip(corners, (*size, *size), strict=True))
    return (x0, y0, x1 - x0, y1 - y0) if x1 > x0 and y1 > y0 else None


def _find_screen(row: Any, file: Path) -> Path:
    name = file_name(need_object(row, "a step").get("screenshot"))
    folder = file.parent.parent / "screenshots"
    if (found := folder / name).is_file():
        return found
    for part in sorted(folder.iterdir()) if folder.is_dir() else []:
        if (found := part / name).is_file():
            return found
    raise DataError(f"the screen {name} is missing from {folder.name}/")
