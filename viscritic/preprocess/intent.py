"""Whether the action that was sent is of the kind, has the words and lies in the place that the instruction names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Final

import numpy as np
import numpy.typing as npt

from viscritic.actions import Action

INTENT_FACTS: Final = 12
# Straight and typographic quotation marks; the latter by code, so that no eye mistakes them.
_QUOTED: Final = re.compile(
    r"(?<!\w)'((?:[^']|'(?=\w)){1,80})'|\"([^\"]{1,80})\"|\u2018([^\u2019]{1,80})\u2019|\u201c([^\u201d]{1,80})\u201d"
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


def quoted(instruction: str) -> list[str]:
    """What stands in quotation marks."""
    return ["".join(groups) for groups in _QUOTED.findall(instruction)]


def intent_facts(
    actions: Sequence[Action], instruction: str, point: tuple[float, float] | None, size: tuple[int, int]
) -> npt.NDArray[np.float32]:
    """(INTENT_FACTS,) float32, each in [0, 1]; what the instruction does not say counts neither for nor against.

    Args:
        point: where the action acts in pixels, None where it has no such point.
        size: (width, height) of the screen.
    """
    typed = [a.text for a in actions if a.text]
    names = quoted(instruction)
    likest = max((SequenceMatcher(None, a, b, autojunk=False).ratio() for a in typed for b in names), default=0.0)
    verbatim = any(text in instruction for text in typed)
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
    ]
    return np.array(numbers, np.float32)


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
