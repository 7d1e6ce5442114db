"""JSON of computer-use agents: gui-control, OpenAI, Anthropic."""

import json

import pytest
from dialect_checks import check, refuse

from viscritic.actions import Action


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"action": "click", "x": 960, "y": 540}, Action("click", 960, 540)),
        ({"action": "right_click", "x": 1, "y": 2}, Action("right_click", 1, 2)),
        ({"action": "double_click", "x": 1, "y": 2}, Action("double_click", 1, 2)),
        ({"action": "move", "x": 1, "y": 2.5}, Action("move", 1, 2.5)),
        ({"action": "type", "text": "hello"}, Action("type", text="hello")),
        ({"action": "key", "keys": "ctrl+c"}, Action("key", keys=("ctrl", "c"))),
        ({"action": "scroll", "amount": -3}, Action("scroll", dy=300)),
        ({"action": "scroll", "amount": 3, "x": 5, "y": 6}, Action("scroll", 5, 6, dy=-300)),
        ({"action": "navigate", "url": "https://a.b"}, Action("navigate", url="https://a.b")),
        ({"action": "wait", "ms": 1500}, Action("wait", seconds=1.5)),
        ({"action": "wait"}, Action("wait")),
        ({"action": "done"}, Action("done")),
        ({"action": "done", "note": "no such file"}, Action("done", text="no such file")),
    ],
)
def test_gui_control(given, expected):
    check("gui-control", given, expected)
    assert Action.parse(given).raw == given


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"action": "click", "x": 960}, "y"),
        ({"action": "click", "x": "960", "y": 540}, "x"),
        ({"action": "click", "x": 960, "y": None}, "y"),
        ({"action": "click", "x": 1, "y": 2, "buton": "right"}, "buton"),
        ({"action": "type"}, "text"),
        ({"action": "type", "text": 5}, "text"),
        ({"action": "key"}, "keys"),
        ({"action": "key", "keys": "ctrl-c"}, "keys"),
        ({"action": "scroll"}, "amount"),
        ({"action": "wait", "ms": -5}, "seconds"),
        ({"action": "jump"}, "action"),
        ({}, "action"),
    ],
)
def test_gui_control_refuses(given, field):
    refuse("gui-control", given, field)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"type": "click", "button": "left", "x": 1, "y": 2}, Action("click", 1, 2)),
        ({"type": "click", "button": "right", "x": 1, "y": 2}, Action("right_click", 1, 2)),
        ({"type": "click", "button": "wheel", "x": 1, "y": 2}, Action("middle_click", 1, 2)),
        ({"type": "click", "button": "back", "x": 1, "y": 2}, Action("back", 1, 2)),
        ({"type": "click", "button": "forward", "x": 1, "y": 2}, Action("other", 1, 2, text="go forward")),
        ({"type": "click", "button": "left", "x": 1, "y": 2, "keys": ["CTRL"]}, Action("click", 1, 2, keys=("ctrl",))),
        ({"type": "double_click", "x": 1, "y": 2, "keys": None}, Action("double_click", 1, 2)),
        ({"type": "drag", "path": [{"x": 1, "y": 2}, {"x": 9, "y": 9}, {"x": 3, "y": 4}]}, Action("drag", 1, 2, 3, 4)),
        ({"type": "drag", "path": [[1, 2], [3, 4]]}, Action("drag", 1, 2, 3, 4)),
        ({"type": "keypress", "keys": ["CTRL", "S"]}, Action("key", keys=("ctrl", "s"))),
        ({"type": "move", "x": 1, "y": 2}, Action("move", 1, 2)),
        ({"type": "screenshot"}, Action("other", text="screenshot")),
        ({"type": "scroll", "x": 1, "y": 2, "scroll_x": 0, "scroll_y": -50}, Action("scroll", 1, 2, dy=-50)),
        ({"type": "type", "text": "hi"}, Action("type", text="hi")),
        ({"type": "wait"}, Action("wait")),
    ],
)
def test_openai(given, expected):
    check("openai", given, expected)
    check("openai", {"type": "computer_call", "id": "1", "call_id": "2", "action": given}, expected)
    check("openai", {"action": given}, expected)


def test_openai_batched_actions():
    actions = [{"type": "click", "button": "left", "x": 1, "y": 2}, {"type": "type", "text": "hi"}]
    expected = (Action("click", 1, 2), Action("type", text="hi"))
    check("openai", {"type": "computer_call", "actions": actions}, *expected)
    check("openai", {"actions": actions}, *expected)
    assert [action.raw for action in Action.parse_batch({"actions": actions})] == actions


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"type": "click", "x": 1}, "y"),
        ({"type": "click", "x": 1, "y": 2, "button": "nose"}, "button"),
        ({"type": "click", "x": 1, "y": 2, "button": ["left"]}, "button"),
        ({"type": "drag", "path": [{"x": 1, "y": 2}]}, "path"),
        ({"type": "drag", "path": "1,2"}, "path"),
        ({"type": "drag", "path": [{"x": 1, "y": 2}, {"x": 1}]}, "y"),
        ({"type": "keypress", "keys": []}, "keys"),
        ({"type": "keypress", "keys": [1]}, "keys"),
        ({"type": "scroll", "x": 1, "y": 2, "scroll_x": 5}, "scroll_y"),
        ({"type": "type", "text": None}, "text"),
        ({"type": "computer_call"}, "type"),
        ({"type": "computer_call", "actions": "click"}, "actions"),
        ({"actions": [{"type": "click"}]}, "x"),
        ({"type": "wait", "ms": 5}, "ms"),
    ],
)
def test_openai_refuses(given, field):
    refuse("openai", given, field)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"action": "left_click", "coordinate": [1, 2]}, Action("click", 1, 2)),
        ({"action": "left_click"}, Action("click")),
        ({"action": "left_click", "coordinate": [1, 2], "text": "shift"}, Action("click", 1, 2, keys=("shift",))),
        ({"action": "right_click", "coordinate": [1, 2]}, Action("right_click", 1, 2)),
        ({"action": "middle_click", "coordinate": [1, 2]}, Action("middle_click", 1, 2)),
        ({"action": "double_click", "coordinate": [1, 2]}, Action("double_click", 1, 2)),
        ({"action": "triple_click", "coordinate": [1, 2]}, Action("triple_click", 1, 2)),
        ({"action": "mouse_move", "coordinate": [1, 2]}, Action("move", 1, 2)),
        (
            {"action": "left_click_drag", "start_coordinate": [1, 2], "coordinate": [3, 4]},
            Action("drag", 1, 2, 3, 4),
        ),
        ({"action": "left_click_drag", "coordinate": [3, 4]}, Action("drag", x2=3, y2=4)),
        ({"action": "left_mouse_down"}, Action("other", text="press the left mouse button")),
        ({"action": "left_mouse_up"}, Action("other", text="release the left mouse button")),
        (
            {"action": "scroll", "coordinate": [1, 2], "scroll_direction": "down", "scroll_amount": 3},
            Action("scroll", 1, 2, dy=300),
        ),
        ({"action": "scroll", "scroll_direction": "left", "scroll_amount": 1}, Action("scroll", dx=-100)),
        ({"action": "key", "text": "ctrl+s"}, Action("key", keys=("ctrl", "s"))),
        ({"action": "key", "text": "Page_Down"}, Action("key", keys=("pagedown",))),
        ({"action": "hold_key", "text": "w", "duration": 2}, Action("key", keys=("w",), seconds=2)),
        ({"action": "type", "text": "hi"}, Action("type", text="hi")),
        ({"action": "wait", "duration": 2}, Action("wait", seconds=2)),
        ({"action": "screenshot"}, Action("other", text="screenshot")),
        ({"action": "cursor_position"}, Action("other", text="cursor position")),
        ({"action": "zoom", "region": [0, 0, 9, 9]}, Action("other", text="zoom")),
    ],
)
def test_anthropic(given, expected):
    check("anthropic", given, expected)
    check("anthropic", {"type": "tool_use", "id": "1", "name": "computer", "input": given}, expected)
    named = {key: value for key, value in given.items() if key != "action"}
    check("anthropic", {"type": "tool_use", "name": given["action"], "input": named}, expected)


def test_anthropic_drags_by_press_and_release():
    steps = [
        {"action": "mouse_move", "coordinate": [1, 2]},
        {"action": "left_mouse_down"},
        {"action": "mouse_move", "coordinate": [3, 4]},
        {"action": "left_mouse_up"},
    ]
    assert Action.parse(steps) == Action("drag", 1, 2, 3, 4)
    assert Action.parse_batch(json.dumps(steps), dialect="anthropic") == (Action("drag", 1, 2, 3, 4),)


def test_anthropic_clicks_where_the_pointer_is():
    steps = [{"action": "mouse_move", "coordinate": [1, 2]}, {"action": "left_click"}]
    assert Action.parse_batch(steps) == (Action("move", 1, 2), Action("click", 1, 2))


def test_anthropic_presses_several_keys_one_after_the_other():
    check(
        "anthropic", {"action": "key", "text": "Tab Return"}, *(Action("key", keys=(key,)) for key in ("tab", "enter"))
    )


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"action": "left_click", "coordinate": [1]}, "coordinate"),
        ({"action": "left_click", "coordinate": "1,2"}, "coordinate"),
        ({"action": "left_click", "coordinate": [1, None]}, "coordinate"),
        ({"action": "mouse_move"}, "coordinate"),
        ({"action": "scroll", "scroll_direction": "sideways", "scroll_amount": 3}, "scroll_direction"),
        ({"action": "scroll", "scroll_direction": "down"}, "scroll_amount"),
        ({"action": "key", "text": ""}, "text"),
        ({"action": "key"}, "text"),
        ({"action": "left_click", "x": 5}, "x"),
        ({"type": "tool_use", "name": "computer"}, "input"),
        ({"type": "tool_use", "name": "left_click", "input": "x"}, None),
    ],
)
def test_anthropic_refuses(given, field):
    refuse("anthropic", given, field)
