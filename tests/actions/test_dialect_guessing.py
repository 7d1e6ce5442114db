"""Choosing the dialect where none is named."""

import json

import pytest

from viscritic.actions import DIALECTS, Action
from viscritic.errors import ActionError

SIZE = (2000, 1000)


def test_the_first_example_of_the_readme_is_clear():
    assert Action.parse({"action": "click", "x": 960, "y": 540}) == Action("click", 960, 540)
    assert Action.parse('{"action": "click", "x": 960, "y": 540}') == Action("click", 960, 540)


@pytest.mark.parametrize(
    ("given", "dialects"),
    [
        ("click(point='<point>500 300</point>')", ("ui-tars", "ui-tars-1.5")),
        ({"action_type": 10}, ("aitw", "webarena")),
        ({"action_type": 6}, ("aitw", "webarena")),
    ],
)
def test_what_differs_must_be_named(given, dialects):
    with pytest.raises(ActionError, match="ambiguous, name the dialect: " + " or ".join(dialects)) as caught:
        Action.parse(given, size=SIZE)
    assert caught.value.field == "dialect"
    readings = [Action.parse(given, dialect=dialect, size=SIZE) for dialect in dialects]
    assert len(set(readings)) == len(dialects)


@pytest.mark.parametrize(
    ("given", "dialects"),
    [
        ({"action": "type", "text": "hi"}, ("gui-control", "anthropic")),
        ({"action": "wait"}, ("gui-control", "anthropic")),
        ({"action_type": "click", "x": 1, "y": 2}, ("androidworld", "androidcontrol")),
        ({"action_type": "scroll", "direction": "down"}, ("androidworld", "androidcontrol")),
        ("pyautogui.click(1, 2)", ("pyautogui", "osworld")),
        ("WAIT", ("pyautogui", "osworld")),
        ("wait()", ("ui-tars", "ui-tars-1.5")),
    ],
)
def test_what_agrees_need_not_be_named(given, dialects):
    for dialect in dialects:
        assert DIALECTS[dialect].claims(given)
        assert Action.parse(given, dialect=dialect) == Action.parse(given)


@pytest.mark.parametrize(
    ("given", "dialect"),
    [
        ({"action": "key", "text": "ctrl+c"}, "anthropic"),
        ({"action": "key", "keys": "ctrl+c"}, "gui-control"),
        ({"action": "wait", "ms": 500}, "gui-control"),
        ({"action": "wait", "duration": 5}, "anthropic"),
        ({"action": "scroll", "amount": 3}, "gui-control"),
        ({"action_type": "input_text", "text": "hi"}, "androidcontrol"),
        ({"action_type": "input_text", "text": "hi", "index": 5}, "androidworld"),
        ({"action_type": 10, "coords": [0, 0]}, "webarena"),
        ({"action_type": 10, "yx_touch": [-1, -1]}, "aitw"),
        ("click('a51')", "browsergym"),
        ("type(content='click')", "ui-tars"),
    ],
)
def test_fields_tell_dialects_with_the_same_words_apart(given, dialect):
    assert Action.parse(given) == Action.parse(given, dialect=dialect)


@pytest.mark.parametrize(
    "given", ["", "  ", "hello", "jump(5)", {}, {"x": 5}, {"action": "fly"}, 5, None, True, 1.5, b"{}", set()]
)
def test_what_nobody_writes_lists_the_dialects(given):
    with pytest.raises(ActionError) as caught:
        Action.parse(given)
    assert all(name in str(caught.value) for name in DIALECTS)


@pytest.mark.parametrize("dialect", ["", "anthropics", "OpenAI", 5, ["openai"], b"openai"])
def test_unknown_dialects(dialect):
    with pytest.raises(ActionError, match="unknown dialect") as caught:
        Action.parse({"kind": "wait"}, dialect=dialect)
    assert caught.value.field == "dialect"
    assert "DIALECTS has them all" in str(caught.value)


def test_where_all_readings_fail_each_reason_is_told():
    with pytest.raises(ActionError, match=r"gui-control.*anthropic") as caught:
        Action.parse({"action": "type"})
    assert caught.value.field == "text"
    with pytest.raises(ActionError, match=r"gui-control.*anthropic") as caught:
        Action.parse({"action": "key"})
    assert caught.value.field is None  # one wants `keys`, the other `text`
    with pytest.raises(ActionError, match="size=") as caught:
        Action.parse("click(point='<point>500 300</point>')")
    assert caught.value.field == "size"


def test_batches_of_any_form():
    batch = [
        Action("wait"),
        {"kind": "click", "x": 1, "y": 2},
        '{"action": "type", "text": "hi"}',
        "pyautogui.press('a'); pyautogui.press('b')",
        {"action": "left_click"},
    ]
    expected = (
        Action("wait"),
        Action("click", 1, 2),
        Action("type", text="hi"),
        Action("key", keys=("a",)),
        Action("key", keys=("b",)),
        Action("click", 1, 2),  # where the pointer is since the click before
    )
    assert Action.parse_batch(batch) == expected
    assert Action.parse_batch(tuple(batch)) == expected
    assert Action.parse_batch(expected) == expected
    assert Action.parse_batch(expected[0]) == expected[:1]
    assert Action.parse_batch(json.dumps([action.to_dict() for action in expected])) == expected
    assert Action.parse([{"kind": "wait"}]) == Action("wait")


@pytest.mark.parametrize(
    "given", [[], (), "[]", [[]], [[{"kind": "wait"}]], [None], [{"kind": "wait"}, 5], "[[]]", ["[]"]]
)
def test_bad_batches(given):
    with pytest.raises(ActionError):
        Action.parse_batch(given)


def test_several_actions_are_no_single_one():
    with pytest.raises(ActionError, match=r"2 actions.*Action\.parse_batch"):
        Action.parse([{"kind": "wait"}, {"kind": "back"}])


def test_a_key_that_stands_twice_is_refused():
    with pytest.raises(ActionError, match="twice") as caught:
        Action.parse('{"action": "click", "x": 1, "x": 2, "y": 3}')
    assert caught.value.field == "x"


def test_names_and_descriptions():
    assert all(name == dialect.name and dialect.about for name, dialect in DIALECTS.items())
    assert set(DIALECTS) == {
        "viscritic", "gui-control", "openai", "anthropic", "pyautogui", "osworld", "androidworld", "androidcontrol",
        "aitw", "aitz", "mind2web", "browsergym", "ui-tars", "ui-tars-1.5", "cradle", "screenagent", "gui-odyssey",
        "webarena",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("dialect", "told"),
    [
        ("OpenAI-cua", "did you mean openai"),
        ("uitars", "did you mean ui-tars"),
        ("esperanto", "such as openai, anthropic, pyautogui"),
        (5, "such as openai, anthropic, pyautogui"),
    ],
)
def test_an_unknown_dialect_gets_a_short_hint(dialect, told):
    with pytest.raises(ActionError, match="unknown dialect") as caught:
        Action.parse({"action": "click", "x": 1, "y": 2}, dialect=dialect)
    assert told in str(caught.value)
    assert len(str(caught.value)) < 140
