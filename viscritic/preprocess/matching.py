"""How well what was read fits what was asked for, as numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from typing import Final

import numpy as np
import numpy.typing as npt

from viscritic.actions import Action
from viscritic.evidence import TextChange
from viscritic.ocr import Line
from viscritic.preprocess.intent import find_ordinal
from viscritic.preprocess.names import CARRIES, best_quality, find_typed, match_name
from viscritic.preprocess.reading import NEAREST, SLOTS, TALLEST, Point, Reading, gap

_WORD: Final = re.compile(r"\w+")
# Words that speak of what went wrong, of waiting, and of having to sign in, counted where they have just appeared;
# without blanks, which reading may lose.
_TOPICS: Final = tuple(
    re.compile(words)
    for words in (
        r"error|fail|invalid|incorrect|notfound|wrong|unable|cannot|cantbe|couldnot|couldnt|denied|forbidden|refused|"
        r"unavailable|offline|noconnection|required|mustbe|mustnot|missing|problem|sorry|oops|notrespond|nosuch|notexist|"
        r"alreadyexist|tryagain|timedout|not(?:allowed|valid|permitted)|[45]0[0-9](?![0-9])",
        r"loading|wait|saving|adding|sending|processing|searching|connecting|onemoment|justa|workingon|holdon|inprogress|"
        r"fetching|updating",
        r"signin|signedout|login|loggedout|session|expired|unauthori|password",
    )
)
_SLOT_FACTS: Final = 7
READING_FACTS: Final = _SLOT_FACTS * len(SLOTS) + 8 + 3 + 5 + 13 + len(_TOPICS)

Floats = npt.NDArray[np.float32]


def reading_facts(
    reading: Reading, actions: Sequence[Action], instruction: str, names: Sequence[str], point: Point | None
) -> Floats:
    """How well what was read fits what was asked for: (READING_FACTS,) float32, each in [0, 1].

    For each slot: whether it holds text, how near it is, how well it carries a name of the instruction, whether it does
    so right at the point and whether only beside it, how much it looks like a name, and which share of its words the
    instruction has. Then where else the name stands, and the same for what was typed and what appeared.
    """
    slots = {slot: _slot_facts(slot, reading, names, _words(instruction), point) for slot in SLOTS}
    here, carried, likeness = slots["at"][3], [s[2] for s in slots.values()], [s[5] for s in slots.values()]
    summary = [
        float(bool(names)),
        max(carried),
        max(carried[1:]),
        max(likeness),
        max(likeness[1:]),
        float(bool(names) and bool(slots["at"][0]) and here < 0.5),
        float(bool(names) and max(carried) < 0.5),
        _contradicts_number(reading.target.get("at"), names),
    ]
    return np.array(
        [
            *(number for slot in SLOTS for number in slots[slot]),
            *summary,
            *_label_facts(reading, slots),
            *_elsewhere_facts(reading, instruction, names, point),
            *_change_facts(reading, find_typed(actions), names, point),
        ],
        np.float32,
    )


def _slot_facts(
    slot: str, reading: Reading, names: Sequence[str], words: Sequence[str], point: Point | None
) -> list[float]:
    line = reading.target.get(slot)
    if line is None:
        return [0.0] * _SLOT_FACTS
    matches = [match for name in names for match in match_name(name, line)]
    column = point[0] if point is not None and slot == "at" else None
    here = [m.quality for m in matches if column is None or m.is_at(line, column)]
    carried, there = max((m.quality for m in matches), default=0.0), max(here, default=0.0)
    return [
        1.0,
        math.exp(-reading.distances[slot] / 4),
        carried,
        there,
        float(carried > there),
        max((_likeness(name, line.text) for name in names), default=0.0),
        _share(_words(line.text), words),
    ]


def _label_facts(reading: Reading, slots: Mapping[str, Sequence[float]]) -> list[float]:
    """How well the nearest line carries a name, whether another one does instead, and how nearly that is as near.

    A box without words is labelled by the nearest line; a list of boxes puts other labels around it.
    """
    if not reading.target:
        return [0.0] * 3
    nearest = "at" if "at" in reading.target else min(reading.target, key=lambda slot: reading.distances[slot])
    named = [slot for slot in reading.target if slots[slot][3] >= CARRIES]
    if nearest in named or not named:
        return [slots[nearest][3], 0.0, float(bool(named))]
    behind = min(reading.distances[slot] for slot in named) - reading.distances[nearest]
    return [slots[nearest][3], 1.0, math.exp(-max(behind, 0.0) / 3)]


def _contradicts_number(line: Line | None, names: Sequence[str]) -> float:
    """Whether the line at the point has another number than every name: "Section 3" is not "Section 1"."""
    if line is None or not names:
        return 0.0
    read, wanted = re.findall(r"\d+", line.text), [re.findall(r"\d+", name) for name in names]
    return float(bool(read) and any(wanted) and all(not set(numbers) & set(read) for numbers in wanted if numbers))


def _elsewhere_facts(reading: Reading, instruction: str, names: Sequence[str], point: Point | None) -> list[float]:
    """Whether the name stands elsewhere, how far, and whether the point is on the one of several that was meant."""
    others = [line for slot, line in reading.target.items() if slot != "at" and best_quality(line, names) >= CARRIES]
    others += reading.elsewhere
    if not others or point is None:
        return [0.0] * 5
    ordinal = find_ordinal(instruction)
    fits = misfits = False
    if ordinal is not None:
        place = (round(point[1] / 8), point[0])
        rank = sum(_comes_before((round(line.box[1] / 8), line.box[0]), place) for line in others)
        fits = rank == (len(others) if ordinal < 0 else ordinal)
        misfits = not fits
    quality = max((best_quality(line, names) for line in reading.elsewhere), default=0.0)
    nearest = min(gap(line.box, point) for line in others)
    return [quality, math.exp(-nearest / 200), min(len(others), 4) / 4, float(fits), float(misfits)]


def _comes_before(place: tuple[float, float], other: tuple[float, float]) -> bool:
    """In the order in which a page is read; what lies within 16 pixels is one row."""
    return place[0] < other[0] - 2 or (abs(place[0] - other[0]) <= 2 and place[1] < other[1])


def _change_facts(reading: Reading, typed: Sequence[str], names: Sequence[str], point: Point | None) -> list[float]:
    before, after = zip(*reading.sides(), strict=True)
    closest = max(((_likeness(text, line), text, line) for text in typed for line in after), default=(0.0, "", ""))
    lost = len(_letters(closest[1])) - len(_letters(closest[2])) if closest[0] > 0.5 else 0
    return [
        float(bool(typed)),
        _best(typed, before),
        closest[0],
        _edits(_letters(closest[1]), _letters(closest[2])) if closest[0] > 0.5 else 1.0,
        float(lost == 1),
        _nearness(typed, reading.changes, point),
        any(_letters(text) in _letters(line) for text in typed for line in after),
        any(_letters(text) in _letters(line) for text in typed for line in before),
        _best(names, before),
        _best(names, after),
        any(_letters(name) and _letters(name) in _letters(line) for name in names for line in after),
        min(len(reading.changes), NEAREST + TALLEST) / (NEAREST + TALLEST),
        float(np.mean([SequenceMatcher(None, c.before, c.after).ratio() for c in reading.changes] or [0.0])),
        *(
            any(topic.search(_letters(c.after)) and not topic.search(_letters(c.before)) for c in reading.changes)
            for topic in _TOPICS
        ),
    ]


def _edits(wanted: str, read: str) -> float:
    """How many letters have to change to make one text of the other, four and more as 1, none as 0."""
    row = list(range(len(read) + 1))
    for i, a in enumerate(wanted, 1):
        previous, row[0] = row[0], i
        for j, b in enumerate(read, 1):
            previous, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, previous + (a != b))
    return min(row[-1], 4) / 4


def _nearness(typed: Sequence[str], changes: Sequence[TextChange], point: Point | None) -> float:
    """How near to the point the typed text has appeared, in [0, 1]; 0 where it has not, or there is no point."""
    found = [c.box for c in changes for text in typed if _likeness(text, c.after) > max(0.6, _likeness(text, c.before))]
    if point is None or not found:
        return 0.0
    return math.exp(-min(gap(box, point) for box in found) / 50)


def _share(words: Sequence[str], others: Sequence[str]) -> float:
    """Which share of the words is among the others."""
    return sum(any(_alike(word, other) for other in others) for word in words) / len(words) if words else 0.0


def _alike(a: str, b: str) -> bool:
    if a == b:
        return True
    if min(len(a), len(b)) < 4 or abs(len(a) - len(b)) > 1 or a.isdigit() or b.isdigit():
        return False
    return SequenceMatcher(None, a, b, autojunk=False).ratio() >= 1 - 1.5 / max(len(a), len(b))


def _best(wanted: Sequence[str], read: Sequence[str]) -> float:
    return max((_likeness(a, b) for a in wanted for b in read), default=0.0)


def _likeness(name: str, text: str) -> float:
    """How much a name looks like what was read, in [0, 1]; a part of a longer line counts for almost the whole."""
    a, b = " ".join(_words(name)) or name.strip(), " ".join(_words(text)) or text.strip()
    if not a or not b:
        return 0.0
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    whole = matcher.ratio()
    shorter = min(len(a), len(b))
    if shorter < 3:
        return whole
    return max(whole, 0.9 * matcher.find_longest_match().size / shorter)


def _letters(text: str) -> str:
    """What two texts must share to be the same: reading loses blanks and mistakes marks."""
    return "".join(_words(text))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
