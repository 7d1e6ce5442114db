"""What the documentation tells people to write and to type works."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

ROOT = Path(__file__).parents[2]


def blocks(page: str, language: str) -> list[str]:
    """The code of a page."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def names_of(code: str, **given: Any) -> dict[str, Any]:
    """What a block defines."""
    names: dict[str, Any] = {"__name__": "written", **given}
    exec(compile(code, "a page of the documentation", "exec"), names)
    return names


def test_the_reader_that_the_page_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from data_prep import sources
    from data_prep.detect import detect_format
    from data_prep.inspection import inspect

    reader, entry, *_ = blocks("add-reader.md", "python")
    monkeypatch.setattr(sources, "SOURCES", sources.SOURCES)
    before = dict(sources.SOURCES)
    try:
        names = names_of(reader)
        names_of(entry, **names, SOURCES=sources.SOURCES, Source=sources.Source)
        run = tmp_path / "runs" / "run_1"
        run.mkdir(parents=True)
        for name in ("0.png", "1.png"):
            Image.new("RGB", (64, 48), "white").save(run / name)
        (log,) = blocks("add-reader.md", "")[:1]
        (run / "log.jsonl").write_text(f'{log}{{"n": 2, "shot": "../../away.png"}}\n')
        assert detect_format(tmp_path / "runs") == "clicklog"
        found = inspect(tmp_path / "runs")
    finally:
        sources.SOURCES.clear()
        sources.SOURCES.update(before)
    assert (found.steps, found.broken, found.with_instruction) == (1, 1, 1)
    assert "leads out" in found.notes[0]


@pytest.mark.browser
def test_the_application_that_the_page_writes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("playwright.sync_api", reason="needs: pip install 'viscritic[collect]'")
    if shutil.which("chromium") is None:
        pytest.skip("needs a Chromium: apt-get install chromium fonts-liberation fonts-dejavu")
    from data_prep.collect.apps import served
    from viscritic.actions import Action

    (tmp_path / "lamp").mkdir()
    (tmp_path / "lamp" / "lamp.html").write_text(blocks("add-application.md", "html")[0])
    monkeypatch.setattr(served, "_APPS", tmp_path)
    app = names_of(blocks("add-application.md", "python")[0])["LAMP"]["lamp"]()
    try:
        app.start(tmp_path)
        app.reset(1)
        first = app.state()
        assert first.truth["extra"] == [True, False]
        desk = next(element for element in app.elements() if element.name == "Desk" and element.role == "checkbox")
        app.driver.act((Action("click", x=desk.centre[0], y=desk.centre[1]),))
        app.driver.rest(1.0)
        assert app.state().truth["extra"] == [True, True]
        app.reset(1)
        assert app.state() == first
    finally:
        app.stop()


def test_the_backbone_of_the_page() -> None:
    pytest.importorskip("timm", reason="needs: pip install 'viscritic[train]'")
    (code,) = blocks("add-backbone.md", "python")
    encoder = names_of(code)["encoder"]
    assert (encoder.width, encoder.patch, len(encoder.blocks)) == (192, 16, 4)


@pytest.mark.parametrize("page", ["tour.md", "verdicts.md"])
def test_what_is_to_be_typed(page: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("node_modules"))
    commands = blocks(page, "bash")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    assert commands
    for command in commands:
        ran = subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, env=os.environ | {"PATH": path}, capture_output=True, text=True,
            check=False,
        )  # fmt: skip
        assert ran.returncode in (0, 1, 3), ran.stderr  # the codes of a verdict
        assert "error" not in ran.stderr
    if page == "tour.md":
        assert "<html" in (tmp_path / "audit.html").read_text()
        assert "<html" in (tmp_path / "verdict.html").read_text()


def test_the_python_of_the_tour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    first, second = blocks("tour.md", "python")
    assert names_of(first)["verdict"].evidence.changed_at_target > 0
    assert names_of(second)["gate"]


@pytest.mark.parametrize("page", sorted(path.name for path in (ROOT / "docs").glob("*.md")))
def test_lists_are_lists(page: str) -> None:
    """To mkdocs an item right under a line of a paragraph, or of code, is part of the paragraph."""
    text = re.sub(r"^```.*?^```$", "code", (ROOT / "docs" / page).read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    lines = text.split("\n")
    item = re.compile(r"\s*(?:-|\d+\.) ")
    for above, line in pairwise(lines):
        if item.match(line):
            assert not above or above.startswith(("#", "  ")) or item.match(above), line
