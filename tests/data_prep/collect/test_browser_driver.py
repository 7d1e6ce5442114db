"""The browser as a driver: sizes, touch, schemes, actions, and that nothing is left behind."""

import os
import shutil

import numpy as np
import pytest

from data_prep.collect.browser import BrowserDriver
from data_prep.collect.driver import HungError, settle
from data_prep.collect.headed import HeadedDriver
from data_prep.collect.processes import descendants
from data_prep.collect.view import View
from viscritic.actions import Action
from viscritic.errors import DataError

pytestmark = pytest.mark.browser
PAGE = """data:text/html,<body style="margin:0;height:3000px">
<input id=a style="position:absolute;left:0;top:0;width:100px">
<script>seen=[];for(const t of ['click','dblclick','contextmenu','touchstart','mousemove','keydown'])
addEventListener(t,e=>seen.push([t,e.clientX,e.clientY,e.key]))</script>"""


@pytest.fixture(scope="module")
def driver(chromium):
    driver = BrowserDriver()
    yield driver
    driver.close()


@pytest.mark.parametrize("view", [View(640, 400), View(320, 240, scale=2.0), View(160, 210, scale=3.75, mobile=True)])
def test_screens_are_device_pixels_even_when_scrolled(driver, view):
    driver.open(view)
    driver.goto(PAGE)
    driver.evaluate("void scrollTo(0, 100)")
    driver.evaluate("document.body.style.background = 'linear-gradient(rgb(255,0,0) 50%, rgb(0,0,255) 50%)'")
    screen = settle(driver).screens[-1]
    assert screen.shape == (*driver.size[::-1], 3)
    assert driver.size == view.size
    assert tuple(screen[-1, -1]) == (255, 0, 0)  # the blue half lies far below
    driver.evaluate("void scrollTo(0, 2000)")
    assert tuple(settle(driver).screens[-1][-1, -1]) == (0, 0, 255)


def test_points_are_pixels_of_the_screen(driver):
    driver.open(View(320, 240, scale=2.0))
    driver.goto(PAGE)
    driver.act((Action("click", x=300, y=200), Action("double_click", x=20, y=40), Action("right_click", x=8, y=8)))
    seen = driver.evaluate("seen")
    assert ["click", 150, 100] in [event[:3] for event in seen]
    assert {"dblclick", "contextmenu"} <= {event[0] for event in seen}


def test_phones_are_touched(driver):
    driver.open(View(200, 300, mobile=True))
    driver.goto(PAGE)
    driver.act((Action("click", x=50, y=60),))
    assert [event[0] for event in driver.evaluate("seen")][:1] == ["touchstart"]
    assert driver.evaluate("matchMedia('(pointer: coarse)').matches")


def test_dark_scheme(driver):
    driver.open(View(200, 200, dark=True))
    assert driver.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")


def test_typing_and_keys(driver):
    driver.open(View(300, 200))
    driver.goto(PAGE)
    driver.act((Action("click", x=10, y=10), Action("type", text="Grüße, 4"), Action("key", keys=("shift", "home"))))
    assert driver.evaluate("a.value") == "Grüße, 4"
    driver.act((Action("key", keys=("delete",)),))
    assert driver.evaluate("a.value") == ""


def test_scrolling(driver):
    driver.open(View(300, 200))
    driver.goto(PAGE)
    driver.act((Action("scroll", x=100, y=100, dy=300),))
    settle(driver)
    assert driver.evaluate("scrollY") == 300


def test_settle_waits_for_movement_and_gives_up(driver):
    driver.open(View(300, 200))
    driver.goto(PAGE)
    driver.evaluate("setTimeout(() => { document.body.style.background = 'rgb(9,9,9)' }, 80)")
    screens = settle(driver, limit=5, still=6)
    assert screens.quiet
    assert tuple(screens.screens[-1][-1, -1]) == (9, 9, 9)
    driver.evaluate(
        "let n = 0; void setInterval(() => { document.body.style.background = `rgb(${++n % 255},9,9)` }, 5)"
    )
    assert not settle(driver, limit=0.5).quiet
    assert settle(driver, limit=5, noise=[(0, 0, 300, 200)]).quiet


def test_the_same_page_gives_the_same_pixels_time_and_dice(driver):
    seen = []
    for _ in range(2):
        driver.open(View(300, 200))
        driver.goto("data:text/html,<p id=p><script>p.textContent = new Date().toDateString() + Math.random()</script>")
        seen.append((driver.evaluate("p.textContent"), settle(driver).screens[-1]))
    assert seen[0][0] == seen[1][0]
    assert np.array_equal(seen[0][1], seen[1][1])


def test_a_page_script_that_fails_is_named(driver):
    driver.open(View(300, 200))
    with pytest.raises(HungError, match="nonsense is not defined"):
        driver.evaluate("nonsense + 1")


def test_an_unknown_action_is_refused(driver):
    driver.open(View(300, 200))
    with pytest.raises(DataError, match="cannot send 'home'"):
        driver.act((Action("home"),))


def test_rest_waits_for_what_is_about_to_happen(driver):
    driver.open(View(200, 200))
    driver.goto("data:text/html,<body>now")
    driver.evaluate("void setTimeout(() => setTimeout(() => { document.body.textContent = 'then' }, 300), 300)")
    assert driver.rest(10.0)
    assert driver.evaluate("document.body.textContent") == "then"
    assert not driver.stirred()
    driver.evaluate("document.body.append('!')")
    assert driver.stirred()


def test_rest_ends_where_a_page_never_rests(driver):
    driver.open(View(200, 200))
    driver.goto("data:text/html,<body><script>setInterval(() => { document.body.append('.') }, 10)</script>")
    assert not driver.rest(0.6)


def test_text_and_enter_come_apart(driver):
    driver.open(View(200, 200))
    driver.goto("data:text/html,<body><textarea id=t></textarea><script>t.focus()</script>")
    driver.act((Action("type", text="one\ntwo\n"),))
    assert driver.evaluate("document.getElementById('t').value") == "one\ntwo\n"


def others(known):
    """What runs below this process and neither is known nor was started by what is known."""
    return set(descendants(os.getpid())) - known - {pid for one in known for pid in descendants(one)}


@pytest.mark.parametrize("headed", [False, True])
def test_nothing_is_left_behind(chromium, headed):
    if headed:
        pytest.importorskip("mss", reason="needs the extra collect: pip install 'viscritic[collect]'")
        if shutil.which("Xvfb") is None:
            pytest.skip("needs Xvfb: apt-get install xvfb")
    before = set(descendants(os.getpid()))
    driver = HeadedDriver() if headed else BrowserDriver()
    driver.open(View(200, 200))
    assert others(before)
    driver.close()
    driver.close()
    assert not others(before)


def test_a_missing_browser_is_named(chromium):
    with pytest.raises(DataError, match="cannot start the browser /no/browser"):
        BrowserDriver("/no/browser")
