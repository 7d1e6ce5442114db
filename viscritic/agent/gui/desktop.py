"""A desktop as an environment: screens by mss, actions by XTEST (X11) or pyautogui (everywhere else)."""

from __future__ import annotations

import importlib
import sys
import time
import webbrowser
from contextlib import suppress
from typing import Any, Final, Literal

import numpy as np

from viscritic.actions import Action
from viscritic.actions.action import Point
from viscritic.errors import ActionError, AgentError, MissingExtraError
from viscritic.screen import Screen

Driver = Literal["xtest", "pyautogui"]
_NOTCH: Final = 100.0  # pixels of `Action.dy` for one click of the wheel, about
_BUTTONS: Final = {
    "click": 1,
    "double_click": 1,
    "triple_click": 1,
    "long_press": 1,
    "middle_click": 2,
    "right_click": 3,
}
_COUNTS: Final = {"double_click": 2, "triple_click": 3}
_KEYSYMS: Final = {
    "ctrl": "Control_L", "alt": "Alt_L", "shift": "Shift_L", "meta": "Super_L", "enter": "Return", "esc": "Escape",
    "tab": "Tab", "space": "space", "backspace": "BackSpace", "delete": "Delete", "insert": "Insert", "home": "Home",
    "end": "End", "pageup": "Prior", "pagedown": "Next", "up": "Up", "down": "Down", "left": "Left", "right": "Right",
    "capslock": "Caps_Lock", "numlock": "Num_Lock", "printscreen": "Print", "pause": "Pause", "menu": "Menu",
    "scrolllock": "Scroll_Lock",
}  # fmt: skip
_CONTROLS: Final = {"\n": "Return", "\r": "Return", "\t": "Tab", "\b": "BackSpace"}


def open_desktop(driver: Driver | None = None) -> Desktop:
    """The desktop of this session.

    Args:
        driver: None takes XTEST where there is an X server, and pyautogui otherwise.

    Raises:
        AgentError: no display answers.
        MissingExtraError: what the driver needs is not installed.
    """
    if driver is None:
        driver = "xtest" if sys.platform.startswith("linux") else "pyautogui"
    return Desktop(_XTest() if driver == "xtest" else _PyAutoGui())


class Desktop:
    """An `Environment`. Whatever happens, `release` lets go of every key and button."""

    def __init__(self, hands: _XTest | _PyAutoGui) -> None:
        try:
            import mss  # noqa: PLC0415 - an extra
        except ImportError as error:
            raise MissingExtraError("The desktop", "agent", "mss") from error
        self._hands = hands
        try:
            self._eyes = mss.MSS()
        except Exception as error:  # mss has its own errors for each system
            hands.close()
            raise AgentError(f"the screen cannot be taken: {error}; is there a display?") from error

    def screen(self) -> Screen:
        """The first monitor."""
        try:
            shot = self._eyes.grab(self._eyes.monitors[1])
        except Exception as error:
            raise AgentError(f"the screen cannot be taken: {str(error) or type(error).__name__}") from error
        bgra = np.frombuffer(shot.bgra, np.uint8).reshape(shot.height, shot.width, 4)
        return np.ascontiguousarray(bgra[..., 2::-1])

    def act(self, action: Action) -> None:
        """Do one action; an action without a point acts where the pointer is.

        Raises:
            ActionError: a kind that a desktop has not.
            AgentError: the display no longer answers.
        """
        try:
            for key in action.keys:
                self._hands.key(key, down=True)
            if action.keys and action.kind == "key":
                time.sleep(action.seconds or 0.02)
            self._act(action)
        except (ActionError, AgentError):
            raise
        except Exception as error:  # each driver has its own; pyautogui stops where the pointer is in a corner
            raise AgentError(f"the desktop takes no input ({type(error).__name__}: {error})") from error
        finally:
            self.release()

    def release(self) -> None:
        """Let go of every key and button."""
        self._hands.release()

    def close(self) -> None:
        """Release everything and leave the display."""
        for end in (self.release, self._eyes.close, self._hands.close):
            with suppress(Exception):  # the display may be gone already
                end()

    def _act(self, action: Action) -> None:
        hands = self._hands
        if action.point is not None:
            hands.move(action.point)
        match action.kind:
            case "click" | "double_click" | "triple_click" | "right_click" | "middle_click" | "long_press":
                for _ in range(_COUNTS.get(action.kind, 1)):
                    hands.button(_BUTTONS[action.kind], down=True)
                    time.sleep((action.seconds or 0.8) if action.kind == "long_press" else 0.02)
                    hands.button(_BUTTONS[action.kind], down=False)
                    time.sleep(0.03)
            case "drag" | "swipe":
                self._drag(action)
            case "scroll":
                hands.scroll(-round((action.dy or 0) / _NOTCH), round((action.dx or 0) / _NOTCH))
            case "type":
                if action.point is not None:
                    hands.button(1, down=True)
                    hands.button(1, down=False)
                hands.write(action.text or "")
            case "navigate":
                webbrowser.open(action.url or "")
            case "wait":
                time.sleep(1 if action.seconds is None else action.seconds)
            case "move" | "key" | "done":
                pass
            case _:
                raise ActionError(f"a desktop cannot do {action.kind!r}", field="kind")

    def _drag(self, action: Action) -> None:
        start, end = action.point, action.end
        if start is None or end is None:
            raise ActionError(f"a {action.kind} needs two points", field="x")
        self._hands.button(1, down=True)
        for i in range(1, 11):
            part = i / 10
            self._hands.move((start[0] + part * (end[0] - start[0]), start[1] + part * (end[1] - start[1])))
            time.sleep(0.01)
        self._hands.button(1, down=False)


class _XTest:
    """Keyboard and mouse by the XTEST extension."""

    def __init__(self) -> None:
        try:
            from Xlib import XK, X, display  # noqa: PLC0415 - an extra
            from Xlib.ext import xtest  # noqa: PLC0415
        except ImportError as error:
            raise MissingExtraError("The desktop", "agent", "Xlib") from error
        self._x, self._xk, self._xtest = X, XK, xtest
        try:
            self._display: Any = display.Display()
        except Exception as error:  # python-xlib has several, and OSError
            raise AgentError(f"no X display answers ({error}); set DISPLAY, or use --driver pyautogui") from error
        if not self._display.has_extension("XTEST"):
            raise AgentError("the X server has no XTEST extension; use --driver pyautogui")
        self._down: list[tuple[int, int]] = []  # (release event, keycode or button), in the order of pressing
        self._borrowed: dict[int, int] = {}  # keycode -> how many symbols it has: free keys that symbols were put on

    def move(self, point: Point) -> None:
        self._send(self._x.MotionNotify, 0, x=round(point[0]), y=round(point[1]))

    def button(self, number: int, *, down: bool) -> None:
        self._press(self._x.ButtonPress, self._x.ButtonRelease, number, down=down)

    def key(self, name: str, *, down: bool) -> None:
        code, shifted = self._find(self._keysym(name))
        if shifted and down:
            self.key("shift", down=True)
        self._press(self._x.KeyPress, self._x.KeyRelease, code, down=down)
        if shifted and not down:
            self.key("shift", down=False)

    def write(self, text: str) -> None:
        for character in text.replace("\r\n", "\n"):
            name = _CONTROLS.get(character)
            keysym = self._xk.string_to_keysym(name) if name else _keysym_of(character)
            code, shifted = self._find(keysym)
            if shifted:
                self.key("shift", down=True)
            self._press(self._x.KeyPress, self._x.KeyRelease, code, down=True)
            self._press(self._x.KeyPress, self._x.KeyRelease, code, down=False)
            if shifted:
                self.key("shift", down=False)
            time.sleep(0.005)  # some toolkits lose keys that come faster

    def scroll(self, up: int, right: int) -> None:
        for count, positive, negative in ((up, 4, 5), (right, 7, 6)):
            for _ in range(abs(count)):
                self.button(positive if count > 0 else negative, down=True)
                self.button(positive if count > 0 else negative, down=False)
                time.sleep(0.01)

    def release(self) -> None:
        while self._down:
            event, detail = self._down.pop()
            self._send(event, detail)

    def close(self) -> None:
        with suppress(Exception):
            for code, count in self._borrowed.items():
                self._display.change_keyboard_mapping(code, [[0] * count])
            self._display.close()
        with suppress(Exception):
            self._display.display.socket.close()  # which python-xlib leaves open

    def _press(self, press: int, release: int, detail: int, *, down: bool) -> None:
        if down:
            self._down.append((release, detail))
            self._send(press, detail)
        elif (release, detail) in self._down:
            self._down.remove((release, detail))
            self._send(release, detail)

    def _send(self, event: int, detail: int, **where: int) -> None:
        try:
            self._xtest.fake_input(self._display, event, detail, **where)
            self._display.sync()
        except Exception as error:
            raise AgentError(f"the X display no longer answers: {error}") from error

    def _keysym(self, name: str) -> int:
        if len(name) == 1:
            return _keysym_of(name)
        keysym = int(self._xk.string_to_keysym(_KEYSYMS.get(name, name.upper() if name[:1] == "f" else name)))
        if not keysym:
            raise ActionError(f"this keyboard has no key {name!r}", field="keys")
        return keysym

    def _find(self, keysym: int) -> tuple[int, bool]:
        """Key code, and whether it needs Shift; a symbol that the keyboard lacks is put on a free key."""
        for code, index in sorted(self._display.keysym_to_keycodes(keysym), key=lambda found: found[1]):
            if index < 2:
                return code, index == 1
        first = self._display.display.info.min_keycode
        count = self._display.display.info.max_keycode - first + 1
        for i, keysyms in enumerate(self._display.get_keyboard_mapping(first, count)):
            if not any(keysyms):
                self._borrowed[first + i] = len(keysyms)
                self._display.change_keyboard_mapping(first + i, [[keysym] * len(keysyms)])
                self._display.sync()
                time.sleep(0.05)  # applications learn of it by an event
                return first + i, False
        raise AgentError("the keyboard has no free key for a symbol that it lacks")


def _keysym_of(character: str) -> int:
    code = ord(character)
    return code if 0x20 <= code <= 0x7E or 0xA0 <= code <= 0xFF else 0x01000000 | code


class _PyAutoGui:
    """Keyboard and mouse by pyautogui."""

    def __init__(self) -> None:
        try:
            pyautogui = importlib.import_module("pyautogui")  # the caller's own
        except ImportError as error:
            raise AgentError(
                "the driver pyautogui needs its package: pip install pyautogui; on Linux that takes the place of "
                "python-xlib by an old one, where --driver xtest does as well"
            ) from error
        except SystemExit as error:  # what it does where tkinter is missing
            raise AgentError("pyautogui needs tkinter: apt-get install python3-tk") from error
        except Exception as error:  # without a display it fails when it is imported
            raise AgentError(f"pyautogui finds no display: {error}") from error
        self._gui = pyautogui
        self._down: list[tuple[str, str]] = []

    def move(self, point: Point) -> None:
        self._gui.moveTo(*point)

    def button(self, number: int, *, down: bool) -> None:
        name = {1: "left", 2: "middle", 3: "right"}[number]
        (self._gui.mouseDown if down else self._gui.mouseUp)(button=name)
        self._note(("button", name), down=down)

    def key(self, name: str, *, down: bool) -> None:
        name = {"meta": "win", "menu": "apps"}.get(name, name)
        if not self._gui.isValidKey(name):  # it would be passed over in silence
            raise ActionError(f"pyautogui knows no key {name!r}", field="keys")
        (self._gui.keyDown if down else self._gui.keyUp)(name)
        self._note(("key", name), down=down)

    def write(self, text: str) -> None:
        strange = [character for character in text if not self._gui.isValidKey(character)]
        if strange:
            raise ActionError(f"pyautogui cannot type {strange[0]!r}; use --driver xtest", field="text")
        self._gui.write(text)

    def scroll(self, up: int, right: int) -> None:
        if up:
            self._gui.scroll(up)
        if right:
            self._gui.hscroll(right)

    def release(self) -> None:
        while self._down:
            kind, name = self._down.pop()
            self._gui.keyUp(name) if kind == "key" else self._gui.mouseUp(button=name)

    def close(self) -> None:
        """Nothing is held."""

    def _note(self, what: tuple[str, str], *, down: bool) -> None:
        if down:
            self._down.append(what)
        elif what in self._down:
            self._down.remove(what)
