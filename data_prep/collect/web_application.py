"""Applications in the browser: what they share. A subclass says where its pages are and what it knows of itself."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from data_prep.collect.application import Element, Fault, Intent, State, Traffic
from data_prep.collect.browser import BrowserDriver, View
from data_prep.collect.driver import settle
from data_prep.collect.server import FaultServer, Server, StaticServer
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
NOISES = ("caret", "clock", "spinner", "gif", "carousel", "toast", "ad")
TEST_NOISES = ("video",)
_LOADING = (
    "[...document.querySelectorAll('[data-vc-loading],[aria-busy=true],.spinner,.loading,.spinner-border')]"
    ".some(n => n.checkVisibility({visibilityProperty: true}))"
)
_EMPTY = "({shown: [['', 'page', location.href, '', '']], truth: {url: location.href}, focus: ''})"


class WebApplication:
    """An `Application` of static pages in a browser.

    Subclasses set the class attributes, and override `address`, `prepare` and `truth` where they need to.

    Attributes:
        folder: where the pages are, below the cache.
        views: the viewports that seeds choose from.
        least: the smallest side of an element in CSS pixels.
        moved: see `StaticServer`.
    """

    name: str
    family: str
    platform: Platform = "web"
    split: Split = "train"
    folder: str
    views: tuple[View, ...] = DESKTOP_VIEWS
    least: ClassVar[float] = 8.0
    moved: ClassVar[Mapping[str, str]] = {}

    driver: BrowserDriver
    odd: FaultServer

    def start(self, cache: Path) -> BrowserDriver:
        """Serve the pages and start a browser."""
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
        try:
            self.driver = BrowserDriver()
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
        if hasattr(self, "driver"):
            self.driver.close()
            self._server.close()
            self.odd.close()

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
        """The viewport of a seed."""
        return Random(f"view {self.name} {seed}").choice(self.views)

    def reset(self, seed: int) -> None:
        """Open the page of the seed in a clean profile, and let it come to rest."""
        view = self.view(seed)
        if view != self._view or self._dirty:
            self.driver.open(view)
            self._view, self._dirty = view, False
        else:
            self.driver.clear(self.url)
        self.odd.release()
        self.restore(seed)
        self.driver.park()
        self.driver.goto(self.url + self.address(seed))
        self.prepare(seed)
        settle(self.driver, limit=3.0)
        self.driver.listen()

    def spoil(self) -> None:
        """Have the next reset begin with a new profile: something was done that a reload does not undo."""
        self._dirty = True

    def run(self, expression: str) -> Any:
        """The JSON value of a JavaScript expression in the page."""
        return self.driver.evaluate(expression)

    def elements(self) -> list[Element]:
        """Links, buttons, fields and whatever else listens, in view and not covered."""
        scale = self.driver.view.scale
        rows = self.run(f"window.viscritic && document.body ? viscritic.elements({self.least}) : []")
        self._keys = {row["key"]: row for row in rows}
        return [
            Element(
                key=row["key"], role=row["role"], name=row["name"],
                box=tuple(round(scale * side, 1) for side in row["box"]),
                enabled=row["enabled"], checked=row["checked"], value=row["value"], options=tuple(row["options"]),
            )
            for row in rows
        ]  # fmt: skip

    def details(self, element: Element) -> dict[str, Any]:
        """What the page script said of an element beyond `Element`: tag, type, link, whether it leaves the page."""
        return self._keys[element.key]

    def state(self) -> State:
        """Visible nodes in view; address, fields, storage and text of the page; and `extra`."""
        got = self.run(f"window.viscritic && document.body ? viscritic.state({self.extra()}) : {_EMPTY}")
        return State(shown=got["shown"], truth={**got["truth"], "extra": got.get("extra")}, focus=got["focus"])

    def hit(self, point: Point) -> str:
        """The listed element under a point."""
        x, y = self.driver.css(point)
        return str(self.run(f"window.viscritic ? viscritic.hit({x}, {y}) : ''"))

    def listen(self) -> None:
        """Forget the traffic so far."""
        self.driver.listen()

    def traffic(self) -> Traffic:
        """Failed and open requests, and whether the page shows that it waits."""
        seen = self.driver.traffic()
        return Traffic(seen.errors, seen.pending, bool(seen.pending) and bool(self.run(_LOADING)))

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
        scale = self.driver.view.scale
        avoid = [row["box"] for row in self._keys.values()]
        box = self.run(f"viscritic.noise({json.dumps(kind)}, {seed}, {json.dumps(avoid)})")
        return [tuple(side * scale for side in box)] if box else []

    def query(self, key: str) -> str:
        """A JavaScript expression for the element of a key."""
        return f"viscritic.find({json.dumps(key)})"
