"""Steps on a web page that need a way: scrolling the page or a box in it, moving sliders, dragging things."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Final

from data_prep.collect.application import Element, Intent, State
from viscritic.actions import Action
from viscritic.trajectory import Box

if TYPE_CHECKING:
    from data_prep.collect.web_application import WebApplication

_LEAST: Final = 60  # CSS pixels that there must be to scroll
_WHEEL: Final = (200, 300, 400, 600)  # pixels that the wheel turns
_THUMB: Final = 16.0  # CSS pixels: the width of a slider's thumb


def scrolling(app: WebApplication, elements: Sequence[Element], random: Random) -> list[Intent]:
    """Down or up, in the page or in boxes that scroll by themselves, wherever there is more to see."""
    left, top = app.driver.origin
    width, height = app.driver.size
    above, below = app.run("[scrollY, document.documentElement.scrollHeight - innerHeight - scrollY]")
    page = (left, top, width - left, height - top)
    found = _both_ways(app, "page", "page", "", page, (above, below), random)
    for row in app.run("viscritic.scrollers()"):
        role = "list" if row["list"] else "panel"
        box = app.driver.screen_box(row["box"])
        found += 2 * _both_ways(app, row["key"], role, row["name"], box, (row["above"], row["below"]), random)
    return found


def _both_ways(
    app: WebApplication, key: str, role: str, name: str, box: Box, room: tuple[float, float], random: Random
) -> list[Intent]:
    found = []
    for way, rest in ((-1, room[0]), (1, room[1])):
        if rest <= _LEAST:
            continue
        x, y = (float(round(box[i] + box[i + 2] * random.uniform(0.3, 0.7))) for i in (0, 1))
        hit = app.hit((x, y))
        if hit == "?":
            continue
        action = _swipe(app, (x, y), way, box) if app.driver.view.mobile else _turn((x, y), way, random)
        words = f"see what is further {'down' if way > 0 else 'up'}" if role == "page" else ""
        target = Element(hit, role, name, box)
        found.append(Intent("scroll", target, (action,), purpose=words, reached=_scrolled(key, way)))
    return found


def _turn(point: tuple[float, float], way: int, random: Random) -> Action:
    return Action("scroll", x=point[0], y=point[1], dy=float(way * random.choice(_WHEEL)))


def _swipe(app: WebApplication, point: tuple[float, float], way: int, box: Box) -> Action:
    """The finger goes the other way than what is looked at."""
    length = min(box[3] * 0.4, 260.0 * app.driver.view.scale)
    end = min(max(point[1] - way * length, box[1] + 4), box[1] + box[3] - 4)
    return Action("swipe", x=point[0], y=point[1], x2=point[0], y2=float(round(end)))


def _scrolled(key: str, way: int) -> Callable[[State, State], bool]:
    def reached(before: State, after: State) -> bool:
        if before.truth["url"] != after.truth["url"]:
            return False
        moved: float = after.truth["scrolled"].get(key, 0) - before.truth["scrolled"].get(key, 0)
        return moved * way > 0

    return reached


def dragging(app: WebApplication, elements: Sequence[Element], random: Random) -> list[Intent]:
    """Sliders to be moved, and things to be dragged to another place."""
    found = [
        step
        for element in elements
        if element.role == "slider" and element.enabled
        for step in _sliding(app, element, random)
    ]
    things = [e for e in elements if e.role != "slider" and app.details(e)["draggable"] and e.name]
    for thing in things if not app.driver.view.mobile else ():
        goals = [e for e in things if e.key != thing.key]
        if goals:
            found.append(_dropping(thing, random.choice(goals)))
    return found


def _sliding(app: WebApplication, slider: Element, random: Random) -> list[Intent]:
    """Move a native slider's thumb: to one end, or to a value."""
    bounds = app.details(slider)["range"]
    x, y, width, height = slider.box
    if not bounds or width < 2 * height or app.driver.view.mobile:
        return []
    low, high, value = bounds
    thumb = _THUMB * app.driver.view.scale
    start = x + thumb / 2 + (width - thumb) * (value - low) / max(high - low, 1e-9)
    found = []
    for end, words in (
        (x + 1, "to the far left"),
        (x + width - 1, "to the far right"),
        (x + width / 2, "to the middle"),
    ):
        if abs(end - start) > 2 * thumb:
            row = round(y + height / 2)
            drag = Action("drag", x=float(round(start)), y=float(row), x2=float(round(end)), y2=float(row))
            name = f"the '{slider.name}' slider" if slider.name else "the slider"
            found.append(Intent("drag", slider, (drag,), text=words, purpose=f"drag {name} {words}"))
    return found


def _dropping(thing: Element, goal: Element) -> Intent:
    start, end = thing.centre, goal.centre
    drag = Action("drag", x=start[0], y=start[1], x2=end[0], y2=end[1])
    name, place = (e.name if len(e.name) <= 40 else e.name[:37].rstrip() + "..." for e in (thing, goal))
    return Intent("drag", thing, (drag,), text=f"onto '{place}'", purpose=f"drag '{name}' onto '{place}'")
