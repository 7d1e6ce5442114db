"""The sentence that the text encoder reads."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_action_form import actions

from viscritic.actions import Action, describe_batch
from viscritic.errors import ActionError


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        (Action("click", 848, 204), "Click at (848, 204)"),
        (Action("click"), "Click"),
        (Action("click", 1.6, 2.4, keys=("ctrl",)), "Click at (2, 2) while holding Ctrl"),
        (Action("double_click", 1, 2), "Double-click at (1, 2)"),
        (Action("triple_click", 1, 2), "Triple-click at (1, 2)"),
        (Action("right_click", 1, 2), "Right-click at (1, 2)"),
        (Action("middle_click", 1, 2), "Middle-click at (1, 2)"),
        (Action("long_press", 1, 2, seconds=2), "Long-press at (1, 2) for 2 seconds"),
        (Action("move", 1, 2), "Move the pointer to (1, 2)"),
        (Action("drag", 1, 2, 3, 4), "Drag from (1, 2) to (3, 4)"),
        (Action("drag", x2=3, y2=4), "Drag to (3, 4)"),
        (Action("swipe", 1, 2, 3, 4), "Swipe from (1, 2) to (3, 4)"),
        (Action("scroll", dy=300), "Scroll down"),
        (Action("scroll", 1, 2, dy=-300), "Scroll up at (1, 2)"),
        (Action("scroll", dx=300), "Scroll right"),
        (Action("scroll", dx=-3, dy=3), "Scroll down and left"),
        (Action("scroll"), "Scroll"),
        (Action("type", text="hello"), 'Type "hello"'),
        (Action("type", 1, 2, text="hello\n"), 'Type "hello" and press Enter at (1, 2)'),
        (Action("type", text="\n"), "Press Enter"),
        (Action("type"), "Clear the text"),
        (Action("type", text="two\nlines\there"), 'Type "two lines here"'),
        (Action("key", keys=("ctrl", "c")), "Press Ctrl+C"),
        (Action("key", keys=("shift",), seconds=1), "Press Shift for 1 second"),
        (Action("key"), "Press a key"),
        (Action("select", text="blue"), 'Select "blue"'),
        (Action("navigate", url="https://example.com/a?b=c"), "Go to https://example.com/a?b=c"),
        (Action("navigate"), "Go to another page"),
        (Action("back"), "Go back"),
        (Action("home"), "Go to the home screen"),
        (Action("open_app", text="Clock"), 'Open the app "Clock"'),
        (Action("wait"), "Wait"),
        (Action("wait", seconds=0.5), "Wait for 0.5 seconds"),
        (Action("done"), "Finish the task"),
        (Action("done", text="42"), 'Finish the task with the answer "42"'),
        (Action("other", text="open a new tab"), "Open a new tab"),
        (Action("other", 1, 2, text="press the left mouse button"), "Press the left mouse button at (1, 2)"),
        (Action("other"), "Do something else"),
    ],
)
def test_every_kind(action, sentence):
    assert action.describe() == sentence


@pytest.mark.parametrize(
    ("point", "place"),
    [
        ((0, 0), "in the upper left"),
        ((150, 10), "in the upper middle"),
        ((299, 99), "in the upper right"),
        ((99, 100), "on the left"),
        ((100, 100), "in the middle"),
        ((200, 199), "on the right"),
        ((0, 299), "in the lower left"),
        ((199, 200), "in the lower middle"),
        ((200, 200), "in the lower right"),
    ],
)
def test_places_of_the_screen(point, place):
    x, y = point
    assert Action("click", x, y).describe((300, 300)) == f"Click at ({x}, {y}) {place} of the screen"


@pytest.mark.parametrize("point", [(300, 5), (5, 300), (-1, 5), (5, -1), (1e6, 1e6)])
def test_points_off_the_screen_are_called_so(point):
    assert Action("click", *point).describe((300, 300)).endswith("outside the screen")


def test_long_text_is_cut_and_stays_on_one_line():
    sentence = Action("type", text="word " * 1000 + "\x00\x1b").describe()
    assert len(sentence) <= 110
    assert sentence.endswith('..."')
    assert "\n" not in Action("done", text="a\r\n\u2028b").describe()


def test_lone_surrogates_can_be_encoded():
    assert Action("type", text="a\ud800b").describe().encode("utf-8") == b'Type "a?b"'


def test_batches():
    batch = (Action("click", 5, 9), Action("type", text="Hello"), Action("key", keys=("enter",)))
    assert describe_batch(batch) == 'Click at (5, 9); then type "Hello"; then press Enter'
    assert describe_batch(batch[:1], (10, 10)) == "Click at (5, 9) in the lower middle of the screen"


@pytest.mark.parametrize("size", [(0, 5), (5, -1), (5,), "55", 5, (5.0, 5.0), (True, 5), (5, None), (10**7, 5)])
def test_bad_sizes(size):
    for use in (Action("click", 1, 2).describe, lambda size: Action.parse({"kind": "wait"}, size=size)):
        with pytest.raises(ActionError) as caught:
            use(size)
        assert caught.value.field == "size"


@given(st.lists(actions(), min_size=1, max_size=3), st.none() | st.tuples(st.integers(1, 4000), st.integers(1, 4000)))
def test_any_batch_is_one_line_of_words(batch, size):
    sentence = describe_batch(batch, size)
    assert sentence
    assert sentence == sentence.strip()
    assert len(sentence.splitlines()) == 1
    assert len(sentence.encode("utf-8")) < 2000
