"""The kit: small applications that tell all they know, in looks that are installed or named as missing."""

from random import Random

import pytest

from data_prep.collect.apps.kit import APPS, KIT, correct
from data_prep.collect.driver import settle
from viscritic.errors import DataError

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def plain(chromium, tmp_path_factory):
    app = KIT["kit-plain"]()
    app.start(tmp_path_factory.mktemp("empty"))
    yield app
    app.stop()


@pytest.fixture
def settings(plain, monkeypatch):
    """The application with the settings."""
    monkeypatch.setattr(plain, "address", lambda seed: f"/pages/index.html?app=settings&skin=plain&seed={seed}")
    return plain


def named(app, name):
    return next(element for element in app.elements() if element.name == name)


def test_a_seed_stands_for_a_state(plain):
    seen = []
    for _ in range(2):
        plain.reset(3)
        seen.append((plain.state().shown, plain.state().truth["extra"]))
    assert seen[0] == seen[1]
    plain.reset(4)
    assert plain.state().truth["extra"] != seen[0][1]


@pytest.mark.parametrize("name", APPS)
def test_every_application_has_named_elements(plain, monkeypatch, name):
    monkeypatch.setattr(plain, "address", lambda seed: f"/pages/index.html?app={name}&skin=plain&seed={seed}")
    plain.reset(1)
    found = plain.elements()
    assert len(found) > 3
    assert all(element.name for element in found)


def test_a_switch_tells_its_state(settings):
    settings.reset(5)
    settings.run("document.querySelectorAll('nav button')[0].click()")
    settings.run("document.documentElement.scrollTop = 9999")
    target, before = next(e for e in settings.elements() if e.role == "switch"), settings.state()
    [intent] = [i for i in settings.intents([target], Random(1)) if i.target.key == target.key]
    settings.driver.act(intent.actions)
    settle(settings.driver)
    after = settings.state()
    assert after.truth["extra"][target.name] is not before.truth["extra"][target.name]
    assert after.shown != before.shown


def test_a_correction_changes_the_last_character(settings):
    settings.reset(6)
    settings.run("document.querySelectorAll('nav button')[3].click()")
    field = next(e for e in settings.elements() if e.role == "text field" and e.value)
    before = settings.state()
    intent = correct(field, Random(2))
    settings.driver.act(intent.actions)
    after = settings.state()
    assert intent.text[:-1] == field.value[:-1]
    assert intent.text != field.value
    assert intent.reached(before, after)
    assert not intent.reached(before, before)


def test_the_same_section_again_changes_nothing(plain, monkeypatch):
    """What a build draws by chance is drawn once: else a click that does nothing would seem to do something."""
    for name in ("shop", "house", "settings"):
        monkeypatch.setattr(plain, "address", lambda seed, name=name: f"/pages/index.html?app={name}&skin=plain&seed=1")
        plain.reset(1)
        before = plain.state()
        plain.run("document.querySelector('nav .active').click()")
        assert plain.state().shown == before.shown


def test_what_is_refused_is_marked(plain, monkeypatch):
    monkeypatch.setattr(plain, "address", lambda seed: f"/pages/index.html?app=bank&skin=plain&seed={seed}")
    plain.reset(1)
    plain.run("document.querySelectorAll('nav button')[1].click()")
    shown = "[...document.querySelectorAll('.field-error')].filter(n => !n.hidden).map(n => n.textContent)"
    assert plain.run(shown) == []
    plain.run("[...document.querySelectorAll('main button')].pop().click()")
    assert plain.run(shown) == ["Who gets the money?"]


def test_a_look_that_is_not_installed_is_named(tmp_path):
    with pytest.raises(DataError, match="kit-bulma is not installed"):
        KIT["kit-bulma"]().start(tmp_path)


def test_components_with_shadow_trees_are_seen(chromium, installed, monkeypatch):
    if not (installed / KIT["kit-ionic"]().folder).is_dir():
        pytest.skip(f"Ionic is not in {installed}: run  viscritic data collect --install --apps kit-ionic")
    app = KIT["kit-ionic"]()
    monkeypatch.setattr(app, "address", lambda seed: f"/pages/index.html?app=settings&skin=ionic&theme=md&seed={seed}")
    app.start(installed)
    try:
        app.reset(2)
        app.run("[...document.querySelectorAll('ion-tab-button,ion-header ion-segment-button')][2].click()")
        settle(app.driver, limit=3)
        switch = named(app, "Email")
        assert switch.role == "switch"
        assert app.hit(switch.centre) == switch.key
        assert switch.checked is app.state().truth["extra"]["Email"]
    finally:
        app.stop()
