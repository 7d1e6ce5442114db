"""What is written where the action acts, and what the changed places said before and say now.

Whether the thing that was hit is the thing that was asked for is mostly told by its name. So the lines around the
action's point are read and compared with the names that the instruction quotes; and where the screen changed, the same
line is read in both screens.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final

import numpy as np
import numpy.typing as npt

from viscritic.actions import Action
from viscritic.evidence import TextChange
from viscritic.ocr import Line, Recognizer, find_lines
from viscritic.preprocess.change import Pixels
from viscritic.preprocess.intent import quoted
from viscritic.trajectory import Box

SLOTS: Final = ("at", "left", "right", "above", "below")
READING_FACTS: Final = 5 * len(SLOTS) + 16 + len(("error", "busy", "account"))
_REGION: Final = (900, 240)  # pixels around the point in which lines are looked for ...
_REGION_SHARE: Final = (0.7, 0.25)  # ... or this share of the screen, where that is more
_SURE: Final = 0.5  # below it a line was no text
_NEAREST: Final = 2  # changed lines that are read: the nearest to the point ...
_TALLEST: Final = 3  # ... and the tallest of the others
_ASIDE: Final = 150  # pixels left and right of what changed in which the rest of its lines may lie
_LARGE: Final = 600_000  # pixels of a changed area from which on lines are looked for at half its size
_WORD: Final = re.compile(r"\w+")
# Words that speak of what went wrong, of waiting, and of having to sign in; counted where they have just appeared.
_TOPICS: Final = tuple(
    re.compile(rf"\b(?:{words})", re.IGNORECASE)
    for words in (
        r"error|fail|invalid|not found|wrong|unable|cannot|can.?t be|could not|couldn.?t|denied|forbidden|refused|"
        r"unavailable|offline|required|must |missing|problem|sorry|oops|[45]0[0-9]\b",
        r"loading|please wait|wait|saving|adding|sending|processing|searching|connecting|one moment|just a",
        r"sign in|signed out|log in|logged out|login|session|expired|unauthori",
    )
)
# What instructions begin with, and the words that name no element by themselves.
_OPENING: Final = re.compile(
    r"(please )?(click|tap|press|hit|select|choose|pick|open|go to|follow|activate|focus|check|tick|enable|turn on|"
    r"uncheck|untick|disable|turn off|clear|put the cursor in|double-click|right-click)( on| into| at)? ",
    re.IGNORECASE,
)
_PLACED: Final = re.compile(r"(the|a|an|on|at|in) ", re.IGNORECASE)
_STEP: Final = 14  # of 255: a larger step between neighbouring pixels is a border ...
_DRIFT: Final = 40  # ... and a larger one in all is another surface; a gradient stays below
_LONGEST_NAME: Final = 8  # words
_SMALL: Final = 0.15  # of the screen: a change that is smaller has a middle that means something

Point = tuple[float, float]
Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read of one transition.

    Attributes:
        target: the line at the action's point and those beside it in the pre screen, by `SLOTS`; a slot that holds no
            text is missing. An action without a point acts where the screen changed, if that is one small place.
        distances: how far each of them is from the point, in heights of the line.
        changes: lines that read differently in the two screens.
    """

    target: dict[str, Line]
    distances: dict[str, float]
    changes: tuple[TextChange, ...]

    def sentences(self) -> tuple[str, str, str]:
        """For the text encoder: what is written at the target, what was there before, what is there now."""
        words = [
            line.text if slot == "at" else f"{slot}: {line.text}"
            for slot, line in sorted(self.target.items(), key=lambda item: SLOTS.index(item[0]))
        ]
        before, after = (" / ".join(filter(None, texts)) for texts in zip(*_sides(self.changes), strict=True))
        return "; ".join(words), before, after


def read_transition(
    pre: Pixels, post: Pixels, changed: npt.NDArray[np.bool_], point: Point | None, patch: int, recognizer: Recognizer
) -> Reading:
    """Read what matters of two screens of equal size.

    Args:
        pre, post: (H, W, 3) uint8.
        changed: (rows, columns) of the native grid.
        point: where the action acts in pixels, on the screen; None where it has no such point.
    """
    changes = _read_changes(pre, post, changed, point, patch, recognizer)
    around = point or _middle(changed, patch)
    target, distances = _read_target(pre, around, recognizer) if around is not None else ({}, {})
    return Reading(target, distances, changes)


def reading_facts(reading: Reading, actions: Sequence[Action], instruction: str, point: Point | None) -> Floats:
    """How well what was read fits what was asked for: (READING_FACTS,) float32, each in [0, 1].

    For each slot: whether it holds text, how near it is, how much it looks like a name in the instruction, which share
    of name and line is the very same words, and which share of its words the instruction has. Then the same for what
    was typed and what appeared.
    """
    typed = [a.text for a in actions if a.text]
    names = _names(instruction, typed)
    words = _words(instruction)
    numbers: list[float] = []
    fits, same = dict.fromkeys(SLOTS, 0.0), dict.fromkeys(SLOTS, 0.0)
    for slot in SLOTS:
        line = reading.target.get(slot)
        if line is None:
            numbers += [0.0] * 5
            continue
        fits[slot] = max((_likeness(name, line.text) for name in names), default=0.0)
        same[slot] = max((_sameness(name, line.text) for name in names), default=0.0)
        near = math.exp(-reading.distances[slot] / 4)
        numbers += [1.0, near, fits[slot], same[slot], _share(_words(line.text), words)]
    before, after = zip(*_sides(reading.changes), strict=True)
    numbers += [
        float(bool(names)),
        max(fits.values()),
        max(fits[slot] for slot in SLOTS if slot != "at"),
        max(same.values()),
        max(same[slot] for slot in SLOTS if slot != "at"),
        float("at" in reading.target and bool(names) and same["at"] < 0.5),
        float(bool(typed)),
        _best(typed, before),
        _best(typed, after),
        _nearness(typed, reading.changes, point),
        any(_letters(text) in _letters(line) for text in typed for line in after),
        any(_letters(text) in _letters(line) for text in typed for line in before),
        _best(names, before),
        _best(names, after),
        min(len(reading.changes), _NEAREST + _TALLEST) / (_NEAREST + _TALLEST),
        float(np.mean([SequenceMatcher(None, c.before, c.after).ratio() for c in reading.changes] or [0.0])),
        *(any(topic.search(c.after) and not topic.search(c.before) for c in reading.changes) for topic in _TOPICS),
    ]
    return np.array(numbers, np.float32)


def _sides(changes: Sequence[TextChange]) -> list[tuple[str, str]]:
    return [(change.before, change.after) for change in changes] or [("", "")]


def _letters(text: str) -> str:
    """What two texts must share to be the same: reading loses blanks and mistakes marks."""
    return "".join(_words(text))


def _nearness(typed: Sequence[str], changes: Sequence[TextChange], point: Point | None) -> float:
    """How near to the point the typed text has appeared, in [0, 1]; 0 where it has not, or there is no point."""
    found = [c.box for c in changes for text in typed if _likeness(text, c.after) > max(0.6, _likeness(text, c.before))]
    if point is None or not found:
        return 0.0
    return math.exp(-min(_gap(box, point) for box in found) / 50)


def _names(instruction: str, typed: Sequence[str]) -> list[str]:
    """What the instruction calls its element: the names in quotes, or else what follows the verb."""
    names = [name for name in quoted(instruction) if name not in typed]
    if names:
        return names
    opening = _OPENING.match(instruction)
    rest = instruction[opening.end() :].rstrip(" .!") if opening else ""
    if not rest or _PLACED.match(rest) or len(rest.split()) > _LONGEST_NAME:
        return []
    return [rest.removesuffix(" now")]


def _sameness(name: str, text: str) -> float:
    """Which share of the words of a name and of a line they have in common, in [0, 1]: "Section 1" is half "Section 3".

    A longer word may differ in one letter and blanks may be missing, since reading errs; a number may not differ.
    """
    a, b = _words(name) or [name.strip()], _words(text) or [text.strip()]
    if "".join(a) == "".join(b) != "":
        return 1.0
    return 0.5 * (_share(a, b) + _share(b, a)) if a[0] and b[0] else 0.0


def _share(words: Sequence[str], others: Sequence[str]) -> float:
    """Which share of the words is among the others."""
    return sum(any(_alike(word, other) for other in others) for word in words) / len(words) if words else 0.0


def _alike(a: str, b: str) -> bool:
    if a == b:
        return True
    if min(len(a), len(b)) < 4 or abs(len(a) - len(b)) > 1 or a.isdigit() or b.isdigit():
        return False
    return SequenceMatcher(None, a, b, autojunk=False).ratio() >= 1 - 1.5 / max(len(a), len(b))


def _middle(changed: npt.NDArray[np.bool_], patch: int) -> Point | None:
    """The middle of what changed, where that is one small place."""
    rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    if not len(rows) or (rows[-1] - rows[0] + 1) * (columns[-1] - columns[0] + 1) > _SMALL * changed.size:
        return None
    return float(patch * (columns[0] + columns[-1] + 1) / 2), float(patch * (rows[0] + rows[-1] + 1) / 2)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


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


def _read_target(screen: Pixels, point: Point, recognizer: Recognizer) -> tuple[dict[str, Line], dict[str, float]]:
    """The line at the point, and the nearest on each side that could be its label."""
    height, width = screen.shape[:2]
    wide, high = max(_REGION[0], _REGION_SHARE[0] * width), max(_REGION[1], _REGION_SHARE[1] * height)
    lines = find_lines(screen, (point[0] - wide / 2, point[1] - high / 2, wide, high))
    chosen: dict[str, tuple[float, Box]] = {}
    for box in lines:
        slot, distance = _place(box, point)
        if slot and slot != "at" and _is_open(screen, point, box):
            slot = "at"
        if slot and (slot not in chosen or distance < chosen[slot][0]):
            chosen[slot] = (distance, box)
    target, distances = {}, {}
    for slot, (distance, box) in chosen.items():
        line = recognizer.read(screen, box)
        if line.text and line.sureness >= _SURE:
            target[slot], distances[slot] = line, distance
    return target, distances


def _is_open(screen: Pixels, point: Point, box: Box) -> bool:
    """Whether no border lies between the point and a line: then both are on the same button, row or tab."""
    x, y = point
    goal = min(max(x, box[0]), box[0] + box[2] - 1), min(max(y, box[1]), box[1] + box[3] - 1)
    steps = int(max(abs(goal[0] - x), abs(goal[1] - y), 1))
    columns = np.linspace(x, goal[0], steps + 1).astype(np.int64).clip(0, screen.shape[1] - 1)
    rows = np.linspace(y, goal[1], steps + 1).astype(np.int64).clip(0, screen.shape[0] - 1)
    path = screen[rows, columns].astype(np.int16)[:-1]
    sharp = int(np.abs(np.diff(path, axis=0)).max(initial=0))
    return sharp <= _STEP and int(np.abs(path - path[0]).max(initial=0)) <= _DRIFT


def _place(box: Box, point: Point) -> tuple[str, float]:
    """Which slot a line is in, seen from the point, and its distance in line heights; "" where it is too far."""
    x, y, width, height = box
    right, below = x - point[0], y - point[1]
    left, above = -right - width, -below - height
    across, down = max(left, right, 0.0) / height, max(above, below, 0.0) / height
    if down <= 0.6:
        if across <= 0.5:
            return "at", across
        return ("right" if right > 0 else "left", across) if across <= 16 else ("", 0.0)
    if down <= 4 and across <= 8:
        return "above" if above > 0 else "below", down + 0.3 * across
    return "", 0.0


def _read_changes(
    pre: Pixels, post: Pixels, changed: npt.NDArray[np.bool_], point: Point | None, patch: int, recognizer: Recognizer
) -> tuple[TextChange, ...]:
    """Lines over changed places, each read in both screens, those that read differently."""
    rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    if not len(rows):
        return ()
    area = (  # wide enough for the whole of a line of which one digit changed
        float(columns[0] * patch - _ASIDE), float(rows[0] * patch),
        float((columns[-1] - columns[0] + 1) * patch + 2 * _ASIDE), float((rows[-1] - rows[0] + 1) * patch),
    )  # fmt: skip
    boxes: list[Box] = []
    for screen in (post, pre):
        for box in _find_lines_in(screen, area):
            if _has_changed(box, changed, patch) and not any(_overlaps(box, other) for other in boxes):
                boxes.append(box)
    changes = []
    for box in _choose(boxes, point):
        before, after = (recognizer.read(screen, box) for screen in (pre, post))
        texts = [line.text if line.sureness >= _SURE else "" for line in (before, after)]
        if texts[0] != texts[1]:
            changes.append(TextChange(texts[0], texts[1], box))
    return tuple(changes)


def _find_lines_in(screen: Pixels, area: Box) -> list[Box]:
    if area[2] * area[3] < _LARGE:
        return find_lines(screen, area)
    small = find_lines(screen[::2, ::2], (area[0] / 2, area[1] / 2, area[2] / 2, area[3] / 2))
    return [(2 * x, 2 * y, 2 * w, 2 * h) for x, y, w, h in small]


def _has_changed(box: Box, changed: npt.NDArray[np.bool_], patch: int) -> bool:
    """Whether a line's middle rows touch a changed patch."""
    x, y, width, height = box[0], box[1] + box[3] / 4, box[2], box[3] / 2
    cells = changed[int(y // patch) : int((y + height) // patch) + 1, int(x // patch) : int((x + width) // patch) + 1]
    return bool(cells.any())


def _overlaps(a: Box, b: Box) -> bool:
    """Whether two boxes share at least half of the smaller one."""
    wide = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    high = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    return wide > 0 and high > 0 and wide * high >= 0.5 * min(a[2] * a[3], b[2] * b[3])


def _choose(boxes: Sequence[Box], point: Point | None) -> list[Box]:
    """The lines nearest to the point, then the tallest of the others: what was acted on, and what speaks loudest."""
    chosen: list[Box] = []
    if point is not None:
        chosen = sorted(boxes, key=lambda box: _gap(box, point))[:_NEAREST]
    others = sorted((box for box in boxes if box not in chosen), key=lambda box: (-box[3], box[1]))
    return chosen + others[: _NEAREST + _TALLEST - len(chosen)]


def _gap(box: Box, point: Point) -> float:
    """Pixels between a box and a point, 0 inside."""
    across = max(box[0] - point[0], point[0] - box[0] - box[2], 0.0)
    down = max(box[1] - point[1], point[1] - box[1] - box[3], 0.0)
    return math.hypot(across, down)
