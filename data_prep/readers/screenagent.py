"""The ScreenAgent data set: sessions on real Linux and Windows desktops over VNC, with human outcome labels.

Layout: `train/<session>/<time>[_translate].json` and `train/<session>/images/<time>.jpg`; sorted by name, the records
of a session are its story. A record whose actions act (mouse, keyboard, wait) is a step: its image is the screen
before, the next record's image the screen after, and the next record's evaluation the human verdict.
Source: https://github.com/niuzaisheng/ScreenAgent, folder data/ScreenAgent (Apache-2.0).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from data_prep.readers.images import image_size
from data_prep.readers.json_files import peek
from data_prep.readers.screenagent_apps import APPS
from viscritic.actions import Action
from viscritic.errors import ActionError, DataError
from viscritic.trajectory import Step, Trajectory

SOURCE: Final = "screenagent"
_ACTING: Final = {"MouseAction", "KeyboardAction", "WaitAction"}
_VERDICTS: Final = {"sub_task_success": True, "need_retry": False, "need_reformulate": False}
# The prompt says it twice: before its list of operations (ends the line) and at its end ("... Please give ...").
_SUBTASK: Final = re.compile(
    r"\b(?:current|now the) sub[ -]?task is (?:to )?(?P<text>.+?)\.?(?:\n|[.,]? please (?:give|use|describe)|$)", re.I
)


@dataclass(frozen=True, slots=True)
class _Record:
    name: str
    screen: Path
    size: tuple[int, int]
    task: str
    subtask: str
    actions: list[dict[str, Any]]
    verdict: bool | None


@dataclass(slots=True)
class _Problems:
    """Collects what is wrong with a session's records, or raises at the first where that is wanted."""

    strict: bool
    notes: list[str] = field(default_factory=list)

    def add(self, message: str) -> None:
        if self.strict:
            raise DataError(message)
        self.notes.append(message)


def is_screenagent(path: Path) -> bool:
    """Whether a file is a record of this data set."""
    return path.suffix == ".json" and (path.parent / "images").is_dir() and '"saved_image_name"' in peek(path)


def read_screenagent(root: Path | str, *, strict: bool = False) -> Iterator[Trajectory]:
    """Yield the sessions under `root`, by name; sessions without a usable step are left out.

    The instruction is the sub-task of the English prompt, the task the English task. `Step.idle` is the screen of the
    record before the step: nothing was sent to the machine between the two (though its people may have touched it).
    The application comes from `data_prep.readers.screenagent_apps`.

    Args:
        root: the folder that holds `train/`, or that folder itself.
        strict: a broken record is an error; otherwise it is skipped and told of in `Trajectory.notes`.

    Raises:
        DataError: no session under `root`; or the first broken record where `strict`.
    """
    folder = Path(root) / "train" if (Path(root) / "train").is_dir() else Path(root)
    sessions = sorted(path for path in folder.glob("*/") if any(path.glob("*.json"))) if folder.is_dir() else []
    if not sessions:
        raise DataError(f"{root} holds no ScreenAgent session (train/<session>/<time>.json and images/)")
    for session in sessions:
        trajectory = _read_session(session, strict)
        if trajectory.steps:
            yield trajectory


def _read_session(session: Path, strict: bool) -> Trajectory:
    problems = _Problems(strict)
    # A broken record stays as None: the step before it must not take the screen after it as its own result.
    records = [_read_record(path, problems) for path in sorted(session.glob("*.json"))]
    steps: list[Step] = []
    for index, record in enumerate(records):
        if record is None or not record.actions:
            continue
        after = records[index + 1] if index + 1 < len(records) else None
        before = records[index - 1] if index > 0 else None
        if after is None:
            problems.add(
                f"{session.name}/{record.name}: no readable record follows the step, so it has no screen after"
            )
            continue
        try:
            actions = Action.parse_batch(record.actions, dialect=SOURCE, size=record.size)
        except ActionError as error:
            problems.add(f"{session.name}/{record.name}: {error}")
            continue
        steps.append(
            Step(
                index=len(steps),
                pre=record.screen,
                post=after.screen,
                size=record.size,
                actions=tuple(actions),
                instruction=record.subtask,
                success=after.verdict,
                idle=(before.screen,) if before is not None and not before.actions else (),
            )
        )
    return Trajectory(
        id=session.name,
        source=SOURCE,
        app=APPS.get(session.name, session.name),
        platform="desktop",
        task=next((record.task for record in records if record is not None), ""),
        steps=tuple(steps),
        notes=tuple(problems.notes),
        broken=len(problems.notes),
    )


def _read_record(path: Path, problems: _Problems) -> _Record | None:
    where = f"{path.parent.name}/{path.name}"
    try:
        record = json.loads(path.read_text("utf-8"))
        image = _text(record, "saved_image_name")
        if image != Path(image).name:
            raise ValueError(f"saved_image_name is not a file name: {image!r}")
        screen = path.parent / "images" / image
        size = image_size(screen)
        actions = record.get("actions")
        if not isinstance(actions, list) or not all(isinstance(action, dict) for action in actions):
            raise ValueError("actions must be a list of objects")
        situations = [a.get("situation") for a in actions if a.get("action_type") == "EvaluateSubTaskAction"]
        return _Record(
            name=path.stem,
            screen=screen,
            size=size,
            task=_text(record, "task_prompt_en"),
            subtask=read_subtask(_text(record, "send_prompt_en")),
            actions=[action for action in actions if str(action.get("action_type")) in _ACTING],
            verdict=_VERDICTS.get(str(situations[-1])) if situations else None,
        )
    except (OSError, ValueError, RecursionError, DataError) as error:
        problems.add(f"{where}: {error}")
        return None


def _text(record: Any, key: str) -> str:
    value = record.get(key) if isinstance(record, dict) else None
    if not isinstance(value, str):
        raise ValueError(f"{key} must be text, got {value!r}")
    return value.strip()


def read_subtask(prompt: str) -> str:
    """The sub-task that a prompt quotes, "" where it quotes none.

    The prompts were translated by machine, which moved inner quotation marks (`enter" quit () "in the interpreter`) and
    dropped some outer ones; inner pairs are put back around their words, and what is left over is removed.
    """
    match = _SUBTASK.search(prompt)
    if match is None:
        return ""
    text = re.sub("[“”]", '"', match["text"]).strip()
    text = text.removeprefix('"')
    if text.count('"') % 2:
        before, _, after = text.rpartition('"')
        text = before + after
    text = re.sub(r'\s*"\s*([^"]*?)\s*"\s*', r' "\1" ', text)
    return re.sub(r"\s+", " ", text).strip(" .")
