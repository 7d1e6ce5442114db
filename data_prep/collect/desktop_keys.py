"""A keyboard that types through the X server's test extension."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, Final

from viscritic.errors import DataError

_NAMES: Final = {
    "enter": "Return", "tab": "Tab", "escape": "Escape", "esc": "Escape", "backspace": "BackSpace",
    "delete": "Delete", "up": "Up", "down": "Down", "left": "Left", "right": "Right", "home": "Home", "end": "End",
    "pageup": "Prior", "pagedown": "Next", "space": "space", "ctrl": "Control_L", "control": "Control_L",
    "shift": "Shift_L", "alt": "Alt_L", "meta": "Super_L", "super": "Super_L", "insert": "Insert", "menu": "Menu",
    **{f"f{number}": f"F{number}" for number in range(1, 13)},
}  # fmt: skip
_PAUSE: Final = 0.002  # seconds between two keys: some toolkits drop what comes quicker


class Keyboard:
    """Types on a display.

    Args:
        display: an `Xlib.display.Display`.
    """

    def __init__(self, display: Any) -> None:
        import Xlib.X  # noqa: PLC0415 - an extra
        import Xlib.XK  # noqa: PLC0415

        self._display, self._kinds, self._keysyms = display, Xlib.X, Xlib.XK
        least, most = display.display.info.min_keycode, display.display.info.max_keycode
        table = display.get_keyboard_mapping(least, most - least + 1)
        self._free = [least + row for row, symbols in enumerate(table) if not any(symbols)]
        self._codes: dict[int, tuple[int, bool]] = {}  # keysym -> keycode, and whether Shift is held
        for shifted in (False, True):
            for row, symbols in enumerate(table):
                if len(symbols) > shifted and symbols[shifted]:
                    self._codes.setdefault(symbols[shifted], (least + row, shifted))

    def press(self, keys: Sequence[str]) -> None:
        """Press the keys of a shortcut together."""
        codes = [self._find(self._symbol_of(key)) for key in keys]
        shift = self._find(self._keysyms.XK_Shift_L)[0]
        held = [code for code, _ in codes]
        if any(shifted for _, shifted in codes) and shift not in held:
            held.insert(0, shift)
        for code in held:
            self._send(self._kinds.KeyPress, code)
        for code in reversed(held):
            self._send(self._kinds.KeyRelease, code)

    def type(self, text: str) -> None:
        """Type a text; a line end is the Return key."""
        for character in text.replace("\r\n", "\n"):
            self.press(({"\n": "enter", "\t": "tab", " ": "space"}.get(character, character),))
            time.sleep(_PAUSE)

    def _symbol_of(self, key: str) -> int:
        name = _NAMES.get(key.lower()) if len(key) > 1 else None
        if symbol := self._keysyms.string_to_keysym(name or key):
            return int(symbol)
        if len(key) != 1:
            raise DataError(f"the desktop driver knows no key {key!r}")
        return ord(key) if ord(key) < 0x100 else 0x01000000 + ord(key)

    def _find(self, symbol: int) -> tuple[int, bool]:
        if symbol not in self._codes:
            code = self._free.pop(0)  # no key has it: the free one that was used longest ago gets it
            self._free.append(code)
            self._codes = {known: place for known, place in self._codes.items() if place[0] != code}
            self._display.change_keyboard_mapping(code, [[symbol, symbol]])
            self._display.sync()
            time.sleep(0.05)  # until the applications have learnt it
            self._codes[symbol] = (code, False)
        return self._codes[symbol]

    def _send(self, kind: int, code: int) -> None:
        self._display.xtest_fake_input(kind, code)
        self._display.flush()
