"""Plausible steps on a web page, made from what it lists."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Final

from data_prep.collect.application import Element, Intent, State
from data_prep.collect.judge import FIELDS
from data_prep.collect.texts import text_for
from data_prep.collect.web_gestures import dragging, scrolling
from viscritic.actions import Action

if TYPE_CHECKING:
    from data_prep.collect.web_application import WebApplication

_SKIPPED: Final = ("file", "color", "date", "time", "month", "week", "datetime-local", "image")  # own native dialogs
_SCROLL_SHARE: Final = 0.09
_DRAG_SHARE: Final = 0.5  # where there is something to drag
_MARKED: Final = ("text", "search", "url", "tel")  # fields that tell what is marked in them
_TICKS: Final = ("checkbox", "radio button", "switch")


def web_intents(app: WebApplication, elements: Sequence[Element], random: Random) -> list[Intent]:
    """One step or two for each element that takes input, shuffled."""
    focus = str(app.run("viscritic.state(null).focus"))
    found = [intent for element in elements for intent in _steps(app, element, focus, random)]
    random.shuffle(found)
    for share, make in ((_SCROLL_SHARE, scrolling), (_DRAG_SHARE, dragging)):
        if random.random() < share and (steps := make(app, elements, random)):
            found.insert(0, random.choice(steps))
    return found


def _steps(app: WebApplication, element: Element, focus: str, random: Random) -> list[Intent]:
    details = app.details(element)
    if element.role == "item" and not element.name:  # nobody could say what is meant
        return []
    if details["type"] in _SKIPPED or element.role == "slider":
        return []
    own = app.url if details["leaves"] else (app.url, "javascript:")
    if (details["link"] or details["leaves"]) and not details["link"].startswith(own):
        return []
    if element.role in FIELDS and element.enabled and not details["readonly"]:
        return _typing(details, element, focus, random)
    if element.options:
        return _choosing(element, random)
    return [click(element, random, purpose=_click_purpose(element))]


def click(element: Element, random: Random, purpose: str = "", **kwargs: Any) -> Intent:
    """A click somewhere in the middle of an element."""
    x, y = point_in(element, random)
    return Intent("click", element, (Action("click", x=x, y=y),), purpose=purpose, **kwargs)


def point_in(element: Element, random: Random) -> tuple[float, float]:
    """A whole-pixel point in the middle half of an element: people do not hit the centre."""
    x, y, width, height = element.box
    return (
        float(round(x + width * (0.5 + 0.25 * random.uniform(-1, 1)))),
        float(round(y + height * (0.5 + 0.25 * random.uniform(-1, 1)))),
    )


def _click_purpose(element: Element) -> str:
    if element.role in _TICKS and element.name:
        if element.role == "radio button":
            return f"choose '{element.name}'"
        return f"{'turn off' if element.checked else 'turn on'} '{element.name}'"
    return ""


def _typing(details: dict[str, Any], element: Element, focus: str, random: Random) -> list[Intent]:
    plain = details["tag"] in ("input", "textarea")
    x, y = point_in(element, random)
    here = Action("click", x=x, y=y)
    steps = []
    if focus != element.key and random.random() < 0.4:
        steps.append(Intent("click", element, (here,), purpose="", reached=_focused(element.key)))
    text = text_for(element, details["type"], random)
    if not plain or not text or (details["limit"] and len(text) > details["limit"]):
        return steps
    reached = _holds(element.key, "•" * len(text) if element.role == "password field" else text)
    purpose = f"enter '{text}'" + (f" as {element.name.rstrip(' *:').lower()}" if element.name else "")
    if not element.value:
        actions = (Action("type", text=text),) if focus == element.key else (here, Action("type", text=text))
        steps.append(Intent("type", element, actions, text=text, purpose=purpose, reached=reached))
    elif details["tag"] == "input":
        actions = (Action("triple_click", x=x, y=y), Action("type", text=text))
        purpose = f"replace '{element.value[:40]}' by '{text}'"
        steps.append(Intent("type", element, actions, text=text, purpose=purpose, reached=reached))
    if element.value and details["type"] in _MARKED and random.random() < 0.35:
        steps.append(_marking(element, focus, here))
    if element.value and focus == element.key and details["tag"] == "input":
        steps.append(
            Intent("key", element, (Action("key", keys=("enter",)),), purpose=f"submit '{element.value[:40]}'")
        )
    return steps


def _marking(element: Element, focus: str, here: Action) -> Intent:
    """Mark all that a field holds; or, where it has the focus, copy it: where something is marked, that is noted."""
    name = f" of {element.name.rstrip(' *:').lower()}" if element.name else ""
    if focus == element.key:
        return Intent("key", element, (Action("key", keys=("ctrl", "c")),), purpose=f"copy the text{name}")
    actions = (here, Action("key", keys=("ctrl", "a")))
    return Intent("click", element, actions, purpose=f"select all the text{name}")


def _choosing(element: Element, random: Random) -> list[Intent]:
    others = [option for option in element.options if option and option != element.value]
    if not others or not element.enabled:
        return []
    text = random.choice(others)
    x, y = point_in(element, random)
    purpose = f"set {element.name.rstrip(' *:').lower()} to '{text}'" if element.name else f"choose '{text}'"
    return [Intent("select", element, (Action("select", x=x, y=y, text=text),), text=text, purpose=purpose)]


def _focused(key: str) -> Any:
    def reached(before: State, after: State) -> bool:
        return after.focus == key and _value(after, key) == _value(before, key)

    return reached


def _value(state: State, key: str) -> Any:
    return next((row[2] for row in state.shown if row[0] == key), None)


def _holds(key: str, text: str) -> Any:
    def reached(_: State, after: State) -> bool:
        return bool(_value(after, key) == text)

    return reached
