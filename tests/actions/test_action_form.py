"""The Action itself: what it takes, what it refuses, and its canonical dict."""

import json
import math
from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from viscritic.actions import KINDS, Action
from viscritic.errors import ActionError

numbers = st.floats(-1e6, 1e6) | st.integers(-(10**6), 10**6)
points = st.tuples(numbers, numbers) | st.just((None, None))
keys = st.lists(
    st.sampled_from(["ctrl", "Shift", "Control_L", "a", "É", "Return", "F5", " ", "+", "PageDown"]), max_size=4
)
texts = st.none() | st.text()


@st.composite
def actions(draw):
    (x, y), (x2, y2) = draw(points), draw(points)
    return Action(
        draw(st.sampled_from(KINDS)), x, y, x2, y2,
        text=draw(texts), keys=tuple(draw(keys)), dx=draw(st.none() | numbers), dy=draw(st.none() | numbers),
        url=draw(texts), seconds=draw(st.none() | st.floats(0, 1e6)), raw=draw(st.none() | st.text()),
    )  # fmt: skip


@given(actions())
def test_round_trip_through_dict_and_json(action):
    assert Action.from_dict(action.to_dict()) == action
    text = json.dumps(action.to_dict(), allow_nan=False)
    assert Action.from_dict(json.loads(text)) == action
    assert Action.parse(text) == action
    assert Action.parse(action.to_dict(), dialect="viscritic") == action
    assert Action.parse(action) is action


@given(actions())
def test_dict_leaves_out_what_is_empty(action):
    written = action.to_dict()
    assert next(iter(written)) == "kind"
    assert "raw" not in written
    assert all(value not in (None, "", [], ()) for value in written.values())


@given(actions(), st.text())
def test_equal_actions_hash_alike_whatever_they_came_from(action, raw):
    other = replace(action, raw=raw)
    assert other == action
    assert hash(other) == hash(action)
    assert len({other, action}) == 1


@given(actions(), actions())
def test_equality_is_equality_of_dicts(a, b):
    assert (a == b) == (a.to_dict() == b.to_dict())


def test_numbers_of_every_type_compare_alike():
    expected = Action("click", 5.0, 0.0)
    for x, y in ((5, 0), (5.0, -0.0), (np.float32(5), np.int64(0))):
        action = Action("click", x, y)
        assert action == expected
        assert hash(action) == hash(expected)
        assert json.dumps(action.to_dict()) == '{"kind": "click", "x": 5, "y": 0}'
        assert type(action.x) is float


def test_whole_numbers_are_written_as_ints_and_fractions_stay():
    assert Action("scroll", dy=120.5, dx=-7.0).to_dict() == {"kind": "scroll", "dx": -7, "dy": 120.5}


def test_point_and_end():
    drag = Action("drag", 1, 2, 3, 4)
    assert drag.point == (1, 2)
    assert drag.end == (3, 4)
    assert Action("wait").point is None
    assert Action("click", 1, 2).end is None


def test_empty_text_is_no_text():
    assert Action("type", text="") == Action("type")
    assert Action("navigate", url="") == Action("navigate")


def test_keys_take_the_names_of_the_vocabulary():
    assert Action("key", keys=["Control_L", "S"]) == Action("key", keys=("ctrl", "s"))


@pytest.mark.parametrize("name", ["x", "y", "x2", "y2", "dx", "dy", "seconds"])
@pytest.mark.parametrize(
    "value", [math.nan, math.inf, -math.inf, 1e7, 10**400, "5", True, [5], b"5", 5j, {"a": 1}, np.bool_(True)]
)
def test_bad_numbers_name_the_field(name, value):
    with pytest.raises(ActionError) as caught:
        Action("click", **{name: value})
    assert caught.value.field == name


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"kind": "jump"}, "kind"),
        ({"kind": None}, "kind"),
        ({"kind": ["click"]}, "kind"),
        ({"kind": np.zeros(2)}, "kind"),
        ({"kind": "click", "x": 1}, "y"),
        ({"kind": "click", "y": 1}, "x"),
        ({"kind": "drag", "x2": 1}, "y2"),
        ({"kind": "wait", "seconds": -1}, "seconds"),
        ({"kind": "type", "text": 5}, "text"),
        ({"kind": "type", "text": b"hi"}, "text"),
        ({"kind": "navigate", "url": ["u"]}, "url"),
        ({"kind": "key", "keys": "ctrl"}, "keys"),
        ({"kind": "key", "keys": 5}, "keys"),
        ({"kind": "key", "keys": None}, "keys"),
        ({"kind": "key", "keys": [5]}, "keys"),
        ({"kind": "key", "keys": [""]}, "keys"),
        ({"kind": "key", "keys": ["ctrl-c"]}, "keys"),
        ({"kind": "key", "keys": ["a"] * 17}, "keys"),
    ],
)
def test_bad_fields_are_named(given, field):
    for make in (lambda: Action(**given), lambda: Action.from_dict(given)):
        with pytest.raises(ActionError) as caught:
            make()
        assert caught.value.field == field


@pytest.mark.parametrize("name", ["button", "raw", "X", ""])
def test_canonical_form_is_strict(name):
    for make in (Action.from_dict, Action.parse, Action.parse_batch):
        with pytest.raises(ActionError, match="unknown key") as caught:
            make({"kind": "click", "x": 1, "y": 2, name: 1})
        assert caught.value.field == name


def test_canonical_form_needs_a_kind_and_an_object():
    with pytest.raises(ActionError) as caught:
        Action.from_dict({"x": 1, "y": 2})
    assert caught.value.field == "kind"
    for bad in ([], None, "click", 5, b"{}", {5: 6}):
        with pytest.raises(ActionError):
            Action.from_dict(bad)


def test_frozen_and_every_field_is_documented():
    action = Action("click", 1, 2)
    with pytest.raises(AttributeError):
        action.x = 5
    assert all(field.name in (Action.__doc__ or "") for field in fields(Action))
