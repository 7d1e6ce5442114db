"""The browser as a driver: Chromium through Playwright, looked at through its debugging protocol."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

from data_prep.collect.application import Traffic
from data_prep.collect.browser_input import Hand, separate
from data_prep.collect.browser_loop import BOUND, BrowserLoop
from data_prep.collect.browser_network import BrowserNetwork
from data_prep.collect.chromium import FLAGS, PAGE_SCRIPT, find_chromium
from data_prep.collect.devtools import DevTools
from data_prep.collect.driver import HungError
from data_prep.collect.view import View
from viscritic.actions import Action
from viscritic.actions.action import Point
from viscritic.errors import DataError, MissingExtraError
from viscritic.screen import Screen
from viscritic.trajectory import Box

_LEAVES: Final = 5  # attempts to leave a page while another one still comes


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
        self._page: Any = None
        self._context: Any = None
        self._browser: Any = None
        self._playwright: Any = None
        self._view = View()
        self.origin: Point = (0.0, 0.0)  # where the page's viewport begins on the screen
        self._loop, self._network = BrowserLoop(Error), BrowserNetwork()
        self._call, self._tools = self._loop.call, DevTools(self._loop)
        try:
            self._playwright = self._call(async_playwright().start())
            self._browser = self._call(self._playwright.chromium.launch(executable_path=path, **self._launching()))
        except HungError as error:
            self.close()
            raise DataError(f"cannot start the browser {path}: {error}") from error

    def _launching(self) -> dict[str, Any]:
        """How the browser is started: Playwright's options."""
        return {"args": [*FLAGS, "--hide-scrollbars"]}

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
        await self._network.release()
        if self._context is not None:
            await self._context.close()
        self._view = view
        context = self._context = await self._browser.new_context(
            **self._window(view), locale="en-GB", timezone_id="Europe/Paris",
            color_scheme="dark" if view.dark else "light", service_workers="block",
        )  # fmt: skip
        context.set_default_timeout(1000 * BOUND)
        await context.add_init_script(PAGE_SCRIPT)
        self._first = await context.new_page()
        await self._follow(self._first)
        context.on("page", self._follow)
        self._network.watch(context)

    def _window(self, view: View) -> dict[str, Any]:
        """How a context shows its pages: Playwright's options."""
        return {
            "viewport": {"width": view.width, "height": view.height}, "device_scale_factor": view.scale,
            "is_mobile": view.mobile, "has_touch": view.mobile,
        }  # fmt: skip

    async def _follow(self, page: Any) -> None:
        """Look at a page: the newest tab is the one in front."""
        session = await self._context.new_cdp_session(page)
        self._page = page
        self._tools.follow(page, session)
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
        self._go("about:blank")  # a page may save when it is left
        self._call(self._context.clear_cookies())
        self._tools.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": "all"})

    def forget_cookie(self, name: str) -> None:
        """Forget a cookie: a session that has ended."""
        self._call(self._context.clear_cookies(name=name))

    def goto(self, url: str) -> None:
        """Load a page of the application and wait until it is loaded."""
        self._go(url)

    def _go(self, url: str) -> None:
        for left in reversed(range(_LEAVES)):
            try:
                self._call(self._page.goto(url, wait_until="load"))
                break
            except HungError as error:  # a page that was held back comes just now
                if left == 0 or "interrupted by another navigation" not in str(error):
                    raise
                self.wait(0.1)  # let it come, or this attempt is the next one's interruption

    def evaluate(self, expression: str) -> Any:
        """The JSON value of a JavaScript expression in the page.

        Raises:
            HungError: the page does not answer, or the expression fails.
        """
        return self._tools.evaluate(expression)

    def screen(self) -> Screen:
        """The page's viewport now."""
        return self._tools.screen(self._view)

    def wait(self, seconds: float) -> None:
        """Let the page go on."""
        time.sleep(seconds)

    def rest(self, limit: float, least: float = 0.08) -> bool:
        """Wait until nothing has happened in the page for `least` seconds; False where `limit` seconds were not enough,
        or no page answers."""
        return self._tools.rest(limit, least)

    def stirred(self) -> bool:
        """Whether anything has happened in the page since `rest` ended; False where the page does not answer."""
        return self._tools.stirred()

    def answers(self, bound: float = 0.5) -> bool:
        """Whether the page's thread answers within `bound` seconds."""
        return self._tools.answers(bound)

    def park(self) -> None:
        """The pointer to the corner."""
        if not self._view.mobile:
            self._call(self._page.mouse.move(0, 0))

    def act(self, actions: Sequence[Action]) -> None:
        """Send the actions. Points are screen pixels; `select` picks an option of the list at its point.

        Between two actions the page has a moment: nobody types and presses Enter within one frame.
        """
        for index, action in enumerate(separate(actions)):
            if index:
                self.rest(0.25, least=0.02)
            if action.kind == "select":
                x, y = self.css(action.point or (0, 0))
                self.evaluate(f"viscritic.select({x}, {y}, {json.dumps(action.text or '')})")
            else:
                self._call(self._hand.send(action, *(p and self.css(p) for p in (action.point, action.end))))

    def css(self, point: Point) -> Point:
        """A point of the screen in CSS pixels of the page's viewport."""
        return self._view.css(point, self.origin)

    def css_box(self, box: Box) -> Box:
        """A box of the screen in CSS pixels of the page's viewport."""
        return self._view.css_box(box, self.origin)

    def screen_box(self, box: Sequence[float]) -> Box:
        """A box in CSS pixels of the page's viewport as it lies on the screen."""
        return self._view.screen_box(box, self.origin)

    def set_offline(self, offline: bool) -> None:
        """Cut the browser off, or connect it again."""
        self._call(self._context.set_offline(offline))

    def answer_documents(self, status: int | None = 0, body: str = "") -> None:
        """From now on every document that is asked for fails: with a status and a page, refused (status 0), or it is
        never answered (None). `open` undoes it.

        While a document is awaited, the debugging protocol tells nothing of the page that is about to be left.
        """
        self._call(self._network.answer_documents(self._context, status, body))

    def listen(self) -> None:
        """Forget the traffic so far."""
        self._call(self._network.forget())

    def traffic(self) -> Traffic:
        """Failed and open requests since `listen`."""
        return self._network.traffic()

    def close(self) -> None:
        """End the browser."""
        ends: list[Callable[[], Any]] = [self._browser.close] if self._browser is not None else []
        ends += [self._playwright.stop] if self._playwright is not None else []
        self._browser = self._playwright = self._page = self._context = None
        for end in ends:
            with suppress(Exception):  # it may be dead already: that is the aim
                self._call(end(), 10)
        self._loop.close()
