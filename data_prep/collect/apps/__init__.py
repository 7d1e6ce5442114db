"""The applications, one file each; `APPLICATIONS` has them all by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from data_prep.collect.application import Application
from data_prep.collect.apps.adminlte import ADMINLTE
from data_prep.collect.apps.ckeditor import CKEDITOR
from data_prep.collect.apps.framework7 import FRAMEWORK7
from data_prep.collect.apps.galculator import GALCULATOR
from data_prep.collect.apps.gedit import GEDIT
from data_prep.collect.apps.gentelella import GENTELELLA
from data_prep.collect.apps.gnome_calculator import GNOME_CALCULATOR
from data_prep.collect.apps.jkanban import JKANBAN
from data_prep.collect.apps.jquery_mobile import JQUERY_MOBILE
from data_prep.collect.apps.jupyterlab import JUPYTERLAB
from data_prep.collect.apps.kit import KIT
from data_prep.collect.apps.kitchensink import KITCHENSINK
from data_prep.collect.apps.luckysheet import LUCKYSHEET
from data_prep.collect.apps.miniwob import MINIWOB
from data_prep.collect.apps.node_red import NODE_RED
from data_prep.collect.apps.oscar import OSCAR
from data_prep.collect.apps.pages import PAGES
from data_prep.collect.apps.pcmanfm import PCMANFM
from data_prep.collect.apps.sb_admin import SB_ADMIN
from data_prep.collect.apps.sqlite_web import SQLITE_WEB
from data_prep.collect.apps.swagger_ui import SWAGGER_UI
from data_prep.collect.apps.thunar import THUNAR
from data_prep.collect.apps.tinymce import TINYMCE
from data_prep.collect.apps.todomvc import TODOMVC
from data_prep.collect.apps.wagtail import WAGTAIL
from data_prep.collect.apps.windows import in_windows
from data_prep.collect.apps.x_spreadsheet import X_SPREADSHEET
from data_prep.collect.desktop_application import DesktopApplication
from data_prep.collect.desktop_session import missing_programs
from data_prep.collect.web_application import WebApplication

_WEB: Final[dict[str, Callable[[], WebApplication]]] = {
    **MINIWOB, **TODOMVC, **GENTELELLA, **KITCHENSINK, **FRAMEWORK7, **JQUERY_MOBILE, **PAGES,
    **SQLITE_WEB, **OSCAR, **WAGTAIL, **SWAGGER_UI, **NODE_RED, **JUPYTERLAB, **KIT,
    **LUCKYSHEET, **X_SPREADSHEET, **TINYMCE, **CKEDITOR, **SB_ADMIN, **ADMINLTE, **JKANBAN,
}  # fmt: skip
_DESKTOP: Final[dict[str, Callable[[], DesktopApplication]]] = {
    **GALCULATOR, **GEDIT, **PCMANFM, **THUNAR, **GNOME_CALCULATOR,
}  # fmt: skip
APPLICATIONS: Final[dict[str, Callable[[], Application]]] = {**_WEB, **in_windows(_WEB), **_DESKTOP}


def missing_programs_of(names: Iterable[str]) -> list[str]:
    """What the desktop applications among these need and this machine does not have."""
    programs = [_DESKTOP[name]().program[0] for name in names if name in _DESKTOP]
    return missing_programs(programs) if programs else []


def folders_of(names: Iterable[str]) -> set[str]:
    """The folders in the cache that applications need, "" for those that need none."""
    return {getattr(APPLICATIONS[name](), "folder", "") for name in names}
