"""AgentRewardBench: runs of web agents on five benchmarks, with the verdicts of experts.

Layout: `cleaned/<benchmark>/<agent>/<experiment>/<task>.json`, the screens that `screenshot_path` names
(`trajectories/screenshots/...`) and `data/annotations.csv`. Actions are BrowserGym's; step n + 1 tells in
`last_action_error` how action n went, and the last step has no action. Where two experts judged a run, the first one
counts, as in the benchmark's own code. Source: https://github.com/McGill-NLP/agent-reward-bench.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from data_prep.readers.browsergym import reward_of
from data_prep.readers.elements import elements_of, place
from data_prep.readers.images import image_size
from data_prep.readers.json_files import need_list, need_object, peek, read_json, text_of
from data_prep.readers.paths import base_of, find_inside, name_of, need_any, walk
from data_prep.readers.problems import Problems
from data_prep.readers.shots import Shot, link
from viscritic.actions import Action
from viscritic.errors import ActionError, DataError
from viscritic.trajectory import Trajectory

SOURCE: Final = "agentrewardbench"
_DIALECT: Final = "browsergym"
_ANNOTATIONS: Final = ("data/annotations.csv", "annotations.csv")
_HIGHEST: Final = 8  # folders above a run in which its data set may begin
_VERDICTS: Final = {"Successful": True, "Unsuccessful": False}
_TOLD: Final = {
    "trajectory_side_effect": "side effect",
    "trajectory_optimality": "optimality",
    "trajectory_looping": "looping",
}

Annotations = dict[tuple[str, str, str], dict[str, str]]  # by benchmark, agent and task


def is_agentrewardbench(path: Path) -> bool:
    """Whether a file is one of this data set."""
    return path.suffix == ".json" and '"benchmark"' in (start := peek(path)) and '"experiment"' in start


def read_agentrewardbench(path: Path | str, *, strict: bool = False) -> Iterator[Trajectory]:
    """Yield the runs under `path`, by file.

    A run is a success or a failure as an expert said, None where the expert was unsure; without an annotation, as its
    reward says. Side effects, looping and optimality stand in the notes. A step whose action ended in an error is a
    failure; of the others nothing is known.

    Args:
        path: the data set, a folder of it, or one JSON file. Annotations and screens are looked for in the folders
            above each run.
        strict: a broken step is an error; otherwise it is told of in the notes of its trajectory.

    Raises:
        DataError: no run under `path`, or broken annotations; or the first broken step where `strict`.
    """
    files = need_any(walk(path, is_agentrewardbench), path, "run of AgentRewardBench (cleaned/.../<task>.json)")
    annotations: dict[Path, Annotations] = {}
    for file in files:
        places = [folder / name for folder in file.resolve().parents[:_HIGHEST] for name in _ANNOTATIONS]
        place = next((place for place in places if place.is_file()), None)
        if place is not None and place not in annotations:
            annotations[place] = _read_annotations(place)
        yield _trajectory(file, base_of(path), annotations[place] if place else {}, Problems(strict))


def _read_annotations(place: Path) -> Annotations:
    annotations: Annotations = {}
    try:
        with place.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                key = (row.get("benchmark") or "", row.get("model_name") or "", row.get("task_id") or "")
                annotations.setdefault(key, {name: value for name, value in row.items() if isinstance(value, str)})
    except (OSError, ValueError, csv.Error) as error:
        raise DataError(f"{place} cannot be read: {error}") from error
    return annotations


def _trajectory(file: Path, base: Path, annotations: Annotations, problems: Problems) -> Trajectory:
    name = name_of(file, base).removesuffix(".json")
    run: dict[str, Any] = {}
    shots: list[Shot] = []
    benchmark = goal = ""
    success: bool | None = None
    try:
        run = need_object(read_json(file), "a run")
        benchmark, goal = text_of(run, "benchmark"), text_of(run, "goal")
        shots = _read_steps(need_list(run.get("steps"), "steps"), name, file, problems)
        if run.get("valid") is False:
            problems.mention(f"{name}: the run is marked as not valid")
        annotation = annotations.get((benchmark, text_of(run, "agent"), file.stem))
        if annotation is None:
            success = reward_of(need_object(run.get("summary_info") or {}, "summary_info"), problems)
        else:
            success = _VERDICTS.get(annotation.get("trajectory_success", ""))
            told = [f"{word} {annotation[key]}" for key, word in _TOLD.items() if annotation.get(key)]
            problems.mention(f"{name}: an expert said: {', '.join(told)}")
    except DataError as error:
        problems.add(name, error)
    app = benchmark or "web"
    return problems.attach(Trajectory(name, SOURCE, app, "web", goal, link(shots), success))


def _read_steps(rows: list[Any], name: str, file: Path, problems: Problems) -> list[Shot]:
    shots: list[Shot] = []
    for number, row in enumerate(rows):
        try:
            if shots and shots[-1].number == number - 1 and need_object(row, "a step").get("last_action_error"):
                shots[-1] = replace(shots[-1], success=False)
            screen = _find_screen(need_object(row, "a step").get("screenshot_path"), file)
            shots.append(Shot(number, screen, image_size(screen)))
            shots[-1] = _read_action(row, shots[-1])
        except (ActionError, DataError) as error:
            problems.add(f"{name}, step {number}", error)
    return shots


def _find_screen(path: Any, file: Path) -> Path:
    """The screen in the data set that the run belongs to, which may lie above the folder that is read."""
    folders = [folder for folder in file.resolve().parents[:_HIGHEST] if (folder / "screenshots").is_dir()]
    return find_inside(folders[0] if folders else file.parent, path)


def _read_action(row: dict[str, Any], shot: Shot) -> Shot:
    text = row.get("action")
    if text is None:
        return shot
    properties = row.get("extra_element_properties") or row.get("bounding_boxes")
    placed = [place(action, properties) for action in Action.parse_batch(text, dialect=_DIALECT, size=shot.size)]
    thought = row.get("reasoning")
    return replace(
        shot,
        actions=tuple(action for action, _ in placed),
        instruction=" ".join(thought.split()) if isinstance(thought, str) else "",
        box=next((box for _, box in placed if box), None),
        elements=elements_of(properties),
    )
