"""Halves of gestures become actions."""

import pytest

from viscritic.actions import Action
from viscritic.actions.gesture import Half, fold
from viscritic.errors import ActionError

MOVE, CLICK, TYPE = Action("move", 1, 2), Action("click", 1, 2), Action("type", text="a")
CLICK_THERE = Half("at_pointer", action=Action("click"))


def down(key):
    return Half("key_down", keys=(key,))


def up(key):
    return Half("key_up", keys=(key,))


@pytest.mark.parametrize(
    ("events", "actions"),
    [
        ([Half("mouse_down", 1, 2), Half("mouse_up", 3, 4)], [Action("drag", 1, 2, 3, 4)]),
        ([MOVE, Half("mouse_down"), Action("move", 3, 4), Half("mouse_up")], [Action("drag", 1, 2, 3, 4)]),
        ([MOVE, Half("mouse_down", 1, 2), Half("mouse_up", 3, 4)], [Action("drag", 1, 2, 3, 4)]),
        ([MOVE, Half("mouse_down", 5, 6), Half("mouse_up", 3, 4)], [MOVE, Action("drag", 5, 6, 3, 4)]),
        ([MOVE, Half("drag_to", 3, 4)], [Action("drag", 1, 2, 3, 4)]),
        ([CLICK, Half("drag_to", 3, 4)], [CLICK, Action("drag", 1, 2, 3, 4)]),
        ([Half("drag_to", 3, 4)], [Action("drag", x2=3, y2=4)]),
        (
            [MOVE, Half("drag_to", 3, 4), Half("drag_to", 5, 6)],
            [Action("drag", 1, 2, 3, 4), Action("drag", 3, 4, 5, 6)],
        ),
        ([MOVE, Half("drag_by", 3, 4)], [Action("drag", 1, 2, 4, 6)]),
        ([MOVE, Half("mouse_down"), Half("drag_to", 3, 4), Half("mouse_up")], [Action("drag", 1, 2, 3, 4)]),
        ([CLICK, Half("move_by", 3, 4)], [CLICK, Action("move", 4, 6)]),
        ([Half("mouse_down", 1, 2), Half("mouse_up")], [CLICK]),
        ([Half("mouse_down"), Half("mouse_up")], [Action("click")]),
        ([Half("mouse_down", 1, 2, button="right"), Half("mouse_up", 1, 2)], [Action("right_click", 1, 2)]),
        (
            [Half("mouse_down", 1, 2), Action("wait", seconds=2), Half("mouse_up")],
            [Action("long_press", 1, 2, seconds=2)],
        ),
        ([Half("mouse_down", 1, 2), Action("wait", seconds=2), Half("mouse_up", 3, 4)], [Action("drag", 1, 2, 3, 4)]),
        ([Half("mouse_down", 1, 2)], [Action("other", 1, 2, text="press the left mouse button")]),
        ([Half("mouse_up", 1, 2)], [Action("other", 1, 2, text="release the left mouse button")]),
        (
            [Half("mouse_down", 1, 2), Half("mouse_down", 3, 4), Half("mouse_up", 5, 6)],
            [Action("other", 1, 2, text="press the left mouse button"), Action("drag", 3, 4, 5, 6)],
        ),
        ([MOVE, Half("at_pointer", action=Action("double_click"))], [MOVE, Action("double_click", 1, 2)]),
        ([CLICK, Half("at_pointer", action=Action("scroll", dy=5))], [CLICK, Action("scroll", 1, 2, dy=5)]),
        ([CLICK_THERE], [Action("click")]),
        # A click on an element takes the pointer to a place that nobody told.
        ([CLICK, Action("click"), CLICK_THERE], [CLICK, Action("click"), Action("click")]),
        ([CLICK, TYPE, CLICK_THERE], [CLICK, TYPE, CLICK]),
        ([down("ctrl"), CLICK, up("ctrl")], [Action("click", 1, 2, keys=("ctrl",))]),
        (
            [down("ctrl"), Action("key", keys=("c",)), up("ctrl")],
            [Action("key", keys=("ctrl", "c"))],
        ),
        (
            [down("ctrl"), down("c"), up("c"), up("ctrl")],
            [Action("key", keys=("ctrl", "c"))],
        ),
        ([down("a"), up("a")], [Action("key", keys=("a",))]),
        ([down("a")], [Action("key", keys=("a",))]),
        ([up("ctrl")], [Action("other", text="release Ctrl")]),
        (
            [down("shift"), Half("mouse_down", 1, 2), Half("mouse_up", 3, 4), up("shift")],
            [Action("drag", 1, 2, 3, 4, keys=("shift",))],
        ),
        ([], []),
    ],
)
def test_folding(events, actions):
    assert fold(events) == tuple(actions)


def test_relative_moves_need_a_start():
    for what in ("move_by", "drag_by"):
        with pytest.raises(ActionError, match="where the pointer is"):
            fold([Half(what, 1, 2)])


def test_a_drag_keeps_what_it_was_parsed_from():
    (drag,) = fold([Half("mouse_down", 1, 2, raw="a"), Half("mouse_up", 3, 4, raw="b")])
    assert drag.raw == ["a", "b"]
