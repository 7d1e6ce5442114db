"""Sites: what is built once for an application of Python before it can be started, with seeded data."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from viscritic.errors import DataError

SITES: Final = Path(__file__).parent / "apps" / "sites"
BUILT: Final = {"python/oscar": "oscar_site", "python/wagtail": "wagtail_site"}  # folder in the cache -> package


def build_site(root: Path, site: str) -> Path:
    """The folder with a built site, which is built first where it is not there.

    Args:
        root: the application's virtual environment.
        site: its package in `SITES`.

    Raises:
        DataError: it cannot be built; the message is its own.
    """
    place = root / f"{site}-{_digest(site)}"
    if place.is_dir():
        return place
    with tempfile.TemporaryDirectory(dir=root, prefix=".building") as folder:
        making = Path(folder) / "site"
        making.mkdir()
        command = [str(root / "bin" / "python"), "-m", f"{site}.build"]
        done = subprocess.run(
            command, env=os.environ | environment(making), cwd=folder, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise DataError(f"{site} cannot be built: {done.stderr.strip()[-500:]}")
        for old in root.glob(f"{site}-*"):
            shutil.rmtree(old)
        if not place.is_dir():  # or another process was quicker
            making.rename(place)
    return place


def environment(folder: Path) -> dict[str, str]:
    """The variables that a site is run with in a folder."""
    return {"PYTHONPATH": str(SITES), "PYTHONDONTWRITEBYTECODE": "1", "VISCRITIC_SITE": str(folder)}


def _digest(site: str) -> str:
    """A name for the site's code as it is now."""
    files = [*sorted((SITES / site).rglob("*.py")), SITES / "steady.py"]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:12]
