"""ScreenAgent, Cradle and UI-TARS."""

import json
from collections import Counter

import pytest
from dialect_checks import SIZE, check, keyboard, mouse, refuse

from viscritic.actions import Action
from viscritic.errors import ActionError


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([mouse("click", 848, 204, mouse_button="left")], [Action("click", 848, 204)]),
        ([mouse("click", 1, 2, mouse_button="right")], [Action("right_click", 1, 2)]),
        ([mouse("double_click", 1, 2, mouse_button="left")], [Action("double_click", 1, 2)]),
        ([mouse("move", 1, 2)], [Action("move", 1, 2)]),
        ([mouse("scroll_down", scroll_repeat=30)], [Action("scroll", dy=3000)]),
        ([mouse("scroll_up")], [Action("scroll", dy=-100)]),
        ([mouse("move", 1, 2), mouse("scroll_up")], [Action("move", 1, 2), Action("scroll", 1, 2, dy=-100)]),
        ([mouse("move", 1, 2), mouse("drag", 3, 4, mouse_button="left")], [Action("drag", 1, 2, 3, 4)]),
        ([mouse("down", 1, 2), mouse("up", 3, 4)], [Action("drag", 1, 2, 3, 4)]),
        ([keyboard("press", keyboard_key="Return")], [Action("key", keys=("enter",))]),
        ([keyboard("press", keyboard_key=["Control_L", "s"])], [Action("key", keys=("ctrl", "s"))]),
        ([keyboard("press", keyboard_key="ctrl+s")], [Action("key", keys=("ctrl", "s"))]),
        ([keyboard("text", keyboard_text="=SUM(A1)")], [Action("type", text="=SUM(A1)")]),
        ([keyboard("input", keyboard_input="a")], [Action("type", text="a")]),
        ([{"action_type": "KeyboardAction", "keyboard_key": "Tab"}], [Action("key", keys=("tab",))]),
        ([keyboard("down", keyboard_key="a"), keyboard("up", keyboard_key="a")], [Action("key", keys=("a",))]),
        ([{"action_type": "WaitAction", "wait_time": 2}], [Action("wait", seconds=2)]),
        ([{"action_type": "PlanAction", "element": "look"}, mouse("click", 1, 2)], [Action("click", 1, 2)]),
    ],
)
def test_screenagent(given, expected):
    check("screenagent", given, *expected)
    check("screenagent", {"actions": given, "saved_image_name": "a.jpg"}, *expected)
    if len(given) == 1:
        check("screenagent", given[0], *expected)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        (mouse("click", 5), "height"),
        (mouse("click", "5", 5), "width"),
        ({**mouse("click"), "mouse_position": [1, 2]}, None),
        (mouse("fly", 1, 2), "mouse_action_type"),
        (mouse("drag"), "mouse_position"),
        (mouse("move"), "mouse_position"),
        (mouse("click", 1, 2, mouse_button="nose"), "mouse_button"),
        (mouse("click", 1, 2, scroll=5), "scroll"),
        (mouse("scroll_down", scroll_repeat="5"), "scroll_repeat"),
        (keyboard("press"), "keyboard_key"),
        (keyboard("press", keyboard_key=[]), "keyboard_key"),
        (keyboard("text"), "keyboard_text"),
        ({"action_type": "WaitAction", "wait_time": "2"}, "wait_time"),
        ({"actions": "click"}, "actions"),
        ({"action_type": "PlanAction", "element": "look"}, None),
    ],
)
def test_screenagent_refuses(given, field):
    with pytest.raises(ActionError) as caught:
        Action.parse_batch(given, dialect="screenagent")
    assert caught.value.field == field


def test_every_step_of_the_screenagent_sample_is_read(screenagent_dir):
    kinds = Counter()
    for path in sorted(screenagent_dir.glob("train/*/*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        if not any(one["action_type"] in ("MouseAction", "KeyboardAction", "WaitAction") for one in record["actions"]):
            continue
        batch = Action.parse_batch(record, dialect="screenagent")
        assert Action.parse_batch(record) == batch
        assert Action.parse_batch(json.dumps([action.to_dict() for action in batch])) == batch
        kinds.update(action.kind for action in batch)
    assert kinds == {
        "click": 136, "right_click": 8, "double_click": 20, "type": 57, "key": 65, "wait": 15, "scroll": 10,
        "drag": 7, "move": 12,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("click_at_position(x=0.5, y=0.25, mouse_button='left')", Action("click", 1000, 250)),
        ("click_at_position(0.5, 0.25, 'right')", Action("right_click", 1000, 250)),
        ("double_click_at_position(0, 1)", Action("double_click", 0, 999)),
        ("move_mouse_to_position(1.0, 0)", Action("move", 1999, 0)),
        ("mouse_drag(0.1, 0.2, 0.3, 0.4, 'left')", Action("drag", 200, 200, 600, 400)),
        ("mouse_scroll_up(distance=3)", Action("scroll", dy=-300)),
        ("mouse_scroll_down(3)", Action("scroll", dy=300)),
        ("press_key(key='enter')", Action("key", keys=("enter",))),
        ("press_keys_combined(keys='ctrl, p')", Action("key", keys=("ctrl", "p"))),
        ("press_keys_combined(['ctrl', 'p'])", Action("key", keys=("ctrl", "p"))),
        ("hold_key('w')\nrelease_key('w')", Action("key", keys=("w",))),
        ('type_text(text="hello (you)")', Action("type", text="hello (you)")),
        ("click_on_label(label_id=3, mouse_button='left')", Action("click")),
        ("double_click_on_label(3)", Action("double_click")),
        ("hover_on_label(3)", Action("move")),
        ("mouse_drag_with_label(3, 4)", Action("drag")),
    ],
)
def test_cradle(given, expected):
    check("cradle", given, expected, size=SIZE)
    batch = Action.parse_batch(given.splitlines()[0], size=SIZE)
    assert batch[0].raw == given.splitlines()[0]


@pytest.mark.parametrize(
    ("given", "field", "size"),
    [
        ("click_at_position(0.5, 0.5, 'left')", "size", None),
        ("mouse_drag(0.1, 0.2, 0.3, 0.4, 'left')", "size", None),
        ("click_at_position(1.5, 0.5, 'left')", "x", SIZE),
        ("click_at_position(0.5, -0.1, 'left')", "y", SIZE),
        ("click_at_position(0.5)", "y", SIZE),
        ("click_at_position('a', 0.5)", "x", SIZE),
        ("click_at_position(0.5, 0.5, 'nose')", "mouse_button", SIZE),
        ("mouse_scroll_up()", "distance", SIZE),
        ("click_on_label()", "label_id", SIZE),
        ("press_key(5)", "key", SIZE),
        ("go_to_icon('x')", None, SIZE),
    ],
)
def test_cradle_refuses(given, field, size):
    refuse("cradle", given, field, size)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("hotkey(key='ctrl c')", Action("key", keys=("ctrl", "c"))),
        ("hotkey(key='ctrl+c')", Action("key", keys=("ctrl", "c"))),
        ("hotkey(key='enter')", Action("key", keys=("enter",))),
        ("type(content='it\\'s\\n')", Action("type", text="it's\n")),
        ("wait()", Action("wait")),
        ("finished(content='42')", Action("done", text="42")),
        ("finished()", Action("done")),
        ("scroll(direction='down')", Action("scroll", dy=500)),
        ("press(key='shift')\nrelease(key='shift')", Action("key", keys=("shift",))),
        ("open_app(app_name='Clock')", Action("open_app", text="Clock")),
        ("press_home()", Action("home")),
        ("press_back()", Action("back")),
        ("call_user()", Action("other", text="call the user")),
        ("Thought: I should wait.\nAction: wait()", Action("wait")),
    ],
)
def test_ui_tars_without_points(given, expected):
    check("ui-tars", given, expected)
    check("ui-tars-1.5", given, expected)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("click(point='<point>500 300</point>')", Action("click", 1000, 300)),
        ("click(start_box='(500,300)')", Action("click", 1000, 300)),
        ("click(start_box='<|box_start|>(500,300)<|box_end|>')", Action("click", 1000, 300)),
        ("click(start_box='[400, 200, 600, 400]')", Action("click", 1000, 300)),
        ("left_double(point='<point>500 300</point>')", Action("double_click", 1000, 300)),
        ("right_single(point='<point>500 300</point>')", Action("right_click", 1000, 300)),
        ("hover(point='<point>500 300</point>')", Action("move", 1000, 300)),
        ("long_press(start_box='(500,300)', time='2')", Action("long_press", 1000, 300, seconds=2)),
        (
            "drag(start_point='<point>0 0</point>', end_point='<point>500 300</point>')",
            Action("drag", 0, 0, 1000, 300),
        ),
        ("scroll(point='<point>500 300</point>', direction='right')", Action("scroll", 1000, 300, dx=500)),
        ("Thought: The menu.\nAction: click(point='<point>500 300</point>')", Action("click", 1000, 300)),
    ],
)
def test_ui_tars_in_thousandths(given, expected):
    assert Action.parse(given, dialect="ui-tars", size=SIZE) == expected


def test_ui_tars_1_5_in_pixels_of_the_resized_screen():
    text = "click(point='<point>966 546</point>')"
    assert Action.parse(text, dialect="ui-tars-1.5", size=(1932, 1092)) == Action("click", 966, 546)  # of whole patches
    assert Action.parse(text, dialect="ui-tars-1.5", size=(1920, 1080)) == Action("click", 960, 540)
    huge = Action.parse(text, dialect="ui-tars-1.5", size=(8000, 8000))  # seen as 3584 x 3584
    assert huge.point == pytest.approx((966 / 3584 * 8000, 546 / 3584 * 8000))
    tiny = Action.parse("click(point='<point>140 140</point>')", dialect="ui-tars-1.5", size=(100, 100))  # as 280 x 280
    assert tiny.point == (50, 50)


@pytest.mark.parametrize("dialect", ["ui-tars", "ui-tars-1.5"])
@pytest.mark.parametrize(
    ("given", "field", "size"),
    [
        ("click(point='<point>500 300</point>')", "size", None),
        ("click(point='<point>500</point>')", "point", SIZE),
        ("click(point='here')", "point", SIZE),
        ("click(point=500)", "point", SIZE),
        ("click()", "point", SIZE),
        ("click(start_box='(1,2,3)')", "start_box", SIZE),
        ("click(bid='a')", "bid", SIZE),
        ("drag(start_box='(1,2)')", "end_point", SIZE),
        ("scroll(point='<point>1 1</point>', direction='in')", "direction", SIZE),
        ("long_press(start_box='(1,2)', time='long')", "time", SIZE),
        ("hotkey(key='')", "key", SIZE),
        ("type(text='a')", "text", SIZE),
        ("type('a')", None, SIZE),
        ("type(content='it's')", None, SIZE),
        ("fly()", None, SIZE),
    ],
)
def test_ui_tars_refuses(dialect, given, field, size):
    refuse(dialect, given, field, size)


def test_ui_tars_in_thousandths_ends_at_1000():
    refuse("ui-tars", "click(point='<point>1500 300</point>')", "point")
