"""Applications on the desktop: what they share. A subclass says what is started and what it knows of itself."""

from __future__ import annotations

import os
import re
import shutil
import signal
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, ClassVar, Final

from data_prep.collect.application import Element, Fault, Intent, State, Traffic
from data_prep.collect.desktop import DesktopDriver, Look
from data_prep.collect.desktop_faults import DESKTOP_FAULTS
from data_prep.collect.desktop_intents import desktop_intents
from data_prep.collect.desktop_noise import NOISES, TEST_NOISES, make_noise
from data_prep.collect.desktop_props import PANEL, Prop, make_panel
from data_prep.collect.desktop_tree import SHOWING, Node, inside, make_element, read_nodes, shown_rows
from data_prep.collect.desktop_windows import Window
from data_prep.collect.driver import HungError
from viscritic.actions import Action
from viscritic.actions.action import Point
from viscritic.sample import Split
from viscritic.trajectory import Box, Platform

LOOKS: Final = (
    Look(), Look(frames="Clearlooks", dark=True, paper=(0x20242C, 0x20242C)),
    Look((1280, 800), "Onyx", (0x2E3440, 0x4C566A), dark=True), Look((1366, 768), "Breeze-ob", (0x8FBCBB, 0x5E81AC)),
    Look((1024, 768), "Clearlooks-3.4", (0xD8DEE9, 0xD8DEE9)), Look((1440, 900), "Natura", (0x6A7F4E, 0x2F3E2B)),
    Look((1280, 1024), "Orang", (0x7A3B2E, 0xE0A458)), Look((1600, 900), "Clearlooks-Olive", (0x111111, 0x333333)),
)  # fmt: skip
_ALIKE: Final = 3  # seeds in a row that share a look: another look may take another session
_START: Final = 40.0  # seconds that a start may take
_ERRORS: Final = re.compile(
    r"\b(denied|not permitted|do not have the permissions|could not|cannot|can.t|failed|error|unable to)\b", re.I
)
_ALERTS: Final = ("alert", "info bar", "dialog")
_WIDE: Final = 100.0  # pixels: a button in a sheet that is as wide looks like an item of a menu
_SETTINGS: Final = """[Settings]
gtk-theme-name=Adwaita
gtk-icon-theme-name=Adwaita
gtk-font-name={font}
gtk-application-prefer-dark-theme={dark}
gtk-cursor-blink=0
gtk-enable-animations=0
gtk-recent-files-enabled=0
gtk-primary-button-warps-slider=0
"""
_FONTS: Final = ("Noto Sans 11", "Noto Sans 10", "DejaVu Sans 10", "Liberation Sans 11")


class DesktopApplication:
    """An `Application` in a desktop of its own. It is started anew at every reset, with a fresh home folder.

    Subclasses set the class attributes, and override `restore`, `prepare`, `extra` and `steps` where they need to.

    Attributes:
        title: what people call it.
        program: the command; its first word must be installed.
        area: least and largest width and height of its window, in pixels.
        shows: the state bit by which its nodes say that they show.
        dialog: shortcuts, one after the other, that open a modal dialog of it.
        avoided: names of elements that no step means: they lead out of the application, or their effect depends on
            what is not here.
        unseen: names of elements whose effect does not show at once: the truth counts how often they were acted on.
    """

    name: str
    family: str
    platform: Platform = "desktop"
    split: Split = "train"
    title: ClassVar[str]
    program: ClassVar[tuple[str, ...]]
    area: ClassVar[tuple[tuple[int, int], tuple[int, int]]]
    shows: ClassVar[int] = SHOWING
    looks: ClassVar[Sequence[Look]] = LOOKS
    dialog: ClassVar[tuple[tuple[str, ...], ...]] = ()
    avoided: ClassVar[frozenset[str]] = frozenset()
    unseen: ClassVar[frozenset[str]] = frozenset()

    driver: DesktopDriver

    def start(self, cache: Path) -> DesktopDriver:
        """Start a desktop; the application follows at each reset."""
        self._pid = 0
        self._nodes: list[Node] = []
        self._windows: list[Window] = []
        self._elements: dict[str, Element] = {}
        self._last = State([])
        self._alerts: frozenset[str] = frozenset()
        self._frozen = False
        self._waiting: list[str] = []  # signs that show that the application does not answer
        self._hidden = 0  # how often an element of `unseen` was acted on
        self._seed = 0
        self.driver = DesktopDriver(self.looks[0], self.program[:1])
        self.driver.watch = self._notice
        return self.driver

    def stop(self) -> None:
        """End the application and its desktop."""
        if hasattr(self, "driver"):
            self._end()
            self.driver.close()

    @property
    def home(self) -> Path:
        """The home folder of the application."""
        return self.driver.session.home

    @property
    def nodes(self) -> Sequence[Node]:
        """The tree as it was last read."""
        return self._nodes

    def restore(self, random: Random) -> None:
        """Put the files of the seed into the empty home folder."""

    def prepare(self, random: Random) -> None:
        """Bring the running application into the state of the seed."""

    def extra(self) -> Any:
        """What the application knows beyond its widgets, as JSON: its files, say."""
        return None

    def command(self, random: Random) -> tuple[str, ...]:
        """What is started."""
        return self.program

    def environment(self) -> Mapping[str, str]:
        """What it needs beyond the desktop's environment."""
        return {}

    def steps(self, elements: Sequence[Element], random: Random) -> list[Intent]:
        """Steps of its own, beside those that every application has."""
        return []

    def open_dialog(self) -> bool:
        """Open a dialog of the application that keeps the rest of it from being used; whether it did."""
        for keys in self.dialog:
            self.driver.act((Action("key", keys=keys),))
            self.driver.rest(2.0)
        return any("modal" in n.states and n.key == n.top for n in self._read())

    def deny_saving(self, intent: Intent) -> bool:
        """Take the right to write away, where the intent needs it; whether it did."""
        return False

    def reset(self, seed: int) -> None:
        """Start the application anew in the state of the seed."""
        look = Random(f"look {self.name} {seed // _ALIKE}").choice(list(self.looks))
        self._end()
        self.driver.forget_calls()
        if look != self.driver.look:
            self.driver.open(look)
        else:
            self.driver.grab(on=False)
            self.driver.session.stage.ask(clear=True)
        self.driver.show_cursor(on=False)
        self.driver.park()
        self._seed, self._hidden = seed, 0
        random = Random(f"state {self.name} {seed}")
        self._furnish(look, random)
        room = self._hang_panel(random)
        self._launched = self.command(random), self._environment(look)
        self._launch()
        self._arrange(room, random)
        self.driver.rest(4.0)
        self.prepare(random)
        self.driver.rest(4.0)
        self._last = self.state()
        self.listen()

    def _launch(self) -> None:
        self._pid = self.driver.run(*self._launched)
        self.driver.follow(self._pid)

    def _environment(self, look: Look) -> dict[str, str]:
        return {
            "GIO_USE_VFS": "local", "GIO_USE_VOLUME_MONITOR": "unix", "GSETTINGS_BACKEND": "keyfile",
            "GTK_OVERLAY_SCROLLING": "0", "ADW_DEBUG_COLOR_SCHEME": "prefer-dark" if look.dark else "prefer-light",
            **self.environment(),
        }  # fmt: skip

    def _furnish(self, look: Look, random: Random) -> None:
        """An empty home with settings and the application's files."""
        for entry in self.home.iterdir():
            if entry.is_dir() and not entry.is_symlink():
                entry.chmod(0o700)
                shutil.rmtree(entry, ignore_errors=True)
            else:
                entry.unlink()
        settings = self.home / ".config" / "gtk-3.0" / "settings.ini"
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text(_SETTINGS.format(font=random.choice(_FONTS), dark=int(look.dark)), "utf-8")
        self.restore(random)
        self.driver.session.give(self.home)

    def _hang_panel(self, random: Random) -> Box:
        """A panel at the edge of the screen for some seeds; the box that windows may take."""
        width, height = self.driver.size
        self._panel_top = random.random() < 0.4
        self._has_panel = random.random() < 0.5
        if self._has_panel:
            self.show("panel", make_panel((width, height), self._seed, [self.title], top=self._panel_top))
        return 0.0, float(PANEL) if self._panel_top else 0.0, float(width), float(height - PANEL)

    def _arrange(self, room: Box, random: Random) -> None:
        """Wait for the window and give it its place."""
        (least_w, least_h), (most_w, most_h) = self.area
        high, side = 28, 6  # pixels that a frame adds
        width = random.randint(least_w, int(min(most_w, room[2] - side)))
        height = random.randint(least_h, int(min(most_h, room[3] - high)))
        x, y = random.random() * (room[2] - width - side), random.random() * (room[3] - height - high)
        deadline = time.monotonic() + _START
        while not (mine := self._own(self.driver.windows())):
            if time.monotonic() > deadline:
                raise HungError(f"{self.program[0]} shows no window")
            self.driver.wait(0.02)
            if self.driver.session.status(self._pid) is not None:  # it went to the one before, which was just ending
                self.driver.wait(0.2)
                self._launch()
        self.driver.place(mine[-1], (round(x), room[1] + round(y), width, height))
        while not self._read():
            if time.monotonic() > deadline:
                raise HungError(f"{self.program[0]} tells nothing of its widgets")
            self.driver.wait(0.05)

    def _own(self, windows: Sequence[Window]) -> list[Window]:
        return [window for window in windows if window.pid == self._pid]

    def _end(self) -> None:
        if self._pid:
            with suppress(HungError):
                self.driver.session.end_programs()
        self._pid, self._frozen, self._waiting = 0, False, []

    def _kill(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):  # it ended by itself
            os.kill(self._pid, number)

    def show(self, name: str, prop: Prop) -> Box:
        """Show a window of another program; its box."""
        x, y, width, height = self.driver.session.stage.ask(show=name, prop=prop)["box"]
        return float(x), float(y), float(width), float(height)

    def hide(self, name: str) -> None:
        """Hide what `show` showed."""
        self.driver.session.stage.ask(hide=name)

    @property
    def is_dark(self) -> bool:
        """Whether windows are dark."""
        return self.driver.look.dark

    @property
    def panel_top(self) -> bool:
        """Whether the panel's place is at the top."""
        return self._panel_top

    def freeze(self) -> None:
        """Stop the process: it answers nothing any more."""
        self._frozen = True
        self._kill(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let the process go on; what was sent meanwhile reaches it now."""
        self._kill(signal.SIGCONT)
        self._frozen, self._waiting = False, []

    def crash(self) -> None:
        """End the process as a fault in it would."""
        self._kill(signal.SIGSEGV)
        self._kill(signal.SIGKILL)

    def show_waiting(self, names: Sequence[str]) -> None:
        """Say that signs of waiting are shown."""
        self._waiting = list(names)

    def _read(self) -> list[Node]:
        """The tree, the windows and the elements now."""
        self._windows = self.driver.windows()
        mine = self._own(self._windows)
        bare = [window.box for window in mine if not window.managed]
        answer = self.driver.session.reader.ask(pid=self._pid, shows=self.shows, menus=bool(bare), bound=2000)
        if answer["hung"]:
            raise HungError(f"{self.program[0]} does not answer")
        shift = self.shift(mine, answer["nodes"]) if mine and answer["nodes"] else (0.0, 0.0)
        self._nodes = read_nodes(answer["nodes"], self.driver.size, bare, shift)
        made = (make_element(node, self._below(node, number)) for number, node in enumerate(self._nodes))
        self._elements = {e.key: self.adjust(e) for e in made if e is not None}
        for node in self._nodes:
            if node.sheet and node.key in self._elements and node.box[2] > _WIDE:
                self._elements[node.key] = replace(self._elements[node.key], role="menu item")
        return self._nodes

    def shift(self, windows: Sequence[Window], rows: Sequence[Any]) -> Point:
        """What is added to the boxes that the tree tells.

        Args:
            windows: the application's, the uppermost last.
            rows: the reader's; the first is a window.
        """
        return 0.0, 0.0

    def adjust(self, element: Element) -> Element:
        """An element as a person would call it."""
        return element

    def _below(self, node: Node, number: int) -> list[Node]:
        return [n for n in self._nodes[number + 1 : number + 6] if n.key.startswith(f"{node.key}/")]

    def elements(self) -> list[Element]:
        """Widgets that take input, in view and not covered."""
        if not self._frozen:
            self._read()
        return [e for e in self._elements.values() if self.hit(e.centre) == e.key]

    def state(self) -> State:
        """Widgets that show, windows, and what was done to the windows of others; files and the like as truth."""
        if not self._frozen:
            self._read()
            rows = shown_rows(self._nodes)
            stage = self.driver.session.stage.pid
            rows += [
                [f"window {number}", "window", w.title, "active" * w.active, ",".join(map(str, w.box))]
                for number, w in enumerate(w for w in self._windows if w.pid != stage and w.managed)
            ]
            carets = [[n.key, n.caret] for n in self._nodes if n.text is not None and "editable" in n.states]
            truth = {"carets": carets, "unseen": self._hidden, "extra": self.extra()}
            self._last = State(rows, truth, self.focus())
        touched = self.driver.session.stage.ask(touched=True)["touched"]
        rows = [["other", name, what, "", ""] for name, what in touched] + [
            ["other", s, "", "", ""] for s in self._waiting
        ]
        return State([*self._last.shown, *rows], {**(self._last.truth or {}), "touched": touched}, self._last.focus)

    def focus(self) -> str:
        """The key of the element that gets what is typed; "?" where that is none of the application's."""
        if not any(window.active for window in self._own(self._windows)):
            return "?"
        return next((n.key for n in reversed(self._nodes) if "focused" in n.states and n.key in self._elements), "")

    def hit(self, point: Point) -> str:
        """The innermost listed element at a point of what was last read."""
        point = self.driver.clamp(point)
        window = next((w for w in reversed(self._windows) if inside(w.box, point)), None)
        if window is None:
            return ""
        if window.pid != self._pid or (window.managed and not inside(window.inner, point)):
            return "?"
        top = self._top_of(window)
        here = [n for n in self._nodes if (n.popup if not window.managed else not n.popup and n.top == top)]
        if any(n.sheet for n in here):  # a click beside it closes it
            here = [n for n in here if n.sheet]
        found = [n.key for n in here if n.key in self._elements and inside(n.seen, point)]
        return max(found, key=lambda key: key.count("/"), default="")

    def _top_of(self, window: Window) -> str:
        def distance(node: Node) -> float:
            return min(
                sum(abs(a - b) for a, b in zip(node.box, box, strict=True)) for box in (window.box, window.inner)
            )

        tops = [node for node in self._nodes if node.key == node.top and not node.popup]
        return min(tops, key=distance).key if tops else ""

    def _notice(self, point: Point) -> None:
        """Count what is done to elements whose effect does not show."""
        element = self._elements.get(self.hit(point))
        self._hidden += element is not None and element.name in self.unseen

    def active_elements(self, elements: Sequence[Element]) -> list[Element]:
        """Those that can be used now: of an open menu, or else of the window that has the focus."""
        popups = {node.key for node in self._nodes if node.popup or node.sheet}
        if inner := [e for e in elements if e.key in popups]:
            return inner
        active = {self._top_of(window) for window in self._own(self._windows) if window.active and window.managed}
        return [e for e in elements if "/".join(e.key.split("/")[:2]) in active]

    def is_menu_open(self) -> bool:
        """Whether a menu is open."""
        return any((node.popup or node.sheet) and node.key in self._elements for node in self._nodes)

    def window_box(self) -> Box:
        """The frame of the application's uppermost window."""
        mine = [window for window in self._own(self._windows) if window.managed]
        return mine[-1].box if mine else (0.0, 0.0, float(self.driver.size[0]), float(self.driver.size[1]))

    def window_boxes(self) -> list[Box]:
        """All windows on the screen, whoever they belong to."""
        return [window.box for window in self._windows]

    def traffic(self) -> Traffic:
        """A process that crashed or does not answer, and messages of failure in what was last read."""
        status = self.driver.session.status(self._pid) if self._pid else None
        errors = [f"{self.program[0]} was ended by signal {-status}"] if status is not None and status < 0 else []
        errors += sorted(self._find_alerts() - self._alerts)
        pending = (f"{self.program[0]} does not answer",) if self._frozen else ()
        return Traffic(tuple(errors), pending, self._frozen and bool(self._waiting))

    def listen(self) -> None:
        """Forget the messages so far."""
        self._alerts = self._find_alerts()

    def _find_alerts(self) -> frozenset[str]:
        tops = {n.key for n in self._nodes if n.role in _ALERTS}
        texts = (n.name or n.text or "" for n in self._nodes if any(n.key.startswith(f"{top}/") for top in tops))
        return frozenset(text for text in texts if _ERRORS.search(text))

    def intents(self, elements: Sequence[Element], random: Random) -> list[Intent]:
        """Clicks, ticks, menus and typing on what is listed, and the application's own steps."""
        return desktop_intents(self, elements, random)

    def faults(self) -> Sequence[Fault]:
        """The ways in which steps go wrong on a desktop."""
        return DESKTOP_FAULTS

    def noises(self) -> Sequence[str]:
        """Ambient changes; those that are kept for testing only where this application is."""
        return (*NOISES, *TEST_NOISES) if self.split == "test" else NOISES

    def make_noise(self, kind: str, seed: int) -> Sequence[Box]:
        """Show it where no window is."""
        return make_noise(self, kind, seed)
