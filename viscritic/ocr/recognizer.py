"""Reads one text line of a screen: a small convolutional recogniser with CTC decoding, run by onnxruntime."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
import onnxruntime
from PIL import Image

from viscritic.errors import BundleError
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


class Recognizer:
    """A recogniser of text lines. Threads may share one.

    Args:
        graph: an ONNX graph from (1, 3, 48, W) float32 in [-1, 1], blue first, to (1, T, classes) probabilities, class
            0 being CTC's blank; its metadata names the characters of the others.
        threads: of onnxruntime; None leaves its choice.

    Raises:
        BundleError: the graph cannot be run, or names no alphabet.
    """

    def __init__(self, graph: bytes, threads: int | None = None) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads or 0
        options.log_severity_level = 3
        try:
            self._session = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
            self._alphabet = self._session.get_modelmeta().custom_metadata_map[ALPHABET_KEY]
        except Exception as error:  # onnxruntime raises a dozen kinds of its own
            raise BundleError(f"the text recogniser cannot be run ({error})") from error
        self._input = self._session.get_inputs()[0].name

    def read(self, screen: Screen, box: Box) -> Line:
        """Read the line in a box; text "" where there is none.

        Args:
            screen: (H, W, 3) uint8 RGB.
            box: x, y, width, height of the line in pixels, inside the screen.
        """
        crop, left, right = _cut_line(screen, box)
        probabilities = self._session.run(None, {self._input: crop})[0][0]
        text, sureness, places = _decode(probabilities, self._alphabet)
        return Line(text, sureness, box, tuple(left + place * (right - left) for place in places))


def _cut_line(screen: Screen, box: Box) -> tuple[npt.NDArray[np.float32], int, int]:
    """(1, 3, 48, W) float32: the box with a small margin, scaled to the recogniser's height; its left and right end."""
    pad = max(2, round(_PAD * box[3]))
    left, top = max(int(box[0]) - pad, 0), max(int(box[1]) - pad, 0)
    right, bottom = int(np.ceil(box[0] + box[2])) + pad, int(np.ceil(box[1] + box[3])) + pad
    crop = screen[top:bottom, left:right]
    height = len(crop)
    crop = crop[:, : max(1, _WIDTHS[1] * height // _HEIGHT)]
    wide = min(max(round(crop.shape[1] * _HEIGHT / height), _WIDTHS[0]), _WIDTHS[1])
    scaled = np.asarray(Image.fromarray(crop).resize((wide, _HEIGHT), Image.Resampling.BILINEAR))
    pixels = np.ascontiguousarray(scaled[None, :, :, ::-1].transpose(0, 3, 1, 2), np.float32) / 127.5 - 1
    return pixels, left, left + crop.shape[1]


def _decode(probabilities: npt.NDArray[np.float32], alphabet: str) -> tuple[str, float, list[float]]:
    """The likeliest class at each step, without repetitions and blanks, the mean probability of what is kept, and
    where each character stands, as a fraction of the width."""
    best = probabilities.argmax(axis=1)
    kept = np.flatnonzero((best > 0) & (np.diff(best, prepend=0) != 0))
    if not len(kept):
        return "", 0.0, []
    read = [(alphabet[best[step] - 1], (step + 0.5) / len(best)) for step in kept.tolist()]
    while read and read[0][0].isspace():
        del read[0]
    while read and read[-1][0].isspace():
        del read[-1]
    text, places = "".join(character for character, _ in read), [place for _, place in read]
    return text, float(probabilities.max(axis=1)[kept].mean()), places
