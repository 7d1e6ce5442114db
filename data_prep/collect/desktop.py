"""The desktop as a driver: an X server of its own, real input events, and what runs in it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np
from PIL import Image

from data_prep.collect.desktop_keys import Keyboard
from data_prep.collect.desktop_session import DesktopSession, check_installed
from data_prep.collect.desktop_windows import Window, Windows
from data_prep.collect.driver import HungError
from viscritic.actions import Action
from viscritic.actions.action import Point
from viscritic.errors import DataError, MissingExtraError
from viscritic.screen import Screen
from viscritic.trajectory import Box

_BUTTONS: Final = {"right_click": 3, "middle_click": 2}
_CLICKS: Final = {"double_click": 2, "triple_click": 3}
_PAUSE: Final = 0.03  # seconds between two looks at what the scheduler counted
_QUIET: Final = 2  # so many looks must find nothing new
_HELD: Final = (
    0.15  # seconds that what is dragged is held over its end: whoever gets it must say first that it takes it
)
_NOTCH: Final = 100.0  # pixels that a turn of the wheel by one notch stands for
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Look:
    """How the desktop looks.

    Attributes:
        size: (width, height) of the screen in pixels.
        frames: the theme of the window manager.
        paper: colour of the background, as 0xRRGGBB at the top and at the bottom.
        dark: whether applications are dark.
    """

    size: tuple[int, int] = (1280, 800)
    frames: str = "Clearlooks"
    paper: tuple[int, int] = (0x3B6EA5, 0x3B6EA5)
    dark: bool = False


class DesktopDriver:
    """One desktop. A `Driver`; what else is here serves `DesktopApplication`.

    Args:
        look: how it looks; `open` changes it.
        programs: what must be installed.

    Raises:
        MissingExtraError: python-xlib or mss is not installed.
        DataError: a program is not installed, or the desktop does not start.
    """

    def __init__(self, look: Look | None = None, programs: Sequence[str] = ()) -> None:
        try:
            import mss  # noqa: PLC0415 - an extra
            import Xlib.display  # noqa: PLC0415
            import Xlib.error  # noqa: PLC0415
        except ImportError as error:
            raise MissingExtraError("Collecting from desktops", "collect", "python-xlib and mss") from error
        check_installed(*programs)
        self._mss, self._xlib = mss, Xlib
        self._errors = (Xlib.error.DisplayError, Xlib.error.XError, Xlib.error.ConnectionClosedError, OSError)
        self._session: DesktopSession | None = None
        self._display: Any = None
        self._camera: Any = None
        self._cursor = False  # whether screens show the mouse pointer
        self._followed = 0
        self._before: list[Callable[[], None]] = []
        self._after: list[Callable[[], None]] = []
        self._due: list[tuple[float, Callable[[], None]]] = []
        self.watch: Callable[[Point], None] = lambda _: None  # is told every point that something is done to
        self._look = look or Look()
        self._begin()

    def _begin(self) -> None:
        self._followed = 0
        self._session = DesktopSession(self._look.size, self._look.frames)
        try:
            self._display = self._xlib.display.Display(self._session.display)
            self._camera = self._mss.MSS(display=self._session.display, with_cursor=self._cursor)
            self._root = self._display.screen().root
            self._keyboard = Keyboard(self._display)
            self._windows = Windows(self._display)
            self._paint()
        except BaseException:
            self.close()
            raise

    @property
    def session(self) -> DesktopSession:
        """The running session.

        Raises:
            HungError: it was closed.
        """
        if self._session is None:
            raise HungError("the desktop was closed")
        return self._session

    @property
    def size(self) -> tuple[int, int]:
        """(width, height) of a screen in pixels."""
        return self._look.size

    @property
    def look(self) -> Look:
        """How it looks."""
        return self._look

    def open(self, look: Look) -> None:
        """Change the look; another size or other frames take a new session."""
        anew = (look.size, look.frames) != (self._look.size, self._look.frames)
        self._look = look
        if anew:
            self.close()
            self._begin()
        else:
            self._paint()

    def _paint(self) -> None:
        """Paint the background."""
        width, height = self.size
        top, bottom = (np.array([c >> 16, c >> 8 & 255, c & 255], float) for c in self._look.paper)
        part = np.linspace(0, 1, height)[:, None]
        column = np.round(top * (1 - part) + bottom * part).astype(np.uint8)
        picture = Image.fromarray(np.ascontiguousarray(column[:, None, :]))
        pixmap = self._root.create_pixmap(1, height, self._display.screen().root_depth)
        pixmap.put_pil_image(self._root.create_gc(), 0, 0, picture)
        self._root.change_attributes(background_pixmap=pixmap)
        self._root.clear_area(0, 0, width, height)
        pixmap.free()
        self._display.sync()

    def _guard(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except self._errors as error:
            raise HungError(f"the display does not answer: {error}") from error

    def screen(self) -> Screen:
        """The whole screen now."""

        def shoot() -> Screen:
            shot = self._camera.grab(self._camera.monitors[0])
            return np.asarray(Image.frombuffer("RGB", shot.size, shot.bgra, "raw", "BGRX", 0, 1))

        if self._camera is None:
            raise HungError("the desktop was closed")
        return self._guard(shoot)

    def show_cursor(self, *, on: bool) -> None:
        """Whether screens show the mouse pointer from now on."""
        if on != self._cursor:
            self._cursor = on
            self._camera.close()
            self._camera = self._mss.MSS(display=self.session.display, with_cursor=on)

    def wait(self, seconds: float) -> None:
        """Let the applications go on."""
        time.sleep(seconds)
        self._do_due()

    def later(self, seconds: float, call: Callable[[], None]) -> None:
        """Have something happen in some seconds, at the next look or wait from then on."""
        self._due.append((time.monotonic() + seconds, call))

    def _do_due(self) -> None:
        due = [call for when, call in self._due if when <= time.monotonic()]
        self._due = [(when, call) for when, call in self._due if call not in due]
        for call in due:
            call()

    def follow(self, pid: int) -> None:
        """Have `rest` wait for this process as well; for 0 only for the desktop itself."""
        self._followed = pid

    def rest(self, limit: float) -> bool:
        """Wait until neither the application, nor the X server, nor the window manager has anything to do."""
        deadline, quiet, last = time.monotonic() + limit, 0, self._count_work()
        while quiet < _QUIET and time.monotonic() < deadline:
            self.wait(_PAUSE)
            now = self._count_work()
            quiet = quiet + 1 if now == last and now is not None else 0
            last = now
        return quiet >= _QUIET

    def _count_work(self) -> list[str] | None:
        """What the scheduler counted for every thread so far; None while one of them runs or waits for its turn."""
        counted = []
        for pid in (*self.session.pids, *([self._followed] if self._followed else [])):
            with suppress(OSError):  # a thread that has just ended
                for thread in Path(f"/proc/{pid}/task").iterdir():
                    if (thread / "stat").read_text().rpartition(")")[2].split()[0] == "R":
                        return None
                    counted.append((thread / "schedstat").read_text())
        return counted

    def park(self) -> None:
        """The pointer to the lower right corner."""
        self._guard(lambda: self._move((self.size[0] - 1.0, self.size[1] - 1.0)))

    def before_action(self, call: Callable[[], None]) -> None:
        """Have something happen right before the next actions are sent; hovering does not count."""
        self._before.append(call)

    def after_action(self, call: Callable[[], None]) -> None:
        """Have something happen right after the next actions were sent."""
        self._after.append(call)

    def forget_calls(self) -> None:
        """Drop what `before_action`, `after_action` and `later` wait for."""
        self._before, self._after, self._due = [], [], []

    def act(self, actions: Sequence[Action]) -> None:
        """Send the actions. A point beyond the screen ends at its edge, as a real pointer does."""
        hovers = all(action.kind == "move" for action in actions)
        before, after = ([], []) if hovers else (self._before, self._after)
        if not hovers:
            self._before, self._after = [], []
        for call in before:
            call()
        for action in actions:
            if action.point is not None and action.kind != "move":
                self.watch(action.point)
            self._guard(partial(self._act, action))
        self._guard(self._display.sync)
        for call in after:
            call()

    def _act(self, action: Action) -> None:
        match action.kind:
            case "click" | "double_click" | "triple_click" | "right_click" | "middle_click" | "long_press":
                self._click(action)
            case "move":
                self._move(_required(action.point, action))
            case "type":
                self._keyboard.type(action.text or "")
            case "key":
                self._keyboard.press(action.keys)
            case "scroll":
                self._scroll(action)
            case "drag" | "swipe":
                self._drag(_required(action.point, action), _required(action.end, action))
            case "wait":
                time.sleep(action.seconds or 1)
            case _:
                raise DataError(f"the desktop driver cannot send {action.kind!r}")

    def _input(self, kind: int, detail: int = 0, x: float = 0, y: float = 0) -> None:
        self._display.xtest_fake_input(kind, detail, x=round(x), y=round(y))
        self._display.flush()

    def _move(self, point: Point) -> None:
        x, y = self.clamp(point)
        self._input(self._xlib.X.MotionNotify, x=x, y=y)

    def _click(self, action: Action) -> None:
        self._move(_required(action.point, action))
        button = _BUTTONS.get(action.kind, 1)
        for _ in range(_CLICKS.get(action.kind, 1)):
            self._input(self._xlib.X.ButtonPress, button)
            if action.kind == "long_press":
                time.sleep(0.8)
            self._input(self._xlib.X.ButtonRelease, button)
            time.sleep(0.02)

    def _scroll(self, action: Action) -> None:
        if action.point is not None:
            self._move(action.point)
        for distance, forth, back in ((action.dy, 5, 4), (action.dx, 7, 6)):
            for _ in range(round(abs(distance or 0) / _NOTCH) or bool(distance)):
                button = forth if (distance or 0) > 0 else back
                self._input(self._xlib.X.ButtonPress, button)
                self._input(self._xlib.X.ButtonRelease, button)

    def _drag(self, start: Point, end: Point) -> None:
        self._move(start)
        self._input(self._xlib.X.ButtonPress, 1)
        for step in range(1, 9):
            part = step / 8
            self._move((start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])))
            time.sleep(0.02)
        time.sleep(_HELD)
        self._input(self._xlib.X.ButtonRelease, 1)

    def clamp(self, point: Point) -> Point:
        """The point of the screen where the pointer ends up."""
        return min(max(point[0], 0.0), self.size[0] - 1.0), min(max(point[1], 0.0), self.size[1] - 1.0)

    def grab(self, *, on: bool) -> None:
        """Keep every click and key from the applications, as if nobody listened; or let them through again."""
        self._guard(lambda: self._grab(on))

    def _grab(self, on: bool) -> None:
        kinds = self._xlib.X
        if on:
            mask = kinds.ButtonPressMask | kinds.ButtonReleaseMask
            mode = kinds.GrabModeAsync
            self._root.grab_button(kinds.AnyButton, kinds.AnyModifier, False, mask, mode, mode, 0, 0)
            self._root.grab_keyboard(False, mode, mode, kinds.CurrentTime)
        else:
            self._root.ungrab_button(kinds.AnyButton, kinds.AnyModifier)
            self._display.ungrab_keyboard(kinds.CurrentTime)
        self._display.sync()

    def windows(self) -> list[Window]:
        """What is on the screen, the lowest first."""
        return self._guard(self._windows.read)

    def place(self, window: Window, box: Box) -> None:
        """Move and resize a window's client."""
        self._guard(lambda: self._windows.place(window, box))

    def run(self, command: Sequence[str], environment: Mapping[str, str]) -> int:
        """Start a program; its process id."""
        return self.session.run(command, environment)

    def close(self) -> None:
        """End everything."""
        for part in (self._camera, self._display):
            if part is not None:
                with suppress(Exception):  # the server may be gone: that is the aim
                    part.close()
        session, self._session = self._session, None
        self._camera = self._display = None
        if session is not None:
            session.close()


def _required(point: Point | None, action: Action) -> Point:
    if point is None:
        raise DataError(f"a {action.kind} needs a point")
    return point
