"""Render the example pairs of examples/: small pages of our own, driven in a real Chromium.

    pip install 'viscritic[collect]'   and a Chromium (Debian: apt-get install chromium fonts-liberation fonts-dejavu)
    python scripts/make_examples.py [--out examples] [--only NAME ...] [--chromium /usr/bin/chromium]

Each example of examples/scenes.json becomes a folder with pre.webp, post.webp (lossless), transition.json and a
README.md. Nobody types the outcome in: `judge` reads it from the page's own state, from the server's answers and from
the requests in flight, and refuses what it cannot label. The same pages and fonts give the same pixels.
"""

from __future__ import annotations

import argparse
import copy
import io
import json
import shutil
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from PIL import Image

from viscritic.actions import Action
from viscritic.errors import MissingExtraError, VisCriticError
from viscritic.files import write_bytes, write_json, write_text
from viscritic.screen import load_screen

EXAMPLES: Final = Path(__file__).resolve().parent.parent / "examples"
PAGES: Final = EXAMPLES / "pages"
HELD: Final = "/api/figures"  # the server never answers it while an example is rendered
FLAGS: Final = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--mute-audio", "--force-color-profile=srgb", "--hide-scrollbars",
)  # fmt: skip
READ_STATE: Final = "window.appState ? JSON.parse(JSON.stringify(appState())) : null"
IS_HIT: Final = "([target, x, y]) => document.querySelector(target).contains(document.elementFromPoint(x, y))"
HAS_FOCUS: Final = "target => document.querySelector(target) === document.activeElement"


@dataclass(frozen=True)
class Example:
    """One action on one page: what is meant, where it lands, and the state that it should lead to.

    Attributes:
        name: the folder's name.
        page: file of examples/pages, perhaps with a query.
        target: CSS selector of the element that is meant.
        wanted: what the page's state should become, path -> value ("tasks.2.done": True); the rest stays.
        aim: CSS selector of what is really hit; the target where it is None.
        text: typed into the focused target instead of a click.
    """

    name: str
    page: str
    app: str
    task: str
    instruction: str
    target: str
    wanted: dict[str, Any]
    aim: str | None = None
    text: str | None = None
    mobile: bool = False


class Server(ThreadingHTTPServer):
    """The pages, a login that knows another password, a page that fails, and figures that do not come."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), partial(Handler, directory=str(PAGES)))
        self.release = threading.Event()


class Handler(SimpleHTTPRequestHandler):
    """Answers for `Server`."""

    server: Server

    def do_GET(self) -> None:
        """Serve a page, the failing page, or (late) the figures."""
        if self.path == "/intranet/figures":
            self._answer(500, "text/html; charset=utf-8", (PAGES / "error.html").read_bytes())
        elif self.path == HELD:
            self.server.release.wait()
        else:
            super().do_GET()

    def do_POST(self) -> None:
        """Check a login."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        right = body["password"] == "correct horse battery staple"
        answer = {"user": body["user"]} if right else {"error": "Wrong e-mail or password. Try again."}
        self._answer(200 if right else 401, "application/json", json.dumps(answer).encode())

    def _answer(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@dataclass
class Traffic:
    """What the page asked of the server since the action: documents and data, not pictures or styles."""

    open: list[str] = field(default_factory=list)
    statuses: dict[str, int] = field(default_factory=dict)

    def watch(self, page: Any) -> None:
        """Listen to the page's requests from now on."""
        page.on("request", lambda request: self._counts(request) and self.open.append(_path(request)))
        page.on(
            "response", lambda answer: self._counts(answer.request) and self._note(_path(answer.request), answer.status)
        )
        page.on("requestfailed", lambda request: self._counts(request) and self._note(_path(request), 0))

    def _counts(self, request: Any) -> bool:
        return request.resource_type in ("document", "xhr", "fetch")

    def _note(self, path: str, status: int) -> None:
        self.statuses[path] = status
        if path in self.open:
            self.open.remove(path)


def _path(request: Any) -> str:
    return urlsplit(request.url).path


def expected_state(state: dict[str, Any], wanted: dict[str, Any]) -> dict[str, Any]:
    """The state with each wanted path set, all else as it was."""
    state = copy.deepcopy(state)
    for path, value in wanted.items():
        *parents, last = path.split(".")
        node: Any = state
        for key in parents:
            node = node[int(key)] if isinstance(node, list) else node[key]
        node[last] = value
    return state


def judge(example: Example, truth: dict[str, Any]) -> str:
    """The outcome, from what was observed.

    Raises:
        VisCriticError: the observations fit no outcome, so the example must not be kept.
    """
    before, after = truth["state_before"], truth["state_after"]
    if any(status == 0 or status >= 400 for status in truth["responses"].values()):
        return "page_error"
    if truth["in_flight"] and truth["spinner_visible"]:
        return "timeout"
    if not truth["in_flight"]:
        if after == expected_state(before, example.wanted):
            return "success"
        if after == before:
            return "no_op"
        if not truth["target_hit"]:
            return "wrong_target"
    raise VisCriticError(f"{example.name}: what was observed fits no outcome: {json.dumps(truth)}")


def settle(page: Any, traffic: Traffic) -> bytes:
    """The screen (PNG) once it stays the same and no request is open but the held one; ten seconds at most."""
    deadline = time.monotonic() + 10
    previous = b""
    while time.monotonic() < deadline:
        page.wait_for_timeout(250)
        screen: bytes = page.screenshot(animations="disabled")
        if screen == previous and all(path == HELD for path in traffic.open):
            return screen
        previous = screen
    raise VisCriticError(f"the page does not settle; still open: {traffic.open}")


def act(page: Any, example: Example) -> tuple[dict[str, Any], bool]:
    """Send the action; its canonical form, and whether it reaches the target as the page sees it."""
    if example.text is not None:
        hit = page.evaluate(HAS_FOCUS, example.target)
        page.keyboard.type(example.text)
        return {"kind": "type", "text": example.text}, hit
    box = page.locator(example.aim or example.target).bounding_box()
    x, y = round(box["x"] + box["width"] / 2), round(box["y"] + box["height"] / 2)
    hit = page.evaluate(IS_HIT, [example.target, x, y])
    (page.touchscreen.tap if example.mobile else page.mouse.click)(x, y)
    return {"kind": "click", "x": x, "y": y}, hit


def render(browser: Any, server: Server, example: Example, folder: Path) -> dict[str, Any]:
    """Play one example and write its folder; what transition.json holds."""
    size = (390, 844) if example.mobile else (1280, 800)
    context = browser.new_context(
        viewport=dict(zip(("width", "height"), size, strict=True)),
        is_mobile=example.mobile, has_touch=example.mobile, locale="en-GB", color_scheme="light",
    )  # fmt: skip
    page = context.new_page()
    traffic = Traffic()
    page.goto(f"http://127.0.0.1:{server.server_address[1]}/{example.page}")
    if example.text is not None:
        page.locator(example.target).click()
    box = page.locator(example.target).bounding_box()
    before, pre = page.evaluate(READ_STATE), settle(page, traffic)
    traffic.watch(page)
    action, hit = act(page, example)
    post = settle(page, traffic)
    truth = {
        "target_hit": hit,
        "state_before": before,
        "state_after": page.evaluate(READ_STATE),
        "wanted": example.wanted,
        "responses": dict(traffic.statuses),
        "in_flight": list(traffic.open),
        "spinner_visible": page.locator(".spinner").is_visible(),
    }
    server.release.set()
    context.close()
    server.release.clear()
    outcome = judge(example, truth)
    record = {
        "id": example.name,
        "app": example.app,
        "platform": "mobile" if example.mobile else "web",
        "source": f"examples/pages/{example.page}, rendered by scripts/make_examples.py",
        "pre": "pre.webp",
        "post": "post.webp",
        "size": list(size),
        "action": action,
        "instruction": example.instruction,
        "task": example.task,
        "target_box": [round(box[key]) for key in ("x", "y", "width", "height")],
        "outcome": outcome,
        "success": outcome == "success",
        "truth": truth,
    }
    write(folder, record, pre, post)
    return record


def write(folder: Path, record: dict[str, Any], pre: bytes, post: bytes) -> None:
    """The example's four files."""
    for name, png in (("pre", pre), ("post", post)):
        screen = load_screen(png, name=name)
        if list(screen.shape[1::-1]) != record["size"]:
            raise VisCriticError(f"{record['id']}: {name} is {screen.shape}, not {record['size']}")
        buffer = io.BytesIO()
        Image.fromarray(screen).save(buffer, "WEBP", lossless=True, quality=100, method=6)
        write_bytes(folder / f"{name}.webp", buffer.getvalue())
    write_json(folder / "transition.json", record)
    what = Action.from_dict(record["action"]).describe(tuple(record["size"]))
    write_text(folder / "README.md", (
        f"# {record['id']}: {record['outcome']}\n\n"
        f"- Task: {record['task']}\n- Instruction: {record['instruction']}\n- Action: {what}\n"
        f"- Origin: {record['source']}; the outcome is read from what `truth` in transition.json holds\n\n"
        "| before | after |\n|---|---|\n| ![before](pre.webp) | ![after](post.webp) |\n"
    ))  # fmt: skip


@contextmanager
def chromium(executable: str) -> Iterator[Any]:
    """A running browser."""
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError as error:
        raise MissingExtraError("Rendering the examples", "collect", "playwright") from error
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=executable, args=FLAGS)
        except Error as error:
            raise VisCriticError(f"cannot start {executable}: {error}; name a Chromium with --chromium") from error
        try:
            yield browser
        finally:
            browser.close()


def write_index(out: Path) -> None:
    """README.md of the folder: every example there, and what its outcome is."""
    records = [json.loads(file.read_text("utf-8")) for file in sorted(out.glob("*/transition.json"))]
    rows = "".join(
        f"| [{r['id']}]({r['id']}/README.md) | {r['instruction']} | {r['outcome']} | {r['size'][0]}x{r['size'][1]} |\n"
        for r in records
    )
    write_text(out / "README.md", (
        "# Example pairs\n\n"
        "Screens before and after one action, with the outcome that came about. `scripts/make_examples.py` renders\n"
        "them from the pages in pages/ and the scenes in scenes.json, and writes this table.\n\n"
        "| example | instruction | outcome | screen |\n|---|---|---|---|\n" + rows
    ))  # fmt: skip


def make_examples(out: Path, names: list[str], executable: str) -> list[dict[str, Any]]:
    """Render the named examples (all where none is named) into folders of `out`; their records."""
    known = {row["name"]: Example(**row) for row in json.loads((EXAMPLES / "scenes.json").read_text("utf-8"))}
    if unknown := set(names) - set(known):
        raise VisCriticError(f"no example is called {', '.join(sorted(unknown))}; there are: {', '.join(known)}")
    server = Server()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        with chromium(executable) as browser:
            records = [render(browser, server, known[name], out / name) for name in names or known]
    finally:
        server.release.set()
        server.shutdown()
        server.server_close()
    write_index(out)
    return records


def main() -> int:
    """Read the command line; 0 when all is written, 2 when not."""
    parser = argparse.ArgumentParser(description="Render the example pairs in a real Chromium.")
    parser.add_argument("--out", type=Path, default=EXAMPLES, help="where the folders go")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="render these alone")
    parser.add_argument("--chromium", default=shutil.which("chromium") or "/usr/bin/chromium", help="the browser")
    options = parser.parse_args()
    try:
        records = make_examples(options.out, options.only, options.chromium)
    except VisCriticError as error:
        print(error, file=sys.stderr)
        return 2
    for record in records:
        print(f"{record['outcome']:13} {options.out / record['id']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
