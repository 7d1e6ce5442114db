"""Whatever comes in, an ActionError or actions come out, and soon."""

import json
import string
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from viscritic.actions import DIALECTS, Action
from viscritic.errors import ActionError

NAMED = [None, *DIALECTS]
GIVEN = json.loads((Path(__file__).parents[1] / "fuzz" / "actions.json").read_text("utf-8"))  # scripts/fuzz.py's, too
SEEDS = [given for given in GIVEN if isinstance(given, dict)]
CALLS = [given for given in GIVEN if isinstance(given, str)]

scalars = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
    | st.sampled_from(["click", "left", "ctrl+c", "[0.5, 0.5]", "<point>1 2</point>", 10**400, 1e308, "KEY_HOME", "{}"])
)  # fmt: skip
json_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


def parse_safely(given, dialect, size):
    """What comes out is actions that hold the contract, or an ActionError of readable length."""
    try:
        batch = Action.parse_batch(given, dialect=dialect, size=size)
    except ActionError as error:
        assert 0 < len(str(error)) < 5000
        assert error.field is None or isinstance(error.field, str)
        return
    assert batch
    for action in batch:
        assert Action.from_dict(json.loads(json.dumps(action.to_dict(), allow_nan=False))) == action
        assert action.describe(size)
        assert action.may_be_invisible in (True, False)


@pytest.mark.parametrize("dialect", NAMED)
def test_every_dialect_has_seeds_that_it_reads(dialect):
    def is_read(given):
        try:
            return bool(Action.parse_batch(given, dialect=dialect, size=(1920, 1080)))
        except ActionError:
            return False

    assert sum(map(is_read, GIVEN)) >= 1


@st.composite
def damaged(draw):
    """An object of some dialect with a field replaced, left out or added."""
    seed = json.loads(json.dumps(draw(st.sampled_from(SEEDS))))
    place = seed
    while True:
        if isinstance(place, list):
            if not place:
                break
            key = draw(st.integers(0, len(place) - 1))
        else:
            key = draw(st.sampled_from([*place, "x", "extra"]))
        inner = place[key] if isinstance(place, list) else place.get(key)
        if isinstance(inner, dict | list) and draw(st.booleans()):
            place = inner
            continue
        if draw(st.booleans()) or isinstance(place, list):
            place[key] = draw(json_values)
        else:
            place.pop(key, None)
        break
    return seed


sizes = st.sampled_from([None, (1920, 1080)])


@settings(max_examples=400)
@given(json_values, st.sampled_from(NAMED), sizes)
def test_arbitrary_json_values(value, dialect, size):
    parse_safely(value, dialect, size)


@settings(max_examples=1000)
@given(damaged(), sizes, st.booleans())
def test_damaged_objects(value, size, as_text):
    """For the dialect that is guessed and for every named one."""
    for dialect in NAMED:
        parse_safely(json.dumps(value) if as_text else value, dialect, size)


@settings(max_examples=400)
@given(st.text(max_size=60), st.sampled_from(NAMED), sizes)
def test_arbitrary_text(text, dialect, size):
    parse_safely(text, dialect, size)


@settings(max_examples=600)
@given(st.sampled_from(CALLS), st.data(), sizes)
def test_damaged_text(text, data, size):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    filling = data.draw(
        st.text(string.printable, max_size=5) | st.text(max_size=5) | st.sampled_from(["\x00", "9" * 5000, "()"])
    )
    for dialect in NAMED:
        parse_safely(text[:start] + filling + text[end:], dialect, size)


DEEP = 200_000


@pytest.mark.parametrize("dialect", NAMED)
@pytest.mark.parametrize(
    "text",
    [
        "[" * DEEP,
        '{"action":' * DEEP,
        '{"action":"click","x":' + "[" * DEEP + "]" * DEEP + "}",
        "click(" * DEEP,
        "click(" + "[" * DEEP + "]" * DEEP + ")",
        "click(" + "-" * DEEP + "1)",
        "pyautogui.click(" + "(" * DEEP,
        "pyautogui.click(" + "1+" * DEEP + "1)",
        "pyautogui" + ".a" * DEEP + "()",
        "pyautogui.click(" + "9" * DEEP + ", 1)",
        "pyautogui.click(0x" + "f" * DEEP + ", 1)",
        "pyautogui.click(1, 2)\n" * 1500,
        "pyautogui.press('a', presses=100)\n" * 15,
        "mouse_click(0x" + "f" * DEEP + ", 1)\nnoop()",
        '{"action":"click","x":' + "9" * DEEP + ',"y":1}',
        '{"action":"click","x":1e999,"y":1}',
        '{"action":"click","x":NaN,"y":-Infinity}',
        "\x00click('a')",
        "click('\x00')",
        "click('\ud800')",
        "fill('a', '\ud800')",
        "type [1] [" + "] [" * DEEP,
        "press [" + "+" * DEEP + "]",
        "Action:" * DEEP,
        "click(point='" + "1 " * DEEP + "x')",
        "click(point='" + " " * DEEP + "x')",
        "a" * 2_000_000,
        "{" + "a" * 2_000_000,
        "goto('" + "a" * 900_000 + "')",
        "\ufeff{}",
        "```\n```",
        "{}",
        "[]",
        "null",
    ],
    ids=lambda text: f"{text[:12]}-{len(text)}",
)
def test_hostile_texts(dialect, text):
    parse_safely(text, dialect, (1920, 1080))


def deep_list():
    value = []
    for _ in range(DEEP):
        value = [value]
    return value


class Unprintable:
    def __repr__(self):
        raise RuntimeError


@pytest.mark.parametrize("dialect", NAMED)
def test_hostile_values_everywhere(dialect):
    values = [
        deep_list(),
        10**5000,
        Unprintable(),
        b"\xff" * 1000,
        "a" * 10**6,
        object(),
        float("nan"),
        {1: 2},
        {"a"},
        range(5),
    ]
    for value in values:
        parse_safely(value, dialect, None)
        parse_safely([value], dialect, None)
        for seed in SEEDS:
            for key in seed:
                parse_safely({**seed, key: value}, dialect, (1920, 1080))
    parse_safely([{"kind": "wait"}] * 1001, dialect, None)
    parse_safely({"actions": [{"type": "wait"}] * 1001}, dialect, None)


def test_keys_of_objects_need_not_be_text():
    for dialect in NAMED:
        for key in (5, None, (1, 2), 10**5000, Unprintable()):
            parse_safely({"action": "click", "x": 1, "y": 2, key: 1}, dialect, None)
            parse_safely({"results/action_type": 6, key: 1}, dialect, None)
