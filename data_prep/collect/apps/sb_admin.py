"""SB Admin 2: an admin template with charts, cards, tables and forms. npm package `startbootstrap-sb-admin-2`."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from data_prep.collect.web_application import WebApplication

PAGES: Final = (
    "index", "index", "cards", "buttons", "tables", "tables", "register", "login", "forgot-password",
    "utilities-animation", "utilities-border", "utilities-color", "utilities-other", "blank",
)  # fmt: skip


class SbAdmin(WebApplication):
    """The template; a seed chooses the page and how far down it begins."""

    name = "sb-admin"
    family = "sb-admin"
    folder = "npm/node_modules/startbootstrap-sb-admin-2"

    def address(self, seed: int) -> str:
        """One of the pages."""
        return f"/{Random(f'page {seed}').choice(PAGES)}.html"

    def prepare(self, seed: int) -> None:
        """No slow unfolding; begin somewhere down the page now and then."""
        self.run("void (window.jQuery && (jQuery.fx.off = true))")
        if (random := Random(f"scroll {seed}")).random() < 0.3:
            self.run(f"scrollTo(0, {random.random()} * (document.documentElement.scrollHeight - innerHeight))")


SB_ADMIN: Final[dict[str, Callable[[], SbAdmin]]] = {"sb-admin": SbAdmin}
