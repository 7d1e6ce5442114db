"""pyautogui code, and OSWorld around it."""

import pytest
from dialect_checks import check, refuse

from viscritic.actions import Action
from viscritic.errors import ActionError


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("pyautogui.click(100, 200)", [Action("click", 100, 200)]),
        ("pyautogui.click(x=100, y=200.5, button='right')", [Action("right_click", 100, 200.5)]),
        ("pyautogui.click((100, 200), clicks=2, interval=0.1)", [Action("double_click", 100, 200)]),
        ("pyautogui.click(1, 2, 3)", [Action("triple_click", 1, 2)]),
        ("pyautogui.click()", [Action("click")]),
        ("pyautogui.doubleClick(1, 2)", [Action("double_click", 1, 2)]),
        ("pyautogui.tripleClick(1, 2)", [Action("triple_click", 1, 2)]),
        ("pyautogui.rightClick(1, 2)", [Action("right_click", 1, 2)]),
        ("pyautogui.middleClick(1, 2)", [Action("middle_click", 1, 2)]),
        ("pyautogui.moveTo(1, 2, duration=1)", [Action("move", 1, 2)]),
        ("pyautogui.moveTo(1, 2); pyautogui.dragTo(3, 4, button='left')", [Action("drag", 1, 2, 3, 4)]),
        ("pyautogui.moveTo(1, 2)\npyautogui.dragRel(3, 4)", [Action("drag", 1, 2, 4, 6)]),
        ("pyautogui.moveTo(1, 2)\npyautogui.move(3, -1)", [Action("move", 1, 2), Action("move", 4, 1)]),
        ("pyautogui.moveTo(1, 2)\npyautogui.click()", [Action("move", 1, 2), Action("click", 1, 2)]),
        ("pyautogui.mouseDown(1, 2)\npyautogui.moveTo(3, 4)\npyautogui.mouseUp()", [Action("drag", 1, 2, 3, 4)]),
        ("pyautogui.write('it\\'s', interval=0.1)", [Action("type", text="it's")]),
        ("pyautogui.typewrite(['a', 'enter'])", [Action("key", keys=("a",)), Action("key", keys=("enter",))]),
        ("pyautogui.press('enter')", [Action("key", keys=("enter",))]),
        ("pyautogui.press('down', presses=2)", [Action("key", keys=("down",))] * 2),
        ("pyautogui.press(['up', 'enter'])", [Action("key", keys=("up",)), Action("key", keys=("enter",))]),
        ("pyautogui.hotkey('ctrl', 'c')", [Action("key", keys=("ctrl", "c"))]),
        ("pyautogui.hotkey(['ctrl', 'c'])", [Action("key", keys=("ctrl", "c"))]),
        (
            "pyautogui.keyDown('ctrl'); pyautogui.click(1, 2); pyautogui.keyUp('ctrl')",
            [Action("click", 1, 2, keys=("ctrl",))],
        ),
        ("pyautogui.scroll(-5)", [Action("scroll", dy=500)]),
        ("pyautogui.scroll(5, x=1, y=2)", [Action("scroll", 1, 2, dy=-500)]),
        ("pyautogui.hscroll(2)", [Action("scroll", dx=200)]),
        ("time.sleep(1.5)\npyautogui.sleep(2)", [Action("wait", seconds=1.5), Action("wait", seconds=2)]),
        ("```python\nimport pyautogui\npyautogui.click(1, 2)  # Save\n```", [Action("click", 1, 2)]),
        (
            "import pyautogui, pyperclip\n'''Thought: paste'''\npyperclip.copy('hé')\npyautogui.hotkey('ctrl', 'v')\n",
            [Action("type", text="hé")],
        ),
        ("WAIT", [Action("wait")]),
        ("DONE", [Action("done")]),
        (" FAIL\n", [Action("done", text="infeasible")]),
    ],
)
def test_pyautogui(code, expected):
    check("pyautogui", code, *expected)
    check("osworld", code, *expected)


def test_pyautogui_keeps_each_call():
    batch = Action.parse_batch("pyautogui.click(1, 2)\npyautogui.write('a')")
    assert [action.raw for action in batch] == ["pyautogui.click(1, 2)", "pyautogui.write('a')"]


@pytest.mark.parametrize(
    ("code", "field"),
    [
        ("pyautogui.click(100)", "y"),
        ("pyautogui.click('save.png')", "x"),
        ("pyautogui.click(100, '200')", "y"),
        ("pyautogui.click(x=1, y=2, nose=3)", "nose"),
        ("pyautogui.click(1, x=1)", "x"),
        ("pyautogui.click(1, 2, clicks=5)", "clicks"),
        ("pyautogui.click(1, 2, button='nose')", "button"),
        ("pyautogui.click(1e999, 2)", "x"),
        ("pyautogui.moveTo()", "x"),
        ("pyautogui.press('enter', presses=1000)", "presses"),
        ("pyautogui.press('enter', presses=0.5)", "presses"),
        ("pyautogui.press('')", "keys"),
        ("pyautogui.hotkey()", "keys"),
        ("pyautogui.write()", "message"),
        ("pyautogui.write(5)", "message"),
        ("pyautogui.dragRel(1, 2)", "x"),
        ("pyautogui.scroll()", "clicks"),
        ("pyautogui.alert('x')", None),
        ("pyautogui.click(*point)", None),
        ("pyautogui.click(**point)", None),
        ("pyautogui.click(a, b)", None),
        ("pyautogui.click(1 + 1, 2)", None),
        ("x = 5\npyautogui.click(x, 5)", None),
        ("for i in range(3): pyautogui.click(1, 2)", None),
        ("__import__('os').system('true'); pyautogui.click(1, 2)", None),
        ("os.system('pyautogui.click(1, 2)')", None),
        ("pyautogui.click(1, 2", None),
        ("import pyautogui", None),
        ("", None),
    ],
)
def test_pyautogui_refuses(code, field):
    refuse("pyautogui", code, field)


def test_code_is_not_executed(tmp_path):
    trap = tmp_path / "trap"
    for code in (f"pyautogui.click(open({str(trap)!r}, 'w'), 2)", f"open({str(trap)!r}, 'w')\npyautogui.click(1, 2)"):
        with pytest.raises(ActionError):
            Action.parse_batch(code, dialect="pyautogui")
    assert not trap.exists()


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"action_type": "MOVE_TO", "x": 1, "y": 2}, Action("move", 1, 2)),
        ({"action_type": "CLICK", "x": 1, "y": 2}, Action("click", 1, 2)),
        ({"action_type": "CLICK"}, Action("click")),
        ({"action_type": "CLICK", "x": 1, "y": 2, "button": "right"}, Action("right_click", 1, 2)),
        ({"action_type": "CLICK", "x": 1, "y": 2, "num_clicks": 2}, Action("double_click", 1, 2)),
        ({"action_type": "CLICK", "parameters": {"x": 1, "y": 2}}, Action("click", 1, 2)),
        ({"action_type": "RIGHT_CLICK", "x": 1, "y": 2}, Action("right_click", 1, 2)),
        ({"action_type": "DOUBLE_CLICK", "x": 1, "y": 2}, Action("double_click", 1, 2)),
        ({"action_type": "DRAG_TO", "x": 3, "y": 4}, Action("drag", x2=3, y2=4)),
        ({"action_type": "MOUSE_DOWN"}, Action("other", text="press the left mouse button")),
        ({"action_type": "SCROLL", "clicks": -2}, Action("scroll", dy=200)),
        ({"action_type": "SCROLL", "dx": 1, "dy": 0}, Action("scroll", dx=100)),
        ({"action_type": "TYPING", "text": "hi"}, Action("type", text="hi")),
        ({"action_type": "PRESS", "key": "enter"}, Action("key", keys=("enter",))),
        ({"action_type": "KEY_DOWN", "key": "a"}, Action("key", keys=("a",))),
        ({"action_type": "HOTKEY", "keys": ["ctrl", "c"]}, Action("key", keys=("ctrl", "c"))),
        ({"action_type": "WAIT"}, Action("wait")),
        ({"action_type": "DONE"}, Action("done")),
        ({"action_type": "FAIL"}, Action("done", text="infeasible")),
    ],
)
def test_osworld(given, expected):
    check("osworld", given, expected)


def test_osworld_folds_presses():
    steps = [{"action_type": "MOVE_TO", "x": 1, "y": 2}, {"action_type": "MOUSE_DOWN"}]
    steps += [{"action_type": "MOVE_TO", "x": 3, "y": 4}, {"action_type": "MOUSE_UP"}]
    assert Action.parse_batch(steps) == (Action("drag", 1, 2, 3, 4),)


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"action_type": "CLICK", "x": 1}, "y"),
        ({"action_type": "CLICK", "num_clicks": 7}, "num_clicks"),
        ({"action_type": "CLICK", "parameters": [1, 2]}, None),
        ({"action_type": "MOVE_TO"}, "x"),
        ({"action_type": "SCROLL"}, "dy"),
        ({"action_type": "PRESS", "key": ""}, "key"),
        ({"action_type": "HOTKEY", "keys": []}, "keys"),
        ({"action_type": "FLY"}, "action_type"),
        ({"action_type": "CLICK", "x": 1, "y": 2, "buton": "right"}, "buton"),
    ],
)
def test_osworld_refuses(given, field):
    refuse("osworld", given, field)
