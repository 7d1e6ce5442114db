"""Applications in the browser: what they share. A subclass says where its pages are and what it knows of itself."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from data_prep.collect.application import Element, Fault, Intent, State, Traffic
from data_prep.collect.browser import BrowserDriver
from data_prep.collect.headed import HeadedDriver
from data_prep.collect.server import FaultServer, Server, StaticServer
from data_prep.collect.view import View
from data_prep.collect.web_faults import WEB_FAULTS
from data_prep.collect.web_intents import web_intents
from viscritic.actions.action import Point
from viscritic.errors import DataError
from viscritic.sample import Split
from viscritic.trajectory import Box, Platform

DESKTOP_VIEWS = (
    View(), View(), View(1366, 768), View(1024, 768), View(1440, 900), View(dark=True), View(960, 600, scale=2.0),
)  # fmt: skip
MOBILE_VIEWS = (View(390, 844, mobile=True), View(412, 915, mobile=True), View(390, 844, scale=2.0, mobile=True))
NOISES = ("caret", "clock", "spinner", "gif", "carousel", "toast", "ad", "marks")
TEST_NOISES = ("video", "cursor")
_NO_SIGNS = "({loading: false, rejected: []})"
_EMPTY = "({shown: [['', 'page', location.href, '', '']], truth: {url: location.href}, focus: ''})"


class WebApplication:
    """An `Application` of static pages in a browser.

    Subclasses set the class attributes, and override `address`, `prepare` and `truth` where they need to.

    Attributes:
        folder: where the pages are, below the cache.
        views: the viewports that seeds choose from.
        least: the smallest side of an element in CSS pixels.
        moved: see `StaticServer`.
        headed: whether screens show the whole browser window (`HeadedDriver`), and not the page alone.
    """

    name: str
    family: str
    platform: Platform = "web"
    split: Split = "train"
    folder: str
    views: tuple[View, ...] = DESKTOP_VIEWS
    least: ClassVar[float] = 8.0
    moved: ClassVar[Mapping[str, str]] = {}
    headed: bool = False

    driver: BrowserDriver
    odd: FaultServer

    def start(self, cache: Path, browser: BrowserDriver | None = None) -> BrowserDriver:
        """Serve the pages and start a browser, or go on with one that `hand_over` gave."""
        if browser is not None:
            self.driver = browser
        root = self.root(cache)
        if not root.is_dir():
            raise DataError(
                f"{self.name} is not installed in {cache}: run  viscritic data collect --install --apps {self.name}"
            )
        self._server = self.serve(root)
        self.odd = FaultServer()
        self.url = self._server.url
        self._view: View | None = None
        self._dirty = False
        self._keys: dict[str, dict[str, Any]] = {}
        self._frozen: State | None = None
        self._rejected = 0
        if browser is None:
            try:
                self.driver = HeadedDriver() if self.headed else BrowserDriver()
            except BaseException:
                self._server.close()
                self.odd.close()
                raise
        return self.driver

    def root(self, cache: Path) -> Path:
        """The folder that is served."""
        return cache / self.folder

    def serve(self, root: Path) -> Server:
        """Serve what is installed in `root`."""
        return StaticServer(root, self.moved)

    def stop(self) -> None:
        """Close the browser and the servers."""
        for part in ("driver", "_server", "odd"):
            if hasattr(self, part):  # a start may have failed half way
                getattr(self, part).close()

    def hand_over(self) -> BrowserDriver:
        """Stop, but for the browser: an application that is as `headed` may go on with it."""
        browser = self.driver
        del self.driver
        self.stop()
        return browser

    def address(self, seed: int) -> str:
        """The path that a seed opens, from "/"."""
        raise NotImplementedError

    def restore(self, seed: int) -> None:
        """Bring what the server keeps into the state of the seed; no page is open meanwhile."""

    def prepare(self, seed: int) -> None:
        """Bring the loaded page into the state of the seed."""

    def extra(self) -> str:
        """A JavaScript expression for what the application knows of itself, as JSON."""
        return "null"

    def view(self, seed: int) -> View:
        """The viewport of a seed; a window shows one size on the whole, in one scale."""
        if self.headed:
            return View(dark=Random(f"dark {self.name} {seed}").random() < 0.2)
        return Random(f"view {self.name} {seed}").choice(self.views)

    def reset(self, seed: int) -> None:
        """Open the page of the seed in a clean profile, and let it come to rest."""
        view = self.view(seed)
        if view != self._view or self._dirty:
            self.driver.open(view)
            self._view, self._dirty = view, False
        else:
            self.driver.clear(self.url)
        self._frozen = None
        self.odd.release()
        self.restore(seed)
        self.driver.park()
        self.driver.goto(self.url + self.address(seed))
        self.prepare(seed)
        self.driver.rest(3.0, least=0.15)
        self.driver.listen()

    def spoil(self) -> None:
        """Have the next reset begin with a new profile: something was done that a reload does not undo."""
        self._dirty = True

    def run(self, expression: str) -> Any:
        """The JSON value of a JavaScript expression in the page."""
        return self.driver.evaluate(expression)

    def elements(self) -> list[Element]:
        """Links, buttons, fields and whatever else listens, in view and not covered."""
        rows = self.run(f"window.viscritic && document.body ? viscritic.elements({self.least}) : []")
        self._keys = {row["key"]: row for row in rows}
        return [
            Element(
                key=row["key"], role=row["role"], name=row["name"],
                box=self.driver.screen_box(row["box"]), near=row["near"],
                enabled=row["enabled"], checked=row["checked"], value=row["value"], options=tuple(row["options"]),
            )
            for row in rows
        ]  # fmt: skip

    def details(self, element: Element) -> dict[str, Any]:
        """What the page script said of an element beyond `Element`: tag, type, link, whether it leaves the page."""
        return self._keys[element.key]

    def state(self) -> State:
        """Visible nodes in view; address, fields, storage and text of the page; and `extra`."""
        if self._frozen is not None and not self.driver.answers():
            waiting = [*self._frozen.shown, ["", "waiting", "", "", ""]]
            return State(waiting, self._frozen.truth, self._frozen.focus)
        got = self.run(f"window.viscritic && document.body ? viscritic.state({self.extra()}) : {_EMPTY}")
        tabs = list(self.driver.tabs)
        shown = [*got["shown"], ["tabs", "", str(len(tabs)), "", ""]] if self.headed else got["shown"]
        return State(shown, {**got["truth"], "tabs": tabs, "extra": got.get("extra")}, got["focus"])

    def freeze(self) -> None:
        """The page may stop to answer from now on: what it was before is its state then, but for that it waits."""
        self._frozen = self.state()

    def hit(self, point: Point) -> str:
        """The listed element under a point."""
        x, y = self.driver.css(point)
        if y < 0:  # the browser's own bar
            return "?"
        return str(self.run(f"window.viscritic ? viscritic.hit({x}, {y}) : ''"))

    def listen(self) -> None:
        """Forget the traffic so far, and what was refused."""
        self.driver.listen()
        self._rejected = len(self._signs()["rejected"])

    def _signs(self) -> dict[str, Any]:
        return dict(self.run(f"window.viscritic && document.body ? viscritic.signs() : {_NO_SIGNS}"))

    def traffic(self) -> Traffic:
        """Failed and open requests, whether the page shows that it waits, and the fields that it newly refuses."""
        seen = self.driver.traffic()
        if self._frozen is not None and not self.driver.answers():
            return Traffic(seen.errors, seen.pending or ("the page's thread",), loading=True)
        signs = self._signs()
        refused = [f"rejected: {words}" for words in signs["rejected"]][self._rejected :]
        return Traffic((*seen.errors, *refused), seen.pending, bool(seen.pending) and signs["loading"])

    def intents(self, elements: Sequence[Element], random: Random) -> list[Intent]:
        """Clicks, ticks, choices and typing on what is listed."""
        return web_intents(self, elements, random)

    def faults(self) -> Sequence[Fault]:
        """The ways in which steps go wrong in a browser."""
        return WEB_FAULTS

    def noises(self) -> Sequence[str]:
        """Ambient changes; those that are kept for testing only where this application is."""
        return (*NOISES, *TEST_NOISES) if self.split == "test" else NOISES

    def make_noise(self, kind: str, seed: int) -> Sequence[Box]:
        """Draw it where no listed element is."""
        avoid = [row["box"] for row in self._keys.values()]
        box = self.run(f"viscritic.noise({json.dumps(kind)}, {seed}, {json.dumps(avoid)})")
        return [self.driver.screen_box(box)] if box else []

    def dress(self, intent: Intent, random: Random) -> None:
        """Draw something that does no harm: a bar or a chat beside the target, a pale control."""
        if not intent.target.key:
            return
        node, seed = self.query(intent.target.key), random.randrange(1 << 30)
        if random.random() < 0.7:
            kind = random.choice(("cookies", "chat"))
            box = json.dumps(self.driver.css_box(intent.target.box))
            self.run(f"viscritic.overlay({json.dumps(kind)}, {seed}, null, {box})")
        elif random.random() < 0.6:
            self.run(f"{node} && viscritic.fade({node}, {seed})")
        elif self._keys:
            other = self.query(random.choice(sorted(self._keys)))
            self.run(f"{other} && viscritic.fade({other}, {seed})")

    def query(self, key: str) -> str:
        """A JavaScript expression for the element of a key."""
        return f"viscritic.find({json.dumps(key)})"
