"""Plausible steps on a web page, made from what it lists."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any, Final

from data_prep.collect.application import Element, Intent, State
from data_prep.collect.judge import FIELDS
from data_prep.collect.texts import text_for
from viscritic.actions import Action

if TYPE_CHECKING:
    from data_prep.collect.web_application import WebApplication

_SKIPPED: Final = ("file", "color", "date", "time", "month", "week", "datetime-local", "image")  # own native dialogs
_SCROLL_SHARE: Final = 0.08
_TICKS: Final = ("checkbox", "radio button", "switch")


def web_intents(app: WebApplication, elements: Sequence[Element], random: Random) -> list[Intent]:
    """One step or two for each element that takes input, shuffled."""
    focus = str(app.run("viscritic.state(null).focus"))
    found = [intent for element in elements for intent in _steps(app, element, focus, random)]
    random.shuffle(found)
    if random.random() < _SCROLL_SHARE and (step := _scrolling(app, random)) is not None:
        found.insert(0, step)
    return found


def _scrolling(app: WebApplication, random: Random) -> Intent | None:
    """A turn of the wheel over the page, down or up, where there is more to see."""
    above, below = app.run("[scrollY, document.documentElement.scrollHeight - innerHeight - scrollY]")
    ways = [way for way, room in ((1, below), (-1, above)) if room > 60]
    if not ways or app.driver.view.mobile:  # a phone has no wheel
        return None
    width, height = app.driver.size
    x, y = float(random.randrange(width // 4, 3 * width // 4)), float(random.randrange(height // 4, 3 * height // 4))
    way = random.choice(ways)
    page = Element(app.hit((x, y)), "page", "", (0.0, 0.0, float(width), float(height)))
    wheel = Action("scroll", x=x, y=y, dy=float(way * random.choice((200, 300, 400, 600))))
    return Intent("scroll", page, (wheel,), purpose=f"see what is further {'down' if way > 0 else 'up'}")


def _steps(app: WebApplication, element: Element, focus: str, random: Random) -> list[Intent]:
    details = app.details(element)
    if element.role == "item" and not element.name:  # nobody could say what is meant
        return []
    if details["type"] in _SKIPPED or details["leaves"] or details["draggable"]:
        return []
    if details["link"] and not details["link"].startswith((app.url, "javascript:")):
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
    if element.value and focus == element.key and details["tag"] == "input":
        steps.append(
            Intent("key", element, (Action("key", keys=("enter",)),), purpose=f"submit '{element.value[:40]}'")
        )
    return steps


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
