"""Instructions single their element out, and vary."""

from random import Random

from data_prep.collect.application import Element, Intent
from data_prep.collect.instruction import write_instruction, write_task
from data_prep.collect.naming import name_element
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


def names(target, elements, number=80):
    return {name_element(target, elements, SIZE, Random(seed)) for seed in range(number)}


def test_what_stands_beside_an_element_tells_it_from_its_like():
    boxes = [Element(f"c{i}", "checkbox", "", (10, 60 * i, 20, 20), near=n) for i, n in enumerate(("Milk", "Bread"))]
    assert any("'Bread'" in name for name in names(boxes[1], boxes))
    same = [Element(f"c{i}", "checkbox", "", (10, 60 * i, 20, 20), near="Milk") for i in range(2)]
    assert not any("Milk" in name for name in names(same[1], same))  # it would fit both


def test_an_element_is_named_by_its_neighbour():
    field = Element("f", "text field", "", (10, 300, 200, 30))
    button = Element("b", "button", "Search", (220, 300, 60, 30))
    assert "the text field left of 'Search'" in names(field, [field, button])
    second = Element("g", "text field", "", (10, 265, 200, 30))  # not in the button's row
    assert "the text field left of 'Search'" in names(field, [field, button, second])


def test_an_element_is_named_by_its_state():
    boxes = [Element(f"c{i}", "switch", "Sync", (10, 60 * i, 20, 20), checked=i == 1) for i in range(3)]
    assert "the only switch that is on" in names(boxes[1], boxes)
    assert not any("only" in name for name in names(boxes[0], boxes))


def test_a_long_name_is_cut_only_where_it_still_fits_one_element():
    words = "Move 'Search is slow with many results' to "
    pair = [
        Element(f"m{i}", "button", words + place, (60 * i, 10, 20, 20)) for i, place in enumerate(("To do", "Done"))
    ]
    assert all("Done" in name or "second" in name for name in names(pair[1], pair))
    assert any("..." in name for name in names(pair[1], pair[1:]))


def test_scrolling_names_the_box_and_the_direction():
    news = Element("n", "list", "News", (10, 10, 200, 100))
    wheel = Intent("scroll", news, (Action("scroll", x=50, y=50, dy=300.0),))
    swipe = Intent("scroll", news, (Action("swipe", x=50, y=90, x2=50, y2=20),))
    for step in (wheel, swipe):
        assert all("down" in text and "News" in text for text in written(step, 40) if text)


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
