"""Faults of a desktop: windows that hang, crash, lie on top, take the focus or ask first."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Final, cast

from data_prep.collect.aimed_faults import AIMED_FAULTS
from data_prep.collect.application import Application, Element, Fault, Intent
from data_prep.collect.desktop_props import Prop, make_obituary, make_overlay, make_waiting
from data_prep.collect.desktop_tree import inside
from data_prep.collect.driver import settle
from data_prep.collect.faults import HandFault, aim
from data_prep.collect.given_faults import GIVEN_FAULTS
from viscritic.actions import Action
from viscritic.trajectory import Box

if TYPE_CHECKING:
    from data_prep.collect.desktop_application import DesktopApplication

_FRAME: Final = (4, 24)  # pixels of a frame to the left of a window and above it


class DesktopFault(HandFault):
    """A fault that the desktop or the application has. Subclasses override `prepare`, and `arm` or `end`."""

    spotless = False

    def begin(
        self, app: Application, intent: Intent, elements: Sequence[Element], random: Random
    ) -> tuple[Action, ...] | None:
        """Set the fault up."""
        return intent.actions if self.prepare(_desktop(app), intent, random) else None

    def prepare(self, app: DesktopApplication, intent: Intent, random: Random) -> bool:
        """Whether it applies here, and is set up."""
        raise NotImplementedError


class Swallowed(DesktopFault):
    """Clicks and keys reach nobody. Evidence: target hit, nothing in flight."""

    cause = "swallowed"

    def prepare(self, app: DesktopApplication, intent: Intent, random: Random) -> bool:
        """An open menu has the pointer to itself: nothing can be kept from it."""
        return not app.is_menu_open()

    def arm(self, app: Application) -> None:
        """Grab the pointer's buttons and the keyboard."""
        driver = _desktop(app).driver
        driver.before_action(lambda: driver.grab(on=True))

    def end(self, app: Application) -> None:
        """Let them go."""
        _desktop(app).driver.grab(on=False)


class Hangs(DesktopFault):
    """The application stops just before the action, and the desktop says that it does not answer.

    Evidence: the state of the process. What was sent would arrive when it goes on, so it is ended.

    Args:
        slow: whether it goes on after a moment: then the action succeeds late.
    """

    def __init__(self, *, slow: bool) -> None:
        self.cause = "slow" if slow else "hung"
        self._slow = slow

    def prepare(self, app: DesktopApplication, intent: Intent, random: Random) -> bool:
        """Choose how the desktop says so; an open menu holds the pointer of all."""
        self._signs = make_waiting(app.title, app.window_box(), random.randrange(1 << 30), dark=app.is_dark)
        self._delay = random.uniform(0.4, 0.8)
        return not app.is_menu_open()

    def arm(self, app: Application) -> None:
        """Stop it when the action is sent; then show the signs."""
        desktop = _desktop(app)
        desktop.driver.before_action(desktop.freeze)
        desktop.driver.after_action(lambda: self._show(desktop))

    def _show(self, app: DesktopApplication) -> None:
        names = [f"waiting {number}" for number in range(len(self._signs))]
        for name, sign in zip(names, self._signs, strict=True):
            app.show(name, sign)
        app.show_waiting(names)
        if self._slow:
            app.driver.later(self._delay, lambda: self._go_on(app, names))

    def _go_on(self, app: DesktopApplication, names: Sequence[str]) -> None:
        for name in names:
            app.hide(name)
        app.thaw()

    def end(self, app: Application) -> None:
        """Nothing more is waited for."""
        _desktop(app).driver.forget_calls()


class Crashes(DesktopFault):
    """The application ends with a fault of its own. Evidence: the signal that ended it."""

    cause = "crashed"

    def prepare(self, app: DesktopApplication, intent: Intent, random: Random) -> bool:
        """Some desktops report it."""
        seed = random.randrange(1 << 30)
        report = random.random() < 0.6
        self._report: Prop | None = (
            make_obituary(app.title, app.driver.size, seed, dark=app.is_dark) if report else None
        )
        return True

    def arm(self, app: Application) -> None:
        """End it when the action was sent."""
        desktop = _desktop(app)
        desktop.driver.after_action(lambda: self._crash(desktop))

    def _crash(self, app: DesktopApplication) -> None:
        app.crash()
        if self._report is not None:
            app.driver.wait(0.1)
            app.show("report", self._report)


class WindowOver(DesktopFault):
    """Another program's window lies over the target. Evidence: the hit is not the target.

    Args:
        covers: whether it lies over the target; beside it, it does no harm.
        late: whether it comes after the screen `pre` was taken.
    """

    def __init__(self, *, covers: bool, late: bool = False) -> None:
        self.cause = ("late_" if late else "") + ("overlay" if covers else "overlay_beside")
        self._covers, self._late = covers, late

    def prepare(self, app: DesktopApplication, intent: Intent, random: Random) -> bool:
        """Find its place; show it, or keep it for later."""
        if intent.actions[0].point is None or intent.verb == "scroll" or app.is_menu_open():
            return False
        size = random.randrange(240, 420), random.randrange(110, 260)
        place = (
            _over(intent, size, app.driver.size, random)
            if self._covers
            else _beside(intent, size, app.driver.size, random)
        )
        if place is None:
            return False
        self._prop = make_overlay(place, size, random.randrange(1 << 30), dark=app.is_dark)
        return self._late or self._fits(app, intent)

    def _fits(self, app: DesktopApplication, intent: Intent) -> bool:
        box = app.show("overlay", self._prop)
        settle(app.driver, limit=0.6)
        x, y = intent.actions[0].point or (0.0, 0.0)
        lies_over = box[0] <= x < box[0] + box[2] and box[1] <= y < box[1] + box[3]
        if lies_over != self._covers:
            app.hide("overlay")
        return lies_over == self._covers

    def arm(self, app: Application) -> None:
        """Show the late one."""
        if self._late:
            _desktop(app).show("overlay", self._prop)
            settle(app.driver, limit=0.6)


class FocusStolen(DesktopFault):
    """Just before keys are sent, another program's window takes the focus. Evidence: what has the focus."""

    cause = "focus_stolen"

    def prepare(self, app: DesktopApplication, intent: Intent, random: Random) -> bool:
        """Only steps that begin with the keyboard."""
        if intent.actions[0].point is not None or app.is_menu_open():
            return False
        wide, high = app.driver.size
        place = random.randrange(40, wide - 460), random.randrange(60, high - 300)
        self._prop = make_overlay(place, (300, 140), random.randrange(1 << 30), dark=app.is_dark)
        return True

    def arm(self, app: Application) -> None:
        """Show it."""
        _desktop(app).show("thief", self._prop)
        settle(app.driver, limit=0.6)


class ScrollElsewhere(DesktopFault):
    """The wheel turns over another part of the window than the one that is meant. Evidence: what scrolled."""

    cause = "scroll_elsewhere"

    def begin(
        self, app: Application, intent: Intent, elements: Sequence[Element], random: Random
    ) -> tuple[Action, ...] | None:
        """Turn it over another element, or anywhere else in the window."""
        action = intent.actions[0]
        if action.kind != "scroll" or action.point is None:
            return None
        left, top, width, height = _desktop(app).window_box()
        places = [e.centre for e in elements]
        places += [(float(round(left + width * random.random())), float(round(top + height * random.random())))]
        places = [p for p in places if not inside(intent.target.box, p) and app.hit(p) != "?"]
        return aim(intent, random.choice(places)) if places else None


class DialogOpen(DesktopFault):
    """A dialog of the application is open, and nothing else in it can be used. Evidence: the tree."""

    cause = "modal"

    def prepare(self, app: DesktopApplication, intent: Intent, random: Random) -> bool:
        """Open it, where the application knows how."""
        return not app.is_menu_open() and app.open_dialog()


class SavingDenied(DesktopFault):
    """The application may not write. Evidence: its own message."""

    cause = "denied"

    def prepare(self, app: DesktopApplication, intent: Intent, random: Random) -> bool:
        """Only where the step writes."""
        return app.deny_saving(intent)


DESKTOP_FAULTS: Final[tuple[Fault, ...]] = (
    *AIMED_FAULTS,
    *GIVEN_FAULTS,
    Swallowed(),
    Hangs(slow=False),
    Hangs(slow=True),
    Crashes(),
    WindowOver(covers=True),
    WindowOver(covers=True, late=True),
    WindowOver(covers=False),
    FocusStolen(),
    ScrollElsewhere(),
    DialogOpen(),
    SavingDenied(),
)


def _desktop(app: Application) -> DesktopApplication:
    return cast("DesktopApplication", app)


def _over(intent: Intent, size: tuple[int, int], screen: tuple[int, int], random: Random) -> tuple[int, int]:
    """A corner from which a window of this size covers the target's middle."""
    x, y = intent.target.centre
    left = x - size[0] * random.uniform(0.25, 0.75)
    top = y - size[1] * random.uniform(0.25, 0.75)
    return _within(left - _FRAME[0], screen[0] - size[0]), _within(top - _FRAME[1], screen[1] - size[1])


def _beside(intent: Intent, size: tuple[int, int], screen: tuple[int, int], random: Random) -> tuple[int, int] | None:
    """A corner from which it leaves the target free; None where there is none."""
    box = intent.target.box
    for _ in range(20):
        x, y = random.randrange(max(screen[0] - size[0] - 12, 1)), random.randrange(max(screen[1] - size[1] - 60, 1))
        if not _meet((x - 10.0, y - 10.0, size[0] + 40.0, size[1] + 120.0), box):
            return x, y
    return None


def _within(value: float, most: int) -> int:
    return round(min(max(value, 0), most))


def _meet(a: Box, b: Box) -> bool:
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]
