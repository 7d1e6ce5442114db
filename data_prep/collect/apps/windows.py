"""Web applications in a browser's own window, with tabs, address bar and spinner: what the page alone never shows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from data_prep.collect.web_application import WebApplication

SHOWN: Final = (
    "gentelella", "kitchensink", "todomvc-react", "todomvc-backbone", "todomvc-knockoutjs", "pages-shop", "pages-todo",
    "sqlite-web", "oscar", "oscar-dashboard", "kit-bootstrap", "kit-fomantic",
    "swagger-ui", "node-red",
)  # fmt: skip


def in_windows(web: Mapping[str, Callable[[], WebApplication]]) -> dict[str, Callable[[], WebApplication]]:
    """The applications of `SHOWN`, each under its name with `-window` added; family and split stay."""
    return {f"{name}-window": partial(_in_window, web[name]) for name in SHOWN if name in web}


def _in_window(make: Callable[[], WebApplication]) -> WebApplication:
    app = make()
    app.name += "-window"
    app.headed = True
    return app
