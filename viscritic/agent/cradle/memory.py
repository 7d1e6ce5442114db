"""Episodic memory: the latest steps word by word, the older ones as a summary; a JSON file, if wanted."""

from __future__ import annotations

import json
import os
from collections import Counter, deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from viscritic.errors import AgentError
from viscritic.files import write_json

VERSION: Final = 1
Summarise = Callable[[str, Sequence[str]], str]


class EpisodicMemory:
    """What happened.

    Args:
        recent: so many steps are kept word by word; when there are twice as many, the older half is summed up.
        summarise: makes a new summary of the old one and of steps; a language model, say. Without it steps are
            counted by how they ended.
        path: where it is kept; read if it is there. None keeps it in memory alone.

    Raises:
        AgentError: the file is damaged.
    """

    def __init__(
        self, recent: int = 5, summarise: Summarise | None = None, path: str | os.PathLike[str] | None = None
    ) -> None:
        self._recent, self._summarise = recent, summarise or count_steps
        self._path = None if path is None else Path(path)
        self.summary = ""
        self.steps: deque[str] = deque()
        if self._path is not None and self._path.exists():
            self._read(self._path)

    def add(self, step: str) -> None:
        """One more step, in a sentence.

        Raises:
            AgentError: the file cannot be written.
        """
        self.steps.append(step)
        if len(self.steps) >= 2 * self._recent:
            old = [self.steps.popleft() for _ in range(len(self.steps) - self._recent)]
            self.summary = self._summarise(self.summary, old)
        if self._path is not None:
            try:
                write_json(self._path, {"version": VERSION, "summary": self.summary, "steps": list(self.steps)})
            except OSError as error:
                raise AgentError(f"the memory {self._path} cannot be written: {error}") from error

    def tell(self) -> str:
        """For the planner."""
        return "\n".join(filter(None, [self.summary, *self.steps]))

    def _read(self, path: Path) -> None:
        try:
            kept = json.loads(path.read_text("utf-8"))
            if kept["version"] != VERSION:
                raise ValueError(f"version {kept['version']}")
            self.summary, self.steps = str(kept["summary"]), deque(str(step) for step in kept["steps"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise AgentError(f"the memory {path} cannot be read ({error}): remove it, or name another file") from error


def count_steps(summary: str, steps: Sequence[str]) -> str:
    """A summary without a model: how many steps ended how ("12 earlier steps: 9 it took effect, 3 it failed")."""
    ends = Counter(_read_counts(summary))
    for step in steps:
        said = step.rpartition(" -> ")[2]
        ends[said.split(":")[0].split(";")[0].rstrip(".")] += 1
    total = sum(ends.values())
    return f"{total} earlier steps: " + ", ".join(f"{count} x {end}" for end, count in ends.most_common())


def _read_counts(summary: str) -> dict[str, int]:
    parts = summary.partition(" earlier steps: ")[2].split(", ")
    return {end: int(count) for count, _, end in (part.partition(" x ") for part in parts) if end}
