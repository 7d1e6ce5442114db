"""What is written where the action acts, where else the name that was asked for stands, and what the changed places
said before and say now.

Whether the thing that was hit is the thing that was asked for is mostly told by its name. So the lines around the
action's point are read; where none of them is what the instruction names, the name is looked for on the whole screen;
and where the screen changed, the same line is read in both screens.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from viscritic.evidence import TextChange
from viscritic.ocr import Line, Recognizer, find_lines
from viscritic.preprocess.change import Pixels
from viscritic.preprocess.names import CARRIES, best_quality, match_name
from viscritic.trajectory import Box

SLOTS: Final = ("at", "left", "right", "above", "below")
NEAREST: Final = 2  # changed lines that are read: the nearest to the point ...
TALLEST: Final = 3  # ... and the tallest of the others
_OTHER_ROW: Final = 100  # line heights: of lines on the point's surface those in its row come first
_REACH: Final = {"left": 48, "right": 16, "above": 32, "below": 8}  # line heights across to a line in a slot
_REGION: Final = (1400, 240)  # pixels around the point in which lines are looked for ...
_REGION_SHARE: Final = (0.7, 0.25)  # ... or this share of the screen, where that is more
_SURE: Final = 0.5  # below it a line was no text
_ASIDE: Final = 150  # pixels left and right of what changed in which the rest of its lines may lie
_LARGE: Final = 600_000  # pixels of a changed area from which on lines are looked for at half its size
_STEP: Final = 14  # of 255: a larger step between neighbouring pixels is a border ...
_DRIFT: Final = 40  # ... and a larger one in all is another surface; a gradient stays below
_RIM: Final = 4  # pixels around such a line in which it is looked for again ...
_ROWS: Final = 2  # ... and at most so many lines are found in its place
_SMALL: Final = 0.15  # of the screen: a change that is smaller has a middle that means something
_SOUGHT: Final = 6  # lines that are read in search of a name
_SYMBOL: Final = 14  # pixels around the point in which a sign is looked for where there is no line
_SURE_SYMBOL: Final = 0.8
_ASPECT: Final = 0.56  # width of a letter beside the height of its line; fonts lie between 0.4 and 0.85

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read of one transition.

    Attributes:
        target: the line at the action's point and those beside it in the pre screen, by `SLOTS`; a slot that holds no
            text is missing. An action without a point acts where the screen changed, if that is one small place.
        distances: how far each of them is from the point, in heights of the line.
        changes: lines that read differently in the two screens.
        elsewhere: lines of the pre screen that carry the name which was asked for, none of them in `target`, from top
            to bottom; looked for only where the lines at the target leave it open.
    """

    target: dict[str, Line]
    distances: dict[str, float]
    changes: tuple[TextChange, ...]
    elsewhere: tuple[Line, ...] = ()

    def sentences(self) -> tuple[str, str, str]:
        """For the text encoder: what is written at the target, what was there before, what is there now."""
        words = [
            line.text if slot == "at" else f"{slot}: {line.text}"
            for slot, line in sorted(self.target.items(), key=lambda item: SLOTS.index(item[0]))
        ]
        before, after = (" / ".join(filter(None, texts)) for texts in zip(*self.sides(), strict=True))
        return "; ".join(words), before, after

    def sides(self) -> list[tuple[str, str]]:
        """What the changed lines said before, and say after; one empty pair where none changed."""
        return [(change.before, change.after) for change in self.changes] or [("", "")]


def read_transition(
    pre: Pixels, post: Pixels, changed: npt.NDArray[np.bool_], point: Point | None, patch: int,
    names: Sequence[str], numbered: bool, recognizer: Recognizer,
) -> Reading:  # fmt: skip
    """Read what matters of two screens of equal size.

    Args:
        pre, post: (H, W, 3) uint8.
        changed: (rows, columns) of the native grid.
        point: where the action acts in pixels, on the screen; None where it has no such point.
        names: what the instruction calls its element.
        numbered: whether it says which of several ("the second 'Delete'"), so that all of them are looked for.
    """
    changes = _read_changes(pre, post, changed, point, patch, recognizer)
    around = point or _middle(changed, patch)
    if around is None:
        return Reading({}, {}, changes)
    target, distances = _read_target(pre, around, recognizer)
    found = any(is_named(line, names, around) for line in target.values())
    sought = bool(names) and (numbered or not found)
    return Reading(
        target, distances, changes, _search(pre, names, tuple(target.values()), around, recognizer) if sought else ()
    )


def is_named(line: Line, names: Sequence[str], point: Point) -> bool:
    """Whether a line carries a name, at the point's column if the line lies in the point's row."""
    y, height = line.box[1], line.box[3]
    beside = not y - height <= point[1] <= y + 2 * height
    return any(
        match.quality >= CARRIES and (beside or match.is_at(line, point[0]))
        for name in names
        for match in match_name(name, line)
    )


def _search(
    screen: Pixels, names: Sequence[str], known: Sequence[Line], point: Point, recognizer: Recognizer
) -> tuple[Line, ...]:
    """Read the lines that are as wide as a name would be, the likeliest first, the nearest among the like."""
    boxes = [
        box
        for box in find_lines(screen, (0, 0, screen.shape[1], screen.shape[0]))
        if not any(_overlaps(box, line.box) for line in known)
    ]
    fits = [(min(_misfit(name, box) for name in names), gap(box, point), box) for box in boxes]
    ranked = sorted(fits, key=lambda fit: fit[:2])
    lines = recognizer.read_many([(screen, box) for misfit, _, box in ranked[:_SOUGHT] if misfit < 3])
    carry = [line for line in lines if best_quality(line, names) >= CARRIES]
    return tuple(sorted(carry, key=lambda line: (round(line.box[1] / 8), line.box[0])))


def _misfit(name: str, box: Box) -> int:
    """How badly a name fits a line's width: 0 well, 1 hardly, 2 if the line has other words too, 3 not at all."""
    letters = max(len("".join(name.split())), 1)
    stretch = box[2] / (_ASPECT * letters * box[3])
    if letters < 3:  # a symbol's box says little
        return 0 if stretch < 3 else 2
    return 0 if 0.75 <= stretch <= 1.5 else 1 if 0.6 <= stretch <= 2 else 2 if stretch > 2 else 3


def _middle(changed: npt.NDArray[np.bool_], patch: int) -> Point | None:
    """The middle of what changed, where that is one small place."""
    rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    if not len(rows) or (rows[-1] - rows[0] + 1) * (columns[-1] - columns[0] + 1) > _SMALL * changed.size:
        return None
    return float(patch * (columns[0] + columns[-1] + 1) / 2), float(patch * (rows[0] + rows[-1] + 1) / 2)


def _read_target(screen: Pixels, point: Point, recognizer: Recognizer) -> tuple[dict[str, Line], dict[str, float]]:
    """The line at the point, and the nearest on each side that could be its label."""
    height, width = screen.shape[:2]
    wide, high = max(_REGION[0], _REGION_SHARE[0] * width), max(_REGION[1], _REGION_SHARE[1] * height)
    chosen: dict[str, tuple[float, Box]] = {}
    for box in find_lines(screen, (point[0] - wide / 2, point[1] - high / 2, wide, high)):
        slot, distance = _place(box, point)
        if slot and slot != "at" and _is_open(screen, point, box):
            distance += 0 if slot in ("left", "right") else _OTHER_ROW
            slot = "at"
        if slot and (slot not in chosen or distance < chosen[slot][0]):
            chosen[slot] = (distance, box)
    read = recognizer.read_many([(screen, box) for _, box in chosen.values()])
    target = {slot: line for slot, line in zip(chosen, read, strict=True) if line.text and line.sureness >= _SURE}
    distances = {slot: chosen[slot][0] for slot in target}
    if "at" not in target:
        symbol = _read_symbol(screen, point, recognizer)
        if symbol is not None:
            target["at"], distances["at"] = symbol, 0.0
    return target, distances


def _read_symbol(screen: Pixels, point: Point, recognizer: Recognizer) -> Line | None:
    """A sign of one or two characters right at the point: the plus in a round button, whose rim hides it from
    `find_lines`."""
    left, top = max(point[0] - _SYMBOL, 0.0), max(point[1] - _SYMBOL, 0.0)
    box = (
        left,
        top,
        min(2.0 * _SYMBOL, screen.shape[1] - left),
        min(2.0 * _SYMBOL, screen.shape[0] - top),
    )
    line = recognizer.read(screen, box)
    return line if 0 < len(line.text) <= 2 and line.sureness >= _SURE_SYMBOL else None


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
    """Which slot a line is in, seen from the point, and its distance in line heights; "" where it is too far.

    Labels of switches stand at the left end of a long row, those of fields above their left end.
    """
    x, y, width, height = box
    right, below = x - point[0], y - point[1]
    left, above = -right - width, -below - height
    across, down = max(left, right, 0.0) / height, max(above, below, 0.0) / height
    if down <= 0.6:
        if across <= 0.5:
            return "at", across
        side = "right" if right > 0 else "left"
        return (side, across) if across <= _REACH[side] else ("", 0.0)
    side = "above" if above > 0 else "below"
    if down <= 4 and across <= (_REACH[side] if left > 0 else _REACH["below"]):
        return side, down + 0.15 * across
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
    found: list[tuple[Box, Pixels]] = []
    for screen in (post, pre):
        for box in _find_lines_in(screen, area):
            if _has_changed(box, changed, patch) and not any(_overlaps(box, other) for other, _ in found):
                found.append((box, screen))
    picked = _choose(found, point)
    chosen = [box for box, _ in picked]
    if area[2] * area[3] >= _LARGE:
        closer = [line for box, screen in picked for line in _look_closer(screen, box)]
        chosen = [box for box in closer if _has_changed(box, changed, patch)]
    lines = recognizer.read_many([(screen, box) for screen in (pre, post) for box in chosen])
    texts = [line.text if line.sureness >= _SURE else "" for line in lines]
    pairs = zip(texts[: len(chosen)], texts[len(chosen) :], chosen, strict=True)
    return tuple(TextChange(before, after, box) for before, after, box in pairs if before != after)


def _find_lines_in(screen: Pixels, area: Box) -> list[Box]:
    if area[2] * area[3] < _LARGE:
        return find_lines(screen, area)
    small = find_lines(screen[::2, ::2], (area[0] / 2, area[1] / 2, area[2] / 2, area[3] / 2))
    return [(2 * x, 2 * y, 2 * w, 2 * h) for x, y, w, h in small]


def _look_closer(screen: Pixels, box: Box) -> list[Box]:
    """The lines of a box that was found at half the size, where neighbouring rows run into one another; the longest
    of them."""
    lines = find_lines(screen, (box[0] - _RIM, box[1] - _RIM, box[2] + 2 * _RIM, box[3] + 2 * _RIM))
    return sorted(lines, key=lambda line: -line[2])[:_ROWS]


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


def _choose(found: Sequence[tuple[Box, Pixels]], point: Point | None) -> list[tuple[Box, Pixels]]:
    """The lines nearest to the point, then the tallest of the others: what was acted on, and what speaks loudest."""
    nearest = sorted(found, key=lambda line: gap(line[0], point))[:NEAREST] if point is not None else []
    near = {box for box, _ in nearest}
    others = sorted((line for line in found if line[0] not in near), key=lambda line: (-line[0][3], line[0][1]))
    return nearest + others[: NEAREST + TALLEST - len(nearest)]


def gap(box: Box, point: Point) -> float:
    """Pixels between a box and a point, 0 inside."""
    across = max(box[0] - point[0], point[0] - box[0] - box[2], 0.0)
    down = max(box[1] - point[1], point[1] - box[1] - box[3], 0.0)
    return math.hypot(across, down)
