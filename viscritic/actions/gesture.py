"""Halves of gestures, and how they become actions.

Some dialects press and release buttons and keys one by one, drag from wherever the pointer happens to be, or click
there. Their readers yield a `Half` for each such part; `fold` joins the halves of a batch:

- a press, moves and a release of the mouse button: one drag, or a click where the pointer stayed in place (a long press
  where a wait stood between);
- a drag without a start: it starts where the pointer is known to be, and swallows the move that brought it there;
- an action at the pointer: gets the point of the move or click before it in the batch;
- a key held down: part of the chord of what happens before its release; alone, it is a press of that key.

A half whose counterpart is missing is an action of kind `other` ("press the left mouse button", "release Ctrl"), but a
key that nobody releases is a press of that key.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from viscritic.actions.action import Action, Kind, Point
from viscritic.actions.keys import label_chord
from viscritic.errors import ActionError

Button = Literal["left", "right", "middle"]
CLICKS: Final[dict[Button, Kind]] = {"left": "click", "right": "right_click", "middle": "middle_click"}
_POINTING: Final = ("click", "double_click", "triple_click", "right_click", "middle_click", "long_press", "move")


@dataclass(frozen=True, slots=True)
class Half:
    """A part of a gesture.

    Attributes:
        what: `at_pointer` holds a whole action that lacks only its point; `move_by` and `drag_by` are relative.
        x, y: where, or by how much, in pixels; None where the dialect does not say.
        keys: the key that goes down or up.
        button: of the mouse.
        action: for `at_pointer`.
        raw: what it was read from.
    """

    what: Literal["mouse_down", "mouse_up", "drag_to", "drag_by", "move_by", "key_down", "key_up", "at_pointer"]
    x: float | None = None
    y: float | None = None
    keys: tuple[str, ...] = ()
    button: Button = "left"
    action: Action | None = None
    raw: Any = field(default=None, compare=False, repr=False)


Event = Action | Half


def fold(events: Iterable[Event]) -> tuple[Action, ...]:
    """The actions that the events of one batch make.

    Raises:
        ActionError: a relative move whose start is unknown.
    """
    folder = _Folder()
    for event in events:
        if isinstance(event, Action):
            folder.act(event)
        else:
            folder.join(event)
    return folder.finish()


class _Folder:
    """What is known while a batch is read: where the pointer is, and what is held down."""

    def __init__(self) -> None:
        self.actions: list[Action] = []
        self.at: Point | None = None
        self.pressed: Half | None = None
        self.pressed_at: Point | None = None
        self.waited = 0.0  # seconds since the press
        self.held: tuple[str, ...] = ()
        self.held_used = False  # whether the held keys have taken part in something
        self.held_raw: Any = None  # what the last of them came from

    def act(self, action: Action) -> None:
        """Take a whole action."""
        if self.pressed and action.kind in ("move", "wait"):
            self.waited += action.seconds or 0.0
            self.at = action.point or self.at
            return
        if self.held and (action.kind in _POINTING or action.kind in ("key", "drag", "scroll")):
            action = replace(action, keys=(*self.held, *action.keys))
            self.held_used = True
        self.actions.append(action)
        if action.kind in _POINTING or action.kind in ("drag", "swipe"):
            self.at = action.end or action.point  # None for an element whose place nobody told

    def join(self, half: Half) -> None:
        """Take a half."""
        match half.what:
            case "key_down":
                self.held, self.held_used, self.held_raw = (*self.held, *half.keys), False, half.raw
            case "key_up":
                self._release_key(half)
            case "mouse_down":
                self._finish_press()
                self._go(half)
                self._swallow_move()
                self.pressed, self.pressed_at, self.waited = half, self.at, 0.0
            case "mouse_up":
                self._release(half)
            case "drag_to" | "drag_by":
                self._drag(half)
            case "move_by":
                self.act(Action("move", *self._shifted(half), raw=half.raw))
            case "at_pointer" if half.action is not None:
                x, y = self.at or (None, None)
                self.act(replace(half.action, x=x, y=y))

    def finish(self) -> tuple[Action, ...]:
        """What was read, with what is still held down."""
        self._finish_press()
        if self.held and not self.held_used:
            self.actions.append(Action("key", keys=self.held, raw=self.held_raw))
        return tuple(self.actions)

    def _go(self, half: Half) -> None:
        if half.x is not None and half.y is not None:
            self.at = (half.x, half.y)

    def _shifted(self, half: Half) -> Point:
        if self.at is None:
            raise ActionError("a relative move needs to know where the pointer is: move to a point first", field="x")
        return self.at[0] + (half.x or 0.0), self.at[1] + (half.y or 0.0)

    def _swallow_move(self) -> None:
        """A move that only brings the pointer to where a drag starts is part of the drag."""
        last = self.actions[-1] if self.actions else None
        if last and self.at and last.kind == "move" and last.point == self.at:
            self.actions.pop()

    def _drag(self, half: Half) -> None:
        start = self.at
        if not self.pressed:
            self._swallow_move()
        if half.what == "drag_by":
            self.at = self._shifted(half)
        else:
            self._go(half)
        if not self.pressed:  # else it is a move of the drag that is under way
            self._append_drag(start, half.raw)

    def _append_drag(self, start: Point | None, raw: Any) -> None:
        x, y = start or (None, None)
        x2, y2 = self.at or (None, None)
        self.act(Action("drag", x, y, x2, y2, raw=raw))

    def _release(self, half: Half) -> None:
        down, start = self.pressed, self.pressed_at
        self._go(half)
        self.pressed = None
        if down is None:
            self.act(_mouse_half("release", half, self.at))
            return
        raw = [down.raw, half.raw]
        if start != self.at:
            self._append_drag(start, raw)
            return
        x, y = self.at or (None, None)
        if self.waited and down.button == "left":
            self.act(Action("long_press", x, y, seconds=self.waited, raw=raw))
        else:
            self.act(Action(CLICKS[down.button], x, y, raw=raw))

    def _finish_press(self) -> None:
        if self.pressed:
            down, self.pressed = self.pressed, None
            self.act(_mouse_half("press", down, self.pressed_at))

    def _release_key(self, half: Half) -> None:
        if not set(half.keys) <= set(self.held):
            self.actions.append(Action("other", text=f"release {label_chord(half.keys)}", raw=half.raw))
        elif not self.held_used:
            self.actions.append(Action("key", keys=self.held, raw=half.raw))
            self.held_used = True
        self.held = tuple(key for key in self.held if key not in half.keys)


def _mouse_half(verb: str, half: Half, at: Point | None) -> Action:
    x, y = at or (None, None)
    return Action("other", x, y, text=f"{verb} the {half.button} mouse button", raw=half.raw)
