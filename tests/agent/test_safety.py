"""What may be done a second time."""

from __future__ import annotations

import pytest

from viscritic.actions import Action
from viscritic.agent import judge_safety
from viscritic.agent.safety import IRREVERSIBLE_WORDS, TOGGLE_WORDS

CLICK = Action("click", 10, 10)


@pytest.mark.parametrize(
    ("action", "instruction", "element", "kind"),
    [
        (Action("navigate", url="http://a.example"), "", "", "idempotent"),
        (Action("select", text="Large"), "Choose 'Large'", "list 'Size'", "idempotent"),
        (CLICK, "Open the page about us", "link 'About us'", "idempotent"),
        (CLICK, "Go to settings", "", "idempotent"),
        (CLICK, "", "tab 'General'", "idempotent"),
        (CLICK, "Type into the name", "text field 'Name'", "idempotent"),
        (Action("click", raw="check('a51')"), "", "", "idempotent"),
        (Action("type", text="x", raw="fill('a51', 'x')"), "", "", "idempotent"),
        (CLICK, "", "checkbox 'Wrap as a gift'", "toggle"),
        (CLICK, "Expand the first section", "", "toggle"),
        (CLICK, "Open the menu", "", "toggle"),
        (CLICK, "Turn on Wi-Fi", "", "toggle"),
        (CLICK, "Adding one to the cart", "", "cumulative"),
        (Action("type", text="hello"), "", "", "cumulative"),
        (Action("scroll", dy=300), "", "", "cumulative"),
        (CLICK, "Click 'Submit'", "", "irreversible"),
        (CLICK, "", "tab 'Delete account'", "irreversible"),
        (CLICK, "Go to checkout and pay", "", "irreversible"),
        (CLICK, "Submitting the form", "", "irreversible"),
        (CLICK, "The letter is sent by the button; sends it", "", "irreversible"),
        (Action("type", text="hello\n"), "", "", "irreversible"),
        (Action("select", text="Delete everything"), "Delete everything", "", "irreversible"),
        (CLICK, "Click the blue one", "", "unknown"),
        (CLICK, "", "", "unknown"),
        (Action("key", keys=("enter",)), "", "", "unknown"),
        (Action("open_app", text="Files"), "", "", "unknown"),
        (Action("wait"), "Wait until the order is sent", "", "idempotent"),
    ],
)
def test_the_kind_is_told_by_action_words_and_element(action, instruction, element, kind):
    safety = judge_safety([action], instruction, element)
    assert safety.kind == kind, safety
    assert safety.repeatable == (kind == "idempotent")
    assert safety.why


def test_a_batch_is_as_bad_as_its_worst_action():
    assert judge_safety([Action("navigate", url="http://a.example"), Action("type", text="a")]).kind == "cumulative"
    assert judge_safety([Action("wait"), CLICK]).kind == "unknown"


@pytest.mark.parametrize("word", IRREVERSIBLE_WORDS)
def test_every_irreversible_word_is_known_whatever_the_element(word):
    assert judge_safety([CLICK], f"{word.capitalize()} it now", "link 'x'").kind == "irreversible"


@pytest.mark.parametrize("word", TOGGLE_WORDS)
def test_every_toggle_is_known_as_unsafe(word):
    assert not judge_safety([CLICK], f"{word} this", "link 'x'").repeatable


def test_a_word_within_another_is_not_meant():
    assert judge_safety([CLICK], "Go to the bookshelf of the sender's postcode", "").kind == "idempotent"
