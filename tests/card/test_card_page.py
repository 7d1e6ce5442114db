"""A verdict as a page: what it says, and how it looks in a real browser."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from viscritic import Action, Critic
from viscritic.card_page import verdict_page

EXAMPLE = Path(__file__).parents[2] / "examples" / "guests-counted"


@pytest.fixture(scope="module")
def page_text() -> str:
    """The page of a real pair, with an instruction that would be markup if it were not escaped."""
    told = json.loads((EXAMPLE / "transition.json").read_text())
    action = Action.from_dict(told["action"])
    pre, post = EXAMPLE / told["pre"], EXAMPLE / told["post"]
    verdict = Critic.load().score(pre, post, action, told["instruction"])
    return verdict_page(pre, post, verdict, (action,), instruction="Press <b>+</b> & wait")


def test_it_says_what_the_card_says(page_text: str) -> None:
    for words in (
        "Press &lt;b&gt;+&lt;/b&gt; &amp; wait",
        "Click at (781, 192)",
        "Changed at the target",
        "wrong target",
    ):
        assert words in page_text
    assert "<b>+</b>" not in page_text
    assert not re.search(r"(?:src|href)=\"(?!data:)", page_text)


@pytest.mark.browser
@pytest.mark.parametrize(("width", "columns"), [(1300, 2), (390, 1)])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_and_the_heat_can_be_taken_off(
    page_text: str, browser: Any, tmp_path: Path, width: int, columns: int, scheme: str
) -> None:
    (tmp_path / "verdict.html").write_text(page_text, "utf-8")
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto((tmp_path / "verdict.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    tops = page.evaluate("[...document.querySelectorAll('figure')].map(f => f.getBoundingClientRect().top)")
    assert len({round(top) for top in tops}) == 3 - columns
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(250, 250, 248)"
    assert dark == (scheme == "dark")
    heat = page.locator("img.heat")
    assert heat.is_visible()
    page.get_by_label("attention").uncheck()
    assert not heat.is_visible()
    page.close()
