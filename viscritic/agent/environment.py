"""What the gate looks at and acts on, and how a screen comes to rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
import numpy.typing as npt

from viscritic.actions import Action
from viscritic.screen import Screen, ScreenSource, load_screen
from viscritic.trajectory import Outcome
from viscritic.verdict import State

_TOLERANCE: Final = 24  # of 255: as in preprocessing, what differs by less is the noise of a lossy image
MOST_SCREENS: Final = 8  # of a burst


class Environment(Protocol):
    """A GUI: two verbs are enough."""

    def screen(self) -> ScreenSource:
        """The screen now, in any form that `viscritic.screen.load_screen` reads."""

    def act(self, action: Action) -> None:
        """Do one action, and return without waiting for what comes of it."""


class Judgement(Protocol):
    """What a scorer says of a transition; `viscritic.Verdict` is one."""

    @property
    def success(self) -> float:
        """Probability [0, 1] that the action did what was meant."""

    @property
    def outcome(self) -> Outcome:
        """The likeliest outcome."""

    @property
    def state(self) -> State:
        """confirmed, failed, unsure or pending."""

    @property
    def note(self) -> str:
        """One sentence."""


class Scorer(Protocol):
    """Anything that judges transitions; `viscritic.Critic` is one."""

    def score(
        self,
        pre: ScreenSource,
        post: ScreenSource,
        action: object,
        instruction: str = "",
        task: str = "",
        burst: Sequence[ScreenSource] = (),
        idle: Sequence[ScreenSource] = (),
    ) -> Judgement:
        """The judgement on one transition; the arguments are those of `viscritic.Critic.score`."""


@dataclass(slots=True, eq=False)
class Watch:
    """The screens seen since something began, oldest first, without repetitions.

    Attributes:
        screens: (H, W, 3) uint8 each.
        still: how often in a row the last one has been seen.
    """

    screens: list[Screen]
    still: int = 0

    def see(self, source: ScreenSource, name: str = "post") -> Screen:
        """Take in one more look; returns it as an array."""
        screen = load_screen(source, name=name)
        if self.screens and np.array_equal(self.screens[-1], screen):
            self.still += 1
        else:
            self.screens.append(screen)
            self.still = 1
        return screen

    @property
    def last(self) -> Screen:
        """The latest screen."""
        return self.screens[-1]

    @property
    def earlier(self) -> tuple[Screen, ...]:
        """At most `MOST_SCREENS` of those before the last, evenly taken."""
        before = self.screens[:-1]
        if len(before) <= MOST_SCREENS:
            return tuple(before)
        return tuple(before[round(i)] for i in np.linspace(0, len(before) - 1, MOST_SCREENS))


def changed_share(a: Screen, b: Screen) -> float:
    """Share [0, 1] of pixels that differ by more than noise; 1 where the sizes differ."""
    return float(find_changed(a, b).mean()) if a.shape == b.shape else 1.0


def find_changed(a: Screen, b: Screen) -> npt.NDArray[np.bool_]:
    """(H, W): where two screens of one size differ by more than noise."""
    differs = np.zeros(a.shape[:2], np.bool_)
    for channel in range(a.shape[2]):
        x, y = a[..., channel], b[..., channel]
        differs |= np.maximum(x, y) - np.minimum(x, y) > _TOLERANCE
    return differs
