"""Whether the action that was sent is of the kind, has the words and lies in the place that the instruction names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

import numpy as np
import numpy.typing as npt

from viscritic.actions import Action
from viscritic.preprocess.names import find_typed, quoted

INTENT_FACTS: Final = 14
_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_ORDINAL: Final = re.compile(rf"\bthe (?:({'|'.join(_ORDINALS)}|last)|(\d+)(?:st|nd|rd|th))\b", re.IGNORECASE)
_EDITING: Final = frozenset({"end", "home", "backspace", "delete", "left", "right"})  # keys of edits to a text
# What is meant stands beside what is named.
_RELATION: Final = re.compile(
    r"\b(?:next to|beside|in the row of|belongs to|left of|right of|below|above|under|for) ['\"]", re.IGNORECASE
)
# Kinds of action by the verb that an instruction begins with; a verb that could be several is in none.
_VERBS: Final[dict[str, frozenset[str]]] = {
    "click tap hit press follow open tick untick check uncheck": frozenset({"click", "long_press"}),
    "type enter fill write put": frozenset({"type"}),
    "scroll": frozenset({"scroll", "swipe"}),
    "drag": frozenset({"drag", "swipe"}),
    "double-click": frozenset({"double_click"}),
    "right-click": frozenset({"right_click"}),
}
_KINDS: Final = {verb: kinds for verbs, kinds in _VERBS.items() for verb in verbs.split()}
_PLACES: Final = {"top": (1, 0.0), "upper": (1, 0.0), "bottom": (1, 1.0), "lower": (1, 1.0), "left": (0, 0.0),
                  "right": (0, 1.0), "middle": (1, 0.5)}  # fmt: skip
_PLACE: Final = re.compile(r"\b(?:at|on|in) the (?:(top|upper|bottom|lower|middle)\b ?)?(left|right)?", re.IGNORECASE)


def intent_facts(
    actions: Sequence[Action], instruction: str, point: tuple[float, float] | None, size: tuple[int, int]
) -> npt.NDArray[np.float32]:
    """(INTENT_FACTS,) float32, each in [0, 1]; what the instruction does not say counts neither for nor against.

    Args:
        point: where the action acts in pixels, None where it has no such point.
        size: (width, height) of the screen.
    """
    typed = find_typed(actions)
    part = any(key in _EDITING for action in actions for key in action.keys)
    names = quoted(instruction)
    likest = max((SequenceMatcher(None, a, b, autojunk=False).ratio() for a in typed for b in names), default=0.0)
    verbatim = any(_says(instruction, names, text, part=part) for text in typed)
    words = instruction.lower().split()
    wanted = _KINDS.get(words[0] if words else "", frozenset())
    kinds = {action.kind for action in actions}
    fits, misfits = _compare_places(instruction, point, size)
    down = _direction(words, actions)
    numbers = [
        bool(instruction),
        bool(names),
        verbatim,
        bool(typed and instruction and not verbatim),
        likest,
        bool(wanted & kinds),
        bool(wanted) and not wanted & kinds,
        fits,
        misfits,
        down > 0,
        down < 0,
        _names_key(words, actions),
        find_ordinal(instruction) is not None,
        _RELATION.search(instruction) is not None,
    ]
    return np.array(numbers, np.float32)


def _says(instruction: str, names: Sequence[str], text: str, *, part: bool) -> bool:
    """Whether an instruction has the very text: in quotes, or as words that are no part of what is in quotes.

    Where the actions edit what is there, what they type may be a `part` of what is in quotes.
    """
    if any(text in name for name in names):
        return part or text in names
    return re.search(rf"(?<!\w){re.escape(text)}(?!\w)", instruction) is not None


def find_ordinal(instruction: str) -> int | None:
    """Which of several is meant, counted from 0, -1 for the last; None where the instruction does not say."""
    match = _ORDINAL.search(instruction)
    if match is None:
        return None
    word = (match[1] or "").lower()
    return int(match[2]) - 1 if match[2] else -1 if word == "last" else _ORDINALS.index(word)


def _compare_places(instruction: str, point: tuple[float, float] | None, size: tuple[int, int]) -> tuple[float, float]:
    """Which shares of the place words ("at the top left") the point agrees with, and not."""
    if point is None:
        return 0.0, 0.0
    words = [word.lower() for groups in _PLACE.findall(instruction) for word in groups if word]
    apart = [abs(point[axis] / size[axis] - share) for axis, share in (_PLACES[word] for word in words)]
    if not apart:
        return 0.0, 0.0
    fits = sum(distance <= 0.5 for distance in apart) / len(apart)
    return fits, 1 - fits


def _direction(words: Sequence[str], actions: Sequence[Action]) -> int:
    """1 where a wheel turns the way that the instruction says, -1 where the other way, else 0."""
    asked = ("down" in words) - ("up" in words)
    turned = sum(np.sign(action.dy or 0) for action in actions if action.kind == "scroll")
    return int(np.sign(asked * turned))


def _names_key(words: Sequence[str], actions: Sequence[Action]) -> bool:
    """Whether a key that was pressed is named."""
    keys = {key.lower() for action in actions for key in action.keys}
    return bool(keys & {word.strip(".,'\"") for word in words})
