"""Names of keys: one lower-case vocabulary for the many that dialects use.

Modifiers: ctrl, alt, shift, meta (Windows, Command, Super). Others: enter, esc, tab, space, backspace, delete, insert,
up, down, left, right, home, end, pageup, pagedown, capslock, numlock, scrolllock, printscreen, pause, menu, f1 to f24,
and single characters in lower case. A named key beyond these (volumeup, browserback) keeps its name, in lower case and
without blanks and underscores. Names come from X11 keysyms (Control_L, Return, KP_Enter), DOM `KeyboardEvent` keys and
codes (ArrowUp, KeyA), pyautogui (ctrlleft, pgdn) and plain speech (page down).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from viscritic.actions.shown import shown
from viscritic.errors import ActionError

MODIFIERS: Final = ("ctrl", "alt", "shift", "meta")
_LONGEST: Final = 40  # characters; the longest names of X11 and pyautogui are shorter

# Vocabulary -> the names it replaces, written in lower case without blanks and underscores.
_ALIASES: Final[dict[str, str]] = {
    "ctrl": "control controll controlr ctrll ctrlr ctrlleft ctrlright controlleft controlright lctrl rctrl",
    "alt": "altl altr altleft altright option optionleft optionright opt lalt ralt",
    "shift": "shiftl shiftr shiftleft shiftright lshift rshift",
    "meta": "metal metar metaleft metaright cmd command win winleft winright windows windowskey winkey super superl "
    "superr lwin rwin os",
    "enter": "return linefeed",
    "esc": "escape",
    "space": "spacebar",
    "backspace": "bksp",
    "delete": "del",
    "insert": "ins",
    "up": "arrowup uparrow",
    "down": "arrowdown downarrow",
    "left": "arrowleft leftarrow",
    "right": "arrowright rightarrow",
    "pageup": "prior pgup",
    "pagedown": "next pgdn pgdown",
    "printscreen": "print prtsc prtscr prntscrn 3270printscreen",
    "menu": "apps contextmenu",
    "pause": "break",
    "+": "plus add",
    "-": "minus subtract hyphen",
    "*": "asterisk multiply",
    "/": "slash divide",
    "=": "equal",
    ",": "comma",
    ".": "period decimal dot",
    ";": "semicolon",
    "'": "apostrophe quote",
    "`": "grave backquote",
    "\\": "backslash",
    "[": "bracketleft",
    "]": "bracketright",
    "_": "underscore",
    "#": "numbersign",
    "@": "at",
}
_VOCABULARY: Final = {alias: key for key, aliases in _ALIASES.items() for alias in aliases.split()}
_WHITESPACE: Final = {" ": "space", "\t": "tab", "\n": "enter", "\r": "enter"}
_CODE: Final = re.compile(r"(?:key([a-z])|(?:digit|numpad|num|kp)([0-9]))")  # DOM codes and number pads
_NUMBER_PAD: Final = re.compile(r"(?:kp|numpad)([a-z]+)")
_ON_NUMBER_PAD: Final = frozenset({*_ALIASES, "home", "end", "tab"})
_NAME: Final = re.compile(r"[a-z0-9]+")
_LABELS: Final = {"pageup": "Page Up", "pagedown": "Page Down", "capslock": "Caps Lock", "printscreen": "Print Screen"}


def normalise_key(name: Any, *, field: str = "keys") -> str:
    """The vocabulary's name of a key.

    Case carries no meaning: "A" is the key that "a" is. Normalising twice gives what normalising once gives.

    Raises:
        ActionError: not text, empty, or not a key's name ("ctrl-c").
    """
    if not isinstance(name, str):
        raise ActionError(f"{field}: a key must be a name such as 'ctrl' or 'a', got {shown(name)}", field=field)
    if name in _WHITESPACE:
        return _WHITESPACE[name]
    stripped = name.strip()
    if len(stripped) == 1 and stripped.isprintable():
        lower = stripped.lower()
        return lower if len(lower) == 1 else stripped  # a few letters have no lower case of one character
    plain = stripped.lower().replace(" ", "").replace("_", "")
    if not _NAME.fullmatch(plain) or len(plain) > _LONGEST:
        raise ActionError(
            f"{field}: {shown(name)} is no key's name; write one key, such as 'ctrl', 'enter' or 'a'", field=field
        )
    if code := _CODE.fullmatch(plain):
        return code[1] or code[2]
    if (pad := _NUMBER_PAD.fullmatch(plain)) and (pad[1] in _VOCABULARY or pad[1] in _ON_NUMBER_PAD):
        plain = pad[1]
    return _VOCABULARY.get(plain, plain)


def read_chord(value: Any, *, separator: str = "+", field: str = "keys") -> tuple[str, ...]:
    """The keys that are pressed together: "ctrl+c" or ["ctrl", "c"] -> ("ctrl", "c"). "ctrl++" is ctrl and plus.

    Raises:
        ActionError: neither text nor a list, empty, or holding what is no key's name.
    """
    if isinstance(value, str):
        return _split_chord(value, separator, field)
    if not isinstance(value, list | tuple) or not value:
        raise ActionError(
            f"{field} must be a chord such as 'ctrl+c' or a list of keys, got {shown(value)}", field=field
        )
    return tuple(normalise_key(key, field=field) for key in value)


def _split_chord(text: str, separator: str, field: str) -> tuple[str, ...]:
    if not text.strip(" "):  # one blank is the space bar, none at all is a mistake
        return (normalise_key(text, field=field),)
    if separator == " ":
        parts = text.split()
    elif text == separator or text.endswith(2 * separator):
        parts = [*text.split(separator)[:-2], separator]
    else:
        parts = text.split(separator)
    return tuple(normalise_key(part, field=field) for part in parts)


def label_chord(keys: Sequence[str]) -> str:
    """A chord as people write it: ("ctrl", "shift", "t") -> "Ctrl+Shift+T"."""
    return "+".join(_LABELS.get(key, key if len(key) == 1 and not key.isalpha() else key.capitalize()) for key in keys)
