"""What a way back is, and the ladder that most of them climb: gentle means first, each checked before the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from viscritic.actions import Action
from viscritic.errors import RollbackError


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
