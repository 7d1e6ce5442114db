"""Finished tasks as macros: one JSON file, written whole, with a version, safe under several processes."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from viscritic.actions import Action
from viscritic.errors import ActionError, AgentError
from viscritic.files import write_json

VERSION: Final = 1


@dataclass(frozen=True, slots=True)
class MacroStep:
    """One action, with what it was for."""

    action: Action
    why: str = ""


@dataclass(frozen=True, slots=True)
class Macro:
    """A task that has been finished once.

    Attributes:
        task: in the words of its first run.
        steps: its actions, in order, without `done`.
        size: (width, height) of the screen that the points belong to, pixels.
        revision: 1 at first; one more for each run that had to find a new way.
        saved: when, ISO 8601 in UTC.
    """

    task: str
    steps: tuple[MacroStep, ...]
    size: tuple[int, int]
    revision: int = 1
    saved: str = ""


class MacroStore:
    """The macros of one file. Every change reads it anew under a lock, so that processes do not undo each other's.

    Args:
        path: the JSON file; it need not exist yet.
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self.path = Path(path) if path is not None else default_path()

    def all(self) -> list[Macro]:
        """Every macro, by name.

        Raises:
            AgentError: the file is damaged, or of a newer version.
        """
        return [macro for _, macro in sorted(self._read().items())]

    def get(self, task: str) -> Macro | None:
        """The task's macro; capitals, blanks and a final full stop make no difference."""
        return self._read().get(key_of(task))

    def save(self, task: str, steps: Sequence[MacroStep], size: tuple[int, int]) -> Macro:
        """Keep a task's steps, instead of older ones."""
        with self._changing() as macros:
            old = macros.get(key_of(task))
            saved = datetime.now(UTC).isoformat(timespec="seconds")
            macro = Macro(task.strip(), tuple(steps), size, 1, saved)
            if old is not None:
                macro = replace(macro, task=old.task, revision=old.revision + 1)
            macros[key_of(task)] = macro
        return macro

    def delete(self, task: str) -> bool:
        """Forget a task; False where there was no such macro."""
        with self._changing() as macros:
            return macros.pop(key_of(task), None) is not None

    @contextmanager
    def _changing(self) -> Iterator[dict[str, Macro]]:
        """The macros, to be changed; written when the block ends without an error."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            # The lock is a file of its own: the store itself is replaced at every change.
            with self.path.with_name(f".{self.path.name}.lock").open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                macros = self._read()
                before = dict(macros)
                yield macros
                if macros != before:
                    rows = {key: _to_row(macro) for key, macro in sorted(macros.items())}
                    write_json(self.path, {"version": VERSION, "macros": rows})
        except OSError as error:
            raise AgentError(f"the macros {self.path} cannot be written: {error}") from error

    def _read(self) -> dict[str, Macro]:
        try:
            text = self.path.read_text("utf-8")
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise AgentError(f"the macros {self.path} cannot be read: {error}") from error
        try:
            stored = json.loads(text)
            if stored["version"] != VERSION:
                raise AgentError(
                    f"the macros {self.path} are of version {stored['version']}, this program knows {VERSION}: "
                    "update it, or name another file"
                )
            return {str(key): _from_row(row) for key, row in stored["macros"].items()}
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError, ActionError) as error:
            raise AgentError(
                f"the macros {self.path} are damaged ({type(error).__name__}: {error}): mend or remove the file"
            ) from error


def key_of(task: str) -> str:
    """What tells tasks apart."""
    return " ".join(task.casefold().split()).rstrip(" .!")


def default_path() -> Path:
    """`macros.json` in the user's data folder."""
    home = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(home) / "viscritic" / "macros.json"


def _to_row(macro: Macro) -> dict[str, Any]:
    steps = [{"action": step.action.to_dict()} | ({"why": step.why} if step.why else {}) for step in macro.steps]
    return {
        "task": macro.task, "revision": macro.revision, "saved": macro.saved, "size": list(macro.size), "steps": steps,
    }  # fmt: skip


def _from_row(row: dict[str, Any]) -> Macro:
    steps = tuple(MacroStep(Action.from_dict(step["action"]), str(step.get("why", ""))) for step in row["steps"])
    width, height = (int(side) for side in row["size"])
    return Macro(str(row["task"]), steps, (width, height), int(row["revision"]), str(row["saved"]))
