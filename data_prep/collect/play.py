"""One step played: the screens before and after it, and the facts."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from data_prep.collect.application import Application, Dressed, Element, Fault, Intent, State
from data_prep.collect.driver import Restful, equal, rest, settle
from data_prep.collect.judge import Facts, field_keys
from viscritic.actions import Action
from viscritic.screen import Screen
from viscritic.trajectory import Box

CLEAN: Final = "clean"
_HELD_FOR: Final = 1.2  # seconds that a request may stay open before the step counts as waiting
_MOST_BURST: Final = 3
_AGAIN: Final = 3  # times that a last screen is taken again
_CARET_PIXELS: Final = 300  # a blinking caret changes fewer
_IDLE_SHARE: Final = 0.25  # of the steps without noise, so many show a screen before the last one before
AT_POINT: Final = ("marks", "cursor")  # noises that show where the action goes
_MARK: Final = 24.0  # pixels of the page around a point that a mark or a pointer may cover


@dataclass(frozen=True, slots=True)
class Scene:
    """What is to be seen beside the application's own state.

    Attributes:
        noises: kinds of ambient change, tried in this order until one finds room; () for none.
        seed: of the looks of what is drawn.
        dressed: whether harmless things are drawn.
    """

    noises: tuple[str, ...] = ()
    seed: int = 0
    dressed: bool = False


PLAIN: Final = Scene()


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """One played step: the screens and the facts."""

    idle: tuple[Screen, ...]
    pre: Screen
    burst: tuple[Screen, ...]
    post: Screen
    facts: Facts
    actions: tuple[Action, ...]
    cause: str
    noise: str = ""
    noise_boxes: tuple[Box, ...] = ()

    def looks_like(self, a: Screen, b: Screen) -> bool:
        """Whether two of its screens are equal but for the noise."""
        if equal(a, b, self.noise_boxes):
            return True
        blinking = self.noise == "caret" and a.shape == b.shape
        return blinking and int((a != b).any(axis=2).sum()) < _CARET_PIXELS


def play(
    app: Application,
    intent: Intent,
    elements: Sequence[Element],
    scene: Scene,
    random: Random,
    fault: Fault | None = None,
) -> Seen | None:
    """Send the intent's actions, perhaps with a fault, and see; None where the fault does not apply."""
    actions = intent.actions if fault is None else fault.begin(app, intent, elements, random)
    if actions is None:
        return None
    try:
        if scene.dressed and isinstance(app, Dressed):
            app.dress(intent, Random(scene.seed))
        driver = app.driver
        noise, boxes = _make_noise(app, scene, actions)
        idle = _look_before(app, boxes, twice=bool(noise) or random.random() < _IDLE_SHARE)
        if fault is not None:
            fault.arm(app)
        if (point := actions[0].point) is not None:  # what hovering does is no effect of the action
            driver.act((Action("move", x=point[0], y=point[1]),))
            driver.wait(0.03)
        before = app.state()
        hit = app.hit(point) if point is not None else before.focus
        app.listen()
        driver.act(actions)
        screens, after = _look_after(app, boxes)
        facts = Facts(before, after, hit, app.traffic(), field_keys(elements))
    finally:
        if fault is not None:
            fault.end(app)
    cause = CLEAN if fault is None else fault.cause
    burst = tuple(screens[:-1][-_MOST_BURST:])
    return Seen(tuple(idle[-3:-1]), idle[-1], burst, screens[-1], facts, tuple(actions), cause, noise, tuple(boxes))


def _make_noise(app: Application, scene: Scene, actions: Sequence[Action]) -> tuple[str, list[Box]]:
    """Begin the first noise that finds room; its kind, "" for none, and the boxes where it shows."""
    for kind in scene.noises:
        if boxes := list(app.make_noise(kind, scene.seed)):
            if kind in AT_POINT:
                places = [p for a in actions for p in (a.point, a.end) if p is not None]
                side = 2 * _MARK * _scale(app)
                boxes += [(x - side / 2, y - side / 2, side, side) for x, y in places]
                boxes.append((0.0, 0.0, side, side))  # where a pointer is parked
            return kind, boxes
    return "", []


def _scale(app: Application) -> float:
    view = getattr(app.driver, "view", None)
    return float(view.scale) if view is not None else 1.0


def _look_before(app: Application, noise: Sequence[Box], *, twice: bool) -> list[Screen]:
    """The screens before the action, oldest first: at least one, two of them where `twice`."""
    driver = app.driver
    if isinstance(driver, Restful):
        driver.rest(0.8)
        screens = [driver.screen()]
    else:
        screens = list(settle(driver, limit=0.8, noise=noise).screens)
    if twice:  # a moment later, so that an ambient change shows
        driver.wait(0.25)
        screens.append(driver.screen())
    return screens


def _look_after(app: Application, noise: Sequence[Box]) -> tuple[list[Screen], State]:
    """The screens until both pixels and network rest, and the state then; what is held ends the wait by its bound.

    The state is that of the last screen: where something happened between the two, both are taken again.
    """
    driver = app.driver
    screens = _look_until_still(app, noise)
    state = app.state()
    for _ in range(_AGAIN):
        if not (isinstance(driver, Restful) and driver.stirred()):
            break
        driver.rest(1.5)
        screens.append(driver.screen())
        state = app.state()
    return _thin(screens), state


def _look_until_still(app: Application, noise: Sequence[Box]) -> list[Screen]:
    driver, deadline = app.driver, time.monotonic() + _HELD_FOR
    screens = [driver.screen()]
    rest(driver, 1.5)
    screens += settle(driver, limit=0.4, noise=noise, first=screens[-1]).screens[1:]
    waited = False
    while app.traffic().pending and time.monotonic() < deadline:
        waited = True
        driver.wait(0.1)
        screens.append(driver.screen())
    if waited and not app.traffic().pending:
        rest(driver, 1.5)
        screens += settle(driver, limit=0.6, noise=noise).screens
    return screens


def _thin(screens: Sequence[Screen]) -> list[Screen]:
    """Without repetitions."""
    kept = [screens[0]]
    for screen in screens[1:]:
        if not equal(kept[-1], screen):
            kept.append(screen)
    return kept
