"""The way back of environments that start anew from a seed: reset, then the actions up to the mark once more.

Gymnasium and BrowserGym's tasks are such; so is a desktop application with a macro. It is as good as the environment is
deterministic, so what comes back is compared with what was there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from viscritic.agent.environment import changed_share
from viscritic.agent.rollback.ladder import is_restored
from viscritic.errors import RollbackError
from viscritic.screen import Screen, ScreenSource, load_screen


@dataclass(frozen=True, slots=True, eq=False)
class Prefix:
    """How many actions had been sent, and what the screen showed then (None: not compared)."""

    length: int
    screen: Screen | None


class ReplayRollback:
    """Resets and replays.

    Args:
        reset: starts the environment anew, from the seed of the episode.
        replay: sends one action as the agent sent it. It gets what `note` was given, in the environment's own form if
            `record` was used.
        look: the screen, to compare with; None trusts the replay.
        tolerance: share of pixels that may differ where the undone action has changed nothing.
        undoes_all: True where the reset makes the world anew, as in a simulation.
    """

    def __init__(
        self,
        reset: Callable[[], None],
        replay: Callable[[Any], None],
        look: Callable[[], ScreenSource] | None = None,
        *,
        tolerance: float = 0.01,
        undoes_all: bool = True,
    ) -> None:
        self._reset, self._replay, self._look, self._tolerance = reset, replay, look, tolerance
        self.undoes_all = undoes_all
        self._sent: list[Any] = []

    def mark(self) -> Prefix:
        """The number of actions so far."""
        return Prefix(len(self._sent), load_screen(self._look()) if self._look else None)

    def note(self, actions: Sequence[Any]) -> None:
        """Remember what was sent, in any form that `replay` takes."""
        self._sent.extend(actions)

    def begin(self) -> None:
        """A new episode: forget what was sent."""
        self._sent.clear()

    def undo(self, mark: Prefix) -> None:
        """Reset, and replay the prefix.

        Raises:
            RollbackError: the environment failed, or its screen is another one than before.
        """
        del self._sent[mark.length :]
        after = load_screen(self._look()) if self._look else None
        try:
            self._reset()
            for action in self._sent:
                self._replay(action)
        except Exception as error:
            raise RollbackError(f"the replay failed: {type(error).__name__}: {error}") from error
        if self._look is not None and mark.screen is not None and after is not None:
            now = load_screen(self._look())
            if not is_restored(mark.screen, after, now, self._tolerance):
                share = changed_share(mark.screen, now)
                raise RollbackError(
                    f"after the replay of {mark.length} actions {100 * share:.1f} % of the screen differ from before"
                )
