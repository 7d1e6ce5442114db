"""Plausible steps in a desktop application, made from what it lists."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Final

from data_prep.collect.application import Element, Intent, State
from data_prep.collect.desktop_gestures import scrolling
from data_prep.collect.judge import FIELDS
from data_prep.collect.texts import text_for
from data_prep.collect.web_intents import click, point_in
from viscritic.actions import Action

if TYPE_CHECKING:
    from data_prep.collect.desktop_application import DesktopApplication

_OWN_SHARE: Final = 0.45  # how often an application's own steps come first
_SCROLL_SHARE: Final = 0.15  # how often something is scrolled, where there is more to see
_CLOSE_SHARE: Final = 0.15  # how often an open menu is closed
_NAMELESS: Final = ("row", "list item", "icon", "tree item", "menu item", "button", "toggle button")


def desktop_intents(app: DesktopApplication, elements: Sequence[Element], random: Random) -> list[Intent]:
    """One step or two for each element that takes input now, shuffled."""
    usable = app.active_elements(elements)
    focus = app.focus()
    found = [intent for element in usable for intent in _steps(app, element, focus, random)]
    random.shuffle(found)
    if app.is_menu_open():
        if random.random() < _CLOSE_SHARE and usable:
            found.insert(0, _closing(usable[0], focus))
        return found
    own = app.steps(usable, random)
    random.shuffle(own)
    found = [*own, *found] if random.random() < _OWN_SHARE else [*found, *own]
    if random.random() < _SCROLL_SHARE and (ways := scrolling(app, usable, random)):
        found.insert(0, random.choice(ways))
    return found


def _steps(app: DesktopApplication, element: Element, focus: str, random: Random) -> list[Intent]:
    if element.name.rstrip("…. ") in app.avoided or (not element.name and element.role in _NAMELESS):
        return []
    if element.role in FIELDS:
        return _typing(element, focus, random) if element.enabled else []
    return [click(element, random, purpose=_purpose(element))]


def _purpose(element: Element) -> str:
    if element.checked is not None and element.name and element.role != "radio button":
        return f"turn {'off' if element.checked else 'on'} '{element.name}'"
    if element.role in ("radio button", "tab") and element.name:
        return f"choose '{element.name}'" if element.role != "tab" else f"see the page '{element.name}'"
    if element.role == "menu" and element.name:
        return f"see what is in the menu '{element.name}'"
    return ""


def _closing(element: Element, focus: str) -> Intent:
    """Escape closes the menu; what it is sent to is wherever the focus is."""
    target = Element(focus, "menu", "", element.box)
    return Intent("key", target, (Action("key", keys=("escape",)),), purpose="close the menu")


def _typing(element: Element, focus: str, random: Random) -> list[Intent]:
    x, y = point_in(element, random)
    here = Action("click", x=x, y=y)
    steps = []
    if focus != element.key and random.random() < 0.4:
        steps.append(Intent("click", element, (here,), reached=partial(_is_focused, element.key)))
    text = text_for(element, "number" if element.role == "number field" else "", random)
    if not text or element.role == "text area":
        return steps
    purpose = f"enter '{text}'" + (f" as {element.name.rstrip(' *:').lower()}" if element.name else "")
    ways = ((here, Action("type", text=text)), (Action("type", text=text),))
    actions = ways[focus == element.key]
    if element.value:
        actions = (Action("triple_click", x=x, y=y), Action("type", text=text))
        purpose = f"replace '{element.value[:40]}' by '{text}'"
    reached = partial(holds, element.key, "•" * len(text) if element.role == "password field" else text)
    return [*steps, Intent("type", element, actions, text=text, purpose=purpose, reached=reached)]


def shortcut(target: Element, keys: tuple[str, ...], purpose: str) -> Intent:
    """A shortcut that the element with the focus gets."""
    return Intent("key", target, (Action("key", keys=keys),), purpose=purpose)


def text_in(state: State, key: str) -> str | None:
    """The text of an element in a state."""
    return next((row[2] for row in state.shown if row[0] == key), None)


def holds(key: str, text: str, _: State, after: State) -> bool:
    """Whether an element holds a text in the end."""
    return text_in(after, key) == text


def _is_focused(key: str, before: State, after: State) -> bool:
    return after.focus == key and text_in(after, key) == text_in(before, key)
