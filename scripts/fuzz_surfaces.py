"""What takes input from outside, each as a surface: how an input is made, and how it is fed.

Every input is bytes, so that one that breaks something can be kept as a file and fed again.
"""

from __future__ import annotations

import asyncio
import base64
import functools
import hashlib
import io
import json
import shutil
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from random import Random
from typing import Any, Final, Protocol

import numpy as np
from fuzz_mutations import damage_bytes, damage_file, damage_value
from PIL import Image

from viscritic.actions import DIALECTS, Action
from viscritic.errors import VisCriticError
from viscritic.screen import load_screen

ROOT: Final = Path(__file__).resolve().parents[1]
RECORDED: Final = ROOT / "tests" / "data_prep" / "recorded"
MOST_BYTES: Final = 300_000  # of a folder that inputs are made from


class Surface(Protocol):
    """One way in."""

    def make(self, chance: Random) -> bytes:
        """An input."""

    def feed(self, data: bytes) -> None:
        """Put it in.

        Raises:
            VisCriticError: it was refused, as it should be; any other error is a finding.
        """


class Images:
    """Encoded screens."""

    def __init__(self) -> None:
        noise = np.random.default_rng(0).integers(0, 256, (24, 40, 4), np.uint8)
        self._seeds: list[bytes] = []
        for mode, kinds in (
            ("RGB", ("PNG", "JPEG", "WEBP", "GIF", "BMP")),
            ("RGBA", ("PNG", "WEBP")),
            ("P", ("PNG", "GIF")),
            ("CMYK", ("JPEG",)),
            ("1", ("PNG", "BMP")),
        ):
            image = Image.fromarray(noise).convert("RGB" if mode in ("P", "CMYK", "1") else mode).convert(mode)
            for kind in kinds:
                for name, value in (("interlace", 1), ("progressive", True)):
                    buffer = io.BytesIO()
                    image.save(buffer, kind, **{name: value})
                    self._seeds.append(buffer.getvalue())

    def make(self, chance: Random) -> bytes:
        """A damaged image."""
        return damage_bytes(chance, chance.choice(self._seeds))

    def feed(self, data: bytes) -> None:
        """As bytes, with a low limit of pixels."""
        screen = load_screen(data, max_pixels=4_000_000)
        assert screen.dtype == np.uint8, screen.dtype
        assert screen.ndim == 3, screen.shape
        assert screen.shape[2] == 3, screen.shape


class Actions:
    """Actions in each dialect: JSON of [value, dialect, size]."""

    _SEEDS: Final = (
        {"kind": "drag", "x": 1, "y": 2, "x2": 3, "y2": 4, "keys": ["ctrl"]},
        {"action": "click", "x": 960, "y": 540}, {"action": "scroll", "amount": 3, "x": 1, "y": 2},
        {"type": "click", "button": "left", "x": 1, "y": 2, "keys": ["CTRL"]},
        {"type": "drag", "path": [{"x": 1, "y": 2}, {"x": 3, "y": 4}]},
        {"type": "computer_call", "actions": [{"type": "type", "text": "a"}]},
        {"action": "left_click", "coordinate": [1, 2], "text": "ctrl"},
        {"action": "scroll", "coordinate": [1, 2], "scroll_direction": "up", "scroll_amount": 3},
        {"type": "tool_use", "name": "key", "input": {"text": "a b"}},
        {"action_type": "CLICK", "x": 1, "y": 2, "num_clicks": 2}, {"action_type": "click", "index": 3},
        {"action_type": "press_keyboard", "keycode": "KEYCODE_A"},
        {"result_action_type": 4, "result_touch_yx": "[0.5, 0.5]", "result_lift_yx": "[0.5, 0.5]"},
        {"operation": {"op": "TYPE", "value": "a"}, "pos_candidates": ['{"attributes": "{}"}']},
        {"op": "CLICK", "bounding_box": {"x": 1, "y": 2, "width": 3, "height": 4}},
        {"action": "SCROLL", "info": [[1, 2], [3, 4]]},
        "pyautogui.click(1, 2, clicks=2, button='right')", "pyautogui.hotkey('ctrl', 'c')", "scroll(0, 5)",
        "click('a51', button='left', modifiers=['Shift'])", "mouse_down(1, 2)\nmouse_up(3, 4)", "WAIT",
        "Thought: x\nAction: click(point='<point>5 3</point>')", "drag(start_box='(1,2)', end_box='(3,4)')",
        "click_at_position(x=0.5, y=0.5, mouse_button='left')", "press_keys_combined(keys='ctrl, p')",
        "type [51] [red shoes] [1]", 'Reason: x\nAction: {"action_type": "click", "index": 5}',
    )  # fmt: skip

    def make(self, chance: Random) -> bytes:
        """A damaged action, for the dialect that is guessed or for a named one."""
        seed = chance.choice(self._SEEDS)
        if isinstance(seed, str):
            value: Any = damage_bytes(chance, seed.encode()).decode(errors="replace")
        else:
            value = damage_value(chance, seed)
            value = json.dumps(value) if chance.random() < 0.3 else value
        dialect = chance.choice((None, *DIALECTS))
        return json.dumps([value, dialect, chance.choice((None, [1920, 1080]))]).encode()

    def feed(self, data: bytes) -> None:
        """What is read keeps the contract: it can be written, read again and told in words."""
        value, dialect, size = json.loads(data)
        for action in Action.parse_batch(value, dialect=dialect, size=size and tuple(size)):
            assert Action.from_dict(json.loads(json.dumps(action.to_dict(), allow_nan=False))) == action
            assert action.describe(size and tuple(size))


class Trajectories:
    """Folders of runs, as a zip each."""

    def __init__(self, more: Path | None = None) -> None:
        folders = [
            RECORDED / "browsergym" / "run",
            RECORDED / "playwright",
            RECORDED / "agentrewardbench",
            ROOT / "examples" / "runs" / "todo",
        ]
        folders += sorted(path for path in more.iterdir() if path.is_dir()) if more else []
        self._seeds = [files for files in map(_read_folder, folders) if files]

    def make(self, chance: Random) -> bytes:
        """A run with one to three of its files damaged, left out or renamed."""
        files = dict(chance.choice(self._seeds))
        for _ in range(chance.randint(1, 3)):
            name = chance.choice(list(files))
            kind = chance.randrange(10)
            if kind == 0:
                del files[name]
            elif kind == 1:
                files[f"{name}{chance.choice(('x', '.json', '.png', '.pkl.gz', '.jsonl'))}"] = files.pop(name)
            else:
                files[name] = damage_file(chance, files[name])
            if not files:
                break
        return _pack(files)

    def feed(self, data: bytes) -> None:
        """Unpacked, found out, read through, its screens decoded."""
        from data_prep.inspection import inspect

        with _unpacked(data) as folder:
            inspect(folder, limit=20)


class Macros:
    """Files of macros."""

    def __init__(self) -> None:
        from viscritic.agent.gui.macros import MacroStep, MacroStore

        with tempfile.TemporaryDirectory() as folder:
            store = MacroStore(Path(folder) / "macros.json")
            steps = [MacroStep(Action("click", 3, 4), "Open it"), MacroStep(Action("type", text="milk"))]
            store.save("Buy milk", steps, (640, 480))
            self._seed = store.path.read_bytes()

    def make(self, chance: Random) -> bytes:
        """A damaged file."""
        return damage_file(chance, self._seed)

    def feed(self, data: bytes) -> None:
        """Read, changed, read again."""
        from viscritic.agent.gui.macros import MacroStore

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "macros.json"
            path.write_bytes(data)
            store = MacroStore(path)
            for macro in store.all():
                store.save(macro.task, macro.steps, macro.size)
                store.get(macro.task)


class Bundles:
    """Bundles, as a zip each; the graphs are left out, since checking them is onnxruntime's."""

    def __init__(self) -> None:
        from viscritic.runtime.bundle import find_bundle

        folder = find_bundle(None)
        self._files = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix != ".onnx"}
        self._files |= {path.name: b"a graph" for path in folder.glob("*.onnx")}
        self._files["golden.npz"] = _shrink_golden(self._files["golden.npz"])

    def make(self, chance: Random) -> bytes:
        """A bundle with a damaged file; its configuration has the right hashes, as an attacker would see to."""
        files = dict(self._files)
        name = chance.choice(("config.json", "config.json", "golden.npz", "tokenizer.json"))
        config = json.loads(files["config.json"])
        if name != "config.json":
            files[name] = damage_file(chance, files[name])
        config["files"] = {one: hashlib.sha256(data).hexdigest() for one, data in files.items() if one != "config.json"}
        if name == "config.json":
            config = damage_value(chance, config)
        files["config.json"] = json.dumps(config).encode()
        if name == "config.json" and chance.random() < 0.3:
            files[name] = damage_bytes(chance, files[name])
        packed = _pack(files)
        return damage_bytes(chance, packed) if chance.random() < 0.1 else packed

    def feed(self, data: bytes) -> None:
        """Opened, its golden pairs unpacked, its tokenizer read."""
        from viscritic.runtime.bundle import Bundle
        from viscritic.runtime.golden import _unpack_golden
        from viscritic.runtime.graphs import _open_tokenizer

        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "bundle.zip"
            path.write_bytes(data)
            bundle = Bundle(path)
        refused: list[VisCriticError] = []
        for read in (_unpack_golden, _open_tokenizer):
            try:
                read(bundle)
            except VisCriticError as error:
                refused.append(error)
        if refused:
            raise refused[0]


class Bodies:
    """Requests to the server: JSON of [path, content type, body in base64]."""

    _PATHS: Final = ("/v1/score", "/v1/score", "/v1/score_many", "/v1/audit")
    DOCUMENTED: Final = (200, 400, 404, 405, 408, 413, 415, 422, 429)

    def __init__(self) -> None:
        from viscritic.runtime import Critic
        from viscritic.serve.app import Server
        from viscritic.serve.config import ServeConfig

        self._server = Server(Critic.load(threads=1), ServeConfig(workers=1, max_body=1 << 20, max_archive=1 << 20))
        buffer = io.BytesIO()
        Image.new("RGB", (32, 32), "white").save(buffer, "PNG")
        screen = base64.b64encode(buffer.getvalue()).decode()
        self._one = {"pre": screen, "post": screen, "action": {"kind": "click", "x": 3, "y": 4}, "instruction": "Save"}
        self._zip = _pack(_read_folder(RECORDED / "browsergym" / "run"))

    def make(self, chance: Random) -> bytes:
        """A damaged request."""
        path = chance.choice(self._PATHS)
        kind = "application/zip" if path.endswith("audit") else "application/json"
        if path.endswith("audit"):
            body = damage_bytes(chance, self._zip)
        else:
            value = self._one if path.endswith("score") else {"transitions": [self._one]}
            body = json.dumps(damage_value(chance, value)).encode(errors="surrogatepass")
            body = damage_bytes(chance, body) if chance.random() < 0.3 else body
        if chance.random() < 0.05:
            kind, path = chance.choice(("", "text/plain", kind)), chance.choice(("/", "/v1/nothing", "/metrics", path))
        return json.dumps([path, kind, base64.b64encode(body).decode()]).encode()

    def feed(self, data: bytes) -> None:
        """Through the whole application, guard and all; a refusal names its kind."""
        path, kind, body = json.loads(data)
        status, answer = asyncio.run(_ask(self._server.app, path, kind, base64.b64decode(body)))
        assert status in self.DOCUMENTED, (status, answer[:300])
        if status >= 400:
            error = json.loads(answer)["error"]
            assert error["type"], error
            assert error["message"], error
            raise VisCriticError(error["message"])


class Arguments:
    """Command lines: JSON of a list of words. Commands that start servers, browsers or agents are left out."""

    _SEEDS: Final = (
        ["score", "pre.png", "post.png", "--action", '{"action": "click", "x": 9, "y": 9}', "--json"],
        ["score", "pre.png", "post.png", "--action", "click(1, 2)", "--threshold", "0.5", "--heatmap", "out.png"],
        ["audit", "run", "--json", "--report", "out.html"], ["check", "bundle"], ["check", "run"],
        ["data", "inspect", "run", "--format", "browsergym"], ["data", "inspect", "run", "--json"],
        ["data", "toy", "--out", "toy", "--trajectories", "1"],
        ["data", "build", "run", "--format", "browsergym", "--out", "samples"],
        ["bench", "speed", "--part", "many", "--check", "pre.png"], ["--version"], ["--help"],
    )  # fmt: skip
    _WORDS: Final = (
        "--help", "--json", "--strict", "--out", "--format", "--threshold", "--task", "--dialect", "--burst", "run",
        "pre.png", "absent", ".", "/", "/dev/null", "@pre.png", "@absent", "-", "--", "", "\x00", "1e999", "nan", "-1",
        "{}", "[" * 500, "\udcff", "a" * 5000, "é",
    )  # fmt: skip
    _FORBIDDEN: Final = (
        "serve",
        "agent",
        "collect",
        "agents",
        "speed",
        "--install",
        "--show",
        "push",
        "noise",
        "--workers",
        "--engine",
    )

    def __init__(self) -> None:
        from viscritic.runtime import Critic

        self._critic: Callable[..., Any] = functools.cache(Critic.load)
        self._home = Path(tempfile.mkdtemp(prefix="viscritic-fuzz-"))
        shutil.copytree(RECORDED / "browsergym" / "run", self._home / "run")
        for name in ("pre.png", "post.png"):
            Image.new("RGB", (48, 32), "white").save(self._home / name)

    def make(self, chance: Random) -> bytes:
        """A command line with words replaced, left out, put in or doubled."""
        words = list(chance.choice(self._SEEDS))
        for _ in range(chance.randint(1, 3)):
            at = chance.randrange(len(words) + 1)
            kind = chance.randrange(4)
            if kind == 0 and len(words) > 1:
                del words[at : at + 1]
            elif kind == 1:
                words[at : at + 1] = [chance.choice(self._WORDS)]
            elif kind == 2:
                words[at:at] = [chance.choice(self._WORDS)]
            elif at < len(words):
                words[at] = damage_bytes(chance, words[at].encode(errors="surrogateescape")).decode(errors="replace")[
                    :3000
                ]
        return json.dumps(words).encode()

    def feed(self, data: bytes) -> None:
        """As the console script would, in a folder of its own that is thrown away."""
        from typer.testing import CliRunner

        from viscritic.cli import app
        from viscritic.runtime import Critic

        words = json.loads(data)
        if any(word.startswith(self._FORBIDDEN) for word in words):
            return
        load = Critic.load
        Critic.load = self._critic  # type: ignore[method-assign]  # each opens a bundle for half a second
        try:
            with tempfile.TemporaryDirectory() as folder:
                shutil.copytree(self._home, folder, dirs_exist_ok=True)
                with chdir(folder):
                    result = CliRunner().invoke(app, words, prog_name="viscritic", env={"HOME": folder})
        finally:
            Critic.load = load  # type: ignore[method-assign]
        error = result.exception
        if isinstance(error, OSError):  # the console script tells it in one line, as it does the package's own
            raise VisCriticError(str(error))
        if error is not None and not isinstance(error, SystemExit):
            raise error
        assert result.exit_code in (0, 1, 2, 3), result.exit_code
        if result.exit_code == 2:
            raise VisCriticError("usage")


def open_surface(name: str, seeds: Path | None) -> Surface:
    """The surface of a name in `SURFACES`."""
    return Trajectories(seeds) if name == "trajectories" else SURFACES[name]()


SURFACES: Final[dict[str, Callable[[], Surface]]] = {
    "images": Images, "actions": Actions, "trajectories": Trajectories, "bundles": Bundles, "http": Bodies,
    "macros": Macros, "arguments": Arguments,
}  # fmt: skip


def _read_folder(folder: Path) -> dict[str, bytes]:
    """Files of a folder by name, screens made small; nothing where it is too large to be taken as a seed."""
    files = {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*")) if path.is_file()}
    read = {name: _shrink_image(path.read_bytes()) for name, path in files.items() if path.stat().st_size < 10**7}
    return read if sum(map(len, read.values())) <= MOST_BYTES else {}


def _shrink_image(data: bytes) -> bytes:
    """A screen made small, so that inputs are many; other files as they are."""
    try:
        with Image.open(io.BytesIO(data)) as image:
            buffer = io.BytesIO()
            image.resize((min(image.width, 96), min(image.height, 64))).save(buffer, image.format)
            return buffer.getvalue()
    except OSError:
        return data


def _pack(files: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return buffer.getvalue()


@contextmanager
def _unpacked(data: bytes) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(io.BytesIO(data)) as archive:
        archive.extractall(folder)
        yield Path(folder)


def _shrink_golden(data: bytes) -> bytes:
    """The first golden pair alone."""
    buffer = io.BytesIO()
    with np.load(io.BytesIO(data)) as stored:
        np.savez(buffer, **{name: stored[name] for name in stored.files if name.startswith("0.")})
    return buffer.getvalue()


async def _ask(app: Any, path: str, kind: str, body: bytes) -> tuple[int, bytes]:
    """Status and body of the answer to one POST."""
    headers = [(b"host", b"localhost"), (b"content-length", str(len(body)).encode())]
    headers += [(b"content-type", kind.encode())] if kind else []
    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http",
        "path": path, "raw_path": path.encode(), "query_string": b"", "root_path": "", "headers": headers,
        "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80),
    }  # fmt: skip
    waiting: Iterable[dict[str, Any]] = iter([{"type": "http.request", "body": body, "more_body": False}])
    told: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        for message in waiting:
            return message
        await asyncio.sleep(3600)
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        told.append(message)

    await app(scope, receive, send)
    return told[0]["status"], b"".join(message.get("body", b"") for message in told[1:])
