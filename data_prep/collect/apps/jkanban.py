"""jKanban in a page of our own: boards with cards to drag, vote for and edit. npm package `jkanban`, version 1."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Final

from data_prep.collect.apps.served import OwnPages
from data_prep.collect.view import View


class JKanban(OwnPages):
    """One board; a seed chooses its theme, its cards and its look."""

    name = "jkanban"
    family = "jkanban"
    folder = "npm/node_modules/jkanban"
    pages = "boards"

    def view(self, seed: int) -> View:
        """The viewport of a seed, dark in a third of all cases."""
        return replace(super().view(seed), dark=Random(f"dark {self.name} {seed}").random() < 1 / 3)

    def address(self, seed: int) -> str:
        """The page, with another board for every seed."""
        return f"/pages/jkanban.html?seed={seed % 100_000}&dark={int(self.view(seed).dark)}"

    def extra(self) -> str:
        """The cards, and which stand in which lane."""
        return "window.boardState ? boardState() : null"


JKANBAN: Final[dict[str, Callable[[], JKanban]]] = {"jkanban": JKanban}
