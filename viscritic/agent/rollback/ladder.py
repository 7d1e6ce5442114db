"""What a way back is, and the ladder that most of them climb: gentle means first, each checked before the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from viscritic.actions import Action
from viscritic.agent.environment import changed_share, find_changed
from viscritic.errors import RollbackError
from viscritic.screen import Screen

_LEFT: Final = 0.02  # of what an action changed, so much may still differ: a caret, say


class Rollback(Protocol):
    """Brings a GUI back to where it was before an action.

    Attributes:
        undoes_all: it leads back from irreversible deeds as well, since the world is simulated and made anew. False for
            everything that acts on a real one.
    """

    undoes_all: bool

    def mark(self) -> Any:
        """What is needed to come back to the present state; taken before each action."""

    def note(self, actions: Sequence[Action]) -> None:
        """These actions have been sent."""

    def undo(self, mark: Any) -> None:
        """Come back.

        Raises:
            RollbackError: it did not work; the message says what was tried.
        """


@dataclass(frozen=True, slots=True)
class Rung:
    """One means: its name, for messages, and what it does."""

    name: str
    apply: Callable[[], None]


def climb(rungs: Sequence[Rung], restored: Callable[[], bool]) -> str:
    """Try one means after the other until the state is back; returns the name of the one that did it.

    A means that fails does not end the climb.

    Raises:
        RollbackError: none did it.
    """
    tried = []
    for rung in rungs:
        try:
            rung.apply()
            if restored():
                return rung.name
            tried.append(rung.name)
        except Exception as error:  # whatever a foreign GUI raises, the next means may work
            tried.append(f"{rung.name} ({type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''})")
    raise RollbackError(f"the state before the action did not come back; tried: {', '.join(tried) or 'nothing'}")


def is_restored(before: Screen, after: Screen, now: Screen, tolerance: float) -> bool:
    """Whether what an action changed is back, however small it was: a word is a thousandth of a screen.

    Args:
        before, after: the screens before and after the action.
        now: the screen after it was undone.
        tolerance: share [0, 1] of the pixels that the action left alone which may differ.
    """
    if before.shape != after.shape or before.shape != now.shape:
        return before.shape == now.shape and changed_share(before, now) <= tolerance
    acted, differs = find_changed(before, after), find_changed(before, now)
    back = not acted.any() or float(differs[acted].mean()) <= _LEFT
    return back and float((differs & ~acted).mean()) <= tolerance
