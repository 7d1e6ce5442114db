"""Framework7: the look of a phone's own applications. npm package `framework7`, version 1."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from data_prep.collect.web_application import MOBILE_VIEWS, WebApplication

PAGES: Final = (
    "dist/index", "dist/index", "examples/inline-pages/index", "examples/tab-bar/index", "examples/split-view/index",
    "examples/split-view-panel/index",
)  # fmt: skip


class Framework7(WebApplication):
    """Its demo pages at the size of a phone."""

    name = "framework7"
    family = "framework7"
    platform = "mobile"
    split = "val"
    folder = "npm/node_modules/framework7"
    views = MOBILE_VIEWS

    def address(self, seed: int) -> str:
        """One of the pages."""
        return f"/{Random(f'page {seed}').choice(PAGES)}.html"


FRAMEWORK7: Final[dict[str, Callable[[], Framework7]]] = {"framework7": Framework7}
