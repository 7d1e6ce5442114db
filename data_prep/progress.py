"""The progress bar of long work."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

Watch = Callable[[Sequence[Any]], Iterable[Any]]  # passes on what is worked on, to count it; `iter` does not count


def progress_bar(visible: bool = True) -> Progress:
    """A bar on standard error with the work's name, its count and the time it took."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=Console(stderr=True), disable=not visible)
