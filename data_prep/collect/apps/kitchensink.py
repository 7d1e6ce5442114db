"""The kitchen sink of Cypress: a page for each kind of control. npm package `cypress-example-kitchensink`."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from data_prep.collect.web_application import WebApplication

PAGES: Final = (
    "index", "todo", "utilities", "commands/actions", "commands/aliasing", "commands/assertions",
    "commands/connectors", "commands/misc", "commands/navigation", "commands/querying", "commands/traversal",
    "commands/viewport", "commands/window",
)  # fmt: skip


class KitchenSink(WebApplication):
    """The site; a seed chooses the page and how far down it begins."""

    name = "kitchensink"
    family = "kitchensink"
    folder = "npm/node_modules/cypress-example-kitchensink/app"

    def address(self, seed: int) -> str:
        """One of the pages."""
        return f"/{Random(f'page {seed}').choice(PAGES)}.html"

    def prepare(self, seed: int) -> None:
        """Begin somewhere down the page most of the time: the controls lie there."""
        if (random := Random(f"scroll {seed}")).random() < 0.75:
            self.run(f"scrollTo(0, {random.random()} * (document.documentElement.scrollHeight - innerHeight))")


KITCHENSINK: Final[dict[str, Callable[[], KitchenSink]]] = {"kitchensink": KitchenSink}
