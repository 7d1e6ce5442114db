"""Installs the applications of other projects into a cache folder, from PyPI and npm."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Final

from viscritic.errors import DataError

NPM: Final = (
    "todomvc@0.1.1", "gentelella@4.2.0", "cypress-example-kitchensink@5.2.6", "framework7@1.7.1", "jquery-mobile@1.4.1",
)  # fmt: skip
WHEELS: Final = {"miniwob": "miniwob==1.1.0"}  # folder in the cache -> what pip downloads; its package is unpacked


def default_cache() -> Path:
    """Where applications are installed unless another place is named: below the user's cache folder."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "viscritic" / "apps"


def install(cache: Path) -> None:
    """Put every application that is missing into the cache.

    Raises:
        DataError: pip or npm is not here, or fails; the message is its own.
    """
    cache.mkdir(parents=True, exist_ok=True)
    for package, requirement in WHEELS.items():
        if not (cache / package).is_dir():
            _install_wheel(cache, package, requirement)
    missing = [name for name in NPM if not (cache / "npm" / "node_modules" / name.rpartition("@")[0]).is_dir()]
    if missing:
        npm = shutil.which("npm")
        if npm is None:
            raise DataError("npm is not here: install Node.js (Debian: apt-get install npm)")
        # No install scripts: the pages are all that is needed.
        _run([npm, "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", str(cache / "npm"), *missing])


def _install_wheel(cache: Path, package: str, requirement: str) -> None:
    with tempfile.TemporaryDirectory(dir=cache, prefix=".wheel") as folder:
        _run([sys.executable, "-m", "pip", "download", "--no-deps", "-d", folder, requirement])
        wheel = next(Path(folder).glob("*.whl"))
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
        (Path(folder) / package).rename(cache / package)


def _run(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise DataError(f"{' '.join(command[:3])} ... failed: {(done.stderr or done.stdout).strip()[-500:]}")
