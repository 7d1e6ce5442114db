"""AndroidControl: people's demonstrations in many Android apps, with an instruction for each step.

Layout: TFRecord files compressed by gzip (`android_control-00000-of-00020`), one Example an episode. `screenshots`
holds one PNG more than there are `actions` (JSON texts); points are pixels.
Source: https://github.com/google-research/google-research/tree/master/android_control (Apache-2.0).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from data_prep.readers.images import image_size
from data_prep.readers.paths import name_of, need_any, walk
from data_prep.readers.problems import Problems
from data_prep.readers.tfrecord import Example, first_example, is_tfrecord, read_examples
from viscritic.actions import Action
from viscritic.errors import ActionError, DataError
from viscritic.trajectory import Step, Trajectory

SOURCE: Final = "androidcontrol"


def is_androidcontrol(path: Path) -> bool:
    """Whether a file is one of this data set."""
    return is_tfrecord(path) and {"screenshots", "actions"} <= first_example(path).keys()


def read_androidcontrol(path: Path | str, *, strict: bool = False) -> Iterator[Trajectory]:
    """Yield the episodes under `path`, in the order of the files.

    Every step is a success: the data set holds demonstrations that reached their goal. The application is the first
    one that the episode opens, where it opens one by name.

    Args:
        path: a folder of TFRecord files, or one of them.
        strict: a broken row is an error; otherwise it is told of in the notes of its trajectory.

    Raises:
        DataError: no TFRecord file under `path`; or the first broken row where `strict`.
        MissingExtraError: google-crc32c is not installed.
    """
    problems = Problems(strict)
    for file in need_any(walk(path, is_tfrecord), path, "TFRecord file (such as android_control-00000-of-00020)"):
        where = name_of(file, path)
        for number, example in enumerate(read_examples(file, partial(problems.add, where))):
            yield _trajectory(example, f"{where}, episode {number}", problems)
    if problems.broken:
        yield problems.attach(Trajectory(f"unread/{name_of(Path(path), path)}", SOURCE, "android", "mobile", "", ()))


def _trajectory(example: Example, where: str, problems: Problems) -> Trajectory:
    steps: list[Step] = []
    name, app, task = where, "android", ""
    try:
        name = str(_one(example, "episode_id", int))
        where = f"episode {name}"
        task = _one(example, "goal", bytes).decode("utf-8", "replace")
        screens, actions = example.get("screenshots", []), example.get("actions", [])
        if len(screens) != len(actions) + 1:
            raise DataError(f"{len(screens)} screenshots do not fit {len(actions)} actions")
    except DataError as error:
        problems.add(where, error)
        screens, actions = [], []
    instructions = [*example.get("step_instructions", []), *[b""] * len(actions)]
    for index, action in enumerate(actions):
        try:
            size = image_size(screens[index])
            image_size(screens[index + 1])
            step = Step(
                index=len(steps),
                pre=screens[index],
                post=screens[index + 1],
                size=size,
                actions=Action.parse_batch(action.decode("utf-8", "replace"), dialect=SOURCE, size=size),
                instruction=instructions[index].decode("utf-8", "replace").strip(),
                success=True,
            )
        except (ActionError, DataError) as error:
            problems.add(f"{where}, step {index}", error)
            continue
        steps.append(step)
    opened = [a.text for step in steps for a in step.actions if a.kind == "open_app" and a.text]
    return problems.attach(
        Trajectory(
            id=name,
            source=SOURCE,
            app=opened[0] if opened else app,
            platform="mobile",
            task=task,
            steps=tuple(steps),
            success=True if steps else None,
        )
    )


def _one(example: Example, name: str, kind: type) -> Any:
    values = example.get(name)
    if not values or not isinstance(values[0], kind):
        raise DataError(f"{name} is missing")
    return values[0]
