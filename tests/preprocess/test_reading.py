"""Lines at the target and lines that changed: found, read, and compared with what was asked for."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from viscritic.actions import Action
from viscritic.errors import ConfigError
from viscritic.model.reader import load_reader
from viscritic.ocr import Recognizer
from viscritic.preprocess import Arrays, PreprocessConfig, facts_size, prepare
from viscritic.preprocess.facts import STATE_FACTS
from viscritic.preprocess.reading import SLOTS
from viscritic.runner import Runner
from viscritic.screen import Screen

CONFIG = PreprocessConfig(reader=True)
AT = STATE_FACTS  # of the slot "at": holds text, near, carries a name, here, beside, like a name, words in common
RIGHT = AT + 7 * SLOTS.index("right")
ELSEWHERE = STATE_FACTS + 7 * len(SLOTS) + 8 + 3


@pytest.fixture(scope="module")
def recognizer() -> Recognizer:
    return Recognizer(load_reader(), Runner(threads=1))


def draw(*, count: str = "3", name: str = "", save: str = "Save") -> Screen:
    """A form: two buttons, a checkbox with its label, a counter, a text field with its label."""
    image = Image.new("RGB", (640, 400), "white")
    pencil = ImageDraw.Draw(image)
    font = ImageFont.load_default(16)
    for x, text in ((60, save), (260, "Cancel")):
        pencil.rounded_rectangle((x, 40, x + 140, 80), 6, fill="#e8e8e8", outline="#777777")
        pencil.text((x + 45, 50), text, fill="black", font=font)
    pencil.rectangle((60, 130, 76, 146), outline="black")
    pencil.text((90, 128), "Send me news", fill="black", font=font)
    pencil.text((60, 200), f"Items: {count}", fill="black", font=font)
    pencil.text((60, 280), "City", fill="black", font=font)
    pencil.rectangle((140, 270, 400, 310), outline="#777777")
    pencil.text((150, 280), name, fill="black", font=font)
    return np.asarray(image)


def read(recognizer: Recognizer, action: Action, instruction: str, post: Screen | None = None) -> Arrays:
    pre = draw()
    return prepare(pre, pre if post is None else post, (action,), instruction, "", CONFIG, recognizer=recognizer)


def test_the_button_that_was_hit_is_compared_with_the_one_that_was_meant(recognizer: Recognizer) -> None:
    hit = Action("click", 75, 60)  # beside the word, on the same button
    right, wrong = (read(recognizer, hit, f"Click the '{name}' button") for name in ("Save", "Cancel"))
    assert right.texts.target.split(";")[0] == "Save"
    assert right.facts[AT + 2 : AT + 7].tolist() == pytest.approx([1, 1, 0, 1, 1])
    assert wrong.facts[AT + 2 : AT + 5].tolist() == [0, 0, 0]
    assert wrong.facts[RIGHT + 2] == 1  # the button with that name is the next one


@pytest.mark.parametrize("instruction", ["Click 'Save'", 'Press "Save"', "Tap Save.", "click on save", "Hit Save now"])
def test_names_are_found_in_quotes_and_after_the_verb(recognizer: Recognizer, instruction: str) -> None:
    assert read(recognizer, Action("click", 130, 60), instruction).facts[AT + 3] == 1


@pytest.mark.parametrize("instruction", ["", "Press the first button", "Save the file"])
def test_without_a_name_nothing_is_compared(recognizer: Recognizer, instruction: str) -> None:
    arrays = read(recognizer, Action("click", 130, 60), instruction)
    assert arrays.facts[AT] == 1
    assert arrays.facts[AT + 2 : AT + 4].tolist() == [0, 0]


def test_the_labels_of_a_checkbox_and_of_a_field_are_read(recognizer: Recognizer) -> None:
    assert "Send me news" in read(recognizer, Action("click", 68, 138), "").texts.target
    assert "left: City" in read(recognizer, Action("click", 160, 290), "").texts.target


def test_what_changed_is_read_in_both_screens(recognizer: Recognizer) -> None:
    arrays = read(recognizer, Action("click", 130, 60), "", draw(count="4"))
    (change,) = arrays.evidence.texts
    assert [text.replace(" ", "") for text in (change.before, change.after)] == ["Items:3", "Items:4"]
    assert arrays.texts.before.endswith("3")
    assert arrays.texts.after.endswith("4")


def test_typed_text_that_appears_at_the_point_is_told_from_other_text(recognizer: Recognizer) -> None:
    action = Action("type", 200, 290, text="Lisbon")
    typed, other = (read(recognizer, action, "Type 'Lisbon' into 'City'", draw(name=n)) for n in ("Lisbon", "Oslo"))
    assert typed.texts.after == "Lisbon"
    assert "left: City" in typed.texts.target
    assert np.count_nonzero(typed.facts[AT:] > other.facts[AT:] + 0.2) >= 2


def test_facts_have_their_size_with_and_without_reading(recognizer: Recognizer) -> None:
    assert read(recognizer, Action("wait"), "").facts.shape == (facts_size(CONFIG),)
    assert facts_size(PreprocessConfig()) == STATE_FACTS
    facts = read(recognizer, Action("click", 130, 60), "Click 'Save'", draw(save="Saved")).facts
    assert np.isfinite(facts).all()
    assert facts.min() >= 0
    assert facts.max() <= 1


def test_the_one_of_several_that_was_meant_is_counted_off(recognizer: Recognizer) -> None:
    image = Image.new("RGB", (640, 400), "white")
    for y in (60, 160, 260):
        ImageDraw.Draw(image).text((60, y), "Delete", fill="black", font=ImageFont.load_default(16))
    screen = np.asarray(image)
    fits = []
    for y in (68, 168, 268):
        hit = Action("click", 85, y)
        facts = prepare(screen, screen, (hit,), "Click the second 'Delete'", "", CONFIG, recognizer=recognizer).facts
        fits.append(facts[ELSEWHERE + 3 : ELSEWHERE + 5].tolist())
    assert fits == [[0, 1], [1, 0], [0, 1]]


def test_in_a_list_without_borders_the_line_of_the_same_row_is_the_one_that_was_hit(recognizer: Recognizer) -> None:
    image = Image.new("RGB", (640, 400), "white")
    for y, name in ((60, "Profile"), (84, "Order history, returns and repairs"), (108, "Addresses")):
        ImageDraw.Draw(image).text((40, y), name, fill="black", font=ImageFont.load_default(16))
    screen = np.asarray(image)
    arrays = prepare(screen, screen, (Action("click", 280, 70),), "", "", CONFIG, recognizer=recognizer)
    assert arrays.texts.target.split(";")[0] == "Profile"


def test_a_name_that_stands_far_from_the_point_is_found(recognizer: Recognizer) -> None:
    far, nowhere = (read(recognizer, Action("click", 210, 290), f"Click '{n}'") for n in ("Save", "Print"))
    assert [far.facts[ELSEWHERE], nowhere.facts[ELSEWHERE]] == [1, 0]


def test_a_sign_in_a_round_button_is_read(recognizer: Recognizer) -> None:
    image = Image.new("RGB", (640, 400), "white")
    pencil = ImageDraw.Draw(image)
    pencil.ellipse((280, 180, 324, 224), outline="#1a73e8", width=2)
    pencil.line((296, 202, 308, 202), fill="#1a73e8", width=2)
    pencil.line((302, 196, 302, 208), fill="#1a73e8", width=2)
    screen = np.asarray(image)
    arrays = prepare(screen, screen, (Action("click", 301, 203),), "Click '+'", "", CONFIG, recognizer=recognizer)
    assert arrays.texts.target == "+"


def test_reading_needs_a_recogniser() -> None:
    with pytest.raises(ConfigError, match="no recogniser"):
        prepare(draw(), draw(), (Action("wait"),), "", "", CONFIG)
