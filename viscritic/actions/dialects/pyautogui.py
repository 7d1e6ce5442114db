"""pyautogui code, read and never executed: `pyautogui.click(100, 200)`. Pixels.

A text may hold several calls, imports, comments, `time.sleep` (a wait) and `pyperclip.copy`, which with the Ctrl+V
after it types its text. OSWorld's words WAIT, DONE and FAIL stand alone. A positive `scroll` scrolls up, as pyautogui
does. Only literal arguments can be read; code that computes a point is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

from viscritic.actions.action import Action, Kind, Point, Size
from viscritic.actions.dialects.calls import Call, read_calls
from viscritic.actions.dialects.dialect import Dialect
from viscritic.actions.dialects.fields import Fields
from viscritic.actions.dialects.pointer import NOTCH, at_pointer, click_kind, read_button
from viscritic.actions.gesture import CLICKS, Event, Half
from viscritic.actions.keys import normalise_key, read_chord

WORDS: Final = ("WAIT", "DONE", "FAIL")
_MOST_PRESSES: Final = 100
_OURS: Final = re.compile(r"\bpyautogui\.\w+\s*\(")
_IGNORED: Final = ("duration", "tween", "logScreenshot", "_pause")  # how fast and how smoothly
_FIXED_CLICKS: Final[dict[str, Kind]] = {
    "doubleClick": "double_click",
    "tripleClick": "triple_click",
    "rightClick": "right_click",
    "middleClick": "middle_click",
    "leftClick": "click",
}


def read_word(word: str, raw: Any) -> list[Event]:
    """The action of one of OSWorld's words."""
    if word == "WAIT":
        return [Action("wait", raw=raw)]
    return [Action("done", text="infeasible" if word == "FAIL" else None, raw=raw)]


def _claims(obj: Any) -> bool:
    return isinstance(obj, str) and (obj.strip() in WORDS or _OURS.search(obj) is not None)


def _read(obj: Any, size: Size | None) -> list[Event]:
    del size  # pixels already
    if isinstance(obj, str) and obj.strip() in WORDS:
        return read_word(obj.strip(), obj)
    events: list[Event] = []
    clipboard: str | None = None
    for call in read_calls(obj, DIALECT.name, is_script=True):
        if call.name == "pyperclip.copy":
            clipboard = call.bind("text").text("text")
            continue
        made = _read_call(call)
        if clipboard is not None and [event for event in made if isinstance(event, Action) and _pastes(event)]:
            made, clipboard = [Action("type", text=clipboard, raw=call.source)], None
        events += made
    return events


def _pastes(action: Action) -> bool:
    return action.kind == "key" and set(action.keys) in ({"ctrl", "v"}, {"meta", "v"})


def _read_call(call: Call) -> list[Event]:
    library, _, name = call.name.rpartition(".")
    if call.name in ("time.sleep", "pyautogui.sleep"):
        return [Action("wait", seconds=call.bind("seconds").number("seconds"), raw=call.source)]
    reader = _READERS.get(name) if library == "pyautogui" else None
    if reader is None:
        raise Fields({}, DIALECT.name).error(f"cannot read {call.name}; known: {', '.join(_READERS)}")
    return reader(call)


def _point(fields: Fields) -> Point | None:
    """x and y, or x as a pair; None where the call leaves the pointer where it is."""
    return fields.pair("x") if isinstance(fields.get("x"), list) else fields.xy_or_none()


def _click(call: Call) -> list[Event]:
    fields = call.bind("x", "y", "clicks", "interval", "button", *_IGNORED)
    clicks = fields.number_or("clicks", 1)
    if clicks not in (1, 2, 3):
        raise fields.error(f"must be 1, 2 or 3, got {clicks:g}", "clicks")
    x, y = _point(fields) or (None, None)
    return [at_pointer(Action(click_kind(read_button(fields), clicks), x, y, raw=call.source))]


def _fixed_click(call: Call) -> list[Event]:
    fields = call.bind("x", "y", "interval", "button", *_IGNORED)
    x, y = _point(fields) or (None, None)
    button = read_button(fields)
    kind = _FIXED_CLICKS[call.name.rpartition(".")[2]]
    return [at_pointer(Action(kind if button == "left" else CLICKS[button], x, y, raw=call.source))]


def _move_to(call: Call) -> list[Event]:
    fields = call.bind("x", "y", *_IGNORED)
    point = _point(fields)
    if point is None:
        raise fields.error("is missing", "x")
    return [Action("move", *point, raw=call.source)]


def _relative(what: str) -> Callable[[Call], list[Event]]:
    def read(call: Call) -> list[Event]:
        fields = call.bind(
            "xOffset", "yOffset", "duration", "tween", "button", "logScreenshot", "_pause", "mouseDownUp"
        )
        x, y = fields.number_or("xOffset", 0.0), fields.number_or("yOffset", 0.0)
        return [Half("drag_by" if what == "drag" else "move_by", x, y, raw=call.source)]

    return read


def _drag_to(call: Call) -> list[Event]:
    fields = call.bind("x", "y", "duration", "tween", "button", "logScreenshot", "_pause", "mouseDownUp")
    point = _point(fields)
    if point is None:
        raise fields.error("is missing", "x")
    return [Half("drag_to", *point, button=read_button(fields), raw=call.source)]


def _mouse(call: Call) -> list[Event]:
    fields = call.bind("x", "y", "button", *_IGNORED)
    x, y = _point(fields) or (None, None)
    what = call.name.rpartition(".")[2]
    return [
        Half("mouse_down" if what == "mouseDown" else "mouse_up", x, y, button=read_button(fields), raw=call.source)
    ]


def _scroll(call: Call) -> list[Event]:
    fields = call.bind("clicks", "x", "y", "logScreenshot", "_pause")
    pixels = fields.number("clicks") * NOTCH
    sideways = call.name.endswith(".hscroll")
    x, y = _point(fields) or (None, None)
    dx, dy = (pixels, None) if sideways else (None, -pixels)
    return [at_pointer(Action("scroll", x, y, dx=dx, dy=dy, raw=call.source))]


def _write(call: Call) -> list[Event]:
    fields = call.bind("message", "interval", "logScreenshot", "_pause")
    message = fields.need("message")
    if isinstance(message, list):  # of keys
        return [Action("key", keys=(normalise_key(key, field="message"),), raw=call.source) for key in message]
    return [Action("type", text=fields.text("message"), raw=call.source)]


def _press(call: Call) -> list[Event]:
    fields = call.bind("keys", "presses", "interval", "logScreenshot", "_pause")
    presses = fields.number("presses") if fields.has("presses") else 1.0
    if not presses.is_integer() or not 1 <= presses <= _MOST_PRESSES:
        raise fields.error(f"must be a whole number of 1 to {_MOST_PRESSES}, got {presses:g}", "presses")
    keys = fields.need("keys")
    chain = [(normalise_key(key),) for key in (keys if isinstance(keys, list) else [keys])]
    return [Action("key", keys=key, raw=call.source) for _ in range(int(presses)) for key in chain]


def _hotkey(call: Call) -> list[Event]:
    keys = call.args[0] if len(call.args) == 1 and isinstance(call.args[0], list) else call.args
    if not keys:
        raise Fields({}, DIALECT.name).error("hotkey needs keys, such as 'ctrl', 'c'", "keys")
    return [Action("key", keys=read_chord(list(keys)), raw=call.source)]


def _key(call: Call) -> list[Event]:
    key = call.bind("key", "logScreenshot", "_pause").key("key")
    return [Half("key_down" if call.name.endswith(".keyDown") else "key_up", keys=(key,), raw=call.source)]


_READERS: Final[dict[str, Callable[[Call], list[Event]]]] = {
    "click": _click,
    **dict.fromkeys(_FIXED_CLICKS, _fixed_click),
    "moveTo": _move_to,
    **dict.fromkeys(("move", "moveRel"), _relative("move")),
    "dragTo": _drag_to,
    **dict.fromkeys(("drag", "dragRel"), _relative("drag")),
    **dict.fromkeys(("mouseDown", "mouseUp"), _mouse),
    **dict.fromkeys(("scroll", "vscroll", "hscroll"), _scroll),
    **dict.fromkeys(("write", "typewrite"), _write),
    "press": _press,
    "hotkey": _hotkey,
    **dict.fromkeys(("keyDown", "keyUp"), _key),
}

DIALECT = Dialect("pyautogui", "Python code that calls pyautogui; pixels", _claims, _read)
