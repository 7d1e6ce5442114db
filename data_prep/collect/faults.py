"""Faults of the hand: the right step, sent to the wrong place or with a part missing. They suit every application.

aimed_faults.py has those of where an action goes, given_faults.py those of what it brings: a text, a choice, a thing
that is dragged.
"""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from data_prep.collect.application import Application, Fault, Intent
from viscritic.actions import Action
from viscritic.actions.action import Point


class HandFault(Fault):
    """A fault that only changes what is sent.

    Attributes:
        spotless: whether it leaves nothing behind where the step did nothing, so that no replay is needed.
        revives: whether it makes something work that does nothing by itself: the step is right then.
    """

    spotless: ClassVar[bool] = True
    revives: ClassVar[bool] = False

    def arm(self, app: Application) -> None:
        """Nothing to do."""

    def end(self, app: Application) -> None:
        """Nothing to undo."""


def aim(intent: Intent, point: Point) -> tuple[Action, ...]:
    """The intent's actions with every pointer action at another point."""
    return tuple(a if a.point is None else replace(a, x=point[0], y=point[1]) for a in intent.actions)


def screen_size(app: Application) -> tuple[int, int]:
    """(width, height) of the application's screen in pixels."""
    return app.driver.size


def square_distance(a: Point, b: Point) -> float:
    """The square of how far two points are from each other."""
    return float((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2)
