"""What signs stand for, and which way numbers go: a plus is "More", and "More" is what makes a 3 a 4."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from viscritic.evidence import TextChange
from viscritic.ocr import Line
from viscritic.preprocess.names import DASHES

SIGN_FACTS: Final = 4
_WORD: Final = re.compile(r"[a-z]+")
_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*")
_UP, _DOWN = (
    "more add plus increase raise increment higher later up like vote star",
    "less fewer minus remove decrease lower reduce decrement earlier down unlike unstar",
)
# Signs as they are read, and words for what they do; a magnifying glass is read as Q.
_MEANINGS: Final = {
    sign: frozenset(words.split())
    for sign, words in {
        "+": f"{_UP} new create expand open",
        "-": f"{_DOWN} collapse minimize minimise",
        "x": "close remove delete clear dismiss cancel",
        "<": "back previous prev left",
        ">": "next forward right",
        "?": "help",
        "Q": "search find lookup",
        "...": "more options menu actions",
    }.items()
}
_WAYS: Final = {1: frozenset(_UP.split()), -1: frozenset(_DOWN.split())}
_ALL: Final = frozenset().union(*_MEANINGS.values())


def sign_facts(at: Line | None, asked: Sequence[str], changes: Sequence[TextChange]) -> list[float]:
    """Whether the sign at the point stands for what was asked, whether for something else, and the same of the way that
    the numbers went: `SIGN_FACTS` numbers, 0 or 1.

    Args:
        at: what is read at the point.
        asked: what the instruction calls its element.
    """
    words = frozenset(word for name in asked for word in _WORD.findall(name.lower()))
    meant = _MEANINGS.get("" if at is None else at.text.strip().translate(DASHES), frozenset())
    fits, misfits = bool(meant & words), bool(meant and words & _ALL and not meant & words)
    wanted = {way for way, names in _WAYS.items() if words & names}
    went = {way for change in changes if (way := _direction(change))}
    told = len(wanted) == 1 and bool(went)
    return [float(fits), float(misfits), float(told and bool(wanted & went)), float(told and not wanted & went)]


def _direction(change: TextChange) -> int:
    """1 where the one number of a line rose, -1 where it fell, 0 where it did not or there are others."""
    before, after = (_NUMBER.findall(text) for text in (change.before, change.after))
    if len(before) != 1 or len(after) != 1 or _NUMBER.sub("", change.before) != _NUMBER.sub("", change.after):
        return 0
    first, second = (int(re.sub(r"\D", "", numbers[0])) for numbers in (before, after))
    return (second > first) - (second < first)
