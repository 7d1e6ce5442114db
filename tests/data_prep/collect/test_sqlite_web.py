"""sqlite-web as it is: states, truth from its database, and what it refuses by itself."""

import time
from random import Random

import pytest

from data_prep.collect.apps import APPLICATIONS
from data_prep.collect.apps.sqlite_web import RowsRefused, WrongPassword
from data_prep.collect.driver import settle
from data_prep.collect.judge import Facts, judge_clean, judge_faulted
from data_prep.collect.server_faults import DeadLink, LoginWall, ServerFails, ServerSlow
from viscritic.errors import DataError

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def app(chromium, installed):
    if not (installed / "python" / "sqlite-web").is_dir():
        pytest.skip(f"sqlite-web is not in {installed}: run  viscritic data collect --install --apps sqlite-web")
    app = APPLICATIONS["sqlite-web"]()
    app.start(installed)
    yield app
    app.stop()


def seed_of(app, words):
    """A seed that opens a page of which the address has these words."""
    for seed in range(200):
        app.chosen = Random(f"database {seed}").choice(("shop", "library", "staff"))
        if words in app.address(seed):
            return seed
    raise AssertionError(words)


def meant(app, seed, name):
    """A step on the last element of this name (a button comes after the tab of its name), and all elements."""
    app.reset(seed)
    app.run("scrollTo(0, 0)")
    elements = app.elements()
    target = [element.key for element in elements if element.name == name][-1]
    [intent, *_] = [
        i for i in app.intents(elements, Random(1)) if i.target.key == target and i.verb in ("click", "type")
    ]
    return intent, elements


def step(app, seed, name, fault=None):
    """The intent, and the facts of one step, with a fault or without."""
    intent, elements = meant(app, seed, name)
    actions = intent.actions if fault is None else fault.begin(app, intent, elements, Random(1))
    assert actions is not None
    try:
        if fault is not None:
            fault.arm(app)
        before, hit = app.state(), app.hit(actions[0].point)
        app.listen()
        app.driver.act(actions)
        settle(app.driver, limit=2.0)
        deadline = time.monotonic() + 10
        while app.traffic().pending and time.monotonic() < deadline:
            app.driver.wait(0.1)
        return intent, Facts(before, app.state(), hit, app.traffic())
    finally:
        if fault is not None:
            fault.end(app)


def test_the_same_seed_is_the_same_state(app):
    seed = seed_of(app, "content")
    app.reset(seed)
    first = app.state()
    app.database.change("CREATE TABLE made_since (id INTEGER)")
    assert app.state().truth != first.truth
    app.reset(seed)
    assert (app.state().shown, app.state().truth) == (first.shown, first.truth)


@pytest.mark.parametrize(
    ("fault", "page", "name", "outcome", "evidence"),
    [
        (LoginWall(), "content", "Structure", "page_error", "asked to log in"),
        (DeadLink(), "content", "Structure", "page_error", "404"),
        (ServerFails(), "content", "Structure", "page_error", "500"),
        (ServerSlow(), "content", "Structure", "success", ""),
        (WrongPassword(), "/login/", "Password", "page_error", "incorrect"),
    ],
    ids=lambda value: getattr(value, "cause", None),
)
def test_fault(app, fault, page, name, outcome, evidence):
    seed = seed_of(app, page)
    intent, clean = step(app, seed, name)
    assert judge_clean(intent, clean) == "success"
    _, facts = step(app, seed, name, fault)
    assert judge_faulted(intent, facts, clean) == outcome
    assert evidence in " ".join(facts.traffic.errors)


def test_rows_are_refused(app):
    seed = seed_of(app, "members/insert")
    intent, facts = step(app, seed, "Insert", RowsRefused())
    assert judge_faulted(intent, facts, None) == "page_error"
    assert "refused: " in " ".join(facts.traffic.errors)
    assert facts.before.truth["kept"] == facts.after.truth["kept"]


def test_says_how_to_install_it(tmp_path):
    with pytest.raises(DataError, match="--install --apps sqlite-web"):
        APPLICATIONS["sqlite-web"]().start(tmp_path)
