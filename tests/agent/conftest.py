"""A real page in a real browser, and the shipped critic."""

from __future__ import annotations

import shutil

import pytest
from agent_parts import ABOUT, PAGE

from viscritic import Critic


@pytest.fixture(scope="module")  # Playwright runs once at a time: other rooms start it as well
def browser():
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs: pip install 'viscritic[agent]'")
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("needs a Chromium: apt-get install chromium fonts-liberation fonts-dejavu")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser, tmp_path):
    """The shop, 640x560."""
    (tmp_path / "index.html").write_text(PAGE)
    (tmp_path / "about.html").write_text(ABOUT)
    context = browser.new_context(viewport={"width": 640, "height": 560})
    page = context.new_page()
    page.goto((tmp_path / "index.html").as_uri())
    yield page
    context.close()


@pytest.fixture(scope="session")
def critic():
    """The shipped bundle."""
    return Critic.load(threads=1)
