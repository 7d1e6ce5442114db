"""What is driven: an application that can be put into a state, shows elements, and tells the truth about itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Literal, Protocol, runtime_checkable

from data_prep.collect.driver import Driver
from viscritic.actions import Action
from viscritic.actions.action import Point
from viscritic.sample import Split
from viscritic.trajectory import Box, Platform


@dataclass(frozen=True, slots=True)
class Element:
    """Something on the screen that a person could name and act on.

    Attributes:
        key: finds the same element again after a reset to the same state (a path in the DOM or the AT-SPI tree).
        role: one plain word or two: button, link, text field, checkbox, tab, menu item, ...
        name: its visible name, "" where it has none.
        box: x, y, width, height in pixels of the screen, the part that is visible.
        enabled: whether it takes input.
        checked: the state of a checkbox, radio button or switch; None for everything else.
        value: the text in a field, or the choice of a list.
        options: what a list can be set to.
        near: words that stand beside it in its row, card or list item, and tell it from its like; "" where none do.
    """

    key: str
    role: str
    name: str
    box: Box
    enabled: bool = True
    checked: bool | None = None
    value: str = ""
    options: tuple[str, ...] = ()
    near: str = ""

    @property
    def centre(self) -> Point:
        """The middle of the box, whole pixels."""
        return float(round(self.box[0] + self.box[2] / 2)), float(round(self.box[1] + self.box[3] / 2))


@dataclass(frozen=True, slots=True)
class State:
    """What the application says of itself. All parts are JSON values, and equal states compare equal.

    Attributes:
        shown: what a person could see: texts, values, ticks, what is open, where it is scrolled to. Noise is left out.
        truth: what it knows beyond that: its store, its files, a reward.
        focus: the key of the element with the keyboard focus, "" for none.
    """

    shown: Any
    truth: Any = None
    focus: str = ""


@dataclass(frozen=True, slots=True)
class Traffic:
    """What became of the work that the action started (documents and data; pictures and styles do not count).

    Attributes:
        errors: answers of 400 and above, failed requests, a crashed process: "500 /api/save".
        pending: requests without an answer; a window that does not answer.
        loading: visible evidence that something is going on, as the application tells (a spinner is displayed).
    """

    errors: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    loading: bool = False


Verb = Literal["click", "double_click", "right_click", "type", "select", "key", "scroll", "drag"]


@dataclass(frozen=True, slots=True)
class Intent:
    """One plausible step in the present state: what is meant, and the action that does it.

    Attributes:
        verb: what kind of step it is.
        target: the element that is meant.
        actions: the right actions, in pixels of the present screen.
        text: what is typed or selected.
        purpose: what it is good for, in words that name no element ("mark 'Buy milk' as done"); "" where unknown.
        reached: whether an after-state (second) is what was meant, given the state before (first). Where it is None,
            the clean replay decides: what it leads to is what was meant, if anything changed.
    """

    verb: Verb
    target: Element
    actions: tuple[Action, ...]
    text: str = ""
    purpose: str = ""
    reached: Callable[[State, State], bool] | None = field(default=None, compare=False)


class Application(Protocol):
    """An application under a driver. One file each; everything in it is found through these members.

    Attributes:
        name: unique ("todomvc-react"); samples are split by it.
        family: applications that share their look (all Django admins): a family lies in one split.
        split: fixed by the name, never drawn.
    """

    name: str
    family: str
    platform: Platform
    split: Split

    @property
    def driver(self) -> Driver:
        """The driver that `start` made."""

    def start(self, cache: Path) -> Driver:
        """Start it, and the driver it runs in; `cache` holds what `install` put there.

        Raises:
            DataError: it is not installed; the message names the command.
        """

    def stop(self) -> None:
        """End it with all that it started, by its own id; also after a failure, and more than once."""

    def reset(self, seed: int) -> None:
        """Put it into the state that the seed stands for, ready to be looked at; the same seed, the same state."""

    def elements(self) -> list[Element]:
        """What can be acted on now and is in view."""

    def state(self) -> State:
        """The truth now."""

    def hit(self, point: Point) -> str:
        """The key of the element that gets a pointer action there, "" for none, "?" for one that no key names.

        Of nested elements it is the innermost that `elements` lists.
        """

    def traffic(self) -> Traffic:
        """What happened since the last `listen`."""

    def listen(self) -> None:
        """Forget what `traffic` collected."""

    def intents(self, elements: Sequence[Element], random: Random) -> list[Intent]:
        """Plausible steps from here, in a random order."""

    def faults(self) -> Sequence[Fault]:
        """The ways in which its steps can go wrong, the generic ones of `data_prep.collect.faults` included."""

    def noises(self) -> Sequence[str]:
        """The kinds of ambient change that it can show (`Sample.noise`)."""

    def make_noise(self, kind: str, seed: int) -> Sequence[Box]:
        """Begin an ambient change until the next reset; the boxes in pixels where it shows.

        It must show in no `State` and receive no action.
        """


@runtime_checkable
class Dressed(Protocol):
    """An application that can show things which do no harm."""

    def dress(self, intent: Intent, random: Random) -> None:
        """Show something that changes neither what the intent's actions do nor any `State` after the next look.

        It keeps what is seen before an action from telling how the action ends.
        """


class Fault(Protocol):
    """A way in which a step goes wrong.

    Attributes:
        cause: its name in `Sample.cause` ("swallowed", "neighbour", ...).
    """

    cause: str

    def begin(
        self, app: Application, intent: Intent, elements: Sequence[Element], random: Random
    ) -> tuple[Action, ...] | None:
        """Set the fault up before the screen `pre` is taken; the actions to send, or None where it does not apply."""

    def arm(self, app: Application) -> None:
        """What must happen after `pre` was taken, right before the actions are sent (a route that fails, say)."""

    def end(self, app: Application) -> None:
        """Undo it. The application is reset afterwards in any case."""
