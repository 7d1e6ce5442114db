"""The HTML report in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from audit_runs import StubCritic, click, write_run

from viscritic.actions import Action
from viscritic.audit import Auditor
from viscritic.audit.document import describe_audit
from viscritic.audit.pictures import Pictures
from viscritic.audit.report import report_html
from viscritic.audit.source import read_trajectories
from viscritic.trajectory import Step, Trajectory

pytestmark = pytest.mark.browser
EVIL = "</script><img src=x onerror=document.title='taken'>"
# confirmed, failed (nothing changed), unsure (the same again), failed
STATES = ("confirmed", "failed", "unsure", "failed")
PAGES = ("a", "b", "b", "b", "c")
ACTIONS = (click(10, 10, f"Open {EVIL}"), click(9, 90, "Go on"), click(9, 90, "Go on again"), click(90, 9, "Leave"))


def make_report(trajectories: list[Trajectory], critic: StubCritic, out: Path) -> Path:
    pictures = Pictures(sum(len(one.steps) for one in trajectories))
    auditor = Auditor(critic, pictures)  # type: ignore[arg-type]
    audited = [auditor.audit(one) for one in trajectories]
    audit = describe_audit(audited, critic, name="runs", format="folder", pictures=pictures)  # type: ignore[arg-type]
    out.write_text(report_html(audit))
    return out


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two trajectories: four steps, and one."""
    folder = tmp_path_factory.mktemp("runs")
    write_run(folder / "one", PAGES, ACTIONS, task=f"Reach c {EVIL}")
    write_run(folder / "two", ["a", "b"], [click(1, 1)], task="Another")
    return make_report(read_trajectories(folder)[1], StubCritic(STATES), folder / "report.html")


@pytest.fixture
def page(browser: Any, report: Path) -> Iterator[Any]:
    """The report; at the end it asked for nothing, and nothing went wrong in it."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    opened = context.new_page()
    asked: list[str] = []
    broken: list[str] = []
    opened.on("request", lambda request: asked.append(request.url) if not request.url.startswith("data:") else None)
    opened.on("pageerror", lambda error: broken.append(str(error)))
    opened.on("console", lambda message: broken.append(message.text))
    opened.goto(report.as_uri())
    yield opened
    assert opened.title().startswith("Audit of")  # what strangers wrote was never run
    context.close()
    assert (asked, broken) == ([report.as_uri()], [])


def shown(page: Any) -> list[str]:
    """Numbers of the steps in the timeline."""
    numbers: list[str] = page.locator(".row:visible .number").all_text_contents()
    return numbers


def chosen(page: Any) -> str:
    """Number of the step that is shown."""
    heading: str = page.inner_text(".detail h3")
    return heading.removeprefix("Step ").partition(":")[0]


def test_it_opens_at_the_first_failing_step(page: Any) -> None:
    assert "The first failing step is step 2." in page.inner_text(".first")
    assert chosen(page) == "2"
    assert page.inner_text(".detail .badge") == "Failed"
    assert EVIL in page.inner_text("h2")
    assert EVIL in page.inner_text("#step-1")
    assert "Nothing on the screen changed." in page.inner_text(".detail")
    assert page.get_attribute("#step-2", "aria-selected") == "true"
    assert page.get_attribute(".timeline", "aria-activedescendant") == "step-2"


def test_keys(page: Any) -> None:
    page.focus(".timeline")
    for key, expected in (
        ("ArrowDown", "3"), ("ArrowUp", "2"), ("End", "4"), ("Home", "1"), ("f", "2"), ("f", "4"), ("f", "2"),
        ("PageDown", "4"), ("PageUp", "1"), ("ArrowUp", "1"),
    ):  # fmt: skip
        page.keyboard.press(key)
        assert chosen(page) == expected, key
    split = "getComputedStyle(document.querySelector('.stage')).getPropertyValue('--split')"
    for key, expected in (("b", "100%"), ("a", "0%"), ("s", "50%")):
        page.keyboard.press(key)
        assert page.evaluate(split) == expected
    page.keyboard.press("h")
    assert not page.is_visible("canvas.heat")
    page.keyboard.press("h")
    assert page.is_visible("canvas.heat")
    page.keyboard.press("/")
    page.keyboard.type("fab")  # typed, not obeyed
    assert page.input_value(".search") == "fab"
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.className") == "timeline"


def test_filters(page: Any) -> None:
    assert page.inner_text(".count") == "All 4 steps"
    for chip, expected in (("failed", ["2", "4"]), ("confirmed", ["1", "2", "4"]), ("no_op", ["2"])):
        page.click(f".chip-{chip}")
        assert shown(page) == expected
    assert page.inner_text(".count") == "1 of 4 steps"
    for chip in ("failed", "confirmed", "no_op"):
        page.click(f".chip-{chip}")
    page.click(".chip-loop")
    assert (shown(page), chosen(page)) == (["3"], "3")
    page.click(".chip-loop")
    page.fill(".search", "go on")
    assert shown(page) == ["2", "3"]
    page.fill(".search", "4")
    assert shown(page) == ["4"]
    page.fill(".search", "nothing like it")
    assert shown(page) == []


def test_mouse(page: Any) -> None:
    page.click("#step-3")
    assert chosen(page) == "3"
    page.click(":text('Show step 2')")
    assert chosen(page) == "2"
    page.click(".filters .primary")
    assert chosen(page) == "4"
    page.click(".strip .cell >> nth=0")
    assert chosen(page) == "1"
    page.click(".stage", position={"x": 40, "y": 60})
    page.click(".toggle")
    assert not page.is_visible("canvas.heat")


def test_another_trajectory(page: Any) -> None:
    page.select_option(".audit-head select", index=1)
    assert page.inner_text("h2") == "Another"
    assert len(shown(page)) == 1
    assert page.is_disabled(".filters .primary")


def test_colours_of_the_page(page: Any) -> None:
    background = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)
    assert page.inner_text(".top .quiet") == "Dark"
    page.click(".top .quiet")
    assert page.evaluate(background) != light
    page.click(".top .quiet")
    assert page.evaluate(background) == light


def test_before_split_and_after(page: Any) -> None:
    split = "getComputedStyle(document.querySelector('.stage')).getPropertyValue('--split')"
    for word, expected in (("After", "0%"), ("Before", "100%"), ("Split", "50%")):
        page.locator(".choice", has_text=word).click()
        assert page.evaluate(split) == expected


def test_what_the_reader_noted(browser: Any, tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", "ab", [click(1, 1)])
    noted = [replace(one, notes=(f"row 7: {EVIL}", "row 9")) for one in read_trajectories(folder)[1]]
    page = browser.new_page()
    page.goto(make_report(noted, StubCritic(), tmp_path / "report.html").as_uri())
    assert not page.is_visible("details li")
    page.click("summary:text('2 notes of the reader')")
    assert page.inner_text("details li >> nth=0") == f"row 7: {EVIL}"
    page.close()


def test_what_nobody_knows_is_not_called_well(browser: Any, tmp_path: Path) -> None:
    """And the headline of a step agrees with its largest bar."""
    folder = write_run(tmp_path / "run", "abcd", [click(1, 1), click(2, 2), click(3, 3)])
    page = browser.new_page()
    for states, words, headlines in (
        (
            ("confirmed", "unsure", "pending"),
            "No step is known to have failed, but 1 unsure, 1 pending.",
            ["success", "perhaps success", "look again"],
        ),
        (("confirmed",), "No step failed.", ["success"] * 3),
    ):
        page.goto(make_report(read_trajectories(folder)[1], StubCritic(states), tmp_path / "report.html").as_uri())
        assert page.inner_text(".first") == words
        for number, headline in enumerate(headlines, 1):
            page.click(f"#step-{number}")
            assert page.inner_text(".detail .outcome") == headline
    page.close()


def test_a_thousand_steps(browser: Any, tmp_path: Path) -> None:
    """Only the thumbnails near the window are decoded, and a key still moves by one step."""
    folder = write_run(tmp_path / "run", ["a", "b"], [click(1, 1)])
    screens = [(folder / f"{number}.png").read_bytes() for number in (0, 1)]
    steps = tuple(
        Step(number, screens[number % 2], screens[(number + 1) % 2], (320, 200), (Action("click", number % 320, 5),))
        for number in range(1000)
    )
    trajectory = Trajectory("long", "folder", "app", "web", "Go on", steps)
    states = ["confirmed"] * 998 + ["failed", "confirmed"]
    file = make_report([trajectory], StubCritic(states), tmp_path / "report.html")
    assert file.stat().st_size < 30e6
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    page.goto(file.as_uri())
    assert chosen(page) == "999"
    page.wait_for_selector(".row:nth-child(999) img[src]")
    assert page.locator(".row").count() == 1000
    assert page.locator(".row img[src]").count() < 60
    page.focus(".timeline")
    page.keyboard.press("ArrowDown")
    assert chosen(page) == "1000"
    page.keyboard.press("Home")
    page.wait_for_selector(".row:nth-child(1) img[src]")
    assert page.locator(".row img[src]").count() < 120
    context.close()


def test_colours_of_heat_are_those_of_the_package(page: Any) -> None:
    from viscritic.heatmap import heat_colours

    strip = """() => { const c = document.querySelector('.scale');
      return [...c.getContext('2d').getImageData(0, 0, 256, 1).data].filter((_, i) => i % 4 !== 3); }"""
    np.testing.assert_array_equal(np.array(page.evaluate(strip)).reshape(256, 3), heat_colours())
