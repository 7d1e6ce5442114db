"""A small site of two pages, and browsers that are there or a reason why not."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

MORE_PAGE = 100
SHOP = """<!doctype html><title>Shop</title><style>body{font:16px Arial;margin:20px} main>*{display:block;margin:14px}
button,a,input,select{font:inherit;padding:6px} #row:hover .more{visibility:visible} .more{visibility:hidden}</style>
<main><h1>Shop</h1><a id=about href="about.html">About us</a>
<button id=add onclick="count.textContent = +count.textContent + 1">Add to cart</button>
<button id=dead>Dead button</button><p>In the cart: <span id=count>3</span></p>
<label><input type=checkbox id=gift> Wrap as a gift</label>
<label>Name <input id=name></label><label>City <input id=city></label>
<select id=size aria-label=Size><option>Small<option>Medium<option>Large</select>
<div id=row>Row<span class=more>more</span></div></main>"""
MORE = """<!doctype html><title>More</title><style>body{font:16px Arial;margin:20px} li{margin:8px;padding:4px}
button,a,input{font:inherit} #log,#news{height:90px;width:220px;overflow:auto;border:1px solid #888}
.box,#log,#news{display:inline-block} .box{width:90px;padding:8px;border:1px solid #333;margin:6px}</style>
<ul><li>Buy milk <button onclick="this.parentNode.remove()">Delete</button>
<li>Call Anna <button onclick="this.parentNode.remove()">Delete</button>
<li>Pay rent <button onclick="this.parentNode.remove()">Delete</button></ul>
<a href="about.html" target="_blank">Terms</a> <label>Volume <input type=range min=0 max=100 value=20></label>
<p><label>Code <input id=code value=A-17></label></p>
<div id=log aria-label="Log"><p>one<p>two<p>three<p>four<p>five<p>six</div>
<div id=news aria-label="News"><p>alpha<p>beta<p>gamma<p>delta<p>epsilon<p>zeta</div>
<p id=order></p><div id=boxes></div><script>
const boxes = document.getElementById("boxes");
for (const name of ["Red", "Green", "Blue"]) {
  const box = document.createElement("div");
  Object.assign(box, { className: "box", draggable: true, textContent: name });
  box.ondragstart = event => event.dataTransfer.setData("text", name);
  box.ondragover = event => event.preventDefault();
  box.ondrop = event => {
    event.preventDefault();
    document.getElementById("order").textContent = event.dataTransfer.getData("text") + " onto " + name;
  };
  boxes.append(box);
}</script>"""
ABOUT = (
    "<!doctype html><title>About</title><body style='font:20px Arial'><h1>About us</h1><a href='index.html'>Back</a>"
)


@pytest.fixture(scope="session")
def chromium():
    pytest.importorskip("playwright", reason="needs the extra collect: pip install 'viscritic[collect]'")
    if shutil.which("chromium") is None:
        pytest.skip("needs a Chromium: apt-get install chromium fonts-liberation fonts-dejavu")


@pytest.fixture(scope="session")
def small_site(chromium, tmp_path_factory):
    """Starts the site as an application, as a context manager."""
    from data_prep.collect.view import View
    from data_prep.collect.web_application import WebApplication

    folder = tmp_path_factory.mktemp("site")
    (folder / "index.html").write_text(SHOP)
    (folder / "about.html").write_text(ABOUT)
    (folder / "more.html").write_text(MORE)

    class Site(WebApplication):
        name = family = "site"
        views = (View(800, 600),)

        def __init__(self, *, headed: bool = False) -> None:
            self.headed = headed

        def root(self, cache: Path) -> Path:
            return folder

        def address(self, seed: int) -> str:
            return "/more.html" if seed >= MORE_PAGE else "/index.html"

    return partial(_running, Site, folder)


@contextmanager
def _running(make, folder, **options):
    app = make(**options)
    app.start(folder)
    try:
        yield app
    finally:
        app.stop()


@pytest.fixture(scope="session")
def site(small_site):
    """The site as a running application: seeds from `MORE_PAGE` begin at its second page."""
    with small_site() as app:
        yield app


@pytest.fixture(scope="session")
def window(small_site):
    """The site in a browser window on a display."""
    pytest.importorskip("mss", reason="needs the extra collect: pip install 'viscritic[collect]'")
    if shutil.which("Xvfb") is None:
        pytest.skip("needs Xvfb: apt-get install xvfb")
    with small_site(headed=True) as app:
        yield app


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
