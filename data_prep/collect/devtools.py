"""The page in front through Chromium's debugging protocol: what its scripts say, its pixels, whether it is at rest."""

from __future__ import annotations

import base64
import io
import time
from typing import Any, Final

import numpy as np
from PIL import Image

from data_prep.collect.browser_loop import BOUND, BrowserLoop
from data_prep.collect.driver import HungError
from data_prep.collect.view import View
from viscritic.screen import Screen

_CAPTURE_BOUNDS: Final = (0.7, 4.0)  # seconds, least and most; a capture that meets a new page may never be answered
_LOOK_BOUND: Final = 12.0  # seconds after which captures are not tried again


class DevTools:
    """The debugging sessions of a browser's pages.

    Args:
        loop: the browser's.
    """

    def __init__(self, loop: BrowserLoop) -> None:
        self._loop = loop
        self._page: Any = None
        self._session: Any = None
        self._rested: Any = None  # what the page counted when it last was at rest

    def follow(self, page: Any, session: Any) -> None:
        """Look at another page from now on, through its session."""
        self._page, self._session = page, session

    def send(self, method: str, options: dict[str, Any] | None = None, bound: float = BOUND) -> Any:
        """The answer to a request of the protocol, within `bound` seconds."""
        return self._loop.call(self._session.send(method, options or {}), bound)

    def evaluate(self, expression: str) -> Any:
        """The JSON value of a JavaScript expression in the page.

        Raises:
            HungError: the page does not answer, or the expression fails.
        """
        answer = self.send("Runtime.evaluate", _asked(expression))
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise HungError(f"page script: {details.get('exception', {}).get('description', details['text'])}")
        return answer["result"].get("value")

    def screen(self, view: View) -> Screen:
        """The page's viewport now."""
        deadline = time.monotonic() + _LOOK_BOUND
        bound, most = _CAPTURE_BOUNDS
        while True:
            try:
                return self._look(view, bound)
            except HungError:  # between two pages there is nothing to capture
                if time.monotonic() > deadline:
                    raise
                bound = min(2 * bound, most)
                time.sleep(0.05)

    def _look(self, view: View, bound: float) -> Screen:
        options: dict[str, Any] = {"format": "png", "optimizeForSpeed": True}
        if view.scale != 1:  # only a clip brings device pixels; it counts from the top of the document
            seen = self.send("Page.getLayoutMetrics", bound=bound)["cssVisualViewport"]
            size = {"width": view.width, "height": view.height}
            options["clip"] = {"x": seen["pageX"], "y": seen["pageY"], **size, "scale": view.scale}
        answer = self.send("Page.captureScreenshot", options, bound)
        with Image.open(io.BytesIO(base64.b64decode(answer["data"]))) as image:
            if image.size != view.size:
                raise HungError(f"the screen is {image.size}, not {view.size}")
            return np.asarray(image.convert("RGB"))

    def rest(self, limit: float, least: float) -> bool:
        """Wait until nothing has happened in the page for `least` seconds; False where `limit` seconds were not enough,
        or no page answers."""
        deadline = time.monotonic() + limit
        while (left := deadline - time.monotonic()) > 0:
            page, waiting = self._page, f"window.viscriticRest ? viscriticRest({1000 * least}, {1000 * left}) : null"
            try:
                answer = self.send("Runtime.evaluate", _asked(waiting), left + 0.3)
            except HungError:  # between two pages, or none that answers
                time.sleep(0.03)
                continue
            found = answer["result"].get("value") or {"quiet": True, "opened": 0, "at": None}
            self._rested = found["at"]
            if not found["opened"] and self._page is page:
                return bool(found["quiet"])
            time.sleep(0.03)  # until the new tab is in front
        return False

    def stirred(self) -> bool:
        """Whether anything has happened in the page since `rest` ended; False where the page does not answer."""
        try:
            answer = self.send("Runtime.evaluate", _asked("window.viscriticChanges ? viscriticChanges() : null"), 0.5)
        except HungError:
            return False
        return bool(answer["result"].get("value") != self._rested)

    def answers(self, bound: float) -> bool:
        """Whether the page's thread answers within `bound` seconds."""
        try:
            self.send("Runtime.evaluate", _asked("1"), bound)
        except HungError:
            return False
        return True


def _asked(expression: str) -> dict[str, Any]:
    return {"expression": expression, "returnByValue": True, "awaitPromise": True}
