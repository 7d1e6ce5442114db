"""The browser as a driver: Chromium through Playwright, looked at through its debugging protocol."""

from __future__ import annotations

import base64
import io
import json
import shutil
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from PIL import Image

from data_prep.collect.application import Traffic
from data_prep.collect.driver import HungError
from viscritic.actions import Action
from viscritic.actions.action import Point
from viscritic.errors import DataError, MissingExtraError
from viscritic.screen import Screen

FLAGS: Final = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--mute-audio", "--force-color-profile=srgb", "--hide-scrollbars",
)  # fmt: skip
_HERE: Final = Path(__file__).parent
PAGE_SCRIPT: Final = "".join((_HERE / name).read_text("utf-8") for name in ("page.js", "drawn.js"))
_COUNTED: Final = ("document", "xhr", "fetch")  # the requests whose failure is an application's failure
_KEYS: Final = {
    "enter": "Enter", "tab": "Tab", "escape": "Escape", "esc": "Escape", "backspace": "Backspace", "delete": "Delete",
    "up": "ArrowUp", "down": "ArrowDown", "left": "ArrowLeft", "right": "ArrowRight", "home": "Home", "end": "End",
    "pageup": "PageUp", "pagedown": "PageDown", "space": "Space", "ctrl": "Control", "shift": "Shift", "alt": "Alt",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class View:
    """How the page is looked at.

    Attributes:
        width, height: of the viewport in CSS pixels; a screen has `scale` times as many.
        mobile: a phone's browser with a touch screen.
        dark: the colour scheme that the page is told to prefer.
    """

    width: int = 1280
    height: int = 800
    scale: float = 1.0
    mobile: bool = False
    dark: bool = False

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of a screen in pixels."""
        return round(self.width * self.scale), round(self.height * self.scale)


class BrowserDriver:
    """One Chromium with one page. A `Driver`; what else is here serves `WebApplication`.

    Raises:
        MissingExtraError: Playwright is not installed.
        DataError: Chromium is not there, or does not start.
    """

    def __init__(self, executable: str | None = None) -> None:
        try:
            from playwright.sync_api import Error, sync_playwright  # noqa: PLC0415 - an extra
        except ImportError as error:
            raise MissingExtraError("Collecting from web pages", "collect", "playwright") from error
        self._error = Error
        self._page: Any = None
        self._context: Any = None
        self._browser: Any = None
        self._playwright: Any = sync_playwright().start()
        path = executable or find_chromium()
        try:
            self._browser = self._playwright.chromium.launch(executable_path=path, args=FLAGS)
        except Error as error:
            self.close()
            raise DataError(f"cannot start the browser {path}: {error.message.splitlines()[0]}") from error
        self._view = View()
        self._open: list[Any] = []  # requests without an answer
        self._errors: list[str] = []

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of a screen in pixels."""
        return self._view.size

    @property
    def view(self) -> View:
        """How the page is looked at."""
        return self._view

    @property
    def context(self) -> Any:
        """Playwright's context, for routes and for going offline."""
        return self._context

    def open(self, view: View) -> None:
        """A fresh profile and an empty page."""
        with self._guarded():
            if self._context is not None:
                self._context.close()
            self._view = view
            self._context = self._browser.new_context(
                viewport={"width": view.width, "height": view.height}, device_scale_factor=view.scale,
                is_mobile=view.mobile, has_touch=view.mobile, locale="en-GB", timezone_id="Europe/Paris",
                color_scheme="dark" if view.dark else "light", service_workers="block",
            )  # fmt: skip
            self._context.set_default_timeout(15_000)
            self._context.add_init_script(PAGE_SCRIPT)
            self._page = self._context.new_page()
            self._context.on("page", lambda page: page.close())  # a new tab shows on no screen of this one
            self._session = self._context.new_cdp_session(self._page)
            self._page.on("request", self._on_request)
            self._page.on("response", lambda answer: self._on_answer(answer.request, answer.status))
            self._page.on("requestfinished", lambda request: self._on_answer(request, None))
            self._page.on("requestfailed", lambda request: self._on_answer(request, 0))

    def goto(self, url: str) -> None:
        """Load a page of the application and wait until it is loaded."""
        with self._guarded():
            self._page.goto(url, wait_until="load")

    def clear(self, origin: str) -> None:
        """Forget what the pages of an origin stored."""
        with self._guarded():
            self._context.clear_cookies()
            self._page.goto("about:blank")  # a page may save when it is left
            self._session.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})

    def evaluate(self, expression: str) -> Any:
        """The JSON value of a JavaScript expression in the page; works while a navigation is held.

        Raises:
            HungError: the page does not answer, or the expression fails.
        """
        with self._guarded():
            answer = self._session.send(
                "Runtime.evaluate", {"expression": expression, "returnByValue": True, "awaitPromise": True}
            )
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise HungError(f"page script: {details.get('exception', {}).get('description', details['text'])}")
        return answer["result"].get("value")

    def screen(self) -> Screen:
        """The page's viewport now."""
        with self._guarded():
            answer = self._session.send("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
        with Image.open(io.BytesIO(base64.b64decode(answer["data"]))) as image:
            return np.asarray(image.convert("RGB"))

    def wait(self, seconds: float) -> None:
        """Run the browser's events for so long."""
        with self._guarded():
            self._page.wait_for_timeout(1000 * seconds)

    def park(self) -> None:
        """The pointer to the corner."""
        with self._guarded():
            if not self._view.mobile:
                self._page.mouse.move(0, 0)

    def act(self, actions: Sequence[Action]) -> None:
        """Send the actions. Points are screen pixels; `select` picks an option of the list at its point."""
        with self._guarded():
            for action in actions:
                self._send(action)

    def _send(self, action: Action) -> None:
        page, point = self._page, self.css(action.point) if action.point else None
        match action.kind:
            case "click" | "double_click" | "triple_click" | "right_click" | "long_press":
                self._click(action, point)
            case "type":
                text = (action.text or "").replace("\r\n", "\n")
                page.keyboard.type(text)
            case "key":
                for key in action.keys:
                    page.keyboard.down(_KEYS.get(key, key))
                for key in reversed(action.keys):
                    page.keyboard.up(_KEYS.get(key, key))
            case "scroll":
                if point:
                    page.mouse.move(*point)
                page.mouse.wheel((action.dx or 0) / self._view.scale, (action.dy or 0) / self._view.scale)
            case "drag" | "swipe":
                self._drag(point, self.css(action.end) if action.end else None)
            case "select":
                x, y = point or (0, 0)
                self.evaluate(f"viscritic.select({x}, {y}, {_quote(action.text or '')})")
            case "wait":
                page.wait_for_timeout(1000 * (action.seconds or 1))
            case "back":
                self.evaluate("void history.back()")
            case _:
                raise DataError(f"the browser driver cannot send {action.kind!r}")

    def _click(self, action: Action, point: Point | None) -> None:
        if point is None:
            raise DataError(f"a {action.kind} needs a point")
        page = self._page
        if self._view.mobile:
            page.touchscreen.tap(*point)
        else:
            button = "right" if action.kind == "right_click" else "left"
            count = {"double_click": 2, "triple_click": 3}.get(action.kind, 1)
            page.mouse.click(*point, button=button, click_count=count)

    def _drag(self, start: Point | None, end: Point | None) -> None:
        if start is None or end is None:
            raise DataError("a drag needs two points")
        mouse = self._page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move((start[0] + end[0]) / 2, (start[1] + end[1]) / 2, steps=4)
        mouse.move(*end, steps=4)
        mouse.up()

    def css(self, point: Point) -> Point:
        """A point of the screen in CSS pixels."""
        return point[0] / self._view.scale, point[1] / self._view.scale

    def listen(self) -> None:
        """Forget the traffic so far."""
        self._open.clear()
        self._errors.clear()

    def traffic(self) -> Traffic:
        """Failed and open requests since `listen`."""
        return Traffic(tuple(self._errors), tuple(_path(request) for request in self._open))

    def _on_request(self, request: Any) -> None:
        if request.resource_type in _COUNTED:
            self._open.append(request)

    def _on_answer(self, request: Any, status: int | None) -> None:
        if request not in self._open:
            return
        if status is None or status == 0 or status >= 400 or status in (204, 205):
            self._open.remove(request)
        if status == 0:
            self._errors.append(f"{request.failure} {_path(request)}")
        elif status is not None and status >= 400:
            self._errors.append(f"{status} {_path(request)}")

    def close(self) -> None:
        """End the browser."""
        with suppress(Exception):  # it may be dead already: that is the aim
            if self._browser is not None:
                self._browser.close()
        with suppress(Exception):
            self._playwright.stop()
        self._browser = self._page = self._context = None

    def _guarded(self) -> _Guard:
        return _Guard(self._error)


class _Guard:
    """Turns Playwright's errors into `HungError`: the page or the browser is gone."""

    def __init__(self, error: type[Exception]) -> None:
        self._error = error

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        if isinstance(error, self._error):
            raise HungError(str(error).splitlines()[0]) from error


def find_chromium() -> str:
    """The Chromium of this machine.

    Raises:
        DataError: there is none; the message says what to install.
    """
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    raise DataError("no Chromium here: install one (Debian: apt-get install chromium fonts-liberation fonts-dejavu)")


def _path(request: Any) -> str:
    return str(request.url).split("?")[0]


def _quote(text: str) -> str:
    return json.dumps(text)
