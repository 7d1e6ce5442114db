"""verified(page) in a real Chromium; what a step was meant to do is known by the page."""

from __future__ import annotations

import pytest
from agent_parts import CONFIRMED, ERROR, NO_OP, PENDING, UNSURE, WRONG, Scripted

from viscritic.agent import GatePolicy
from viscritic.agent.adapters.playwright import verified
from viscritic.agent.environment import changed_share
from viscritic.agent.rollback.browser import BrowserRollback
from viscritic.errors import RollbackError, StepFailedError
from viscritic.screen import load_screen

pytestmark = pytest.mark.browser
QUICK = GatePolicy(waits=(0.1, 0.8), patience=0.9, settle_seconds=1.0)


class AsksPage:
    """The truth: what the page says was reached, and whether anything shows."""

    def __init__(self, page, reached):
        self.page, self.reached, self.asked = page, reached, []

    def score(self, pre, post, action, instruction="", task="", burst=(), idle=()):
        self.asked.append((action, instruction))
        if self.page.evaluate(self.reached):
            return CONFIRMED
        if changed_share(load_screen(pre), load_screen(post)) > 0.001:
            return WRONG
        return NO_OP if burst else PENDING


def test_a_click_that_works_comes_back_confirmed(page):
    critic = AsksPage(page, "count.textContent === '4'")
    decision = verified(page, critic, policy=QUICK).click("#add")
    assert decision.worked is True
    action, instruction = critic.asked[0]
    assert instruction == "Click the button 'Add to cart'"
    box = page.locator("#add").bounding_box()
    assert action[0].point == (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_a_dead_button_raises_a_sentence_and_is_not_pressed_again(page):
    page.evaluate("window.presses = 0; dead.addEventListener('click', () => presses++)")
    with pytest.raises(StepFailedError, match="Nothing came of this action") as caught:
        verified(page, AsksPage(page, "false"), policy=QUICK).click("#dead")
    assert caught.value.decision.worked is False
    assert page.evaluate("presses") == 1


def test_a_lost_click_on_a_link_is_repeated(page):
    page.evaluate(
        """addEventListener('click', e => { if (!window.lost) { window.lost = 1; e.preventDefault() } }, true)"""
    )
    decision = verified(page, AsksPage(page, "document.title === 'About'"), policy=QUICK).click("#about")
    assert decision.worked is True
    assert page.title() == "About"


def test_what_is_slow_is_waited_for(page):
    decision = verified(page, AsksPage(page, "count.textContent === 'loaded at last'"), policy=QUICK).click("#slow")
    assert decision.worked is True
    assert decision.looks > 1


def test_a_dialog_that_was_not_meant_is_closed_again(page):
    with pytest.raises(StepFailedError, match="as it was before") as caught:
        verified(page, AsksPage(page, "false"), policy=QUICK).click("#wrong")
    assert caught.value.decision.restored
    assert page.evaluate("dialog.style.display") == "none"


def test_a_page_that_was_not_meant_is_left_again_with_the_fields_as_they_were(page):
    page.fill("#name", "Ada")
    page.evaluate("localStorage.setItem('seen', 'once')")
    with pytest.raises(StepFailedError, match="as it was before"):
        verified(page, Scripted([ERROR]), policy=GatePolicy(waits=(0.1,), retries_per_step=0)).click("#about")
    assert page.title() == "Shop"
    assert page.input_value("#name") == "Ada"


def test_unsure_comes_back_as_such_and_raises_nothing(page):
    decision = verified(page, Scripted([UNSURE]), policy=QUICK).click("#add")
    assert (decision.worked, decision.state) == (None, "unsure")


def test_every_verb_acts_once_and_is_named(page, tmp_path):
    critic = Scripted([CONFIRMED])
    shop = verified(page, critic, policy=QUICK, task="Buy")
    shop.fill("#name", "Ada")
    shop.check("#gift")
    shop.select_option("#size", "Large")
    shop.hover("#add")
    shop.press("Tab")
    shop.dblclick("#add")
    shop.uncheck("#gift")
    assert page.evaluate("[document.querySelector('#name').value, gift.checked, size.value, count.textContent]") == [
        "Ada", False, "Large", "5",
    ]  # fmt: skip
    shop.goto((tmp_path / "about.html").as_uri())
    assert page.title() == "About"
    assert [asked["action"][0].kind for asked in critic.asked] == [
        "type", "click", "select", "move", "key", "double_click", "click", "navigate",
    ]  # fmt: skip
    assert {asked["task"] for asked in critic.asked} == {"Buy"}


def test_a_browser_that_has_gone_ends_in_a_stop(page):
    shop = verified(page, Scripted([CONFIRMED]), policy=QUICK)
    shop._find = lambda target: (page.locator("#add"), "button 'Add'", (10.0, 10.0))
    page.context.close()
    with pytest.raises(StepFailedError, match="no longer answers"):
        shop.click("#add")


def test_the_shipped_critic_judges_a_real_page(page, critic):
    shop = verified(page, critic, policy=QUICK, rollback=False)
    try:
        decision = shop.click("#add", "Click 'Add to cart'")
    except StepFailedError as error:
        decision = error.decision
    assert decision.judgement.note
    assert page.evaluate("count.textContent") == "4"


def test_a_rollback_brings_back_address_storage_cookies_and_fields(page):
    way_back = BrowserRollback(page, page.screenshot)
    page.fill("#name", "Ada")
    page.check("#gift")
    page.select_option("#size", "Medium")
    page.evaluate("localStorage.setItem('cart', '3')")
    mark = way_back.mark()
    page.fill("#name", "Bob")
    page.uncheck("#gift")
    page.select_option("#size", "Large")
    page.evaluate("localStorage.setItem('cart', '9'); count.textContent = 9")
    way_back.undo(mark)
    state = "[document.querySelector('#name').value, gift.checked, size.value, localStorage.cart, count.textContent]"
    assert page.evaluate(state) == ["Ada", True, "Medium", "3", "3"]


def test_what_cannot_be_brought_back_is_said(page):
    way_back = BrowserRollback(page, page.screenshot)
    page.evaluate("count.textContent = 1000")  # a state that no reload brings back
    mark = way_back.mark()
    page.evaluate("document.body.style.background = 'red'")
    with pytest.raises(RollbackError, match="the page loaded anew"):
        way_back.undo(mark)
