"""jQuery Mobile: demos of its widgets at the size of a phone, for testing only. npm package `jquery-mobile`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random
from typing import ClassVar, Final

from data_prep.collect.web_application import MOBILE_VIEWS, WebApplication

PAGES: Final = (
    "button", "checkboxradio-checkbox", "checkboxradio-radio", "collapsible", "collapsibleset", "controlgroup",
    "filterable", "flipswitch", "forms-gallery", "listview", "listview-collapsible-item-flat", "listview-nested-lists",
    "navbar", "pages-dialog", "pages-multi-page", "panel", "popup", "selectmenu", "slider", "table-column-toggle",
    "tabs", "textinput", "toolbar", "toolbar-fixed",
)  # fmt: skip


class JqueryMobile(WebApplication):
    """The demos; a seed chooses one and how far down it begins."""

    name = "jquery-mobile"
    family = "jquery-mobile"
    platform = "mobile"
    split = "test"
    folder = "npm/node_modules/jquery-mobile/dist/demos"
    views = MOBILE_VIEWS
    moved: ClassVar[Mapping[str, str]] = {"/js/jquery.js": "/js/jquery.js"}  # each demo names it below its own folder

    def address(self, seed: int) -> str:
        """One of the demos."""
        return f"/{Random(f'page {seed}').choice(PAGES)}/index.html"

    def prepare(self, seed: int) -> None:
        """Begin somewhere down the page half of the time, after the library has scrolled it to its top."""
        self.driver.wait(0.6)
        if (random := Random(f"scroll {seed}")).random() < 0.5:
            self.run(f"scrollTo(0, {random.random()} * (document.documentElement.scrollHeight - innerHeight))")


JQUERY_MOBILE: Final[dict[str, Callable[[], JqueryMobile]]] = {"jquery-mobile": JqueryMobile}
