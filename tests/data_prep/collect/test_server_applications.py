"""Applications with servers of their own, where they are installed: the same state for the same seed, truth, an end."""

import pytest

from data_prep.collect.apps import APPLICATIONS, folders_of
from data_prep.collect.install import ENVIRONMENTS, NODE_SERVERS, is_complete
from data_prep.collect.processes import descendants

pytestmark = [pytest.mark.browser, pytest.mark.slow]
NAMES = ("oscar", "oscar-mobile", "oscar-dashboard", "wagtail", "node-red", "jupyterlab", "swagger-ui")


@pytest.fixture(scope="module", params=NAMES)
def app(request, chromium, installed):
    import os

    [folder] = folders_of([request.param])
    needs = ENVIRONMENTS.get(folder) or ((NODE_SERVERS[folder],) if folder in NODE_SERVERS else None)
    if not (is_complete(installed / folder, needs) if needs else (installed / folder).is_dir()):
        pytest.skip(f"not in {installed}: run  viscritic data collect --install --apps {request.param}")
    before = set(descendants(os.getpid()))
    app = APPLICATIONS[request.param]()
    app.start(installed)
    yield app
    app.stop()
    assert set(descendants(os.getpid())) <= before


def test_the_same_seed_is_the_same_state(app):
    app.reset(3)
    first, elements = app.state(), app.elements()
    assert len(elements) >= 3
    assert first.truth["kept"]
    app.reset(4)
    app.reset(3)
    again = app.state()
    assert (again.shown, again.truth) == (first.shown, first.truth)
    assert app.elements() == elements


def test_another_seed_is_another_state(app):
    seen = []
    for seed in range(4):
        app.reset(seed)
        seen.append(app.state().shown)
    assert any(state != seen[0] for state in seen)
