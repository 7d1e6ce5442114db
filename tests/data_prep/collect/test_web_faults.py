"""Every cause, played on a real page: the outcome that it must have, and the evidence."""

from random import Random

import pytest

from data_prep.collect.application import Intent
from data_prep.collect.judge import judge_clean, judge_faulted
from data_prep.collect.walk import SILENCE, play
from data_prep.collect.web_faults import WEB_FAULTS
from viscritic.actions import Action

pytestmark = pytest.mark.browser
# cause -> (the element that is meant, verb, outcomes that are true)
EXPECTED = {
    "neighbour": ("Add to cart", "click", {"wrong_target", "no_op"}),
    "blank": ("Add to cart", "click", {"no_op"}),
    "offset": ("Wrap as a gift", "click", {"wrong_target", "no_op"}),
    "scaled": ("Add to cart", "click", {"no_op", "wrong_target"}),
    "off_screen": ("Add to cart", "click", {"no_op"}),
    "twice": ("Wrap as a gift", "click", {"no_op"}),
    "typed_nowhere": ("Name", "type", {"no_op"}),
    "swallowed": ("Add to cart", "click", {"no_op"}),
    "disabled": ("Wrap as a gift", "click", {"no_op"}),
    "overlay": ("Add to cart", "click", {"no_op", "wrong_target"}),
    "late_overlay": ("Wrap as a gift", "click", {"no_op", "wrong_target"}),
    "overlay_beside": ("Wrap as a gift", "click", {"success"}),
    "asked_500": ("Add to cart", "click", {"page_error"}),
    "asked_404": ("Wrap as a gift", "click", {"page_error"}),
    "asked_refused": ("About us", "click", {"page_error"}),
    "asked_offline": ("Add to cart", "click", {"page_error"}),
    "asked_held": ("Add to cart", "click", {"timeout"}),
    "asked_slow": ("Wrap as a gift", "click", {"success"}),
    "page_500": ("About us", "click", {"page_error"}),
    "page_404": ("About us", "click", {"page_error"}),
    "page_refused": ("About us", "click", {"page_error"}),
    "page_offline": ("About us", "click", {"page_error"}),
    "focus_stolen": ("City", "type", {"wrong_target"}),
}


def meant(site, name, verb, random):
    elements = site.elements()
    intents = [i for i in site.intents(elements, random) if i.target.name == name and i.verb == verb]
    return intents[0], elements


@pytest.fixture(scope="module")
def clean_step():
    """The clean replay of a step: intent, elements, what was seen."""
    known = {}

    def get(site, name, verb, cause):
        if (name, verb) not in known:
            prepare(site, cause)
            intent, elements = meant(site, name, verb, Random(1))
            known[name, verb] = intent, elements, play(site, intent, elements, SILENCE, Random(1))
            assert judge_clean(intent, known[name, verb][2].facts) == "success"
        return known[name, verb]

    return get


def prepare(site, cause):
    site.reset(0)
    if cause == "focus_stolen":
        site.driver.act((Action("click", x=site_point(site, "City")[0], y=site_point(site, "City")[1]),))


def site_point(site, name):
    return next(e for e in site.elements() if e.name == name).centre


def test_every_cause_is_here():
    assert {fault.cause for fault in WEB_FAULTS} == set(EXPECTED)


@pytest.mark.parametrize("fault", WEB_FAULTS, ids=lambda fault: fault.cause)
def test_cause(site, clean_step, fault):
    name, verb, outcomes = EXPECTED[fault.cause]
    intent, elements, clean = clean_step(site, name, verb, fault.cause)
    for seed in range(6):  # some looks of an overlay do not fit
        prepare(site, fault.cause)
        site.elements()
        seen = play(site, intent, elements, SILENCE, Random(seed), fault)
        if seen is not None:
            break
    assert judge_faulted(intent, seen.facts, clean.facts) in outcomes
    assert seen.cause == fault.cause
    if fault.cause.startswith(("asked", "page", "swallowed")):  # these change more than the page
        site.reset(0)
        again = play(site, intent, site.elements(), SILENCE, Random(1))
        assert again.facts.after == clean.facts.after  # and leave nothing behind


def test_choosing_and_typing_succeed(site):
    site.reset(0)
    for name, verb in (("Size", "select"), ("Name", "type")):
        intent, elements = meant(site, name, verb, Random(3))
        assert judge_clean(intent, play(site, intent, elements, SILENCE, Random(3)).facts) == "success"


def test_a_button_without_a_handler_does_nothing(site):
    site.reset(0)
    intent, elements = meant(site, "Dead button", "click", Random(0))
    assert judge_clean(intent, play(site, intent, elements, SILENCE, Random(0)).facts) == "no_op"


def test_hovering_is_no_effect(site):
    site.reset(0)
    row = next(e for e in site.elements() if e.name == "Add to cart")
    box = site.run("(() => { const b = document.getElementById('row').getBoundingClientRect(); return [b.x, b.y] })()")
    aside = Intent("click", row, (Action("click", x=box[0] + 5, y=box[1] + 5),))
    seen = play(site, aside, site.elements(), SILENCE, Random(0))
    assert not seen.facts.changed
    assert (seen.pre != seen.post).any()  # though the page showed something


@pytest.mark.parametrize("kind", ["caret", "clock", "spinner", "gif", "carousel", "toast", "ad", "video"])
def test_noise_shows_and_is_no_change(site, kind):
    site.reset(0)
    site.elements()
    before = site.state()
    boxes = [box for seed in range(5) if (box := site.make_noise(kind, seed))]
    assert boxes
    if kind not in ("caret", "toast", "ad"):
        first = site.driver.screen()
        site.driver.wait(0.7)
        assert (first != site.driver.screen()).any()
    assert site.state() == before
