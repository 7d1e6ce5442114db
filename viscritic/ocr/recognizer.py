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
_WIDTHS: Final = (16, 560)  # pixels; a longer line is read by its beginning
_PAD: Final = 0.12  # of a line's height, around it


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
            return _decode(probabilities, self._alphabet)

        return Job(fingerprint(crop), self._latest, compute)


def _cut_line(screen: Screen, box: Box) -> tuple[Screen, int]:
    """(h, w, 3) uint8: the box with a small margin, of a very long line its beginning; and the column it begins at."""
    pad = max(2, round(_PAD * box[3]))
    left, top = max(int(box[0]) - pad, 0), max(int(box[1]) - pad, 0)
    right, bottom = int(np.ceil(box[0] + box[2])) + pad, int(np.ceil(box[1] + box[3])) + pad
    crop = screen[top:bottom, left:right]
    return crop[:, : max(1, _WIDTHS[1] * len(crop) // _HEIGHT)], left


def _scale_line(crop: Screen) -> npt.NDArray[np.float32]:
    """(1, 3, 48, W) float32: a line scaled to the recogniser's height."""
    height = len(crop)
    wide = min(max(round(crop.shape[1] * _HEIGHT / height), _WIDTHS[0]), _WIDTHS[1])
    scaled = np.asarray(Image.fromarray(crop).resize((wide, _HEIGHT), Image.Resampling.BILINEAR))
    return np.ascontiguousarray(scaled[None, :, :, ::-1].transpose(0, 3, 1, 2), np.float32) / 127.5 - 1


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
