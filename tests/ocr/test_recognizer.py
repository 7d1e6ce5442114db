"""The recogniser reads drawn text as a person would."""

from __future__ import annotations

import numpy as np
import onnx
import pytest
from PIL import Image, ImageDraw, ImageFont

from viscritic.errors import BundleError
from viscritic.model.reader import load_reader
from viscritic.ocr import ALPHABET_KEY, Recognizer, find_lines
from viscritic.runner import Runner
from viscritic.screen import Screen


@pytest.fixture(scope="module")
def recognizer() -> Recognizer:
    return Recognizer(load_reader(), Runner(threads=1))


def draw(text: str, size: int, ink: str = "black", paper: str = "white") -> Screen:
    image = Image.new("RGB", (420, 80), paper)
    ImageDraw.Draw(image).text((20, 20), text, fill=ink, font=ImageFont.load_default(size))
    return np.asarray(image)


@pytest.mark.parametrize("text", ["Save draft", "Order #1042", "john@example.org", "Delete", "3", "4", "100%"])
@pytest.mark.parametrize(("size", "ink", "paper"), [(14, "black", "white"), (28, "white", "#0b57d0")])
def test_it_reads(recognizer: Recognizer, text: str, size: int, ink: str, paper: str) -> None:
    screen = draw(text, size, ink, paper)
    lines = recognizer.read_many([(screen, box) for box in find_lines(screen, (0, 0, 420, 80))])
    assert [line.text for line in lines] == [text]
    assert lines[0].sureness > 0.8


def test_where_nothing_is_written_nothing_is_read(recognizer: Recognizer) -> None:
    line = recognizer.read(np.full((60, 200, 3), 240, np.uint8), (20.0, 20.0, 100.0, 16.0))
    assert line.text == ""
    assert line.sureness == 0


def test_a_box_at_the_edge_and_a_very_long_line_are_read(recognizer: Recognizer) -> None:
    screen = draw("Settings " * 8, 14)
    assert recognizer.read(screen, (0.0, 15.0, 420.0, 24.0)).text.startswith("Settings")


def test_the_graph_names_its_alphabet() -> None:
    graph = onnx.load_from_string(load_reader())
    alphabet = {entry.key: entry.value for entry in graph.metadata_props}[ALPHABET_KEY]
    assert graph.graph.output[0].type.tensor_type.shape.dim[2].dim_value == len(alphabet) + 1
    assert {"A", "z", "0", "9", " ", "é"} <= set(alphabet)


@pytest.mark.parametrize("graph", [b"", b"no graph"])
def test_what_is_no_graph_is_refused(graph: bytes) -> None:
    with pytest.raises(BundleError, match="recogniser"):
        Recognizer(graph, Runner(threads=1))


def test_a_line_that_was_read_before_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    recognizer = Recognizer(load_reader(), Runner(threads=1), cache=2)
    screen = draw("Save draft", 14)
    box = find_lines(screen, (0, 0, 420, 80))[0]
    first = recognizer.read(screen, box)
    monkeypatch.setattr("onnxruntime.InferenceSession.run", lambda *_: pytest.fail("it is read again"))
    moved = np.roll(screen, 12, axis=1)
    there = (box[0] + 12, *box[1:])
    shifted, again = recognizer.read_many([(moved, there), (screen, box)])
    assert again == first
    assert shifted.centres == pytest.approx([x + 12 for x in first.centres])
    assert shifted == first._replace(box=there, centres=shifted.centres)


def test_it_tells_where_each_character_stands() -> None:
    recognizer = Recognizer(load_reader(), Runner(threads=1))
    line = recognizer.read(draw("Save all", 20), find_lines(draw("Save all", 20), (0, 0, 420, 80))[0])
    left, _, width, _ = line.box
    assert len(line.centres) == len(line.text)
    assert list(line.centres) == sorted(line.centres)
    assert line.centres[0] < left + width / 4
    assert line.centres[-1] > left + 3 * width / 4


@pytest.mark.parametrize("text", ["You appear to be offline.", "Request sent", "Please wait..."])
def test_a_message_is_read_through_its_round_frame(recognizer: Recognizer, text: str) -> None:
    image = Image.new("RGB", (420, 80), "white")
    drawing = ImageDraw.Draw(image)
    drawing.rounded_rectangle((10, 10, 320, 66), 24, fill="#b71c1c", outline="black", width=2)
    drawing.ellipse((22, 26, 46, 50), outline="white", width=3)
    drawing.text((60, 30), text, fill="white", font=ImageFont.load_default(14))
    (box,) = find_lines(np.asarray(image), (0, 0, 420, 80))
    assert box[3] > 40  # frame and all
    assert recognizer.read(np.asarray(image), box).text.replace(" ", "").endswith(text.replace(" ", ""))


@pytest.mark.parametrize("text", ["Send me news", "Add to my list of it", "Move to the next page"])
@pytest.mark.parametrize("size", [13, 18, 30])
def test_words_stay_apart(recognizer: Recognizer, text: str, size: int) -> None:
    screen = draw(text, size)
    (box,) = find_lines(screen, (0, 0, 420, 80))
    line = recognizer.read(screen, box)
    dimmed = recognizer.read(draw(text, size, "#606060", "#808080"), box)
    assert line.text == dimmed.text == text
    assert len(line.centres) == len(text)
    assert list(line.centres) == sorted(line.centres)
