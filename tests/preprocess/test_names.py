"""Names in instructions, and lines that carry them."""

from __future__ import annotations

import pytest

from viscritic.actions import Action
from viscritic.ocr import Line
from viscritic.preprocess.names import find_names, find_typed, match_name, quoted


def line(text: str) -> Line:
    """Ten pixels to a character."""
    return Line(text, 1.0, (0, 0, 10 * len(text), 16), tuple(10 * i + 5.0 for i in range(len(text))))


@pytest.mark.parametrize(
    ("instruction", "names"),
    [
        ("Click 'Save'", ["Save"]),
        ("Type \"it's late\" into 'Note'", ["it's late", "Note"]),
        ("Don't click the user's name", []),
        ("Open 'Don't ask again'", ["Don't ask again"]),
        ("Press \u201cOK\u201d", ["OK"]),
        ("", []),
    ],
)
def test_names_in_quotes(instruction: str, names: list[str]) -> None:
    assert quoted(instruction) == names


@pytest.mark.parametrize(
    ("instruction", "names"),
    [
        ("Enter 'Rome' in 'City'", ["City"]),
        ("Click Save now", ["Save"]),
        ("Find Less headphones and click it.", ["Less headphones"]),
        ("Press the first button", []),
        ("Save the file", []),
    ],
)
def test_names_of_elements(instruction: str, names: list[str]) -> None:
    assert find_names(instruction, ["Rome"]) == names


def best(name: str, text: str) -> float:
    return max((match.quality for match in match_name(name, line(text))), default=0.0)


def test_one_of_several_links_in_a_line_is_told_from_its_neighbours() -> None:
    links = line("AllActive Completed")
    (match,) = match_name("Completed", links)
    assert match.quality == 1
    assert match.is_at(links, 140)
    assert match.is_at(links, 400)  # beyond the end, where nothing else is nearer
    assert not match.is_at(links, 20)


def test_numbers_must_agree_and_letters_nearly() -> None:
    assert best("Section #2", "Section #2") == 1
    assert best("Section #2", "Section #3") == 0
    assert 0.7 < best("Pay the electricity bill", "Pay the eleetrieity bilf") < 1
    assert best("Cancel", "Save") == 0


def test_a_short_name_is_a_word_of_its_own() -> None:
    assert best("All", "All Active") == 1
    assert best("All", "Small print") == 0


def test_a_line_of_a_card_carries_the_name_of_the_card() -> None:
    assert best("Gerta Aenean. Vulputate bland..", "Vulputate bland.") == pytest.approx(0.9)


def test_signs() -> None:
    assert best("+", "+") == 1
    assert best("\u2212", "-") == 1
    assert best("+", "-") == 0
    assert match_name("Save", line("")) == []


def test_what_is_typed_is_no_name() -> None:
    typed = find_typed((Action("click", 1, 1), Action("type", text="Rome\n")))
    assert typed == ["Rome"]
    assert find_names("Enter 'Rome' in 'City'", typed) == ["City"]
