"""The small pages of `examples/pages`, which tell their own state. They need a checkout of the repository."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from data_prep.collect.web_application import DESKTOP_VIEWS, MOBILE_VIEWS, WebApplication

_FOLDER: Final = Path(__file__).resolve().parents[3] / "examples" / "pages"


class ExamplePages(WebApplication):
    """One page. All are of one family, and for validation: the shipped examples are made from them."""

    family = "pages"
    split = "val"
    folder = ""

    def __init__(self, page: str, *, mobile: bool = False) -> None:
        self.page = page
        self.name = f"pages-{page}" + "-mobile" * mobile
        self.platform = "mobile" if mobile else "web"
        self.views = MOBILE_VIEWS if mobile else DESKTOP_VIEWS

    def root(self, cache: Path) -> Path:
        """The folder in the repository."""
        return _FOLDER

    def address(self, seed: int) -> str:
        """The page."""
        return f"/{self.page}.html"

    def extra(self) -> str:
        """What the page says of itself."""
        return "window.appState ? appState() : null"


PAGES: Final[dict[str, Callable[[], ExamplePages]]] = {
    **{f"pages-{page}": partial(ExamplePages, page) for page in ("counter", "settings", "shop", "todo", "login")},
    **{f"pages-{page}-mobile": partial(ExamplePages, page, mobile=True) for page in ("counter", "settings")},
}
