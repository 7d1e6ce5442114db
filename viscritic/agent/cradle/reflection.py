"""Self-reflection on the critic: was it executed, did it take effect, should it go on, why did it fail, is it done?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final

import numpy as np

from viscritic.actions import Action, may_be_invisible
from viscritic.agent.environment import Judgement, Scorer, changed_share
from viscritic.screen import Screen, ScreenSource, load_screen

MOST_FRAMES: Final = 8
_LOW: Final = 320  # pixels: the longer side at which frames are compared first
_FAILURES: Final = {
    "no_op": "nothing came of it", "wrong_target": "it did something else than was meant",
    "page_error": "the application shows an error", "timeout": "the application is still busy",
    "success": "it did not do what was meant",
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Reflection:
    """What became of an action.

    Attributes:
        executed: whether the GUI took it at all: anything on the screen reacted, or nothing need react.
        took_effect: whether it did what was meant; None where the critic is not sure, or an effect is still to come.
        go_on: a long action (a key held, a long scroll, a transfer) is still under way and has not reached its end.
        why: why it failed, "" where it did not.
        finished: whether the whole task is done; None where nobody can tell.
        frames: how many screens were looked at.
        judgement: the critic's; None where it was not asked, since nothing had happened.
    """

    executed: bool
    took_effect: bool | None
    go_on: bool
    why: str
    finished: bool | None
    frames: int
    judgement: Judgement | None = field(default=None, repr=False)

    def sentence(self) -> str:
        """For the planner."""
        effect = {True: "it took effect", False: f"it failed: {self.why}", None: "its effect is unclear: look"}
        said = effect[self.took_effect] if self.executed else f"it was not executed: {self.why}"
        more = "; it is still under way, go on with it" if self.go_on else ""
        return f"{said}{more}{'; the task is finished' if self.finished else ''}."

    def to_dict(self) -> dict[str, Any]:
        """JSON-able form."""
        names = ("executed", "took_effect", "go_on", "why", "finished", "frames")
        return {name: getattr(self, name) for name in names}


class Reflector:
    """Reflects on actions.

    Args:
        critic: judges what low resolution shows to have happened.
        finished: tells from a screen whether the whole task is done, None where it cannot; a game's own sign, a
            language model, a file. Without it nobody can tell.
    """

    def __init__(self, critic: Scorer, finished: Callable[[Screen], bool | None] | None = None) -> None:
        self._critic, self._finished = critic, finished

    def reflect(
        self,
        pre: ScreenSource,
        frames: Sequence[ScreenSource],
        action: Any,
        instruction: str = "",
        task: str = "",
        *,
        long: bool = False,
    ) -> Reflection:
        """Look back at an action.

        Args:
            pre: the screen before it.
            frames: all screens since, oldest first, at least one; `MOST_FRAMES` of them are looked at.
            action: any form that `Action.parse_batch` reads.
            long: it can be gone on with.
        """
        before = load_screen(pre, name="pre")
        screens = [load_screen(s, name=f"frames[{i}]") for i, s in enumerate(sample_frames(frames))]
        actions = Action.parse_batch(action, size=(before.shape[1], before.shape[0]))
        moved = _movements([before, *screens])
        last = screens[-1]
        finished = self._finished(last) if self._finished is not None else None
        if not any(moved) and not may_be_invisible(actions, instruction):
            return Reflection(False, False, False, "nothing on the screen reacted", finished, len(screens))
        judgement = self._critic.score(before, last, actions, instruction, task, screens[:-1])
        took_effect = {"confirmed": True, "failed": False}.get(judgement.state)
        why = f"{_FAILURES[judgement.outcome]}. {judgement.note}".strip() if took_effect is False else ""
        go_on = long and moved[-1] and not finished
        return Reflection(True, took_effect, go_on, why, finished, len(screens), judgement)

    def goes_on(self, pre: ScreenSource, frames: Sequence[ScreenSource]) -> bool:
        """Whether a piece of a long action still brought something new, and the task is not done: go on with it.

        At a wall, or at the end of a list, nothing moves any more.
        """
        screens = [load_screen(s) for s in (pre, *sample_frames(frames))]
        return any(_movements(screens)) and not (self._finished and self._finished(screens[-1]))


def sample_frames(frames: Sequence[ScreenSource], most: int = MOST_FRAMES) -> list[ScreenSource]:
    """At most so many of them, evenly, the first and the last among them.

    Raises:
        ValueError: there are none.
    """
    if not frames:
        raise ValueError("there are no frames to reflect on")
    if len(frames) <= most:
        return list(frames)
    return [frames[round(i)] for i in np.linspace(0, len(frames) - 1, most)]


def _movements(screens: Sequence[Screen]) -> list[bool]:
    """For each pair of neighbours whether they differ: at low resolution, and at full only where that shows nothing."""
    low = [_shrink(screen) for screen in screens]
    moved = [changed_share(a, b) > 0 for a, b in pairwise(low)]
    if any(moved):
        return moved
    return [changed_share(a, b) > 0 for a, b in pairwise(screens)]


def _shrink(screen: Screen) -> Screen:
    """Means of square blocks, the longer side at most `_LOW` pixels."""
    step = max(1, -(-max(screen.shape[:2]) // _LOW))
    high, wide = screen.shape[0] // step, screen.shape[1] // step
    blocks = screen[: high * step, : wide * step].reshape(high, step, wide, step, 3)
    return np.asarray(blocks.mean(axis=(1, 3)), np.uint8)
