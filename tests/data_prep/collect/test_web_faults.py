"""Every cause, played on a real page: the outcome that it must have, and the evidence."""

from random import Random

import pytest

from data_prep.collect.application import Intent
from data_prep.collect.judge import has_strayed, judge_clean, judge_faulted
from data_prep.collect.observe import is_observable, shows_effect
from data_prep.collect.play import PLAIN, Scene, play
from data_prep.collect.web_faults import WEB_FAULTS
from data_prep.collect.web_gestures import dragging, scrolling
from viscritic.actions import Action

MORE_PAGE = 100
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
    "twin": ("Delete", "click", {"wrong_target"}),
    "typed_wrong": ("Name", "type", {"wrong_target"}),
    "typed_lossy": ("Name", "type", {"wrong_target"}),
    "typed_elsewhere": ("Name", "type", {"wrong_target"}),
    "option_wrong": ("Size", "select", {"wrong_target"}),
    "drag_elsewhere": ("Volume", "drag", {"wrong_target"}),
    "drag_short": ("Red", "drag", {"no_op"}),
    "scroll_elsewhere": ("Log", "scroll", {"wrong_target"}),
    "overlay_through": ("Add to cart", "click", {"success"}),
    "asked_401": ("Add to cart", "click", {"page_error"}),
    "page_401": ("About us", "click", {"page_error"}),
    "rejected": ("Add to cart", "click", {"page_error"}),
}
ON_MORE = ("Delete", "Volume", "Red", "Log", "Code", "Terms")
IN_A_WINDOW = {"page_held": ("About us", "click", {"timeout"}), "hung": ("Add to cart", "click", {"timeout"})}
REVIVING = {fault.cause: fault for fault in WEB_FAULTS if getattr(fault, "revives", False)}
FAULTS = [fault for fault in WEB_FAULTS if fault.cause not in {**IN_A_WINDOW, **REVIVING}]


def meant(site, name, verb, random):
    elements = site.elements()
    make = {"scroll": scrolling, "drag": dragging}.get(verb)
    found = make(site, elements, random) if make else site.intents(elements, random)
    intents = [i for i in found if i.target.name == name and i.verb == verb]
    return intents[0], elements


@pytest.fixture(scope="module")
def clean_step():
    """The clean replay of a step: intent, elements, what was seen."""
    known = {}

    def get(site, name, verb, cause):
        if (name, verb) not in known:
            prepare(site, name, cause)
            intent, elements = meant(site, name, verb, Random(1))
            known[name, verb] = intent, elements, play(site, intent, elements, PLAIN, Random(1))
            assert judge_clean(intent, known[name, verb][2].facts) == "success"
        return known[name, verb]

    return get


def prepare(site, name, cause=""):
    site.reset(MORE_PAGE if name in ON_MORE else 0)
    if cause == "focus_stolen":
        site.driver.act((Action("click", x=site_point(site, "City")[0], y=site_point(site, "City")[1]),))


def site_point(site, name):
    return next(e for e in site.elements() if e.name == name).centre


def test_every_cause_is_here():
    assert {fault.cause for fault in WEB_FAULTS} == {*EXPECTED, *IN_A_WINDOW, *REVIVING}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.cause)
def test_cause(site, clean_step, fault):
    name, verb, outcomes = EXPECTED[fault.cause]
    intent, elements, clean = clean_step(site, name, verb, fault.cause)
    for seed in range(6):  # some looks of an overlay do not fit
        prepare(site, name, fault.cause)
        site.elements()
        seen = play(site, intent, elements, PLAIN, Random(seed), fault)
        if seen is not None:
            break
    strayed = has_strayed(intent.actions, seen.actions)
    outcome = judge_faulted(intent, seen.facts, clean.facts, strayed=strayed)
    assert outcome in outcomes
    assert seen.cause == fault.cause
    if outcome != "no_op":
        assert is_observable(outcome, seen, clean, intent)
    if fault.cause.startswith(("asked", "page", "swallowed")):  # these change more than the page
        site.reset(0)
        again = play(site, intent, site.elements(), PLAIN, Random(1))
        assert again.facts.after == clean.facts.after  # and leave nothing behind


@pytest.mark.parametrize("cause", IN_A_WINDOW)
def test_what_hangs_shows_in_a_window(window, cause):
    name, verb, outcomes = IN_A_WINDOW[cause]
    fault = next(f for f in WEB_FAULTS if f.cause == cause)
    window.reset(0)
    intent, elements = meant(window, name, verb, Random(1))
    clean = play(window, intent, elements, PLAIN, Random(1))
    assert judge_clean(intent, clean.facts) == "success"
    window.reset(0)
    seen = play(window, intent, window.elements(), PLAIN, Random(2), fault)
    outcome = judge_faulted(intent, seen.facts, clean.facts)
    assert outcome in outcomes
    assert is_observable(outcome, seen, clean, intent)
    window.reset(0)
    again = play(window, intent, window.elements(), PLAIN, Random(1))
    assert again.facts.after == clean.facts.after


@pytest.mark.parametrize("cause", REVIVING)
def test_a_message_confirms(site, cause):
    site.reset(0)
    intent, elements = meant(site, "Dead button", "click", Random(0))
    seen = play(site, intent, elements, PLAIN, Random(0), REVIVING[cause])
    assert seen.facts.before.truth != seen.facts.after.truth
    assert seen.facts.hit == intent.target.key
    assert shows_effect(seen) == (cause == "confirmed")
    assert any((screen != seen.pre).any() for screen in (*seen.burst, seen.post))  # it was seen at some time


@pytest.mark.parametrize("cause, outcome", [("asked_held", "timeout"), ("asked_500", "page_error")])
def test_an_enter_asks_as_well(site, cause, outcome):
    site.reset(0)
    elements = site.elements()
    name = next(e for e in elements if e.name == "Name")
    actions = (Action("click", x=name.centre[0], y=name.centre[1]), Action("type", text="Ann\n"))
    fault = next(f for f in WEB_FAULTS if f.cause == cause)
    seen = play(site, Intent("type", name, actions, text="Ann"), elements, PLAIN, Random(1), fault)
    assert judge_faulted(Intent("type", name, actions), seen.facts, None) == outcome
    assert "Ann" in [row[2] for row in seen.facts.after.shown]  # what was typed before arrived
    assert (seen.pre != seen.post).any()


def test_a_new_tab_comes_in_front(site):
    site.reset(MORE_PAGE)
    intent, elements = meant(site, "Terms", "click", Random(0))
    seen = play(site, intent, elements, PLAIN, Random(0))
    assert judge_clean(intent, seen.facts) == "success"
    assert [url.rpartition("/")[2] for url in seen.facts.after.truth["tabs"]] == ["more.html", "about.html"]
    assert (seen.pre != seen.post).mean() > 0.01  # the new page is in front
    site.reset(MORE_PAGE)
    assert len(site.state().truth["tabs"]) == 1


def test_copying_is_true_and_shows_nowhere(site):
    site.reset(MORE_PAGE)
    x, y = next(e for e in site.elements() if e.name == "Code").centre
    marking = (Action("click", x=x, y=y), Action("key", keys=("ctrl", "a")))
    site.driver.act(marking)
    marked = site.state()
    site.driver.act((Action("key", keys=("ctrl", "c")),))
    copied = site.state()
    assert copied.truth["copied"] == "A-17"
    assert marked.shown == copied.shown


def test_boxes_scroll_by_themselves(site):
    site.reset(MORE_PAGE)
    intent, elements = meant(site, "News", "scroll", Random(0))
    seen = play(site, intent, elements, PLAIN, Random(0))
    assert judge_clean(intent, seen.facts) == "success"


def test_things_are_dragged(site):
    for name, outcome in (("Volume", "success"), ("Green", "success")):
        site.reset(MORE_PAGE)
        intent, elements = meant(site, name, "drag", Random(0))
        assert judge_clean(intent, play(site, intent, elements, PLAIN, Random(0)).facts) == outcome


def test_harmless_things_change_no_outcome(site):
    for seed in range(4):
        site.reset(0)
        intent, elements = meant(site, "Wrap as a gift", "click", Random(0))
        seen = play(site, intent, elements, Scene(seed=seed, dressed=True), Random(0))
        assert judge_clean(intent, seen.facts) == "success"


def test_choosing_and_typing_succeed(site):
    site.reset(0)
    for name, verb in (("Size", "select"), ("Name", "type")):
        intent, elements = meant(site, name, verb, Random(3))
        assert judge_clean(intent, play(site, intent, elements, PLAIN, Random(3)).facts) == "success"


def test_a_button_without_a_handler_does_nothing(site):
    site.reset(0)
    intent, elements = meant(site, "Dead button", "click", Random(0))
    assert judge_clean(intent, play(site, intent, elements, PLAIN, Random(0)).facts) == "no_op"


def test_hovering_is_no_effect(site):
    site.reset(0)
    row = next(e for e in site.elements() if e.name == "Add to cart")
    box = site.run("(() => { const b = document.getElementById('row').getBoundingClientRect(); return [b.x, b.y] })()")
    aside = Intent("click", row, (Action("click", x=box[0] + 5, y=box[1] + 5),))
    seen = play(site, aside, site.elements(), PLAIN, Random(0))
    assert not seen.facts.changed
    assert (seen.pre != seen.post).any()  # though the page showed something


@pytest.mark.parametrize(
    "kind", ["caret", "clock", "spinner", "gif", "carousel", "toast", "ad", "marks", "video", "cursor"]
)
def test_noise_shows_and_is_no_change(site, kind):
    site.reset(0)
    site.elements()
    before = site.state()
    boxes = [box for seed in range(5) if (box := site.make_noise(kind, seed))]
    assert boxes
    if kind not in ("caret", "toast", "ad", "marks", "cursor"):
        first = site.driver.screen()
        site.driver.wait(0.7)
        assert (first != site.driver.screen()).any()
    assert site.state() == before
