"""AndroidWorld: runs of agents on an Android emulator, with the verdict of the task's own check.

Layout: `<task>_<instance>.pkl.gz`, a pickled list of episodes; `episode_data` is a dict of lists, screens are arrays.
Which screens there are depends on the agent:

- T3A stores `before_screenshot` and `after_screenshot`. It draws a frame and a number over the element that it is about
  to click into the first of them; the second one is clean, and stands in for a drawn-over screen of the next step.
- M3A stores `raw_screenshot`, and copies full of such marks, which are not used: the screen after is the next step's
  `raw_screenshot`. Against its name, an action on an element's index is drawn into it as well.

What is drawn is looked for in the pixels, and `Step.marked` tells of it. Source: checkpointer.py, suite_utils.py and
agents/ of https://github.com/google-research/android_world (Apache-2.0).
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from data_prep.readers.android_packages import main_package
from data_prep.readers.images import encode_png
from data_prep.readers.inert_pickle import field_of, load_pickle
from data_prep.readers.paths import name_of, need_any, walk
from data_prep.readers.problems import Problems
from data_prep.readers.shots import Shot, link
from viscritic.actions import Action
from viscritic.errors import ActionError, DataError
from viscritic.trajectory import Box, Element, Trajectory

SOURCE: Final = "androidworld"
_NAME: Final = re.compile(r"(?!step_|goal_object).+\.pkl\.gz")
_BEFORE: Final = ("raw_screenshot", "before_screenshot")
_ELEMENTS: Final = ("before_ui_elements", "before_element_list", "ui_elements")
_FIELDS: Final = (
    "action_type", "index", "x", "y", "text", "direction", "goal_status", "app_name", "keycode", "clear_text",
)  # fmt: skip
_GREEN: Final = (0, 255, 0)
_REASON: Final = re.compile(r"Reason:(.*?)Action:", re.DOTALL)


def is_androidworld(path: Path) -> bool:
    """Whether a file is one of this data set, by its name."""
    return _NAME.fullmatch(path.name) is not None


def read_androidworld(path: Path | str, *, strict: bool = False) -> Iterator[Trajectory]:
    """Yield the episodes under `path`, by file.

    The instruction is the reason that the agent gave. An action on an element's index gets the middle of that element
    as its point, and `target_box`. Episodes that ended in an exception have no steps; the notes quote it.

    Args:
        path: a folder of runs, or one `.pkl.gz` file.
        strict: a broken file or row is an error; otherwise it is told of in the notes of its trajectory.

    Raises:
        DataError: no episode under `path`; or the first broken file (a pickle that wants to run code, say) or row where
            `strict`.
    """
    for file in need_any(walk(path, is_androidworld), path, "episode of AndroidWorld (<task>_<n>.pkl.gz)"):
        name, problems = name_of(file, path).removesuffix(".pkl.gz"), Problems(strict)
        try:
            episodes = load_pickle(file)
            if not isinstance(episodes, list):
                raise DataError("the pickle must hold a list of episodes")
        except DataError as error:
            problems.add(name, error)
            yield problems.attach(Trajectory(name, SOURCE, "android", "mobile", "", ()))
            continue
        for number, episode in enumerate(episodes):
            yield _trajectory(episode, f"{name}#{number}" if number else name, problems)


def _trajectory(episode: Any, name: str, problems: Problems) -> Trajectory:
    data, failure = field_of(episode, "episode_data"), field_of(episode, "exception_info")
    rows: list[dict[str, Any]] = []
    if isinstance(data, dict):
        rows = _rows(data)
    elif failure:
        problems.mention(f"{name}: the run ended in an exception: {str(failure).strip().splitlines()[-1]}")
    else:
        problems.add(name, "it has no episode_data")
    shots: list[Shot] = []
    for number, row in enumerate(rows):
        try:
            shots.append(_read_screen(row, number))
            if row.get("before_screenshot") is not None and number:
                shots[-1] = _cleaned(shots[-1], rows[number - 1])
            shots[-1] = _read_action(row, shots[-1])
        except (ActionError, DataError) as error:
            problems.add(f"{name}, step {number}", error)
    task = field_of(episode, "task_template")
    packages = [field_of(element, "package_name") for row in rows for element in _elements(row)]
    goal = field_of(episode, "goal")
    return problems.attach(
        Trajectory(
            id=name,
            source=SOURCE,
            app=main_package(packages, task if isinstance(task, str) and task else "android"),
            platform="mobile",
            task=goal if isinstance(goal, str) else "",
            steps=link(shots, after_first=True),
            success=_verdict(field_of(episode, "is_successful")),
        )
    )


def _rows(data: dict[str, Any]) -> list[dict[str, Any]]:
    """The steps of a dict of lists."""
    columns = {key: value for key, value in data.items() if isinstance(value, list)}
    length = max(map(len, columns.values()), default=0)
    return [{key: values[i] for key, values in columns.items() if i < len(values)} for i in range(length)]


def _verdict(value: Any) -> bool | None:
    if isinstance(value, bool):
        return value
    if not isinstance(value, int | float) or math.isnan(value):
        return None
    return value > 0.5  # as its own code decides


def _read_screen(row: dict[str, Any], number: int) -> Shot:
    pixels = next((row[name] for name in _BEFORE if row.get(name) is not None), None)
    if pixels is None:
        raise DataError(f"it has no screen ({' or '.join(_BEFORE)})")
    screen = encode_png(pixels)
    after = row.get("after_screenshot")
    return Shot(
        number,
        screen,
        (pixels.shape[1], pixels.shape[0]),
        after=None if after is None else encode_png(after),
        marked=any(_is_framed(pixels, box) for box in map(_box, _elements(row)) if box),
    )


def _cleaned(shot: Shot, before: dict[str, Any]) -> Shot:
    """A drawn-over screen of T3A replaced by the clean one that was taken after the step before."""
    clean = before.get("after_screenshot")
    if not shot.marked or clean is None or clean.shape[1::-1] != shot.size:
        return shot
    return replace(shot, screen=encode_png(clean), marked=False)


def _read_action(row: dict[str, Any], shot: Shot) -> Shot:
    output = row.get("action_output")
    action = _stored_action(row.get("action_output_json"), output)
    elements, index, box = _elements(row), action.get("index"), None
    if isinstance(index, int) and 0 <= index < len(elements) and (box := _box(elements[index])):
        del action["index"]
        action |= {"x": box[0] + box[2] / 2, "y": box[1] + box[3] / 2}
    return replace(
        shot,
        actions=Action.parse_batch(action, dialect=SOURCE, size=shot.size),
        instruction=_reason(output),
        box=box,
        elements=tuple(
            Element(place, _name(element))
            for element in elements
            if field_of(element, "is_visible") is not False and (place := _box(element))
        ),
    )


def _stored_action(told: Any, output: Any) -> dict[str, Any]:
    """The fields of the JSONAction that was sent, or of the JSON in the agent's answer."""
    if field_of(told, "action_type") is None:
        text = output.rpartition("Action:")[2] if isinstance(output, str) else ""
        try:
            told, _ = json.JSONDecoder().raw_decode(text, max(text.find("{"), 0))
        except (ValueError, RecursionError):
            raise DataError("it has no action (action_output_json, or JSON in action_output)") from None
    return {name: value for name in _FIELDS if (value := field_of(told, name)) is not None}


def _reason(output: Any) -> str:
    found = _REASON.search(output) if isinstance(output, str) else None
    return " ".join(found[1].split()) if found else ""


def _elements(row: dict[str, Any]) -> Sequence[Any]:
    return next((row[name] for name in _ELEMENTS if isinstance(row.get(name), list)), ())


def _name(element: Any) -> str:
    names = (field_of(element, field) for field in ("text", "content_description"))
    return next((" ".join(name.split()) for name in names if isinstance(name, str) and name.strip()), "")


def _box(element: Any) -> Box | None:
    bounds = field_of(element, "bbox_pixels")
    corners = [field_of(bounds, name) for name in ("x_min", "y_min", "x_max", "y_max")]
    if not all(isinstance(corner, int | float) and math.isfinite(corner) for corner in corners):
        return None
    x0, y0, x1, y1 = (float(corner) for corner in corners)
    return (x0, y0, x1 - x0, y1 - y0) if x1 > x0 and y1 > y0 else None


def _is_framed(pixels: Any, box: Box) -> bool:
    """Whether the agents' green frame is drawn around a box."""
    x0, y0 = int(box[0]), int(box[1])
    x1, y1 = int(box[0] + box[2]), int(box[1] + box[3])
    height, width = pixels.shape[:2]
    if pixels.ndim != 3 or x1 <= x0 or y1 <= y0:
        return False
    rows = [row for row in (y0, y1) if 0 <= row < height]
    columns = [column for column in (x0, x1) if 0 <= column < width]
    lines = [pixels[row, max(x0, 0) : x1 + 1, :3] for row in rows]
    lines += [pixels[max(y0, 0) : y1 + 1, column, :3] for column in columns]
    border = np.concatenate(lines) if lines else np.zeros((0, 3), np.uint8)
    return len(border) > 0 and float((border == _GREEN).all(axis=1).mean()) > 0.5
