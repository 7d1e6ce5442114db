"""BrowserGym and AgentLab: runs of web agents, one pickled StepInfo a step.

Layout of a run: `step_<n>.pkl.gz`, `screenshot_step_<n>.png` or `.jpg`, `goal_object.pkl.gz`, `exp_args.pkl` and
`summary_info.json`. Step n + 1 tells how action n went: its `obs.last_action_error` and its screen. The last step has
no action. Copies of the screens with marks (`screenshot_som_step_<n>`) are never used. An action on an element names
its bid; its box, in pixels of the screen, stands in `obs.extra_element_properties`.
Source: browsergym/experiments/loop.py of https://github.com/ServiceNow/BrowserGym (Apache-2.0).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from data_prep.readers.elements import Placed, elements_of, place
from data_prep.readers.images import encode_png, image_size
from data_prep.readers.inert_pickle import field_of, load_pickle
from data_prep.readers.json_files import need_object, read_json
from data_prep.readers.osworld import as_success
from data_prep.readers.paths import name_of, natural_key, need_any, walk
from data_prep.readers.problems import Problems
from data_prep.readers.shots import Shot, link
from viscritic.actions import Action
from viscritic.errors import ActionError, DataError
from viscritic.trajectory import Trajectory

SOURCE: Final = "browsergym"
_STEP: Final = re.compile(r"step_(\d{1,9})\.pkl\.gz")


def is_browsergym(path: Path) -> bool:
    """Whether a file is the first step of a run, by its name."""
    return path.name == "step_0.pkl.gz"


def read_browsergym(path: Path | str, *, strict: bool = False) -> Iterator[Trajectory]:
    """Yield the runs under `path`, by folder. Runs whose name begins with "_" were run again and are left out.

    A step whose action ended in an error is a failure, of the others nothing is known. The instruction is what the
    agent thought, where it was stored. The application is the task's benchmark.

    Args:
        path: a folder of runs, or one run.
        strict: a broken step is an error; otherwise it is told of in the notes of its trajectory.

    Raises:
        DataError: no run under `path`; or the first broken step (a pickle that wants to run code, say) where `strict`.
    """
    for file in need_any(walk(path, is_browsergym), path, "run of BrowserGym (step_0.pkl.gz)"):
        if not file.parent.name.startswith("_"):
            yield _trajectory(file.parent, path, Problems(strict))


def _trajectory(run: Path, root: Path | str, problems: Problems) -> Trajectory:
    name = name_of(run, root)
    shots: list[Shot] = []
    goal = ""
    for file in sorted(run.glob("step_*.pkl.gz"), key=lambda path: natural_key(path.name)):
        match = _STEP.fullmatch(file.name)
        if match is None:
            continue
        where, number = f"{name}/{file.name}", int(match[1])
        try:
            info = load_pickle(file)
            observed = field_of(info, "obs")
            told = field_of(observed, "goal")
            goal = goal or (told.strip() if isinstance(told, str) else "")
            if shots and shots[-1].number == number - 1 and field_of(observed, "last_action_error"):
                shots[-1] = replace(shots[-1], success=False)
            screen = _find_screen(run, number, observed)
            shots.append(Shot(number, screen, image_size(screen)))
            shots[-1] = _read_action(info, shots[-1])
        except (ActionError, DataError) as error:
            problems.add(where, error)
    task = _read_name(run, problems) or name
    return problems.attach(
        Trajectory(
            id=name,
            source=SOURCE,
            app=task.partition(".")[0],
            platform="web",
            task=_read_goal(run, problems) or goal,
            steps=link(shots),
            success=_read_reward(run, problems),
        )
    )


def _find_screen(run: Path, number: int, observed: Any) -> Path | bytes:
    for suffix in (".png", ".jpg"):
        if (file := run / f"screenshot_step_{number}{suffix}").is_file():
            return file
    pixels = field_of(observed, "screenshot")  # older releases left it in the pickle
    if pixels is None:
        raise DataError(f"the screen screenshot_step_{number}.png is missing")
    return encode_png(pixels)


def _read_action(info: Any, shot: Shot) -> Shot:
    text = field_of(info, "action")
    if text is None:
        return shot
    properties = field_of(field_of(info, "obs"), "extra_element_properties")
    placed: list[Placed] = [
        place(action, properties) for action in Action.parse_batch(text, dialect=SOURCE, size=shot.size)
    ]
    thought = field_of(field_of(info, "agent_info"), "think")
    return replace(
        shot,
        actions=tuple(action for action, _ in placed),
        instruction=" ".join(thought.split()) if isinstance(thought, str) else "",
        box=next((box for _, box in placed if box), None),
        elements=elements_of(properties),
    )


def _read_goal(run: Path, problems: Problems) -> str:
    """The texts of the goal, which may hold images as well."""
    file = run / "goal_object.pkl.gz"
    if not file.is_file():
        return ""
    try:
        parts = load_pickle(file)
    except DataError as error:
        problems.add(file.name, error)
        return ""
    texts = [field_of(part, "text") for part in parts] if isinstance(parts, list | tuple) else []
    return "\n".join(text.strip() for text in texts if isinstance(text, str))


def _read_name(run: Path, problems: Problems) -> str:
    """The task's name ("webarena.310"), "" where it is not stored."""
    file = run / "exp_args.pkl"
    if not file.is_file():
        return ""
    try:
        name = field_of(field_of(load_pickle(file), "env_args"), "task_name")
    except DataError as error:
        problems.add(file.name, error)
        return ""
    return name if isinstance(name, str) else ""


def _read_reward(run: Path, problems: Problems) -> bool | None:
    file = run / "summary_info.json"
    if not file.is_file() or not file.stat().st_size:
        return None
    try:
        return reward_of(need_object(read_json(file), "summary_info"), problems)
    except DataError as error:
        problems.add(file.name, error)
        return None


def reward_of(summary: dict[str, Any], problems: Problems) -> bool | None:
    """What `cum_reward` says of a run; None where it is missing, or no such number."""
    reward = summary.get("cum_reward")
    if isinstance(reward, bool) or not isinstance(reward, int | float):
        return None
    try:
        return as_success(float(reward), problems)
    except OverflowError:  # a whole number of hundreds of digits
        return None
