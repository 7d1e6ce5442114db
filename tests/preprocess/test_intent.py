"""An action is compared with what the instruction says of its kind, its words and its place."""

from __future__ import annotations

import numpy as np
import pytest

from viscritic.actions import Action
from viscritic.preprocess.intent import INTENT_FACTS, find_ordinal, intent_facts

SIZE = (1000, 800)
HAS, NAMES, VERBATIM, OTHERWISE, LIKEST, KIND, OTHER_KIND, FITS, MISFITS, WAY, OTHER_WAY, KEY, NUMBERED, BESIDE = range(
    INTENT_FACTS
)


def facts(action: Action, instruction: str) -> np.ndarray:
    return intent_facts((action,), instruction, action.point, SIZE)


def test_typed_words_are_the_asked_ones_or_nearly_or_not() -> None:
    asked = "Type 'the invoice of May' into 'Subject'"
    same, lossy, other = (
        facts(Action("type", text=t), asked) for t in ("the invoice of May", "the nvoice of May", "x")
    )
    assert [same[VERBATIM], lossy[VERBATIM], other[VERBATIM]] == [1, 0, 0]
    assert [same[OTHERWISE], lossy[OTHERWISE], other[OTHERWISE]] == [0, 1, 1]
    assert same[LIKEST] == 1
    assert 0.9 < lossy[LIKEST] < 1
    assert other[LIKEST] < 0.5


@pytest.mark.parametrize(
    ("kind", "instruction", "fits"),
    [
        ("click", "Click 'Save'", (1, 0)),
        ("type", "Click 'Save'", (0, 1)),
        ("scroll", "Scroll down", (1, 0)),
        ("click", "See what is further down", (0, 0)),
        ("click", "", (0, 0)),
    ],
)
def test_the_kind_of_action(kind: str, instruction: str, fits: tuple[int, int]) -> None:
    found = facts(Action(kind, 10, 10), instruction)
    assert (found[KIND], found[OTHER_KIND]) == fits


@pytest.mark.parametrize(
    ("point", "instruction", "fits"),
    [
        ((100, 100), "Click the icon at the top left", (1, 0)),
        ((900, 700), "Click the icon at the top left", (0, 1)),
        ((100, 700), "Click the icon at the top left", (0.5, 0.5)),
        ((100, 700), "Click the icon", (0, 0)),
        ((500, 400), "Tap the shape in the middle", (1, 0)),
    ],
)
def test_the_place(point: tuple[int, int], instruction: str, fits: tuple[float, float]) -> None:
    found = facts(Action("click", *point), instruction)
    assert (found[FITS], found[MISFITS]) == fits


def test_the_way_of_the_wheel_and_the_key() -> None:
    down = Action("scroll", 10, 10, dy=300)
    assert facts(down, "Scroll down a bit")[[WAY, OTHER_WAY]].tolist() == [1, 0]
    assert facts(down, "Scroll up")[[WAY, OTHER_WAY]].tolist() == [0, 1]
    assert facts(Action("key", keys=("enter",)), "Press Enter.")[KEY] == 1
    assert facts(Action("key", keys=("escape",)), "Press Enter.")[KEY] == 0


def test_an_action_without_a_point_and_instruction_says_nothing() -> None:
    assert facts(Action("wait"), "").tolist() == [0] * INTENT_FACTS


@pytest.mark.parametrize(
    ("instruction", "ordinal"),
    [
        ("Click the second 'Delete' button", 1),
        ("Open the last tab", -1),
        ("Tick the 12th checkbox", 11),
        ("Wait for the seconds to pass", None),
        ("", None),
    ],
)
def test_which_of_several(instruction: str, ordinal: int | None) -> None:
    assert find_ordinal(instruction) == ordinal
    assert facts(Action("click", 10, 10), instruction)[NUMBERED] == (ordinal is not None)


def test_a_part_of_what_is_in_quotes_is_not_said() -> None:
    action = Action("type", text="Tom")
    assert facts(action, "Type 'Toms' into 'Name'")[VERBATIM] == 0
    assert facts(action, "Type 'Tom' into 'Tom or Ann'")[VERBATIM] == 1
    assert facts(action, "Enter Tom as the name")[VERBATIM] == 1
    assert facts(action, "Enter Tomato as the name")[VERBATIM] == 0


def test_the_line_break_that_sends_a_text_is_no_part_of_it() -> None:
    assert facts(Action("type", text="Buy milk\n"), "Type 'Buy milk' into 'To do'")[VERBATIM] == 1


def test_an_edit_types_a_part() -> None:
    edit = (Action("key", keys=("end",)), Action("key", keys=("backspace",)), Action("type", text="f"))
    found = intent_facts(edit, "Type 'Call me anytimf' into 'Status'", None, SIZE)
    assert found[VERBATIM] == 1
    assert intent_facts(edit, "Type 'Call me anytime' into 'Status'", None, SIZE)[VERBATIM] == 0


def test_what_is_meant_stands_beside_what_is_named() -> None:
    assert facts(Action("click", 10, 10), "Tick the checkbox next to 'Milk'")[BESIDE] == 1
    assert facts(Action("click", 10, 10), "Tick 'Milk'")[BESIDE] == 0
