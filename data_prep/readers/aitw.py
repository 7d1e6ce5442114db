"""Android in the Wild: people's demonstrations on Android emulators.

Layout: TFRecord files compressed by gzip (`general-00000-of-00321`), one Example a step, an episode's steps in a row.
`image/encoded` is not encoded at all: it holds the raw bytes of the pixels, (height, width, channels). Points are
(y, x) in 0..1, boxes of the user interface (y, x, height, width) in 0..1.
Source: https://github.com/google-research/google-research/tree/master/android_in_the_wild (CC BY 4.0).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import numpy as np

from data_prep.readers.android_packages import main_package
from data_prep.readers.images import encode_png
from data_prep.readers.paths import name_of, need_any, walk
from data_prep.readers.problems import Problems
from data_prep.readers.shots import Shot, ended_well, link, succeeded
from data_prep.readers.tfrecord import Example, first_example, is_tfrecord, read_examples
from viscritic.actions import Action
from viscritic.errors import ActionError, DataError
from viscritic.trajectory import Box, Element, Trajectory

SOURCE: Final = "aitw"
_ACTION: Final = ("results/action_type", "results/type_action", "results/yx_touch", "results/yx_lift")


@dataclass(frozen=True, slots=True)
class _Row:
    """A step of an Example."""

    episode: str
    length: int
    task: str
    activity: str
    shot: Shot


def is_aitw(path: Path) -> bool:
    """Whether a file is one of this data set."""
    return is_tfrecord(path) and {"image/encoded", "results/yx_touch"} <= first_example(path).keys()


def read_aitw(path: Path | str, *, strict: bool = False) -> Iterator[Trajectory]:
    """Yield the episodes under `path`, in the order of the files.

    A step's screen after is the next step's; the last step, which only says how the task ended, has none. The steps of
    an episode that ended as complete are successes; of others the data set says nothing. `target_box` is the smallest
    detected element under a tap. Screens are PNG bytes.

    Args:
        path: a folder of TFRecord files, or one of them.
        strict: a broken row is an error; otherwise it is told of in the notes of its trajectory.

    Raises:
        DataError: no TFRecord file under `path`; or the first broken row where `strict`.
        MissingExtraError: google-crc32c is not installed.
    """
    problems = Problems(strict)
    for _, rows in groupby(_rows(path, problems), key=lambda row: row.episode):
        yield _trajectory(list(rows), problems)
    if problems.broken:  # of broken files without any readable episode
        yield problems.attach(Trajectory(f"unread/{name_of(Path(path), path)}", SOURCE, "android", "mobile", "", ()))


def _rows(path: Path | str, problems: Problems) -> Iterator[_Row]:
    for file in need_any(walk(path, is_tfrecord), path, "TFRecord file of AITW (such as general-00000-of-00321)"):
        where = name_of(file, path)
        for example in read_examples(file, partial(problems.add, where)):
            if (row := _read_row(example, where, problems)) is not None:
                yield row


def _read_row(example: Example, where: str, problems: Problems) -> _Row | None:
    try:
        episode, step = _text(example, "episode_id"), _number(example, "step_id")
    except DataError as error:
        problems.add(where, error)
        return None
    where = f"{where}, episode {episode}, step {step}"
    try:
        screen, size = _read_screen(example)
        shot = Shot(step, screen, size)
        row = _Row(episode, _number(example, "episode_length"), _text(example, "goal_info"), _activity(example), shot)
    except DataError as error:
        problems.add(where, error)
        return None
    try:
        actions = Action.parse_batch(_action(example), dialect=SOURCE, size=size)
    except ActionError as error:
        problems.add(where, error)
        return row
    elements = _elements(example, size)
    box = _box(elements, actions[0])
    return replace(row, shot=replace(shot, actions=actions, box=box, elements=elements))


def _read_screen(example: Example) -> tuple[bytes, tuple[int, int]]:
    height, width, channels = (_number(example, f"image/{name}") for name in ("height", "width", "channels"))
    raw = example.get("image/encoded", [b""])[0]
    if not isinstance(raw, bytes) or min(height, width, channels) < 1 or len(raw) != height * width * channels:
        raise DataError(f"the screen is no {height}x{width}x{channels} bytes of pixels")
    return encode_png(np.frombuffer(raw, np.uint8).reshape(height, width, channels)), (width, height)


def _action(example: Example) -> dict[str, Any]:
    action: dict[str, Any] = {}
    for name in _ACTION:
        values = example.get(name, [])
        if name.startswith("results/yx"):
            action[name] = values
        elif values:
            action[name] = values[0].decode("utf-8", "replace") if isinstance(values[0], bytes) else values[0]
    return action


def _elements(example: Example, size: tuple[int, int]) -> tuple[Element, ...]:
    """What was detected on the screen, by its positions (y, x, height, width)."""
    listed, names = example.get("image/ui_annotations_positions", []), example.get("image/ui_annotations_text", [])
    if len(listed) % 4 or not all(isinstance(number, int | float) and math.isfinite(number) for number in listed):
        return ()
    width, height = size
    return tuple(
        Element(
            (listed[i + 1] * width, listed[i] * height, listed[i + 3] * width, listed[i + 2] * height),
            _decoded(names[i // 4]) if i // 4 < len(names) else "",
        )
        for i in range(0, len(listed), 4)
    )


def _decoded(name: Any) -> str:
    return " ".join(name.decode("utf-8", "replace").split()) if isinstance(name, bytes) else ""


def _box(elements: Sequence[Element], action: Action) -> Box | None:
    """The smallest element that the tap meets."""
    if action.kind != "click" or action.x is None or action.y is None:
        return None
    boxes = [element.box for element in elements]
    under = [(w * h, (x, y, w, h)) for x, y, w, h in boxes if x <= action.x <= x + w and y <= action.y <= y + h]
    return min(under)[1] if under else None


def _text(example: Example, name: str) -> str:
    values = example.get(name)
    if not values or not isinstance(values[0], bytes):
        raise DataError(f"{name} is missing")
    return values[0].decode("utf-8", "replace")


def _number(example: Example, name: str) -> int:
    values = example.get(name)
    if not values or not isinstance(values[0], int):
        raise DataError(f"{name} is missing")
    return values[0]


def _activity(example: Example) -> str:
    return _text(example, "current_activity") if example.get("current_activity") else ""


def _trajectory(rows: Sequence[_Row], problems: Problems) -> Trajectory:
    first = rows[0]
    if len(rows) != first.length:
        problems.mention(f"episode {first.episode}: {len(rows)} of {first.length} steps")
    steps = link(row.shot for row in rows)
    success = ended_well(steps)
    return problems.attach(
        Trajectory(
            id=first.episode,
            source=SOURCE,
            app=main_package((row.activity for row in rows), "android"),
            platform="mobile",
            task=first.task,
            steps=succeeded(steps) if success else steps,
            success=success,
        )
    )
