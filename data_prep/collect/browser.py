"""The browser as a driver: Chromium through Playwright, looked at through its debugging protocol.

Playwright's event loop runs in a thread of its own, so that every call has a bound: a page or a browser that no longer
answers ends in `HungError` and not in a wait without end.
"""

from __future__ import annotations

import asyncio
import base64
import io
import json
import shutil
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from PIL import Image

from data_prep.collect.application import Traffic
from data_prep.collect.browser_input import Hand
from data_prep.collect.driver import HungError
from viscritic.actions import Action
from viscritic.actions.action import Point
from viscritic.errors import DataError, MissingExtraError
from viscritic.screen import Screen
from viscritic.trajectory import Box

FLAGS: Final = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--mute-audio", "--force-color-profile=srgb",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # no other host is ever asked
)  # fmt: skip
_HERE: Final = Path(__file__).parent
_SCRIPTS: Final = ("rest.js", "page.js", "drawn.js", "acted.js")
PAGE_SCRIPT: Final = "".join((_HERE / name).read_text("utf-8") for name in _SCRIPTS)
_COUNTED: Final = ("document", "xhr", "fetch")  # the requests whose failure is an application's failure
_BOUND: Final = 20.0  # seconds that a call may take
_CAPTURE_BOUNDS: Final = (0.7, 4.0)  # seconds, least and most; a capture that meets a new page may never be answered
_LOOK_BOUND: Final = 12.0  # seconds after which captures are not tried again
T = TypeVar("T")


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

    Args:
        executable: the browser; the machine's Chromium where None.

    Raises:
        MissingExtraError: Playwright is not installed.
        DataError: Chromium is not there, or does not start.
    """

    def __init__(self, executable: str | None = None) -> None:
        try:
            from playwright.async_api import Error, async_playwright  # noqa: PLC0415 - an extra
        except ImportError as error:
            raise MissingExtraError("Collecting from web pages", "collect", "playwright") from error
        path = executable or find_chromium()
        self._error = Error
        self._page: Any = None
        self._context: Any = None
        self._browser: Any = None
        self._playwright: Any = None
        self._view = View()
        self.origin: Point = (0.0, 0.0)  # where the page's viewport begins on the screen
        self._rested: Any = None  # what the page counted when it last was at rest
        self._open: list[Any] = []  # requests without an answer
        self._errors: list[str] = []
        self._gate = asyncio.Event()  # set when what is held may go
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        try:
            self._playwright = self._call(async_playwright().start())
            self._browser = self._call(self._playwright.chromium.launch(executable_path=path, **self._launching()))
        except HungError as error:
            self.close()
            raise DataError(f"cannot start the browser {path}: {error}") from error

    def _launching(self) -> dict[str, Any]:
        """How the browser is started: Playwright's options."""
        return {"args": [*FLAGS, "--hide-scrollbars"]}

    def _call(self, work: Coroutine[Any, Any, T] | Awaitable[T], bound: float = _BOUND) -> T:
        """Run a coroutine in the browser's loop; HungError where it fails or takes too long."""

        async def run() -> T:
            return await work

        future = asyncio.run_coroutine_threadsafe(asyncio.wait_for(run(), bound), self._loop)
        try:
            return future.result(bound + 2)
        except TimeoutError as error:
            raise HungError(f"no answer in {bound:g} s") from error
        except self._error as error:
            raise HungError(str(error).strip().splitlines()[0]) from error

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of a screen in pixels."""
        return self._view.size

    @property
    def view(self) -> View:
        """How the page is looked at."""
        return self._view

    def open(self, view: View) -> None:
        """A fresh profile and an empty page."""
        self._call(self._open_page(view))

    async def _open_page(self, view: View) -> None:
        self._gate.set()
        if self._context is not None:
            await self._context.close()
        self._gate = asyncio.Event()
        self._view = view
        context = self._context = await self._browser.new_context(
            **self._window(view), locale="en-GB", timezone_id="Europe/Paris",
            color_scheme="dark" if view.dark else "light", service_workers="block",
        )  # fmt: skip
        context.set_default_timeout(1000 * _BOUND)
        await context.add_init_script(PAGE_SCRIPT)
        self._first = await context.new_page()
        await self._follow(self._first)
        context.on("page", self._follow)
        context.on("request", self._on_request)
        context.on("response", lambda answer: self._on_answer(answer.request, answer.status))
        context.on("requestfinished", lambda request: self._on_answer(request, None))
        context.on("requestfailed", lambda request: self._on_answer(request, 0))

    def _window(self, view: View) -> dict[str, Any]:
        """How a context shows its pages: Playwright's options."""
        return {
            "viewport": {"width": view.width, "height": view.height}, "device_scale_factor": view.scale,
            "is_mobile": view.mobile, "has_touch": view.mobile,
        }  # fmt: skip

    async def _follow(self, page: Any) -> None:
        """Look at a page: the newest tab is the one in front."""
        session = await self._context.new_cdp_session(page)
        self._page, self._session = page, session
        self._hand = Hand(page, session, touch=self._view.mobile, scale=self._view.scale)

    async def _leave_tabs(self) -> None:
        """Close every page but the first."""
        for page in self._context.pages:
            if page is not self._first:
                await page.close()
        if self._page is not self._first:
            await self._follow(self._first)

    @property
    def tabs(self) -> tuple[str, ...]:
        """The addresses of the open pages, oldest first."""
        return tuple(page.url for page in self._context.pages)

    def clear(self, origin: str) -> None:
        """Forget what the pages of an origin stored, and show an empty page."""
        self._call(self._leave_tabs())
        self._call(self._page.goto("about:blank"))  # a page may save when it is left
        self._call(self._context.clear_cookies())
        self._send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})

    def forget_cookie(self, name: str) -> None:
        """Forget a cookie: a session that has ended."""
        self._call(self._context.clear_cookies(name=name))

    def goto(self, url: str) -> None:
        """Load a page of the application and wait until it is loaded."""
        self._call(self._page.goto(url, wait_until="load"))

    def evaluate(self, expression: str) -> Any:
        """The JSON value of a JavaScript expression in the page.

        Raises:
            HungError: the page does not answer, or the expression fails.
        """
        answer = self._send("Runtime.evaluate", _asked(expression))
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise HungError(f"page script: {details.get('exception', {}).get('description', details['text'])}")
        return answer["result"].get("value")

    def _send(self, method: str, options: dict[str, Any] | None = None, bound: float = _BOUND) -> Any:
        return self._call(self._session.send(method, options or {}), bound)

    def screen(self) -> Screen:
        """The page's viewport now."""
        deadline = time.monotonic() + _LOOK_BOUND
        bound, most = _CAPTURE_BOUNDS
        while True:
            try:
                return self._look(bound)
            except HungError:  # between two pages there is nothing to capture
                if time.monotonic() > deadline:
                    raise
                bound = min(2 * bound, most)
                time.sleep(0.05)

    def _look(self, bound: float) -> Screen:
        options: dict[str, Any] = {"format": "png", "optimizeForSpeed": True}
        if self._view.scale != 1:  # only a clip brings device pixels; it counts from the top of the document
            seen = self._send("Page.getLayoutMetrics", bound=bound)["cssVisualViewport"]
            size = {"width": self._view.width, "height": self._view.height}
            options["clip"] = {"x": seen["pageX"], "y": seen["pageY"], **size, "scale": self._view.scale}
        answer = self._send("Page.captureScreenshot", options, bound)
        with Image.open(io.BytesIO(base64.b64decode(answer["data"]))) as image:
            if image.size != self.size:
                raise HungError(f"the screen is {image.size}, not {self.size}")
            return np.asarray(image.convert("RGB"))

    def wait(self, seconds: float) -> None:
        """Let the page go on."""
        time.sleep(seconds)

    def rest(self, limit: float, least: float = 0.08) -> bool:
        """Wait until nothing has happened in the page for `least` seconds; False where `limit` seconds were not enough,
        or no page answers."""
        deadline = time.monotonic() + limit
        while (left := deadline - time.monotonic()) > 0:
            page, waiting = self._page, f"window.viscriticRest ? viscriticRest({1000 * least}, {1000 * left}) : null"
            try:
                answer = self._send("Runtime.evaluate", _asked(waiting), left + 0.3)
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
            answer = self._send("Runtime.evaluate", _asked("window.viscriticChanges ? viscriticChanges() : null"), 0.5)
        except HungError:
            return False
        return bool(answer["result"].get("value") != self._rested)

    def answers(self, bound: float = 0.5) -> bool:
        """Whether the page's thread answers within `bound` seconds."""
        try:
            self._send("Runtime.evaluate", _asked("1"), bound)
        except HungError:
            return False
        return True

    def park(self) -> None:
        """The pointer to the corner."""
        if not self._view.mobile:
            self._call(self._page.mouse.move(0, 0))

    def act(self, actions: Sequence[Action]) -> None:
        """Send the actions. Points are screen pixels; `select` picks an option of the list at its point.

        Between two actions the page has a moment: nobody types and presses Enter within one frame.
        """
        for index, action in enumerate(_apart(actions)):
            if index:
                self.rest(0.25, least=0.02)
            if action.kind == "select":
                x, y = self.css(action.point or (0, 0))
                self.evaluate(f"viscritic.select({x}, {y}, {json.dumps(action.text or '')})")
            else:
                self._call(self._hand.send(action, *(p and self.css(p) for p in (action.point, action.end))))

    def css(self, point: Point) -> Point:
        """A point of the screen in CSS pixels of the page's viewport."""
        (left, top), scale = self.origin, self._view.scale
        return (point[0] - left) / scale, (point[1] - top) / scale

    def css_box(self, box: Box) -> Box:
        """A box of the screen in CSS pixels of the page's viewport."""
        scale = self._view.scale
        return *self.css((box[0], box[1])), box[2] / scale, box[3] / scale

    def screen_box(self, box: Sequence[float]) -> Box:
        """A box in CSS pixels of the page's viewport as it lies on the screen."""
        (left, top), scale = self.origin, self._view.scale
        x, y, width, height = (round(scale * side, 1) for side in box)
        return x + left, y + top, width, height

    def set_offline(self, offline: bool) -> None:
        """Cut the browser off, or connect it again."""
        self._call(self._context.set_offline(offline))

    def answer_documents(self, status: int | None = 0, body: str = "") -> None:
        """From now on every document that is asked for fails: with a status and a page, refused (status 0), or it is
        never answered (None). `open` undoes it.

        While a document is awaited, the debugging protocol tells nothing of the page that is about to be left.
        """

        async def answer(route: Any) -> None:
            if route.request.resource_type != "document":
                await route.continue_()
            elif status is None:
                await self._gate.wait()
                with suppress(Exception):  # its page is gone
                    await route.abort()
            elif status:
                await route.fulfill(status=status, content_type="text/html; charset=utf-8", body=body)
            else:
                await route.abort("connectionrefused")

        self._call(self._context.route("**/*", answer))

    def listen(self) -> None:
        """Forget the traffic so far."""
        self._call(self._forget())

    async def _forget(self) -> None:  # in the loop's thread, as the handlers are
        self._open.clear()
        self._errors.clear()

    def traffic(self) -> Traffic:
        """Failed and open requests since `listen`."""
        return Traffic(tuple(self._errors), tuple(_path(request) for request in list(self._open)))

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
        ends: list[Callable[[], Any]] = [self._browser.close] if self._browser is not None else []
        ends += [self._playwright.stop] if self._playwright is not None else []
        self._browser = self._playwright = self._page = self._context = None
        for end in ends:
            with suppress(Exception):  # it may be dead already: that is the aim
                self._call(end(), 10)
        if self._loop.is_running():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(5)
            self._loop.close()


def find_chromium() -> str:
    """The Chromium of this machine.

    Raises:
        DataError: there is none; the message says what to install.
    """
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    raise DataError("no Chromium here: install one (Debian: apt-get install chromium fonts-liberation fonts-dejavu)")


def _apart(actions: Sequence[Action]) -> list[Action]:
    """The actions, with every Enter that ends a text as one of its own."""
    found: list[Action] = []
    for action in actions:
        if action.kind == "type" and (action.text or "").endswith("\n") and len(action.text or "") > 1:
            found += [Action("type", text=(action.text or "")[:-1]), Action("key", keys=("enter",))]
        else:
            found.append(action)
    return found


def _asked(expression: str) -> dict[str, Any]:
    return {"expression": expression, "returnByValue": True, "awaitPromise": True}


def _path(request: Any) -> str:
    return str(request.url).split("?")[0]
