"""AdminLTE 3: an admin template with mail, kanban, projects, forms and widgets. npm package `admin-lte`.

Its pages look for the libraries in a folder that only its own build makes; here each is served from its package.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from data_prep.collect.apps.served import PACKAGES
from data_prep.collect.server import Server, StaticServer
from data_prep.collect.web_application import DESKTOP_VIEWS, MOBILE_VIEWS, WebApplication

PAGES: Final = (
    "UI/buttons", "UI/general", "UI/icons", "UI/modals", "UI/navbar", "UI/ribbons", "UI/timeline", "examples/blank",
    "examples/contact-us", "examples/contacts", "examples/e-commerce", "examples/faq", "examples/invoice",
    "examples/language-menu", "examples/login", "examples/profile", "examples/project-add", "examples/project-edit",
    "examples/projects", "examples/register", "forms/general", "kanban", "mailbox/compose", "mailbox/mailbox",
    "mailbox/read-mail", "search/simple", "tables/simple", "widgets",
)  # fmt: skip
# End of a path that the pages ask for -> the package and its file.
_LIBRARIES: Final = {
    "plugins/jquery/jquery.min.js": ("jquery", "dist/jquery.min.js"),
    "plugins/bootstrap/js/bootstrap.bundle.min.js": ("bootstrap", "dist/js/bootstrap.bundle.min.js"),
    "plugins/icheck-bootstrap/icheck-bootstrap.min.css": ("icheck-bootstrap", "icheck-bootstrap.min.css"),
    **{
        f"plugins/fontawesome-free/{file}": ("@fortawesome/fontawesome-free", file)
        for file in ("css/all.min.css", *(f"webfonts/fa-{face}.woff2" for face in ("solid-900", "regular-400",
                                                                                  "brands-400")))
    },
}  # fmt: skip


class AdminLte(WebApplication):
    """The template; a seed chooses the page and how far down it begins."""

    family = "adminlte"
    folder = f"{PACKAGES}/admin-lte"

    def __init__(self, *, mobile: bool = False) -> None:
        self.name = "adminlte" + "-mobile" * mobile
        self.platform = "mobile" if mobile else "web"
        self.views = MOBILE_VIEWS if mobile else DESKTOP_VIEWS

    def serve(self, root: Path) -> Server:
        """Serve all packages: npm lays a library beside the template or into it, as it likes."""
        packages = root.parent
        places = {
            end: next((f"/{place}/{file}" for place in (f"admin-lte/node_modules/{package}", package)
                       if (packages / place).is_dir()), "/")
            for end, (package, file) in _LIBRARIES.items()
        }  # fmt: skip
        return StaticServer(packages, places)

    def address(self, seed: int) -> str:
        """One of the pages."""
        return f"/admin-lte/pages/{Random(f'page {seed}').choice(PAGES)}.html"

    def prepare(self, seed: int) -> None:
        """No slow unfolding. Begin somewhere down the page now and then; the side bar is longer than most of them."""
        self.run("void (window.jQuery && (jQuery.fx.off = true))")
        if (random := Random(f"scroll {seed}")).random() < 0.3:
            self.run(
                f"scrollTo(0, {random.random()} * document.querySelector('.content-wrapper,body').scrollHeight / 2)"
            )


ADMINLTE: Final[dict[str, Callable[[], AdminLte]]] = {
    "adminlte": AdminLte,
    "adminlte-mobile": partial(AdminLte, mobile=True),
}
