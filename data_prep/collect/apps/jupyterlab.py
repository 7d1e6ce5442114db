"""JupyterLab: a folder of files, editors and notebooks, for testing only. PyPI package `jupyterlab`.

It has no kernels here: what they do takes its own time, so nothing in the page would be the same twice.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final, cast

from data_prep.collect.application import Application, Element, Fault, Intent
from data_prep.collect.install import python_of
from data_prep.collect.server import ProcessServer
from data_prep.collect.server_application import ServerApplication
from data_prep.collect.server_faults import ServerFault
from data_prep.collect.sites import SITES
from data_prep.collect.texts import todo_text
from data_prep.collect.view import View
from data_prep.collect.web_intents import point_in
from viscritic.actions import Action

_WRITTEN: Final = 1_746_900_000  # when all files were written: days before the pages' own clock begins
# Waits for the list of files and, where `opens`, for what is opened.
_DRAWN: Final = """async opens => {
  const wait = () => new Promise(done => setTimeout(done, 50)), has = name => !!document.querySelector(name);
  const there = () => has('.jp-DirListing-item') && !has('#jupyterlab-splash') && (!opens || has('.jp-Document'));
  for (let i = 0; i < 300 && !there(); i++) await wait();
  for (let i = 0; i < 60 && has('.jp-Spinner'); i++) await wait();
}"""
# The file that an element of the list of files stands for, "" for every other element.
_FILES: Final = """keys => keys.map(key => {
  const node = viscritic.find(key), item = node && node.closest('.jp-DirListing-item');
  return item ? item.querySelector('.jp-DirListing-itemText').textContent.trim() : '';
})"""


class JupyterLab(ServerApplication):
    """The workbench; a seed chooses the open file, the colours and the window."""

    name = "jupyterlab"
    family = "jupyterlab"
    split = "test"
    folder = "python/jupyterlab"
    views = (View(), View(), View(1366, 768), View(1440, 900), View(1100, 760))
    waiting = ".jp-Spinner"
    session = "_xsrf"
    left_out = ("Download", "Open in New Browser Tab", "Shut Down", "Log Out", "Reload From Disk")

    def launch(self, root: Path, folder: Path) -> ProcessServer:
        """Serve a folder of files; settings and everything else that it writes lie beside it."""
        self._home, self._files = folder, folder / "work"
        self._fill(dark=False)
        options = {
            "ServerApp.ip": "127.0.0.1", "ServerApp.port_retries": "0", "ServerApp.open_browser": "False",
            "ServerApp.root_dir": str(self._files), "ServerApp.allow_root": "True",
            "JupyterApp.config_file": str(SITES / "jupyter_server_config.py"),
            "ServerApp.terminals_enabled": "False", "KernelSpecManager.ensure_native_kernel": "False",
            "KernelSpecManager.allowed_kernelspecs": "{'none'}", "LabApp.user_settings_dir": str(folder / "settings"),
            "LabApp.workspaces_dir": str(folder / "workspaces"), "LabApp.news_url": "None",
            "LabApp.extension_manager": "readonly", "FileContentsManager.delete_to_trash": "False",
            "ServerApp.log_level": "ERROR",
        }  # fmt: skip
        command = [str(python_of(root)), "-m", "jupyterlab", *(f"--{name}={value}" for name, value in options.items())]
        home = {f"JUPYTER_{kind}_DIR": str(folder / "jupyter") for kind in ("CONFIG", "DATA", "RUNTIME")}
        return ProcessServer(
            lambda port: [*command, f"--ServerApp.port={port}"], folder, home | {"HOME": str(folder)}, "/lab"
        )

    def restore(self, seed: int) -> None:
        """Put files and settings back."""
        self._fill(dark=Random(f"colours {seed}").random() < 0.3)

    def _fill(self, *, dark: bool) -> None:
        for name in ("work", "settings", "workspaces"):
            shutil.rmtree(self._home / name, ignore_errors=True)
        for name, text in _files().items():
            file = self._files / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        for path in [*self._files.rglob("*"), self._files]:
            os.utime(path, (_WRITTEN, _WRITTEN))
        for name, values in _settings(dark=dark).items():
            file = self._home / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(values), "utf-8")

    def delete_files(self) -> None:
        """Delete every file, as another program would."""
        for path in self._files.iterdir():
            shutil.rmtree(path) if path.is_dir() else path.unlink()

    def kept(self) -> Any:
        """The files and the settings, by their digests."""
        folders = (self._files, self._home / "settings")
        files = sorted(path for folder in folders for path in folder.rglob("*") if path.is_file())
        return {str(p.relative_to(self._home)): hashlib.sha256(p.read_bytes()).hexdigest()[:16] for p in files}

    def address(self, seed: int) -> str:
        """The workbench, with a file open most of the time."""
        random = Random(f"page {seed}")
        return "/lab" if random.random() < 0.25 else f"/lab/tree/{random.choice(sorted(_files()))}"

    def prepare(self, seed: int) -> None:
        """Wait for the list of files, and for what is opened."""
        self.run(f"({_DRAWN})({json.dumps('/tree/' in self.address(seed))})")

    def asks(self, intent: Intent) -> tuple[str, str]:
        """Opening something asks the server, and so does saving."""
        opens = intent.target.role == "file" and intent.verb == "double_click"
        return ("data", "/api/contents") if opens or intent.verb == "key" else ("", "")

    def elements(self) -> list[Element]:
        """What every page lists; the files have their names."""
        found = super().elements()
        names = self.run(f"({_FILES})({json.dumps([element.key for element in found])})")
        return [
            replace(element, role="file", name=str(name)) if name else element
            for element, name in zip(found, names, strict=True)
        ]

    def intents(self, elements: Sequence[Element], random: Random) -> list[Intent]:
        """Files are opened, texts are written and saved; else what every page offers."""
        found = super().intents(elements, random)
        files = [e for e in elements if e.role == "file"]
        if files:
            file = random.choice(files)
            x, y = point_in(file, random)
            opening = Intent("double_click", file, (Action("double_click", x=x, y=y),), purpose=f"open '{file.name}'")
            found.insert(random.choice((0, 0, len(found))), opening)
        focus = str(self.run("viscritic.state(null).focus"))
        for element in elements:
            if element.role not in ("text field", "text area") or not self._is_editor(element):
                continue
            text = todo_text(random)
            x, y = point_in(element, random)
            actions: tuple[Action, ...] = (Action("click", x=x, y=y), Action("type", text=f"{text} "))
            found.insert(0, Intent("type", element, actions, text, f"write '{text}' into the file"))
            if element.key == focus:
                saving = (Action("key", keys=("ctrl", "s")),)
                found.insert(random.choice((0, 1)), Intent("key", element, saving, purpose="save the file"))
        return found

    def _is_editor(self, element: Element) -> bool:
        return bool(self.run(f"{self.query(element.key)}.classList.contains('cm-content')"))

    def faults(self) -> Sequence[Fault]:
        """Those of a server, and what can happen to files."""
        return (*super().faults(), FilesGone(), SessionEnded())


class FilesGone(ServerFault):
    """The files have been deleted meanwhile. Evidence: the answer's status, 404."""

    cause = "gone"

    def begin(
        self, app: Application, intent: Intent, elements: Sequence[Element], random: Random
    ) -> tuple[Action, ...] | None:
        """Only where one is opened."""
        return intent.actions if intent.verb == "double_click" and intent.target.role == "file" else None

    def arm(self, app: Application) -> None:
        """Delete them."""
        cast("JupyterLab", app).delete_files()


class SessionEnded(ServerFault):
    """The browser's session has ended, and nothing can be saved. Evidence: the answer's status, 403."""

    cause = "session_ended"

    def begin(
        self, app: Application, intent: Intent, elements: Sequence[Element], random: Random
    ) -> tuple[Action, ...] | None:
        """Only where something is saved."""
        return intent.actions if intent.verb == "key" else None

    def arm(self, app: Application) -> None:
        """Forget the token that every change must bring."""
        lab = cast("JupyterLab", app)
        lab.driver.forget_cookie(lab.session)


def _settings(*, dark: bool) -> dict[str, Any]:
    """What pops up or goes on by itself is turned off."""
    return {
        "apputils-extension/themes": {"theme": "JupyterLab Dark" if dark else "JupyterLab Light"},
        "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
        "docmanager-extension/plugin": {"autosave": False},
        "codemirror-extension/plugin": {"defaultConfig": {"cursorBlinkRate": 0}},
    }


def _files() -> dict[str, str]:
    random = Random("files")
    rows = [f"{d},{random.randint(8, 24)},{random.choice(('north', 'south', 'east'))}" for d in range(1, 29)]
    code: dict[str, Any] = {"cell_type": "code", "metadata": {}, "execution_count": None, "outputs": []}
    cells = [
        {"cell_type": "markdown", "id": "a1", "metadata": {}, "source": "# Rainfall\nReadings of May."},
        {"id": "a2", "source": "import csv\nrows = list(csv.reader(open('data/rain.csv')))"} | code,
        {"id": "a3", "source": "len(rows)"} | code,
    ]
    return {
        "README.md": "# Weather station\n\nReadings of three places, and what we make of them.\n\n- rain\n- wind\n",
        "notes.txt": "Ask Nadia about the east sensor.\nOrder two batteries.\nSend the report on Friday.\n",
        "report.ipynb": json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}),
        "clean.py": "def clean(rows):\n    return [row for row in rows if row[1].isdigit()]\n\n\nprint(clean([]))\n",
        "settings.json": json.dumps({"station": "Harbour", "interval": 15, "sensors": ["rain", "wind"]}, indent=2),
        "data/rain.csv": "day,millimetres,place\n" + "\n".join(rows) + "\n",
        "data/places.csv": "place,height\nnorth,12\nsouth,40\neast,7\n",
        "plans/may.md": "## May\n\n1. Repair the mast\n2. Compare with last year\n",
    }


JUPYTERLAB: Final[dict[str, Callable[[], JupyterLab]]] = {"jupyterlab": JupyterLab}
