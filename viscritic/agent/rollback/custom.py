"""A way back that the caller knows: restore a virtual machine's snapshot, a database, a game's save."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from viscritic.actions import Action
from viscritic.errors import RollbackError


class CustomRollback:
    """Two functions.

    Args:
        save: returns what `restore` needs.
        restore: brings it back; whatever it raises means that it did not.
        undoes_all: it leads back from irreversible deeds, too (a snapshot of the whole machine).
    """

    def __init__(self, save: Callable[[], Any], restore: Callable[[Any], None], *, undoes_all: bool = False) -> None:
        self._save, self._restore = save, restore
        self.undoes_all = undoes_all

    def mark(self) -> Any:
        """What `save` returns."""
        return self._save()

    def note(self, actions: Sequence[Action]) -> None:
        """The functions need not know."""

    def undo(self, mark: Any) -> None:
        """Restore it.

        Raises:
            RollbackError: `restore` failed.
        """
        try:
            self._restore(mark)
        except Exception as error:
            raise RollbackError(f"the caller's restore failed: {type(error).__name__}: {error}") from error
