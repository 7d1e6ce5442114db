"""Ambient changes of a desktop: a clock, a blinking cursor, a program at work, a notice, a film, the mouse pointer."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

from data_prep.collect.desktop_props import (
    FILM,
    NOTICE,
    PANEL,
    TERMINAL,
    WORKING,
    make_film,
    make_notice,
    make_panel,
    make_terminal,
    make_working,
)  # fmt: skip
from viscritic.trajectory import Box

if TYPE_CHECKING:
    from data_prep.collect.desktop_application import DesktopApplication

NOISES: Final = ("caret", "clock", "progress", "toast")
TEST_NOISES: Final = ("cursor", "video")
_FRAME: Final = (10, 34)  # pixels that a frame may add to a window


def make_noise(app: DesktopApplication, kind: str, seed: int) -> list[Box]:
    """Begin one; the boxes where it shows, none where there is no room."""
    random = Random(f"noise {seed}")
    width, height = app.driver.size
    if kind == "cursor":
        app.driver.show_cursor(on=True)
        return [(width - 48.0, height - 48.0, 48.0, 48.0)]  # where it is parked
    if kind == "clock":
        rate = random.randrange(150, 500)
        return [app.show("panel", make_panel((width, height), seed, [app.title], rate, top=app.panel_top))]
    size = {"caret": TERMINAL, "progress": WORKING, "toast": NOTICE, "video": FILM}[kind]
    place = find_room(app, size, random)
    if place is None:
        return []
    if kind == "toast":
        return [_toast(app, place, seed, visible=random.random() < 0.5)]
    prop = {
        "caret": lambda: make_terminal(place, seed), "video": lambda: make_film(place, seed),
        "progress": lambda: make_working(place, seed, dark=app.is_dark),
    }[kind]()  # fmt: skip
    return [app.show("noise", prop)]


def _toast(app: DesktopApplication, place: tuple[int, int], seed: int, *, visible: bool) -> Box:
    """A notice that comes, or goes, when the action is sent."""
    prop = make_notice(place, seed, dark=app.is_dark)
    box = app.show("noise", prop)
    if visible:
        app.driver.before_action(lambda: app.hide("noise"))
    else:
        app.hide("noise")
        app.driver.before_action(lambda: void(app.show("noise", prop)))
    return box


def void(_: object) -> None:
    """Drop a value."""


def find_room(app: DesktopApplication, size: tuple[int, int], random: Random) -> tuple[int, int] | None:
    """The corner of a place of this size that meets no window; None where there is none."""
    width, height = size[0] + _FRAME[0], size[1] + _FRAME[1]
    wide, high = app.driver.size
    taken = app.window_boxes()
    for _ in range(60):
        x, y = random.randrange(max(wide - width, 1)), random.randrange(PANEL, max(high - height - PANEL, PANEL + 1))
        if not any(x < b[0] + b[2] and b[0] < x + width and y < b[1] + b[3] and b[1] < y + height for b in taken):
            return x, y
    return None
