"""gentelella: an admin template with 58 pages (inbox, kanban, shop, calendar, forms, ...). npm package `gentelella`."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import Final

from data_prep.collect.web_application import DESKTOP_VIEWS, MOBILE_VIEWS, WebApplication

# Left out: pages that lead nowhere (404, maintenance, ...), and most that draw many charts, which are slow to replay.
PAGES: Final = (
    "calendar", "chat", "contacts", "e_commerce", "faq", "file_manager", "form", "form_advanced", "form_buttons",
    "form_validation", "form_wizards", "general_elements", "icons", "inbox", "index2", "invoice",
    "kanban", "login", "media_gallery", "notifications", "order_detail", "orders", "pricing_tables", "product_detail",
    "profile", "project_detail", "projects", "register", "settings", "tables", "tables_dynamic", "typography",
    "user_management", "verify_2fa",
)  # fmt: skip


class Gentelella(WebApplication):
    """The template; a seed chooses the page."""

    family = "gentelella"
    folder = "npm/node_modules/gentelella/dist"

    def __init__(self, *, mobile: bool = False) -> None:
        self.name = "gentelella" + "-mobile" * mobile
        self.platform = "mobile" if mobile else "web"
        self.views = MOBILE_VIEWS if mobile else DESKTOP_VIEWS

    def address(self, seed: int) -> str:
        """One of the pages."""
        return f"/production/{Random(f'page {seed}').choice(PAGES)}.html"

    def prepare(self, seed: int) -> None:
        """Begin somewhere down the page now and then."""
        if (random := Random(f"scroll {seed}")).random() < 0.35:
            self.run(f"scrollTo(0, {random.random()} * (document.documentElement.scrollHeight - innerHeight))")


GENTELELLA: Final[dict[str, Callable[[], Gentelella]]] = {
    "gentelella": Gentelella,
    "gentelella-mobile": partial(Gentelella, mobile=True),
}
