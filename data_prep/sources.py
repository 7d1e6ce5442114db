"""What is known of each source of trajectories: how it is read, where it comes from, under which licence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from data_prep.readers.screenagent import read_screenagent
from viscritic.trajectory import Trajectory


@dataclass(frozen=True, slots=True)
class Source:
    """A data set.

    Attributes:
        read: yields its trajectories from a folder.
        home: where it comes from.
        licence: what its screens and texts may be used under.
        limits: what to mind, a sentence each.
    """

    read: Callable[[Path], Iterator[Trajectory]]
    home: str
    licence: str
    limits: tuple[str, ...]


SOURCES: Final[dict[str, Source]] = {
    "screenagent": Source(
        read=read_screenagent,
        home="https://github.com/niuzaisheng/ScreenAgent, folder data/ScreenAgent/train (revision 2ebe97d)",
        licence="Apache-2.0 (the data set's README)",
        limits=(
            "All screens are 1024x768 JPEG of Linux and Windows desktops driven over VNC, with the mouse pointer drawn"
            " in: after a real click it stands on the target, after most made negatives it does not.",
            "The data set does not name applications: they were read by eye from the screens, one for each session.",
            "The people who recorded the sessions sometimes touched the machine between two steps.",
            "The instructions are machine translations from Chinese, with some mistakes; typed text is often Chinese.",
            "Only about 2 % of the steps are failures that a human saw; all other negatives are made.",
        ),
    ),
}
