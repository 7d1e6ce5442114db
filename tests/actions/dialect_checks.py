"""What the tests of the dialects share: checks of one reading, and builders of objects with many fields."""

import json

import pytest

from viscritic.actions import Action
from viscritic.errors import ActionError

SIZE = (2000, 1000)


def check(dialect, given, *expected, size=None):
    """It means the expected actions: named, guessed, and where it is JSON also as text."""
    batch = tuple(expected)
    assert Action.parse_batch(given, dialect=dialect, size=size) == batch
    assert Action.parse_batch(given, size=size) == batch
    if isinstance(given, dict):
        assert Action.parse_batch(json.dumps(given), dialect=dialect, size=size) == batch
    if len(batch) == 1:
        assert Action.parse(given, dialect=dialect, size=size) == batch[0]
    else:
        with pytest.raises(ActionError, match="parse_batch"):
            Action.parse(given, dialect=dialect, size=size)


def refuse(dialect, given, field, size=SIZE):
    """It is refused, blaming the field."""
    with pytest.raises(ActionError) as caught:
        Action.parse_batch(given, dialect=dialect, size=size)
    assert caught.value.field == field
    assert 10 < len(str(caught.value)) < 1500


def mouse(kind, x=None, y=None, **more):
    position = {} if x is None else {"mouse_position": {"width": x, "height": y}}
    return {"action_type": "MouseAction", "mouse_action_type": kind, **position, **more}


def keyboard(kind, **more):
    return {"action_type": "KeyboardAction", "keyboard_action_type": kind, **more}


def gesture(touch, lift):
    return {"action_type": 4, "yx_touch": touch, "yx_lift": lift, "type_action": ""}


def numbered(number, **fields):
    """As WebArena's create_none_action fills it."""
    empty = {"coords": [0.0, 0.0], "element_role": 0, "element_name": "", "text": [], "page_number": 0, "url": ""}
    empty |= {
        "nth": 0,
        "pw_code": "",
        "element_id": "",
        "key_comb": "",
        "direction": "",
        "answer": "",
        "raw_prediction": "",
    }
    return {"action_type": number, **empty, **fields}
