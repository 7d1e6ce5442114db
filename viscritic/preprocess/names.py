"""What an instruction calls the thing that is meant, and whether a line that was read is called so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

from viscritic.actions import Action
from viscritic.ocr import Line

# Straight and typographic quotation marks; the latter by code, so that no eye mistakes them.
_QUOTED: Final = re.compile(
    r"(?<!\w)'((?:[^']|'(?=\w)){1,80})'|\"([^\"]{1,80})\"|\u2018([^\u2019]{1,80})\u2019|\u201c([^\u201d]{1,80})\u201d"
)
# What instructions begin with, and the words that name no element by themselves.
_OPENING: Final = re.compile(
    r"(please )?(click|tap|press|hit|select|choose|pick|open|go to|follow|activate|focus|check|tick|enable|turn on|"
    r"uncheck|untick|disable|turn off|clear|put the cursor in|double-click|right-click|find|use|mark)"
    r"( on| into| at)? ",
    re.IGNORECASE,
)
_PLACED: Final = re.compile(r"(the|a|an|on|at|in) ", re.IGNORECASE)
_CLOSING: Final = re.compile(r"( now| and click it| twice)?[ .!]*$", re.IGNORECASE)
_LONGEST_NAME: Final = 8  # words
_WORD: Final = re.compile(r"\w+")
_DASHES: Final = {0x2212: "-", 0x2013: "-", 0x2014: "-", 0xD7: "x"}  # signs that reading takes for others
_ALIKE: Final = str.maketrans("i|", "ll")  # of small letters: strokes that many fonts draw alike
CARRIES: Final = 0.8  # from this quality on a line carries a name
_FUZZY: Final = 0.75  # a longer name may be misread so much
_SHORT: Final = 4  # letters: a shorter name must be read right


@dataclass(frozen=True, slots=True)
class Match:
    """A name found in a line.

    Attributes:
        quality: in [0, 1]; 1 where it reads the very same.
        span: where in the line it stands: pixels of its left and right end.
    """

    quality: float
    span: tuple[float, float]

    def is_at(self, line: Line, x: float) -> bool:
        """Whether the character of the line that is nearest to a column of pixels belongs to the name."""
        nearest = min(line.centres, key=lambda centre: abs(centre - x))
        return self.span[0] <= nearest <= self.span[1]


def quoted(instruction: str) -> list[str]:
    """What stands in quotation marks."""
    return ["".join(groups) for groups in _QUOTED.findall(instruction)]


def find_typed(actions: Sequence[Action]) -> list[str]:
    """What the actions type or choose, without the line break that sends it."""
    return [text for action in actions if action.text and (text := action.text.strip())]


def find_names(instruction: str, typed: Sequence[str]) -> list[str]:
    """What the instruction calls its element: the names in quotes, or else what follows the verb.

    Args:
        typed: what the action types; that is no name.
    """
    names = [name for name in quoted(instruction) if name not in typed]
    if names:
        return names
    opening = _OPENING.match(instruction)
    rest = _CLOSING.sub("", instruction[opening.end() :]) if opening else ""
    if not rest or _PLACED.match(rest) or len(rest.split()) > _LONGEST_NAME:
        return []
    return [rest]


def match_name(name: str, line: Line) -> list[Match]:
    """Where a line carries a name, the best first; empty where it does not.

    A line may hold more than the name (three links in a row), and less (the second line of a card). Blanks do not
    count, since reading loses them; a longer name may be misread in a few letters, but not in a number.
    """
    name = name.translate(_DASHES)
    wanted = _letters(name)
    places = [(c.lower().translate(_ALIKE), x) for c, x in zip(line.text, line.centres, strict=True)]
    found = [(c, x) for c, x in places if c.isalnum() or c == "_"]
    if not wanted:  # an arrow, a plus sign
        found, wanted = [(c, x) for c, x in places if not c.isspace()], "".join(name.split())
    text = "".join(c for c, _ in found)
    if not text or not wanted:
        return []
    matches = []
    start = text.find(wanted)
    while start >= 0:
        if len(wanted) >= _SHORT or _is_word(line.text, name):
            matches.append(Match(1.0, (found[start][1], found[start + len(wanted) - 1][1])))
        start = text.find(wanted, start + 1)
    if not matches:
        whole = (found[0][1], found[-1][1])
        if len(text) >= _SHORT and text in wanted:
            matches.append(Match(0.9, whole))
        elif (quality := _fuzzy(wanted, text)) > 0:
            matches.append(Match(quality, whole))
    return sorted(matches, key=lambda match: -match.quality)


def best_quality(line: Line, names: Sequence[str]) -> float:
    """How well a line carries the name that it carries best, in [0, 1]."""
    return max((match.quality for name in names for match in match_name(name, line)), default=0.0)


def _is_word(text: str, name: str) -> bool:
    """Whether a short name stands in the text as words of its own, not as part of a longer word."""
    text, name = text.lower().translate(_ALIKE), name.strip().lower().translate(_ALIKE)
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _fuzzy(wanted: str, text: str) -> float:
    """How much two texts agree that ought to be the same, 0 where that is too little or a number differs."""
    if min(len(wanted), len(text)) < _SHORT or re.findall(r"\d+", wanted) != re.findall(r"\d+", text):
        return 0.0
    ratio = SequenceMatcher(None, wanted, text, autojunk=False).ratio()
    return 0.9 * ratio if ratio >= _FUZZY else 0.0


def _letters(text: str) -> str:
    return "".join(_WORD.findall(text.lower())).translate(_ALIKE)
