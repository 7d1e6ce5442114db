"""What moves a GUI and looks at it: the same few verbs for a browser and for a desktop."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol, runtime_checkable

import numpy as np

from viscritic.actions import Action
from viscritic.screen import Screen
from viscritic.trajectory import Box

_PAUSE: Final = 0.06  # seconds between two looks


class Driver(Protocol):
    """Sends actions to a GUI and takes its screens.

    Every point, box and screen is in pixels of the screen as it is stored (device pixels), origin at its top left.
    Methods raise `HungError` where the GUI's machinery (browser, display) no longer answers: the worker then starts
    everything anew.
    """

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of a screen in pixels."""

    def screen(self) -> Screen:
        """The screen now, (height, width, 3) uint8 RGB. Works while a page loads or a program hangs."""

    def act(self, actions: Sequence[Action]) -> None:
        """Send the actions one after the other and return at once, without waiting for what they do.

        `move` alone hovers; on a touch screen it does nothing.
        """

    def wait(self, seconds: float) -> None:
        """Let the GUI go on; a driver that needs its own event loop runs it here."""

    def park(self) -> None:
        """Put the mouse pointer where it touches nothing, so that no hover or tooltip shows."""

    def close(self) -> None:
        """End everything that was started, by its own id; also after a failure, and more than once."""


@runtime_checkable
class Restful(Protocol):
    """A driver that can tell from within the application when nothing happens any more, without looking."""

    def rest(self, limit: float) -> bool:
        """Wait until nothing moves and nothing is about to; False where `limit` seconds ended the wait."""

    def stirred(self) -> bool:
        """Whether anything has happened since `rest` ended."""


class HungError(RuntimeError):
    """The machinery under an application no longer answers; nothing can be said of the sample in work."""


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """What was seen until the screen stayed the same.

    Attributes:
        screens: oldest first, without repetitions; the last one is the result.
        quiet: whether it came to rest; False where the bound ended the wait.
    """

    screens: tuple[Screen, ...]
    quiet: bool


def rest(driver: Driver, limit: float = 2.0) -> None:
    """Wait until nothing happens: the driver tells, or, where it cannot, two equal screens do."""
    if isinstance(driver, Restful):
        driver.rest(limit)
    else:
        settle(driver, limit)


def settle(
    driver: Driver, limit: float = 2.0, still: int = 2, noise: Sequence[Box] = (), first: Screen | None = None
) -> Settled:
    """Look until `still` screens in a row agree.

    Args:
        limit: seconds after which the last screen counts all the same.
        still: so many screens must be equal.
        noise: boxes in pixels whose changes do not count (a clock, say).
        first: a screen that was taken before; the next is compared with it at once.
    """
    deadline = time.monotonic() + limit
    screens = [driver.screen() if first is None else first]
    same, pause = 1, _PAUSE if first is None else 0.0
    while same < still and (time.monotonic() < deadline or not pause):
        driver.wait(pause)
        pause = _PAUSE
        screen = driver.screen()
        same = same + 1 if equal(screens[-1], screen, noise) else 1
        if not equal(screens[-1], screen):
            screens.append(screen)
    return Settled(tuple(screens), same >= still)


def equal(a: Screen, b: Screen, noise: Sequence[Box] = ()) -> bool:
    """Whether two screens are the same pixel for pixel, outside of the boxes of `noise`."""
    if a.shape != b.shape:
        return False
    if np.array_equal(a, b):  # several times as fast as what follows
        return True
    if not noise:
        return False
    differs = (a != b).any(axis=2)
    for x, y, width, height in noise:
        differs[max(int(y), 0) : int(np.ceil(y + height)), max(int(x), 0) : int(np.ceil(x + width))] = False
    return not differs.any()
