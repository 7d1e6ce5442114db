"""A small site of two pages, and browsers that are there or a reason why not."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

SHOP = """<!doctype html><title>Shop</title><style>body{font:16px Arial;margin:20px} main>*{display:block;margin:14px}
button,a,input,select{font:inherit;padding:6px} #row:hover .more{visibility:visible} .more{visibility:hidden}</style>
<main><h1>Shop</h1><a id=about href="about.html">About us</a>
<button id=add onclick="count.textContent = +count.textContent + 1">Add to cart</button>
<button id=dead>Dead button</button><p>In the cart: <span id=count>3</span></p>
<label><input type=checkbox id=gift> Wrap as a gift</label>
<label>Name <input id=name></label><label>City <input id=city></label>
<select id=size aria-label=Size><option>Small<option>Medium<option>Large</select>
<div id=row>Row<span class=more>more</span></div></main>"""
ABOUT = (
    "<!doctype html><title>About</title><body style='font:20px Arial'><h1>About us</h1><a href='index.html'>Back</a>"
)


@pytest.fixture(scope="session")
def chromium():
    pytest.importorskip("playwright", reason="needs the extra collect: pip install 'viscritic[collect]'")
    if shutil.which("chromium") is None:
        pytest.skip("needs a Chromium: apt-get install chromium fonts-liberation fonts-dejavu")


@pytest.fixture(scope="session")
def site(chromium, tmp_path_factory):
    """The site as a running application."""
    from data_prep.collect.browser import View
    from data_prep.collect.web_application import WebApplication

    folder = tmp_path_factory.mktemp("site")
    (folder / "index.html").write_text(SHOP)
    (folder / "about.html").write_text(ABOUT)

    class Site(WebApplication):
        name = family = "site"
        views = (View(800, 600),)

        def root(self, cache: Path) -> Path:
            return folder

        def address(self, seed: int) -> str:
            return "/index.html"

    app = Site()
    app.start(folder)
    yield app
    app.stop()


@pytest.fixture(scope="session")
def installed():
    """The folder with the installed applications of others."""
    import os

    from data_prep.collect.install import default_cache

    return Path(os.environ.get("VISCRITIC_APPS") or default_cache())


@pytest.fixture(scope="session")
def miniwob(chromium, installed):
    """Starts task types of MiniWoB++ and stops them at the end."""
    from data_prep.collect.apps import APPLICATIONS

    if not (installed / "miniwob").is_dir():
        pytest.skip(f"MiniWoB++ is not in {installed}: run  viscritic data collect --install")
    running = {}

    def start(task):
        if task not in running:
            running[task] = APPLICATIONS[f"miniwob-{task}"]()
            running[task].start(installed)
        return running[task]

    yield start
    for app in running.values():
        app.stop()
