"""What a step was not, and what a stray step was."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np

from data_prep.collect.application import Element, Intent, State, Traffic
from data_prep.collect.judge import Facts
from data_prep.collect.play import Seen
from data_prep.collect.retell import retell_as_right, retell_as_wrong
from viscritic.actions import Action

SCREEN = np.zeros((8, 8, 3), np.uint8)
SAVE = Element("save", "button", "Save", (10, 10, 40, 20))
CANCEL = Element("cancel", "button", "Cancel", (60, 10, 40, 20))
BOX = Element("box", "checkbox", "Send news", (10, 50, 16, 16))
LABEL = Element("label", "item", "Send news", (30, 50, 80, 16))
FIELD = Element("city", "text field", "City", (10, 80, 90, 20))
OTHER_FIELD = Element("name", "text field", "Name", (10, 110, 90, 20))


def click(element: Element) -> Intent:
    return Intent("click", element, (Action("click", x=element.centre[0], y=element.centre[1]),))


def typing(element: Element, text: str) -> Intent:
    return Intent("type", element, (*click(element).actions, Action("type", text=text)), text=text)


def seen(intent: Intent, hit: Element) -> Seen:
    facts = Facts(State([0]), State([1]), hit.key, Traffic())
    return Seen((), SCREEN, (), SCREEN, facts, intent.actions, "clean")


def test_a_click_was_not_meant_for_another_element() -> None:
    told = retell_as_wrong(seen(click(SAVE), SAVE), click(SAVE), [click(CANCEL), typing(FIELD, "Rome")], Random(0))
    assert told is not None
    assert told.target == CANCEL


def test_a_label_and_its_box_are_one_thing() -> None:
    assert retell_as_wrong(seen(click(BOX), BOX), click(BOX), [click(LABEL)], Random(0)) is None


def test_what_was_reached_all_the_same_is_no_failure() -> None:
    other = replace(click(CANCEL), reached=lambda before, after: True)
    assert retell_as_wrong(seen(click(SAVE), SAVE), click(SAVE), [other], Random(0)) is None


def test_a_text_was_not_meant_for_another_field_or_was_another_text() -> None:
    meant = typing(FIELD, "Rome")
    told = [
        retell_as_wrong(seen(meant, FIELD), meant, [typing(OTHER_FIELD, "Ada")], Random(seed)) for seed in range(20)
    ]
    found = {(t.target.key, t.text) for t in told if t is not None}
    assert ("name", "Rome") in found
    assert ("city", "Ada") in found
    assert all(t is not None and (t.target.key, t.text) != ("city", "Rome") for t in told)


def test_a_stray_click_was_right_for_what_it_hit() -> None:
    told = retell_as_right(seen(click(SAVE), CANCEL), click(SAVE), [SAVE, CANCEL], [])
    assert told is not None
    assert told.target == CANCEL
    nowhere = Element("?", "", "", (0, 0, 0, 0))
    assert retell_as_right(seen(click(SAVE), nowhere), click(SAVE), [SAVE, CANCEL], []) is None
    twice = replace(click(SAVE), verb="double_click")
    assert retell_as_right(seen(twice, CANCEL), twice, [SAVE, CANCEL], []) is None  # what it should do is not known
    never = replace(click(CANCEL), reached=lambda before, after: False)
    assert retell_as_right(seen(click(SAVE), CANCEL), click(SAVE), [SAVE, CANCEL], [never]) is None
