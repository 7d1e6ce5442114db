"""Pages of our own around libraries from npm: one server for both."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import ClassVar, Final

from data_prep.collect.web_application import WebApplication

PACKAGES: Final = "npm/node_modules"
_APPS: Final = Path(__file__).parent


class OwnPages(WebApplication):
    """An application whose pages lie beside this file.

    Subclasses set `pages`, and `folder` to the package that must be installed ("" for none). The pages are served below
    /pages, and all packages below /lib.

    Attributes:
        pages: the folder with the pages, beside this file.
    """

    pages: ClassVar[str]
    _served: Path | None = None

    def root(self, cache: Path) -> Path:
        """A folder with links to the pages and to all packages; `stop` removes it."""
        if self.folder and not (cache / self.folder).is_dir():
            return cache / self.folder
        self._served = Path(tempfile.mkdtemp(prefix="viscritic-pages-"))
        (self._served / "pages").symlink_to(_APPS / self.pages)
        if self.folder:
            (self._served / "lib").symlink_to((cache / PACKAGES).resolve())
        return self._served

    def stop(self) -> None:
        """Close everything, and remove the links."""
        super().stop()
        if self._served is not None:
            shutil.rmtree(self._served, ignore_errors=True)
