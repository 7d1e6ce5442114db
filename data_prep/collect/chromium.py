"""The Chromium of this machine: where it is, how it is started, and what runs in every page of it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from viscritic.errors import DataError

FLAGS: Final = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--mute-audio", "--force-color-profile=srgb",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # no other host is ever asked
)  # fmt: skip
_HERE: Final = Path(__file__).parent
_SCRIPTS: Final = ("rest.js", "page.js", "drawn.js", "acted.js")
PAGE_SCRIPT: Final = "".join((_HERE / name).read_text("utf-8") for name in _SCRIPTS)


def find_chromium() -> str:
    """The Chromium of this machine.

    Raises:
        DataError: there is none; the message says what to install.
    """
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    raise DataError("no Chromium here: install one (Debian: apt-get install chromium fonts-liberation fonts-dejavu)")
