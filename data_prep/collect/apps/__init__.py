"""The applications, one file each; `APPLICATIONS` has them all by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from data_prep.collect.application import Application
from data_prep.collect.apps.gentelella import GENTELELLA
from data_prep.collect.apps.miniwob import MINIWOB
from data_prep.collect.apps.pages import PAGES
from data_prep.collect.apps.todomvc import TODOMVC
from data_prep.collect.web_application import WebApplication

_WEB: Final[dict[str, Callable[[], WebApplication]]] = {**MINIWOB, **TODOMVC, **GENTELELLA, **PAGES}
APPLICATIONS: Final[dict[str, Callable[[], Application]]] = {**_WEB}
