"""A policy cloned from the heuristic agent's successes: it sees pixels and the utterance, nothing else.

A conditional logit (McFadden 1974) over pairs of a place and a verb: small, quick, and honest about what so little can
do. `scripts/clone_policy.py` makes the weights, from training task types and seeds that the benchmark does not use.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from difflib import SequenceMatcher, get_close_matches
from importlib import resources
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from viscritic.actions import Action
from viscritic.agent import GateDecision
from viscritic.bench.agents import Proposal
from viscritic.bench.places import Place, find_places
from viscritic.bench.world import World
from viscritic.ocr import Recognizer
from viscritic.screen import Screen

Verb = Literal["click", "type"]
Floats = npt.NDArray[np.float64]
VERBS: Final[tuple[Verb, ...]] = ("click", "type")
_WEIGHTS: Final = "cloned_policy.json"
_MOST: Final = 8  # steps, after which it gives up
_PANEL: Final = 50 / 210  # of the screen's height: there the utterance stands
_ENDINGS: Final = ("submit", "login", "search", "ok", "sign in", "done")
_DISMISSING: Final = ("accept all", "close", "x")
_COLOURS: Final = {
    "red": (1, 0, 0), "green": (0, 0.5, 0), "lime": (0, 1, 0), "blue": (0, 0, 1), "yellow": (1, 1, 0),
    "cyan": (0, 1, 1), "magenta": (1, 0, 1), "pink": (1, 0.75, 0.8), "orange": (1, 0.65, 0), "purple": (0.5, 0, 0.5),
    "grey": (0.5, 0.5, 0.5), "olive": (0.5, 0.5, 0), "white": (1, 1, 1), "black": (0, 0, 0),
}  # fmt: skip
_ORDINALS: Final = re.compile(r"(\d+)(?:st|nd|rd|th)\b|#(\d+)")
_TYPED: Final = re.compile(r"\b\d{1,2}[/:]\d{2}[/:\w ]*\b")
_REFUSED: Final = 3.0  # nats that a place loses for each time that it was refused
FEATURES: Final = (
    "area", "quoted", "like_quoted", "said_in_area", "said_in_line", "beside_quoted", "beside_said", "ending",
    "ending_early", "ending_last", "dismissing", "empty", "wide", "small_square", "white", "saturated", "colour",
    "panel", "used", "ordinal", "first_empty", "to_type", "height",
)  # fmt: skip


class ClonedAgent:
    """The policy in an episode.

    Args:
        weights: (verbs, features); those that ship where None.
    """

    def __init__(self, world: World, words: str, reader: Recognizer, weights: Floats | None = None) -> None:
        self._world, self._words, self._reader = world, words, reader
        self._weights = read_weights() if weights is None else weights
        self._memory = Memory(words)
        self._refused: list[tuple[float, float]] = []
        self._steps = 0
        self._last: tuple[Verb, Place] | None = None

    def propose(self) -> Proposal | None:
        """The likeliest place and verb."""
        if self._steps >= _MOST:
            return None
        self._steps += 1
        screen = self._world.screen()
        places = find_places(screen, self._reader)
        pairs, features = self._memory.describe(places, screen)
        if not pairs:
            return None
        scores = np.array(
            [self._weights[VERBS.index(verb)] @ row for (verb, _), row in zip(pairs, features, strict=True)]
        )
        scores -= [_REFUSED * sum(_near(place.centre, point) for point in self._refused) for _, place in pairs]
        verb, place = self._last = pairs[int(scores.argmax())]
        return self._memory.propose(verb, place)

    def hear(self, decision: GateDecision | None) -> None:
        """Remember what was done; what did not work is less likely to be tried again."""
        if self._last is None:
            return
        if decision is None or decision.move in ("proceed", "stop"):
            self._memory.note(*self._last)
        elif decision.changed is not False:  # where nothing changed, the same is tried once more
            self._refused.append(self._last[1].centre)
            if not decision.restored:
                self._memory.note(*self._last)

    def doubt(self) -> None:
        """Look for something else."""
        self._steps -= 1
        if self._last is not None:
            self._refused.append(self._last[1].centre)


class Memory:
    """What a policy remembers of an episode, and how it sees what is before it."""

    def __init__(self, words: str) -> None:
        self.words, self._low = words, words.lower()
        self._said = set(re.findall(r"\w+", self._low))
        self._quoted = re.findall(r'"([^"]+)"', words) or _TYPED.findall(self._low)
        self._used: list[tuple[float, float]] = []
        self._typed = 0

    def note(self, verb: Verb, place: Place) -> None:
        """This has been done."""
        self._used.append(place.centre)
        self._typed += verb == "type"

    def propose(self, verb: Verb, place: Place) -> Proposal:
        """The pair as a step."""
        x, y = (round(value) for value in place.centre)
        name = place.text or place.beside
        if verb == "type":
            text = self._quoted[min(self._typed, len(self._quoted) - 1)]
            return Proposal((Action("type", x, y, text=text),), f"Type '{text}'", "text field")
        return Proposal((Action("click", x, y),), f"Click '{name}'" if name else self.words, f"button '{name}'")

    def describe(self, places: Sequence[Place], screen: Screen) -> tuple[list[tuple[Verb, Place]], Floats]:
        """Pairs of verb and place, and (pairs, features) of them."""
        height, width = screen.shape[:2]
        fresh = [place for place in places if not self._is_used(place)]
        empty = sorted((p.box[1], p.box[0]) for p in places if _is_empty_field(p, width))
        waiting = sorted((p.box[1], p.box[0]) for p in fresh if _is_empty_field(p, width))
        open_names = any(self._fits(p.text) or (p.text == "" and self._fits(p.beside)) for p in fresh
                         if p.box[1] > _PANEL * height and p.text.lower() not in _ENDINGS)  # fmt: skip
        pairs, rows = [], []
        for place in places:
            row = self._row(place, (width, height), empty, waiting, open_names)
            for verb in VERBS[: 2 if self._quoted else 1]:
                pairs.append((verb, place))
                rows.append(row)
        return pairs, np.array(rows, float).reshape(len(rows), len(FEATURES))

    def _row(
        self, place: Place, size: tuple[int, int], empty: list[tuple[float, float]],
        waiting: list[tuple[float, float]], open_names: bool,
    ) -> list[float]:  # fmt: skip
        text, corner = place.text.strip().lower(), (place.box[1], place.box[0])
        colour = place.colour or (0.0, 0.0, 0.0)
        ordinal = _ORDINALS.search(self._low)
        number = int(ordinal[1] or ordinal[2]) - 1 if ordinal else None
        field = _is_empty_field(place, size[0])
        ending = text in _ENDINGS
        below = place.centre[1] >= _PANEL * size[1]
        return [
            place.colour is not None,
            self._is_quoted(place.text),
            max((_like(text, q.lower()) for q in self._quoted), default=0.0),
            below and place.colour is not None and self._fits(place.text),
            below and place.colour is None and self._fits(place.text),
            text == "" and self._is_quoted(place.beside),
            text == "" and self._fits(place.beside),
            ending,
            ending and open_names,
            ending and not open_names and not (waiting and self._typed < len(self._quoted)),
            text in _DISMISSING,
            text == "",
            place.box[2] > 3 * place.box[3],
            0.7 < place.box[2] / place.box[3] < 1.4 and place.box[2] < 0.1 * size[0],
            min(colour) > 0.95,
            max(colour) - min(colour),
            _colour_fits(colour, self._said) if place.colour else 0.0,
            not below,
            self._is_used(place),
            field and number is not None and number < len(empty) and empty[number] == corner,
            field and bool(waiting) and waiting[0] == corner,
            field and self._typed < len(self._quoted),
            place.box[3] / size[1],
        ]

    def _is_used(self, place: Place) -> bool:
        """Whether it was acted on, or what it is the label of: a tick to its left."""
        x, y, _, height = place.box
        label = place.colour is None
        return any(
            _near(place.centre, point)
            or (label and 0 < x - point[0] < 3 * height and y - 4 < point[1] < y + height + 4)
            for point in self._used
        )

    def _is_quoted(self, text: str) -> bool:
        return any(_like(text.lower(), name.lower()) > 0.9 for name in self._quoted)

    def _fits(self, text: str) -> bool:
        """Whether the utterance says all of it; reading may err in a letter."""
        words = re.findall(r"\w+", text.lower())
        return bool(words) and all(word in self._said or get_close_matches(word, self._said, 1, 0.75) for word in words)


def read_weights() -> Floats:
    """(verbs, features) of the policy that ships."""
    told = json.loads(resources.files("viscritic.bench").joinpath(_WEIGHTS).read_text("utf-8"))
    return np.array([[told[verb][name] for name in FEATURES] for verb in VERBS])


def _is_empty_field(place: Place, width: int) -> bool:
    return place.text == "" and place.colour is not None and place.box[2] > 0.2 * width > 3 * place.box[3] * 0.2


def _like(a: str, b: str) -> float:
    return SequenceMatcher(None, a.strip(), b.strip(), autojunk=False).ratio()


def _near(a: tuple[float, float], b: tuple[float, float]) -> bool:
    return abs(a[0] - b[0]) < 12 and abs(a[1] - b[1]) < 12


def _colour_fits(colour: tuple[float, float, float], said: set[str]) -> float:
    """1 where the nearest colour that has a name is one that the utterance says."""
    nearest = min(_COLOURS, key=lambda name: sum((a - b) ** 2 for a, b in zip(_COLOURS[name], colour, strict=True)))
    return float(nearest in said)
