"""Sites of Django: built once with seeded data, and put back from a copy of their database."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import ClassVar
from urllib.parse import quote

from data_prep.collect.application import Fault
from data_prep.collect.install import python_of
from data_prep.collect.server import ProcessServer
from data_prep.collect.server_application import ServerApplication
from data_prep.collect.server_faults import EmptiedForm
from data_prep.collect.sites import build_site, environment
from data_prep.collect.store import SqliteStore


class DjangoApplication(ServerApplication):
    """A site of Django that somebody looks at, logged in or not.

    Subclasses say who looks (`visitor`) and at what (`page`).

    Attributes:
        site: its package in `sites.SITES`.
        skipped, columns: see `SqliteStore`.
        user: who looks in the present state, "" for somebody unknown.
    """

    site: ClassVar[str]
    session = "sessionid"
    skipped: ClassVar[tuple[str, ...]] = ("django_session",)
    columns: ClassVar[tuple[str, ...]] = ("auth_user.password",)
    database: SqliteStore
    user: str = ""

    def launch(self, root: Path, folder: Path) -> ProcessServer:
        """Copy the built site, and serve it."""
        self._copy = build_site(root, self.site)
        shutil.copytree(self._copy, folder, dirs_exist_ok=True)
        self.database = SqliteStore(folder / "db.sqlite3", self.skipped, self.columns)
        python = str(python_of(root))
        return ProcessServer(
            lambda port: [python, "-m", "django", "runserver", "--noreload", "--insecure", f"127.0.0.1:{port}"],
            folder,
            environment(folder) | {"DJANGO_SETTINGS_MODULE": f"{self.site}.settings"},
        )

    def visitor(self, random: Random) -> str:
        """Who looks."""
        raise NotImplementedError

    def page(self, random: Random) -> str:
        """The path of one of the pages."""
        raise NotImplementedError

    def restore(self, seed: int) -> None:
        """Put the site's data back."""
        self.database.restore(self._copy / "db.sqlite3")
        self.user = self.visitor(Random(f"visitor {seed}"))

    def address(self, seed: int) -> str:
        """One of the pages, behind the way in."""
        return f"/enter/?user={quote(self.user)}&next={quote(self.page(Random(f'page {seed}')))}"

    def prepare(self, seed: int) -> None:
        """Begin somewhere down the page now and then."""
        if (random := Random(f"scroll {seed}")).random() < 0.3:
            self.run(f"scrollTo(0, {random.random()} * (document.documentElement.scrollHeight - innerHeight))")

    def faults(self) -> Sequence[Fault]:
        """Those of a server, and an empty field; nobody unknown is asked to log in again."""
        found = [fault for fault in super().faults() if self.user or fault.cause != "login_wall"]
        return (*found, EmptiedForm())
