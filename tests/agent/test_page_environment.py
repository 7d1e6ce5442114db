"""Actions on a real page by mouse and keyboard."""

from __future__ import annotations

import pytest

from viscritic.actions import Action
from viscritic.agent.page_environment import PageEnvironment
from viscritic.errors import ActionError

pytestmark = pytest.mark.browser
LISTEN = """window.heard = []; for (const kind of ['click', 'dblclick', 'contextmenu', 'keydown', 'wheel', 'mousedown',
  'mouseup', 'keyup']) addEventListener(kind, e => heard.push(kind + (e.key || '')))"""


@pytest.mark.parametrize(
    ("action", "heard"),
    [
        (Action("click", 300, 500), ["mousedown", "mouseup", "click"]),
        (Action("double_click", 300, 500), ["mousedown", "mouseup", "click"] * 2 + ["dblclick"]),
        (Action("right_click", 300, 500), ["mousedown", "contextmenu", "mouseup"]),
        (Action("long_press", 300, 500, seconds=0), ["mousedown", "mouseup", "click"]),
        (Action("drag", 300, 500, 310, 510), ["mousedown", "mouseup", "click"]),
        (Action("key", keys=("ctrl", "b")), ["keydownControl", "keydownb", "keyupb", "keyupControl"]),
        (Action("scroll", 300, 500, dy=100), ["wheel"]),
        (
            Action("click", 300, 500, keys=("shift",)),
            ["keydownShift", "mousedown", "mouseup", "click", "keyupShift"],
        ),
    ],
)
def test_a_page_hears_what_was_sent_and_nothing_stays_pressed(page, action, heard):
    page.evaluate(LISTEN)
    PageEnvironment(page).act(action)
    page.wait_for_timeout(60)
    assert page.evaluate("heard") == heard


def test_points_are_pixels_of_the_screen_whatever_the_scale(browser, tmp_path):
    page = browser.new_context(viewport={"width": 300, "height": 200}, device_scale_factor=2).new_page()
    page.set_content("<button style='position:fixed;left:100px;top:50px' onclick='window.hit=1'>Here</button>")
    environment = PageEnvironment(page)
    assert environment.screen().shape == (400, 600, 3)
    environment.act(Action("click", 216, 118))
    assert page.evaluate("window.hit") == 1
    page.context.close()


def test_text_address_and_history(page, tmp_path):
    environment = PageEnvironment(page)
    box = page.locator("#name").bounding_box()
    environment.act(Action("type", box["x"] + 5, box["y"] + 5, text="Ada"))
    assert page.input_value("#name") == "Ada"
    environment.act(Action("navigate", url=(tmp_path / "about.html").as_uri()))
    page.wait_for_load_state()
    assert page.title() == "About"
    environment.act(Action("back"))
    page.wait_for_load_state()
    assert page.title() == "Shop"
    environment.act(Action("done"))
    environment.act(Action("wait", seconds=0))


def test_what_a_page_cannot_do_is_refused(page):
    with pytest.raises(ActionError, match="open_app"):
        PageEnvironment(page).act(Action("open_app", text="Files"))
    with pytest.raises(ActionError, match="needs a point"):
        PageEnvironment(page).act(Action("click"))
