"""The way back on a desktop: the undo key, Escape, and, at last, the application started anew with a macro replayed."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Final

from viscritic.actions import Action
from viscritic.agent.environment import Environment
from viscritic.agent.rollback.ladder import Rung, climb, is_restored
from viscritic.screen import Screen, load_screen

_ESCAPE: Final = Action("key", keys=("esc",))
_CHANGING: Final = ("type", "drag", "key", "select")  # what an application's undo may take back


class DesktopRollback:
    """Climbs from Escape over the undo key to a restart; each is tried only if the one before did not help.

    Args:
        environment: where the keys go.
        undo_keys: the application's undo chord; () never presses it.
        restart: ends the application and starts it; None where that is not allowed.
        replay: brings a restarted application to where the run began to send actions, a macro for instance.
        pause: seconds between a means and the look at what it did.
        tolerance: share of pixels that may differ from before, where the action has changed nothing (a clock, say).

    The undo key is pressed only after actions that an application can undo (typing, dragging, keys): after a mere click
    it would take back something older. Escape comes first there, as it closes what a click has opened. Applications
    undo typing word by word, so that it is pressed until the screen is as it was, and not more often than words were
    typed.
    """

    undoes_all = False

    def __init__(
        self,
        environment: Environment,
        *,
        undo_keys: tuple[str, ...] = ("ctrl", "z"),
        restart: Callable[[], None] | None = None,
        replay: Callable[[], None] | None = None,
        pause: float = 0.4,
        tolerance: float = 0.005,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._environment, self._undo_keys = environment, undo_keys
        self._restart, self._replay = restart, replay
        self._pause, self._tolerance, self._sleep = pause, tolerance, sleep
        self._since: list[Action] = []
        self._before: tuple[Action, ...] = ()

    def mark(self) -> Screen:
        """The screen now."""
        self._before += tuple(self._since)
        self._since = []
        return load_screen(self._environment.screen())

    def note(self, actions: Sequence[Action]) -> None:
        """Remember what was sent since the mark."""
        self._since.extend(actions)

    def undo(self, mark: Screen) -> None:
        """Climb until the screen is as it was.

        Raises:
            RollbackError: no means brought it back.
        """
        times = sum(_undos_of(action) for action in self._since)
        after = load_screen(self._environment.screen())

        def restored() -> bool:
            return is_restored(mark, after, load_screen(self._environment.screen()), self._tolerance)

        rungs = []
        if self._undo_keys and times:
            rungs.append(Rung("the undo key", lambda: self._press_undo(times, restored)))
        rungs.append(Rung("Escape", lambda: self._act(_ESCAPE)))
        if self._restart is not None:
            rungs.append(Rung("a restart of the application", self._start_anew))
        self._since = []
        climb(rungs, restored)

    def _press_undo(self, times: int, restored: Callable[[], bool]) -> None:
        for _ in range(times):
            self._act(Action("key", keys=self._undo_keys))
            if restored():
                return

    def _start_anew(self) -> None:
        assert self._restart is not None
        self._restart()
        self._sleep(self._pause)
        if self._replay is not None:
            self._replay()
        for action in self._before:
            self._act(action)

    def _act(self, action: Action) -> None:
        self._environment.act(action)
        self._sleep(self._pause)


def _undos_of(action: Action) -> int:
    """How often an application's undo may have to be asked to take an action back."""
    if action.kind not in _CHANGING:
        return 0
    return max(1, 2 * len((action.text or "").split())) if action.kind == "type" else 1
