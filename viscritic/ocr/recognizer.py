"""Reads one text line of a screen: a small convolutional recogniser with CTC decoding, run by onnxruntime."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image

from viscritic.errors import BundleError
from viscritic.latest import Job, Latest, fingerprint
from viscritic.runner import Runner
from viscritic.screen import Screen
from viscritic.trajectory import Box

ALPHABET_KEY: Final = "alphabet"  # of the graph's metadata: one character for each class after the blank
_HEIGHT: Final = 48  # pixels, what the recogniser was trained on
_WIDTHS: Final = (16, 640)  # pixels; a longer line is read by its beginning
_PAD: Final = 0.12  # of a line's height, around it
_EDGE: Final = 28  # of 255: a larger step between neighbouring pixels is the rim of something
_FEW: Final = 0.22  # of the most rims in a row: a row with fewer holds no letters
_BETWEEN: Final = 3  # rows of fewer rims part two lines
_AROUND: Final = 0.15  # of the letters' height, for what sticks out of it
_INNER: Final = 0.85  # of the height: letters that take more of it are not cut
_APART: Final = 0.24  # of the crop's height: wider gaps part words
_FRAMED: Final = 20  # pixels: a box that is less high holds no frame


class Line(NamedTuple):
    """What a line reads.

    Attributes:
        text: its characters.
        sureness: how sure they are, in [0, 1].
        box: where it lies: x, y, width, height in pixels.
        centres: about where each character stands: x in pixels.
    """

    text: str
    sureness: float
    box: Box
    centres: tuple[float, ...] = ()


Reading = tuple[str, float, tuple[float, ...]]  # text, sureness, places of the characters as shares of the width


class Recognizer:
    """A recogniser of text lines. Threads may share one.

    Args:
        graph: an ONNX graph from (1, 3, 48, W) float32 in [-1, 1], blue first, to (1, T, classes) probabilities, class
            0 being CTC's blank; its metadata names the characters of the others.
        runner: what runs it.
        cache: keep so many latest lines; the next step looks at many of them again.

    Raises:
        BundleError: the graph cannot be run, or names no alphabet.
    """

    def __init__(self, graph: bytes, runner: Runner, cache: int = 0) -> None:
        self._runner = runner
        self._session = runner.open(graph, "the text recogniser")
        alphabet = self._session.get_modelmeta().custom_metadata_map.get(ALPHABET_KEY)
        if alphabet is None:
            raise BundleError(f"the text recogniser names no characters: its metadata has no {ALPHABET_KEY!r}")
        self._alphabet: str = alphabet
        self._input = self._session.get_inputs()[0].name
        self._latest = Latest[Reading](cache)

    def read(self, screen: Screen, box: Box) -> Line:
        """Read the line in a box; see `read_many`."""
        return self.read_many([(screen, box)])[0]

    def read_many(self, places: Sequence[tuple[Screen, Box]]) -> list[Line]:
        """Read lines, some at once; text "" where there is none.

        Args:
            places: a screen, (H, W, 3) uint8 RGB, and the x, y, width, height of a line in pixels, inside it.
        """
        crops = [_cut_line(screen, box) for screen, box in places]
        answers = self._runner.answer([self._plan(crop) for crop, _ in crops])
        return [
            Line(text, sureness, box, tuple(left + share * crop.shape[1] for share in shares))
            for (text, sureness, shares), (crop, left), (_, box) in zip(answers, crops, places, strict=True)
        ]

    def _plan(self, crop: Screen) -> Job[Reading]:
        def compute() -> Reading:
            probabilities = self._session.run(None, {self._input: _scale_line(crop)})[0][0]
            return _part_words(_decode(probabilities, self._alphabet), crop)

        return Job(fingerprint(crop), self._latest, compute)


def _cut_line(screen: Screen, box: Box) -> tuple[Screen, int]:
    """(h, w, 3) uint8: the line of a box with a small margin, of a very long one its beginning; and the column it
    begins at."""
    left, top = max(int(box[0]), 0), max(int(box[1]), 0)
    right, bottom = int(np.ceil(box[0] + box[2])), int(np.ceil(box[1] + box[3]))
    upper, lower = _letter_rows(screen[top:bottom, left:right])
    pad = max(2, round(_PAD * (lower - upper)))
    crop = screen[max(top + upper - pad, 0) : top + lower + pad, max(left - pad, 0) : right + pad]
    return crop[:, : max(1, _WIDTHS[1] * len(crop) // _HEIGHT)], max(left - pad, 0)


def _letter_rows(crop: Screen) -> tuple[int, int]:
    """(top, bottom) of the rows in which the letters stand: a frame, or a sign before them, may reach higher and lower,
    but crosses few columns there."""
    height = len(crop)
    if height < _FRAMED:
        return 0, height
    green = crop[:, :, 1].astype(np.int16)
    crossed = (np.abs(np.diff(green, axis=1)) > _EDGE).sum(axis=1)
    rows = np.flatnonzero(crossed >= _FEW * crossed.max())
    bands = np.split(rows, np.flatnonzero(np.diff(rows) > _BETWEEN) + 1)
    band = max(bands, key=lambda band: int(crossed[band].sum()))
    upper, lower = int(band[0]), int(band[-1]) + 1
    around = round(_AROUND * (lower - upper))
    upper, lower = max(upper - around, 0), min(lower + around, height)
    return (upper, lower) if lower - upper <= _INNER * height else (0, height)


def _scale_line(crop: Screen) -> npt.NDArray[np.float32]:
    """(1, 3, 48, W) float32: a line scaled to the recogniser's height."""
    height = len(crop)
    wide = min(max(round(crop.shape[1] * _HEIGHT / height), _WIDTHS[0]), _WIDTHS[1])
    scaled = np.asarray(Image.fromarray(crop).resize((wide, _HEIGHT), Image.Resampling.BILINEAR))
    return np.ascontiguousarray(scaled[None, :, :, ::-1].transpose(0, 3, 1, 2), np.float32) / 127.5 - 1


def _part_words(reading: Reading, crop: Screen) -> Reading:
    """Put the blanks back that the recogniser loses: where letters stand apart by more than letters of a word do."""
    text, sureness, shares = reading
    green = crop[:, :, 1].astype(np.int16)
    edge = min(_EDGE, int(np.ptp(green)) // 5)  # letters of a dimmed page have softer rims
    busy = np.asarray((np.abs(np.diff(green, axis=0)) > edge).any(axis=0))
    busy[1:] |= (np.abs(np.diff(green, axis=1)) > edge).any(axis=0)
    columns = np.concatenate([[0], np.flatnonzero(busy), [len(busy)]])
    ends = np.flatnonzero(np.diff(columns) >= _APART * len(crop))
    gaps = (columns[ends] + columns[ends + 1]) / 2 / len(busy)  # middles of wide gaps, as shares of the width
    words: list[str] = []
    places: list[float] = []
    for index, (character, share) in enumerate(zip(text, shares, strict=True)):
        previous = shares[index - 1] if index else share
        if character != " " and words and words[-1] != " " and ((gaps > previous) & (gaps < share)).any():
            words.append(" ")
            places.append((previous + share) / 2)
        words.append(character)
        places.append(share)
    return "".join(words), sureness, tuple(places)


def _decode(probabilities: npt.NDArray[np.float32], alphabet: str) -> Reading:
    """The likeliest class at each step, without repetitions, blanks, and space at the ends; the mean probability of
    what is kept."""
    best = probabilities.argmax(axis=1)
    kept = np.flatnonzero((best > 0) & (np.diff(best, prepend=0) != 0))
    if not len(kept):
        return "", 0.0, ()
    text = "".join(alphabet[index - 1] for index in best[kept].tolist())
    start = len(text) - len(text.lstrip())
    shares = ((kept + 0.5) / len(best)).tolist()[start : start + len(text.strip())]
    return text.strip(), float(probabilities.max(axis=1)[kept].mean()), tuple(shares)
