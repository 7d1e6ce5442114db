"""Actions in plain English: the sentence that the text encoder reads."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from viscritic.actions.action import Action, Kind, Point, Size, check_size
from viscritic.actions.keys import label_chord

LONGEST_TEXT: Final = 100  # characters of quoted text; the encoder reads short sentences
_VERBS: Final[dict[Kind, str]] = {
    "click": "Click",
    "double_click": "Double-click",
    "triple_click": "Triple-click",
    "right_click": "Right-click",
    "middle_click": "Middle-click",
}
_PLACES: Final = (
    ("in the upper left", "in the upper middle", "in the upper right"),
    ("on the left", "in the middle", "on the right"),
    ("in the lower left", "in the lower middle", "in the lower right"),
)


def describe_batch(actions: Iterable[Action], size: Size | None = None) -> str:
    """The sentences of a batch, joined: "Click at (5, 9); then type "hello""."""
    first, *rest = [describe(action, size) for action in actions] or [""]
    return "; then ".join([first, *(sentence[:1].lower() + sentence[1:] for sentence in rest)])


def describe(action: Action, size: Size | None = None) -> str:
    """One sentence without a full stop, on one line.

    Points are rounded to whole pixels; with a size, the sentence also says in words where on the screen they lie
    ("Click at (848, 204) in the upper right of the screen"). Text is quoted and cut at `LONGEST_TEXT` characters.

    Args:
        size: (width, height) of the pre screen in pixels.

    Raises:
        ActionError: the size is not one.
    """
    size = check_size(size)
    sentence = _what(action, size)
    if action.keys and action.kind != "key":
        sentence += f" while holding {label_chord(action.keys)}"
    return sentence


def _what(action: Action, size: Size | None) -> str:
    at = _place(action.point, size)
    match action.kind:
        case "click" | "double_click" | "triple_click" | "right_click" | "middle_click":
            return _VERBS[action.kind] + at
        case "move":
            return "Move the pointer" + _place(action.point, size, "to")
        case "long_press":
            return "Long-press" + at + _duration(action)
        case "drag" | "swipe":
            return _path(action, size)
        case "scroll":
            return "Scroll" + _direction(action) + at
        case "type":
            return _typed(action.text) + at
        case "key":
            return f"Press {label_chord(action.keys)}" + _duration(action) if action.keys else "Press a key"
        case "select":
            return f"Select {_quote(action.text)}" + at
        case _:
            return _without_point(action) + at


def _without_point(action: Action) -> str:
    text = f" {_quote(action.text)}" if action.text else ""
    match action.kind:
        case "navigate":
            return f"Go to {_clean(action.url)}" if action.url else "Go to another page"
        case "back":
            return "Go back"
        case "home":
            return "Go to the home screen"
        case "open_app":
            return f"Open the app{text}"
        case "wait":
            return "Wait" + _duration(action)
        case "done":
            return f"Finish the task with the answer{text}" if text else "Finish the task"
        case _:
            what = _clean(action.text) or "do something else"
            return what[:1].upper() + what[1:]


def _typed(text: str | None) -> str:
    if text is None:
        return "Clear the text"
    written = text.rstrip("\r\n")
    if not written:
        return "Press Enter"
    return f"Type {_quote(written)}" + (" and press Enter" if written != text else "")


def _path(action: Action, size: Size | None) -> str:
    verb = action.kind.capitalize()
    return verb + _place(action.point, size, "from") + _place(action.end, size, "to")


def _direction(action: Action) -> str:
    down, right = action.dy or 0.0, action.dx or 0.0
    words = [("down" if down > 0 else "up")] * bool(down) + [("right" if right > 0 else "left")] * bool(right)
    return f" {' and '.join(words)}" if words else ""


def _duration(action: Action) -> str:
    if action.seconds is None:
        return ""
    return f" for {action.seconds:g} second{'' if action.seconds == 1 else 's'}"


def _place(point: Point | None, size: Size | None, word: str = "at") -> str:
    """The point with a leading blank, and its part of the screen where the size is known; "" for no point."""
    if point is None:
        return ""
    words = f" {word} ({point[0]:.0f}, {point[1]:.0f})"
    if size is None:
        return words
    column, row = int(3 * point[0] // size[0]), int(3 * point[1] // size[1])
    if not (0 <= column <= 2 and 0 <= row <= 2):
        return words + " outside the screen"
    return f"{words} {_PLACES[row][column]} of the screen"


def _quote(text: str | None) -> str:
    return f'"{_clean(text)}"'


def _clean(text: str | None) -> str:
    """On one line, without control characters and lone surrogates (no tokenizer takes these), cut at a length."""
    text = (text or "")[: 4 * LONGEST_TEXT].encode("utf-8", "replace").decode("utf-8")
    text = re.sub(r"[\x00-\x1f\x7f\s]+", " ", text).strip()
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 3].rstrip() + "..."
