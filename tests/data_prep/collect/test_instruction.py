"""Instructions single their element out, and vary."""

from random import Random

from data_prep.collect.application import Element, Intent
from data_prep.collect.instruction import name_element, write_instruction, write_task
from viscritic.actions import Action

SIZE = (800, 600)
SAVE = Element("s", "button", "Save", (10, 10, 40, 20))
DELETES = [Element(f"d{i}", "button", "Delete", (500, 100 * i, 40, 20)) for i in range(1, 4)]
ICON = Element("i", "icon", "", (760, 10, 20, 20))
ALL = [SAVE, *DELETES, ICON]


def intent(element, verb="click", **kwargs):
    return Intent(verb, element, (Action("click", x=element.centre[0], y=element.centre[1]),), **kwargs)


def written(step, number=200):
    return [write_instruction(step, ALL, SIZE, Random(i)) for i in range(number)]


def test_a_tenth_has_none():
    texts = written(intent(SAVE), 1000)
    assert 60 < texts.count("") < 140


def test_wording_varies_and_names_the_element():
    texts = {text for text in written(intent(SAVE)) if text}
    assert len(texts) > 20
    assert all("Save" in text for text in texts)


def test_one_of_several_is_told_apart():
    for seed in range(50):
        assert "second" in name_element(DELETES[1], ALL, SIZE, Random(seed))
        assert "last" in name_element(DELETES[2], ALL, SIZE, Random(seed))


def test_a_nameless_element_is_named_by_role_and_place():
    names = {name_element(ICON, ALL, SIZE, Random(seed)) for seed in range(50)}
    assert names == {"the icon", "the icon at the top right"}


def test_typing_says_what_and_where():
    field = Element("f", "text field", "City", (0, 50, 90, 20))
    step = intent(field, "type", text="Lyon", purpose="enter 'Lyon' as city")
    texts = {text for text in written(step) if text}
    assert all("Lyon" in text and "city" in text.lower() for text in texts)
    assert any(text.startswith("Enter 'Lyon' as city") for text in texts)


def test_task_joins_purposes_and_needs_them_all():
    assert write_task(["turn on 'A'", "open B"], Random(0)).startswith("Turn on 'A'")
    assert write_task(["turn on 'A'", ""], Random(0)) == ""
    assert write_task([], Random(0)) == ""
