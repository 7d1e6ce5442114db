"""Signs and the way of numbers tell what a button without words is for."""

from __future__ import annotations

import pytest

from viscritic.evidence import TextChange
from viscritic.ocr import Line
from viscritic.preprocess.signs import sign_facts

BOX = (0.0, 0.0, 20.0, 16.0)


@pytest.mark.parametrize(
    ("sign", "name", "facts"),
    [
        ("+", "More guests", [1, 0]),
        ("+", "Less guests", [0, 1]),
        ("\u2212", "Less guests", [1, 0]),
        ("\u00d7", "Remove Salt and Cedar", [1, 0]),
        ("Q", "Search products", [1, 0]),
        ("Q", "Remove the filter", [0, 1]),
        ("+", "Guests", [0, 0]),  # says neither
        ("Save", "More guests", [0, 0]),
    ],
)
def test_a_sign_stands_for_words(sign: str, name: str, facts: list[float]) -> None:
    assert sign_facts(Line(sign, 1.0, BOX), [name], ())[:2] == facts
    assert sign_facts(None, [name], ())[:2] == [0, 0]


@pytest.mark.parametrize(
    ("before", "after", "name", "facts"),
    [
        ("3", "4", "More guests", [1, 0]),
        ("3 guests", "2 guests", "More guests", [0, 1]),
        ("3 guests", "2 guests", "Fewer guests", [1, 0]),
        ("Total: 83.97", "Total: 55.98", "Less umbrella", [1, 0]),
        ("3 guests", "2 rooms", "More guests", [0, 0]),  # another line
        ("1 of 4", "2 of 4", "More", [0, 0]),  # two numbers
        ("9:00:23", "9:00:24", "More", [0, 0]),
        ("3", "4", "Guests", [0, 0]),
        ("3", "4", "Add or remove", [0, 0]),
        ("3", "", "More", [0, 0]),
    ],
)
def test_numbers_go_the_way_that_was_asked(before: str, after: str, name: str, facts: list[float]) -> None:
    assert sign_facts(None, [name], [TextChange(before, after, BOX)])[2:] == facts
