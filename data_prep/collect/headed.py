"""The browser with its own window: tabs, address bar, spinner and stop button, on a virtual display."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import suppress
from typing import Any, Final

import numpy as np

from data_prep.collect.browser import BrowserDriver
from data_prep.collect.chromium import FLAGS
from data_prep.collect.driver import HungError
from data_prep.collect.view import View
from viscritic.errors import DataError, MissingExtraError
from viscritic.screen import Screen

_SIZE: Final = (1280, 800)
_PLACE: Final = "--window-position=0,0"


class HeadedDriver(BrowserDriver):
    """A Chromium that fills a virtual display of its own; a screen is all that the display shows.

    Screens come from the display, so they can be taken while a page is awaited or hangs.

    Raises:
        DataError: Xvfb is not there, or does not start.
    """

    def __init__(self) -> None:
        try:
            from mss import MSS  # noqa: PLC0415 - an extra
        except ImportError as error:
            raise MissingExtraError("Collecting from a browser's window", "collect", "mss") from error
        self._display = _Display()
        try:
            self._camera = MSS(display=self._display.name)
            super().__init__()
        except BaseException:
            self._display.close()
            raise

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of the display in pixels."""
        return _SIZE

    def _launching(self) -> dict[str, Any]:
        size = f"--window-size={_SIZE[0]},{_SIZE[1]}"
        environment = {**os.environ, "DISPLAY": self._display.name}
        return {"args": [*FLAGS, size, _PLACE, "--test-type"], "headless": False, "env": environment}

    def _window(self, view: View) -> dict[str, Any]:
        return {"no_viewport": True}

    def open(self, view: View) -> None:
        """A fresh profile and an empty page in a window of its own."""
        super().open(view)
        width, height, outer = self.evaluate("[innerWidth, innerHeight, outerHeight]")
        if outer - height <= 0 or width < _SIZE[0] / 2:
            raise HungError(f"the window shows {width} x {height} of {_SIZE}")
        self.origin = (0.0, float(outer - height))

    def screen(self) -> Screen:
        """All that the display shows."""
        shot = self._camera.grab(self._camera.monitors[0])
        return np.asarray(shot)[:, :, 2::-1].copy()  # from BGRA

    def close(self) -> None:
        """End the browser and the display."""
        super().close()
        with suppress(Exception):  # the display may be gone
            self._camera.close()
        self._display.close()


class _Display:
    """A virtual X display at the next free number."""

    def __init__(self) -> None:
        path = shutil.which("Xvfb")
        if path is None:
            raise DataError("no Xvfb here: install it (Debian: apt-get install xvfb)")
        reading, writing = os.pipe()
        screen = f"{_SIZE[0]}x{_SIZE[1]}x24"
        try:
            self._process = subprocess.Popen(
                [path, "-displayfd", str(writing), "-screen", "0", screen, "-nolisten", "tcp"],
                pass_fds=(writing,), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            )  # fmt: skip
            os.close(writing)
            with os.fdopen(reading) as answer:
                number = answer.readline().strip()  # "" where it ends without one
        except BaseException:
            self.close()
            raise
        if not number:
            self.close()
            raise DataError("Xvfb does not start")
        self.name = f":{number}"

    def close(self) -> None:
        if hasattr(self, "_process"):
            self._process.kill()
            self._process.wait()
