"""galculator: a calculator with menus and preferences. Debian package `galculator`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Final

from data_prep.collect.application import Element, Intent
from data_prep.collect.desktop_application import DesktopApplication
from data_prep.collect.desktop_intents import holds
from data_prep.collect.desktop_tree import Node
from viscritic.actions import Action

_KEYS: Final = ("push button", "toggle button")


class Galculator(DesktopApplication):
    """The calculator; a seed chooses the mode and what the display shows."""

    name = family = "galculator"
    title = "galculator"
    program = ("galculator",)
    area = ((320, 350), (560, 520))
    dialog = (("alt", "h"), ("down",), ("enter",))
    avoided = frozenset({"(", ")", "MS", "Quit", "Copy", "Cut", "Paste"})
    unseen = frozenset({"+", "-", "*", "/", "(", ")", "MS", "M+", "x^y", "pow", "mod", "AND", "OR", "XOR", "lsh"})

    def prepare(self, random: Random) -> None:
        """Type a number or a sum now and then."""
        texts = ("", "", str(random.randrange(2, 999)), f"{random.randrange(2, 99)}*{random.randrange(2, 99)}=")
        if text := random.choice(texts):
            self.driver.act((Action("type", text=text),))

    def adjust(self, element: Element) -> Element:
        """Its keys say that they are toggle buttons; the display has no name."""
        if element.role == "toggle button":
            return replace(element, role="button", checked=None)
        return element

    def display(self) -> Node | None:
        """The number that it shows."""
        return next((n for n in self.nodes if n.role == "text" and n.text is not None), None)

    def focus(self) -> str:
        """The display gets what is typed while the main window is active."""
        display = self.display()
        return super().focus() or ("" if display is None else display.key)

    def steps(self, elements: Sequence[Element], random: Random) -> list[Intent]:
        """Sums typed on the keyboard."""
        display = self.display()
        if display is None or not any(e.name == "=" for e in elements):
            return []
        one, two, three, four = random.sample("123456789", 4)  # a key that comes twice within 250 ms counts once
        b, a = sorted((int(one + two), int(three + random.choice(("", four)))))  # its minus sign differs from ours
        sign, result = random.choice((("+", a + b), ("*", a * b), ("-", a - b)))
        text = f"{a}{sign}{b}="
        target = Element(display.key, "calculator", "", display.seen, value=display.text or "")
        return [
            Intent(
                "type", target, (Action("type", text=text),), text=text, purpose=f"work out {a} {sign} {b}",
                reached=partial(holds, display.key, str(result)),
            )
        ]  # fmt: skip


GALCULATOR: Final[dict[str, Callable[[], Galculator]]] = {"galculator": Galculator}
