"""GNOME Calculator: a calculator of GTK 4, for testing only. Debian package `gnome-calculator`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any, Final

from data_prep.collect.application import Element, Intent
from data_prep.collect.desktop_application import DesktopApplication
from data_prep.collect.desktop_intents import holds
from data_prep.collect.desktop_tree import VISIBLE, Node
from data_prep.collect.desktop_windows import Window
from viscritic.actions import Action
from viscritic.actions.action import Point
from viscritic.sample import Split

_SETTINGS: Final = """[org/gnome/calculator]
refresh-interval=0
"""  # it would ask servers for exchange rates


class GnomeCalculator(DesktopApplication):
    """The calculator; a seed chooses what the display shows."""

    name = family = "gnome-calculator"
    title = "Calculator"
    split: Split = "test"
    program = ("gnome-calculator",)
    area = ((360, 501), (560, 560))
    shows = VISIBLE
    avoided = frozenset({"Minimize", "Maximize", "Basic"})

    def restore(self, random: Random) -> None:
        """Settings that keep it from the network."""
        settings = self.home / ".config" / "glib-2.0" / "settings" / "keyfile"
        settings.parent.mkdir(parents=True)
        settings.write_text(_SETTINGS, "utf-8")

    def environment(self) -> Mapping[str, str]:
        """Draw without a graphics card."""
        return {"GSK_RENDERER": "cairo"}

    def shift(self, windows: Sequence[Window], rows: Sequence[Any]) -> Point:
        """GTK 4 counts from inside the shadow of its window."""
        left, top, width, height = windows[-1].inner
        box = rows[0][6]
        return left + (width - box[2]) / 2, top + (height - box[3]) / 2

    def prepare(self, random: Random) -> None:
        """Type a number now and then."""
        if text := random.choice(("", str(random.randrange(2, 999)))):
            self.driver.act((Action("type", text=text),))
            self.driver.wait(0.3)

    def adjust(self, element: Element) -> Element:
        """Its keys say their names twice."""
        first, _, second = element.name.partition(" ")
        return replace(element, name=first) if first == second else element

    def display(self) -> Node | None:
        """The line that is edited."""
        return next((n for n in self.nodes if n.role == "text box" and "editable" in n.states), None)

    def focus(self) -> str:
        """The display gets what is typed while the window is active."""
        display = self.display()
        return super().focus() or ("" if display is None else display.key)

    def steps(self, elements: Sequence[Element], random: Random) -> list[Intent]:
        """Sums typed on the keyboard."""
        display = self.display()
        if display is None or display.text or not any(e.name.startswith("=") for e in elements):
            return []
        a, b = random.randrange(2, 99), random.randrange(2, 99)
        sign, result = random.choice((("+", a + b), ("*", a * b)))
        text = f"{a}{sign}{b}"
        target = Element(display.key, "calculator", "", display.seen)
        actions = (Action("type", text=text), Action("key", keys=("enter",)))
        reached = partial(holds, display.key, str(result))
        return [Intent("type", target, actions, text=text, purpose=f"work out {a} {sign} {b}", reached=reached)]


GNOME_CALCULATOR: Final[dict[str, Callable[[], GnomeCalculator]]] = {"gnome-calculator": GnomeCalculator}
