"""A real page in a real browser, and the shipped critic."""

from __future__ import annotations

import shutil

import pytest

from viscritic import Critic

PAGE = """<!doctype html><title>Shop</title><style>body{font:18px Arial;margin:20px} main>*{display:block;margin:14px}
button,a,input,select{font:inherit;padding:6px} #dialog{position:fixed;inset:0;background:#0008;color:#fff;display:none}
</style><main><h1>Shop</h1><a id=about href="about.html">About us</a>
<button id=add onclick="count.textContent = +count.textContent + 1; count.style.fontSize = '60px'">Add to cart</button>
<button id=dead>Dead button</button>
<button id=wrong onclick="dialog.style.display = 'block'">Wrong button</button>
<button id=slow onclick="setTimeout(() => count.textContent = 'loaded at last', 700)">Load</button>
<p>In the cart: <span id=count>3</span></p>
<label><input type=checkbox id=gift> Wrap as a gift</label>
<label>Name <input id=name></label>
<select id=size aria-label=Size><option>Small<option>Medium<option>Large</select></main>
<div id=dialog>You are somewhere else</div>
<script>addEventListener('keydown', e => { if (e.key === 'Escape') dialog.style.display = 'none' })</script>"""
ABOUT = "<!doctype html><title>About</title><body style='font:40px Arial;background:#cde'><h1>About us</h1>"


@pytest.fixture(scope="session")
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
