"""Ending a process with all that it started, by ids: a browser's helpers outlive a plain kill."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

KEEPER: Final = "viscritic-keep"  # the name of a process that cleans up and ends by itself when its parent is gone
_SUBREAPER: Final = 36  # prctl(2): orphans of our children become our children, so that we can still find them
_NAME: Final = 15  # prctl(2): the name of the process, up to 15 bytes


def adopt_orphans() -> None:
    """Have the orphans among this process's descendants become its children (Linux)."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)


def name_process(name: str) -> None:
    """Give this process a name that others can see (Linux)."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_NAME, name.encode(), 0, 0, 0)


def descendants(pid: int) -> list[int]:
    """The ids of everything below a process, children first."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError, ValueError, IndexError):
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                children.setdefault(parent, []).append(int(entry.name))
    found: list[int] = []
    todo = [pid]
    while todo:
        below = children.get(todo.pop(), [])
        found += below
        todo += below
    return found


def end_tree(pid: int) -> None:
    """Kill a process and everything below it; a `KEEPER` below it has some seconds to clean up first."""
    doomed = [pid, *descendants(pid)]
    keepers = {number for number in doomed if _name(number) == KEEPER}
    for turn in range(120):
        for number in doomed:
            if number not in keepers or turn > 100:
                with suppress(ProcessLookupError):
                    os.kill(number, signal.SIGKILL)
        for number in doomed:
            with suppress(ChildProcessError):
                os.waitpid(number, os.WNOHANG)
        doomed = [number for number in doomed if _is_alive(number)]
        if not doomed:
            return
        time.sleep(0.05)


def end_orphans(keep: set[int]) -> None:
    """Kill this process's children, and all below them, except those in `keep`."""
    mine = os.getpid()
    kept = keep | {number for pid in keep for number in descendants(pid)}
    for number in descendants(mine):
        if number not in kept:
            end_tree(number)


def _name(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip()
    except OSError:
        return ""


def _is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return False
    return state != "Z"
