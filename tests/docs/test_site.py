"""The documentation: built strictly, complete, and asking no other host for anything."""

from __future__ import annotations

import functools
import http.server
import importlib.util
import re
import subprocess
import sys
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages."""
    for module in ("mkdocs", "material", "mkdocstrings"):
        pytest.importorskip(module, reason="needs: pip install 'viscritic[docs]'")
    out = tmp_path_factory.mktemp("site")
    # Not --quiet: it silences the warnings before --strict can count them.
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(out)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    return out


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    """scripts/write_reference.py."""
    spec = importlib.util.spec_from_file_location("write_reference", ROOT / "scripts" / "write_reference.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_public_name_has_its_place_in_the_reference(site: Path, reference: ModuleType) -> None:
    data = (site / "objects.inv").read_bytes()
    told = {line.split()[0] for line in zlib.decompress(data.split(b"\n", 4)[4]).decode().splitlines()}
    modules = [module for room in reference.rooms().values() for module in room]
    wanted = {f"{module}.{name}" for module in modules for name in reference.public_names(module)}
    assert "viscritic.runtime.critic.Critic" in wanted
    assert "data_prep.sources.SOURCES" in wanted
    assert not wanted - told


def test_what_packages_offer_is_listed_with_a_link(site: Path, reference: ModuleType) -> None:
    import viscritic.agent

    page = (site / "reference" / "index.html").read_text("utf-8")
    for name in (*viscritic.__all__, *viscritic.agent.__all__):
        assert re.search(rf'href="[^"]*#viscritic\.[\w.]*\.{name}"', page), name


def test_a_section_tells_what_its_docstring_tells(site: Path) -> None:
    page = (site / "reference" / "viscritic.runtime.html").read_text("utf-8")
    assert "Judge one transition" in page
    assert "a screen that cannot be read" in page


@pytest.mark.browser
def test_no_page_asks_another_host(site: Path, browser: Any) -> None:
    with _serve(site) as url:
        page = browser.new_page()
        asked: list[str] = []
        failed: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("response", lambda response: failed.append(response.url) if response.status >= 400 else None)
        pages = sorted(path.relative_to(site).as_posix() for path in site.glob("*.html"))
        for name in [*pages, "reference/index.html", "reference/viscritic.runtime.html"]:
            if name != "404.html":  # its links begin at the root of the site
                page.goto(f"{url}/{name}", wait_until="networkidle")
        page.close()
    assert len(asked) > 20
    assert not [address for address in asked if not address.startswith((url, "data:"))]
    assert not failed


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def _serve(folder: Path) -> Iterator[str]:
    """The address of a folder, served while the block lasts."""
    handler = functools.partial(_Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
