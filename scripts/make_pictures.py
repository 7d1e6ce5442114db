"""Record the example run and take the README's pictures: a heat map, and page and report in a real Chromium.

    pip install 'viscritic[collect,serve]'   and a Chromium (Debian: apt-get install chromium fonts-liberation)
    python scripts/make_pictures.py [--record] [--chromium /usr/bin/chromium]

--record drives examples/pages/todo.html and writes examples/runs/todo: numbered screens and actions.json, as
`viscritic audit` reads them; whether a step succeeded is read from the page's own state. Without it the run is kept and
only docs/verdict.png, docs/page.webp and docs/audit.webp are made, by the shipped bundle: do so when it was replaced.
"""

from __future__ import annotations

import argparse
import io
import json
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from PIL import Image

from viscritic.cli.ending import bad_input_told, extra_named
from viscritic.files import write_bytes, write_json
from viscritic.serve.client import Client

with extra_named("collect"):
    from playwright.sync_api import Browser, Page, sync_playwright

ROOT: Final = Path(__file__).resolve().parents[1]
RUN: Final = ROOT / "examples" / "runs" / "todo"
TASK: Final = "Add 'Call the plumber', then tick the oat milk and the reply to Dr Amari"
# What is meant, what is clicked (or the text that is typed), and what the page's state then says if it worked.
STEPS: Final = (
    ("Focus the field 'Add a task'", "#draft", "document.activeElement.id === 'draft'"),
    ("Type 'Call the plumber'", "Call the plumber", "appState().draft === 'Call the plumber'"),
    ("Press 'Add'", "#add", "appState().tasks.length === 6"),
    ("Open the archive", "nav a:last-child", "!document.querySelector('nav a').classList.contains('on')"),
    ("Open the archive", "nav a:last-child", "!document.querySelector('nav a').classList.contains('on')"),
    ("Tick 'Buy oat milk'", "#box-2", "appState().tasks[2].done"),
    ("Tick 'Reply to Dr Amari'", "#box-3", "appState().tasks[4].done"),
    ("Untick 'Water the plants'", "#box-3", "!appState().tasks[3].done"),
    ("Tick 'Reply to Dr Amari'", "#box-4", "appState().tasks[4].done"),
)


def record(browser: Browser) -> None:
    """Do every step, and keep the screens between them."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.goto((ROOT / "examples" / "pages" / "todo.html").as_uri())
    entries = []
    for number, (instruction, what, wanted) in enumerate(STEPS):
        keep_screen(page, RUN / f"{number}.webp")
        action: dict[str, Any] = {"action": "type", "text": what}
        if what[0] in "#n":  # a selector
            box = page.locator(what).bounding_box()
            assert box is not None
            action = {
                "action": "click",
                "x": round(box["x"] + box["width"] / 2),
                "y": round(box["y"] + box["height"] / 2),
            }
            page.mouse.click(action["x"], action["y"])
        else:
            page.keyboard.type(what)
        entries.append({"action": action, "instruction": instruction, "success": page.evaluate(wanted)})
    keep_screen(page, RUN / f"{len(STEPS)}.webp")
    write_json(RUN / "actions.json", {"task": TASK, "app": "tasks", "platform": "web", "steps": entries})


def keep_screen(page: Page, path: Path, **options: Any) -> None:
    """The screen as it is, without loss."""
    buffer = io.BytesIO()
    Image.open(io.BytesIO(page.screenshot(**options))).convert("RGB").save(
        buffer, "WEBP", lossless=True, quality=100, method=6
    )
    write_bytes(path, buffer.getvalue())


def viscritic(*arguments: str | Path) -> list[str]:
    """The command line of this installation."""
    return [sys.executable, "-c", "from viscritic.cli import main; main()", *map(str, arguments)]


def picture_verdict() -> None:
    """docs/verdict.png: the heat map of an example pair."""
    pair = ROOT / "examples" / "todo-ticked"
    told = json.loads((pair / "transition.json").read_text("utf-8"))
    action, meant, out = json.dumps(told["action"]), told["instruction"], ROOT / "docs" / "verdict.png"
    screens = (pair / told["pre"], pair / told["post"])
    subprocess.run(
        viscritic("score", *screens, "--action", action, "--instruction", meant, "--heatmap", out), check=False
    )


def picture_report(browser: Browser) -> None:
    """docs/audit.webp: the audit of the example run."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "audit.html"
        subprocess.run(viscritic("audit", RUN, "--report", report, "--quiet"), check=False)  # 1 says that a step failed
        page = browser.new_page(viewport={"width": 1360, "height": 1000})
        page.goto(report.as_uri())
        page.wait_for_timeout(500)  # thumbnails come when they are seen
        keep_screen(page, ROOT / "docs" / "audit.webp")


def picture_page(browser: Browser) -> None:
    """docs/page.webp: the page with its example judged."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with subprocess.Popen(viscritic("serve", "--port", str(port))) as server:
        url = f"http://127.0.0.1:{port}"
        page = browser.new_page(viewport={"width": 1360, "height": 900})
        while not Client(url).ready():
            page.wait_for_timeout(200)
        page.goto(url)
        page.click("#example")
        page.wait_for_selector("#judge-button:focus")
        page.click("#judge-button")
        page.wait_for_selector("#result:visible")
        page.wait_for_timeout(500)
        keep_screen(page, ROOT / "docs" / "page.webp", full_page=True)
        server.terminate()


def main(arguments: Sequence[str] | None = None) -> None:
    """Record where it is asked for, then take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record", action="store_true", help="record the example run anew")
    parser.add_argument("--chromium", default="/usr/bin/chromium", help="the browser")
    chosen = parser.parse_args(arguments)
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu", "--force-color-profile=srgb", "--hide-scrollbars"]
        browser = playwright.chromium.launch(executable_path=chosen.chromium, args=flags)
        if chosen.record:
            record(browser)
        picture_verdict()
        picture_report(browser)
        picture_page(browser)
        browser.close()


if __name__ == "__main__":
    with bad_input_told():
        main()
