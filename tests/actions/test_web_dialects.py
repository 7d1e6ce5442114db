"""Mind2Web, BrowserGym and WebArena."""

import json

import pytest
from dialect_checks import SIZE, check, numbered, refuse

from viscritic.actions import Action
from viscritic.errors import ActionError

BOX = {"x": 10, "y": 20, "width": 30, "height": 40}


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        ({"op": "CLICK", "original_op": "CLICK", "value": ""}, Action("click", 25, 40)),
        ({"op": "CLICK", "value": ""}, Action("click", 25, 40)),
        ({"op": "CLICK", "original_op": "HOVER", "value": ""}, Action("move", 25, 40)),
        ({"op": "CLICK", "original_op": "ENTER", "value": ""}, Action("key", 25, 40, keys=("enter",))),
        ({"op": "TYPE", "original_op": "TYPE", "value": "shoes"}, Action("type", 25, 40, text="shoes")),
        ({"op": "SELECT", "original_op": "SELECT", "value": "Price"}, Action("select", 25, 40, text="Price")),
    ],
)
def test_mind2web(operation, expected):
    check("mind2web", {**operation, "bounding_box": BOX}, expected)
    check("mind2web", {"operation": operation, "bounding_box": BOX, "action_uid": "1"}, expected)
    attributes = json.dumps({"bounding_box_rect": "10,20,30,40"})
    candidate = {"tag": "a", "attributes": attributes}
    check("mind2web", {"operation": operation, "pos_candidates": [candidate]}, expected)
    row = {"operation": json.dumps(operation), "pos_candidates": [json.dumps(candidate)], "target_action_index": "0"}
    check("mind2web", row, expected)


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"pos_candidates": []},
        {"pos_candidates": [{"attributes": '{"bounding_box_rect": "-1,-1,-1,-1"}'}]},
        {"pos_candidates": [{"attributes": "{}"}]},
        {"bounding_box": None},
    ],
)
def test_mind2web_without_a_box(more):
    check("mind2web", {"operation": {"op": "CLICK"}, **more}, Action("click"))


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"op": "FLY"}, "op"),
        ({"op": "CLICK", "original_op": "FLY"}, "original_op"),
        ({"op": "TYPE"}, "value"),
        ({"op": "CLICK", "bounding_box": {"x": 1, "y": 2, "width": 3}}, "height"),
        ({"op": "CLICK", "bounding_box": [1, 2, 3, 4]}, None),
        ({"op": "CLICK", "pos_candidates": 5}, "pos_candidates"),
        ({"op": "CLICK", "pos_candidates": ["{"]}, "pos_candidates"),
        ({"op": "CLICK", "pos_candidates": [{"attributes": "["}]}, "attributes"),
        ({"op": "CLICK", "pos_candidates": [{"attributes": '{"bounding_box_rect": "1,2,3"}'}]}, "bounding_box_rect"),
        (
            {"op": "CLICK", "pos_candidates": [{"attributes": '{"bounding_box_rect": "1,2,3,nan"}'}]},
            "bounding_box_rect",
        ),
        ({"operation": "{"}, "operation"),
        ({"operation": "[" * 10**5}, "operation"),
    ],
)
def test_mind2web_refuses(given, field):
    refuse("mind2web", given, field)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("click('a51')", Action("click")),
        ("click('48', button='middle', modifiers=['Shift'])", Action("middle_click", keys=("shift",))),
        ('click("b22", "right")', Action("right_click")),
        ("click(bid='a51')", Action("click")),
        ("dblclick('12')", Action("double_click")),
        ("hover('b8')", Action("move")),
        ("fill('237', 'example \"value\"')", Action("type", text='example "value"')),
        ("clear('996')", Action("type")),
        ("check('55')", Action("click")),
        ("uncheck('55')", Action("click")),
        ("focus('55')", Action("other", text="focus an element")),
        ("select_option('a48', 'blue')", Action("select", text="blue")),
        ("select_option('c48', ['red', 'green'])", Action("select", text="red, green")),
        ("press('a26', 'Control+a')", Action("key", keys=("ctrl", "a"))),
        ("drag_and_drop('56', '498')", Action("drag")),
        ("upload_file('572', 'my_receipt.pdf')", Action("other", text="upload a file")),
        ("scroll(0, 200)", Action("scroll", dy=200)),
        ("scroll(-50.2, -100.5)", Action("scroll", dx=-50.2, dy=-100.5)),
        ("mouse_move(65.2, 158.5)", Action("move", 65.2, 158.5)),
        ("mouse_click(887.2, 68)", Action("click", 887.2, 68)),
        ("mouse_click(56, 712.56, 'right')", Action("right_click", 56, 712.56)),
        ("mouse_dblclick(5, 236)", Action("double_click", 5, 236)),
        ("mouse_drag_and_drop(10.7, 325, 235.6, 24.54)", Action("drag", 10.7, 325, 235.6, 24.54)),
        ("mouse_down(1, 2)\nmouse_move(3, 4)\nmouse_up(3, 4)", Action("drag", 1, 2, 3, 4)),
        ("mouse_upload_file(1, 2, 'a')", Action("other", 1, 2, text="upload a file")),
        ("keyboard_press('Meta+Shift+t')", Action("key", keys=("meta", "shift", "t"))),
        ("keyboard_down('Shift')\nkeyboard_up('Shift')", Action("key", keys=("shift",))),
        ("keyboard_type('Hello world!')", Action("type", text="Hello world!")),
        ("keyboard_insert_text('Hello')", Action("type", text="Hello")),
        ("goto('http://www.example.com')", Action("navigate", url="http://www.example.com")),
        ("go_back()", Action("back")),
        ("go_forward()", Action("other", text="go forward")),
        ("new_tab()", Action("other", text="open a new tab")),
        ("tab_close()", Action("other", text="close the tab")),
        ("tab_focus(2)", Action("other", text="switch to another tab")),
        ("noop()", Action("wait", seconds=1)),
        ("noop(500)", Action("wait", seconds=0.5)),
        ("send_msg_to_user('It was built in 1751.')", Action("done", text="It was built in 1751.")),
        ("report_infeasible('no email field')", Action("done", text="no email field")),
    ],
)
def test_browsergym(given, expected):
    check("browsergym", given, expected)


def test_browsergym_keeps_the_bid():
    action = Action.parse(" click('a51') ")
    assert action.point is None
    assert action.raw == "click('a51')"
    batch = Action.parse_batch("fill('1', 'a')\nclick('2')")
    assert [one.raw for one in batch] == ["fill('1', 'a')", "click('2')"]


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ("click()", "bid"),
        ("click(51)", "bid"),
        ("click('a', button='nose')", "button"),
        ("click('a', modifiers=5)", "modifiers"),
        ("fill('a')", "value"),
        ("press('a', '')", "key_comb"),
        ("scroll(0)", "delta_y"),
        ("scroll('a', 0)", "delta_x"),
        ("mouse_click(1)", "y"),
        ("mouse_click(1e400, 1)", "x"),
        ("select_option('a', [5])", "options"),
        ("drag_and_drop('a')", "to_bid"),
        ("goto()", "url"),
        ("goto(url=5)", "url"),
        ("noop(wait='a')", "wait"),
        ("go_back(1)", None),
        ("fly('a')", None),
        ("click('a'", None),
        ("click", None),
        ("", None),
        (b"click('a')", None),
    ],
)
def test_browsergym_refuses(given, field):
    refuse("browsergym", given, field)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (numbered(0), Action("other", text="do nothing")),
        (numbered(1, direction="down"), Action("scroll", dy=800)),
        (numbered(2, key_comb="Control+a"), Action("key", keys=("ctrl", "a"))),
        (numbered(3, coords=[0.5, 0.3]), Action("click", 1000, 300)),
        (numbered(3), Action("click", 0, 0)),
        (numbered(4, text=[15 + ord("h") - 32, 15 + ord("i") - 32]), Action("type", text="hi")),
        (numbered(5, coords=[0.5, 0.3]), Action("move", 1000, 300)),
        (numbered(6, element_id="51"), Action("click")),
        (numbered(6, coords=[0.5, 0.3]), Action("click", 1000, 300)),
        (
            numbered(7, element_id="51", text=[15 + 33, 15 + 96, 15 + 96 + 870, 0, 1, 982]),
            Action("type", text="A\x81\u03e7\n\t\n"),
        ),
        (numbered(7, element_id="51", text="shoes"), Action("type", text="shoes")),
        (numbered(8, element_id="51"), Action("move")),
        (numbered(9, page_number=2), Action("other", text="switch to another tab")),
        (numbered(10), Action("other", text="open a new tab")),
        (numbered(11), Action("back")),
        (numbered(12), Action("other", text="go forward")),
        (numbered(13, url="http://a.b"), Action("navigate", url="http://a.b")),
        (numbered(14), Action("other", text="close the tab")),
        (numbered(15, pw_code="page.check()"), Action("click")),
        (numbered(16, pw_code="page.select_option('a')"), Action("select", text="page.select_option('a')")),
        (numbered(17, answer="42"), Action("done", text="42")),
        (numbered("CLICK", element_id="51"), Action("click")),
        ("click [51]", Action("click")),
        ("click [51] where [51] is [link] 'Home [x]'", Action("click")),
        ("hover [51]", Action("move")),
        ("type [51] [red shoes]", Action("type", text="red shoes\n")),
        ("type [51] [a [b] c] [1]", Action("type", text="a [b] c\n")),
        ("type [51] [red shoes] [0]", Action("type", text="red shoes")),
        ("type [51] [red] [press_enter_after=0]", Action("type", text="red")),
        ("press [ctrl+a]", Action("key", keys=("ctrl", "a"))),
        ("scroll [down]", Action("scroll", dy=800)),
        ("scroll [direction=up]", Action("scroll", dy=-800)),
        ("goto [http://a.b]", Action("navigate", url="http://a.b")),
        ("tab_focus [1]", Action("other", text="switch to another tab")),
        ("new_tab", Action("other", text="open a new tab")),
        ("close_tab", Action("other", text="close the tab")),
        ("go_back", Action("back")),
        ("go_forward", Action("other", text="go forward")),
        ("stop [42]", Action("done", text="42")),
        ("stop", Action("done")),
        ("none", Action("other", text="do nothing")),
    ],
)
def test_webarena(given, expected):
    check("webarena", given, expected, size=SIZE)


@pytest.mark.parametrize(
    ("given", "field", "size"),
    [
        (numbered(3, coords=[0.5, 0.3]), "size", None),
        (numbered(3, coords=[5, 0.3]), "coords", SIZE),
        (numbered(3, coords=None), "coords", SIZE),
        (numbered(3, coords="a"), "coords", SIZE),
        (numbered(1), "direction", SIZE),
        (numbered(2), "key_comb", SIZE),
        (numbered(4, text=[983]), "text", SIZE),
        (numbered(4, text=[2]), "text", SIZE),
        (numbered(4, text=["h"]), "text", SIZE),
        (numbered(4, text=5), "text", SIZE),
        (numbered(18), "action_type", SIZE),
        (numbered(-1), "action_type", SIZE),
        (numbered(True), "action_type", SIZE),
        (numbered("FLY"), "action_type", SIZE),
        ({"action_type": 13}, "url", SIZE),
        ("scroll [sideways]", "direction", SIZE),
        ("type [51]", "text", SIZE),
        ("press []", "keys", SIZE),
        ("click 51", None, SIZE),
        ("", None, SIZE),
    ],
)
def test_webarena_refuses(given, field, size):
    refuse("webarena", given, field, size)


def test_an_action_of_one_dialect_is_not_read_as_another():
    with pytest.raises(ActionError):
        Action.parse("click('a51')", dialect="cradle")
    with pytest.raises(ActionError):
        Action.parse({"action": "click", "x": 1, "y": 2}, dialect="anthropic")
