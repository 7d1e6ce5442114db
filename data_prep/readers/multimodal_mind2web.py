"""Multimodal-Mind2Web: Mind2Web with a screen for each action, as Parquet.

Layout: `data/<split>-<n>-of-<m>.parquet`, one row an action; `target_action_index` is text, `operation` and the
candidates are JSON text with JSON text inside, `screenshot` an image of the whole page.
Source: https://huggingface.co/datasets/osunlp/Multimodal-Mind2Web (OpenRAIL).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from data_prep.readers.images import image_size
from data_prep.readers.mind2web import target_box, with_visible_target, words
from data_prep.readers.paths import name_of, need_any, walk
from data_prep.readers.problems import Problems
from data_prep.readers.shots import Shot, link, succeeded
from viscritic.actions import Action
from viscritic.actions.shown import shown
from viscritic.errors import ActionError, DataError, MissingExtraError
from viscritic.trajectory import Trajectory

SOURCE: Final = "multimodal-mind2web"
_DIALECT: Final = "mind2web"
_KEYS: Final = ("annotation_id", "target_action_index")
_COLUMNS: Final = (
    *_KEYS, "website", "confirmed_task", "operation", "pos_candidates", "screenshot", "target_action_reprs",
)  # fmt: skip
_BATCH: Final = 8  # rows that are decoded at a time; a row's screen takes a few MB


def is_multimodal_mind2web(path: Path) -> bool:
    """Whether a file is one of this data set.

    Raises:
        MissingExtraError: it is a Parquet file and pyarrow is not installed.
    """
    if not _is_parquet(path):
        return False
    try:
        return {*_KEYS, "screenshot"} <= set(_open(path).schema_arrow.names)
    except DataError:
        return False


def read_multimodal_mind2web(path: Path | str, *, strict: bool = False) -> Iterator[Trajectory]:
    """Yield the tasks under `path`, each when its last row was read.

    The screen after is that of the row with the next index; the last action, and one before a gap, has none. All steps
    are successes. Rows of a task may lie anywhere: only tasks that are not complete yet are held in memory.

    Args:
        path: a folder of Parquet files, or one of them.
        strict: a broken row is an error; otherwise it is told of in the notes of its trajectory.

    Raises:
        DataError: no such file under `path`; or the first broken row where `strict`.
        MissingExtraError: pyarrow is not installed.
    """
    problems = Problems(strict)
    left: Counter[str] = Counter()
    files = []
    for file in need_any(walk(path, _is_parquet), path, "Parquet file"):
        try:
            if {*_KEYS, "screenshot"} <= set(_open(file).schema_arrow.names):
                left.update(str(row["annotation_id"]) for row in _rows(file, _KEYS[:1]))
                files.append(file)
        except DataError as error:
            problems.add(name_of(file, path), error)
    if not files:
        raise DataError(f"{path} holds no Parquet file of Multimodal-Mind2Web (with target_action_index)")
    waiting: dict[str, _Task] = {}
    for file in files:
        try:
            for number, row in enumerate(_rows(file, _COLUMNS)):
                name = str(row["annotation_id"])
                task = waiting.setdefault(name, _Task(name, row["website"], row["confirmed_task"], Problems(strict)))
                task.add(row, f"{name_of(file, path)}, row {number}")
                left[name] -= 1
                if not left[name]:
                    yield waiting.pop(name).finish()
        except DataError as error:
            problems.add(name_of(file, path), error)
    yield from (task.finish() for task in waiting.values())  # their other rows are in files that are damaged
    if problems.broken:
        yield problems.attach(Trajectory("unread", SOURCE, "web", "web", "", ()))


@dataclass(slots=True)
class _Task:
    """A task whose rows are being read."""

    name: str
    site: Any
    goal: Any
    problems: Problems
    shots: list[Shot] = field(default_factory=list)

    def add(self, row: dict[str, Any], where: str) -> None:
        try:
            self.shots.append(_read_screen(row))
            self.shots[-1] = _read_action(row, self.shots[-1])
        except (ActionError, DataError) as error:
            self.problems.add(where, error)

    def finish(self) -> Trajectory:
        steps = succeeded(link(self.shots))
        site, goal = (value if isinstance(value, str) else "" for value in (self.site, self.goal))
        success = True if steps else None
        return self.problems.attach(Trajectory(self.name, SOURCE, site or "web", "web", goal, steps, success))


def _is_parquet(path: Path) -> bool:
    return path.suffix == ".parquet"


def _open(path: Path) -> Any:
    try:
        from pyarrow import ArrowException, parquet  # noqa: PLC0415  # an extra
    except ImportError as error:
        raise MissingExtraError("reading Parquet files", "data", "pyarrow") from error
    try:
        return parquet.ParquetFile(path)
    except (ArrowException, OSError, ValueError) as error:  # a ValueError where a text is no UTF-8
        raise DataError(f"{path} cannot be read as Parquet: {error}") from error


def _rows(path: Path, columns: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    """The rows of a file; of columns that it lacks the values are None."""
    from pyarrow import ArrowException  # noqa: PLC0415  # the file has been opened before

    file = _open(path)
    there = [name for name in columns if name in file.schema_arrow.names]
    try:
        for batch in file.iter_batches(_BATCH, columns=there):
            yield from (dict.fromkeys(columns) | row for row in batch.to_pylist())
    except (ArrowException, OSError, ValueError) as error:
        raise DataError(f"{path} is damaged: {error}") from error


def _read_screen(row: dict[str, Any]) -> Shot:
    text = row["target_action_index"]
    if not str(text).isdecimal():
        raise DataError(f"target_action_index must be a whole number, got {shown(text)}")
    screen = row["screenshot"]
    data = screen.get("bytes") if isinstance(screen, dict) else screen
    if not isinstance(data, bytes):
        raise DataError("the row has no screenshot")
    return Shot(int(text), data, image_size(data))


def _read_action(row: dict[str, Any], shot: Shot) -> Shot:
    return replace(
        shot,
        actions=Action.parse_batch(with_visible_target(row), dialect=_DIALECT, size=shot.size),
        instruction=words(row["target_action_reprs"]),
        box=target_box(row),
    )
