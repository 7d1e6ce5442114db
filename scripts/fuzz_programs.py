"""Ways in that are whole programs: requests to the server, command lines."""

from __future__ import annotations

import asyncio
import base64
import functools
import io
import json
import os
import shutil
import sys
import tempfile
import weakref
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, chdir, contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from typing import Any, Final
from unittest.mock import patch

from fuzz_folders import RECORDED, pack, read_folder
from fuzz_mutations import damage_bytes, damage_value
from PIL import Image

from viscritic.errors import VisCriticError


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
        self._loop = asyncio.new_event_loop()  # one for all: making one takes longer than most answers
        weakref.finalize(self, self._loop.close)
        self._zip = pack(read_folder(RECORDED / "browsergym" / "run"))

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
        status, answer = self._loop.run_until_complete(_ask(self._server.app, path, kind, base64.b64decode(body)))
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
        "serve", "agent", "collect", "agents", "game", "speed", "--install", "--show", "push", "noise", "--workers",
        "--engine",
    )  # fmt: skip

    def __init__(self) -> None:
        from typer.main import get_command

        from viscritic.cli import app
        from viscritic.runtime.bundle import Bundle, find_bundle
        from viscritic.runtime.golden import replay_golden
        from viscritic.runtime.graphs import Graphs

        self._command = get_command(app)  # a start of the console script makes it once, in a twentieth of a second
        shipped = find_bundle(None)
        opened = functools.cache(Bundle)
        self._once = {
            "bundle.Bundle": lambda source: opened(source) if source == shipped else Bundle(source),
            "graphs.Graphs": functools.cache(Graphs),
            "golden.replay_golden": functools.cache(replay_golden),
        }
        self._once["critic.Bundle"], self._once["critic.Graphs"] = (
            self._once[name] for name in ("bundle.Bundle", "graphs.Graphs")
        )
        self._home, self._place = (Path(tempfile.mkdtemp(prefix="viscritic-fuzz-")) for _ in range(2))
        for folder in (self._home, self._place):
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        shutil.copytree(RECORDED / "browsergym" / "run", self._home / "run")
        for name in ("pre.png", "post.png"):
            Image.new("RGB", (48, 32), "white").save(self._home / name)
        self._clean: set[tuple[str, int, int]] = set()

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
        """As the console script would, in a folder of its own; what takes long is opened once for all."""
        words = json.loads(data)
        if any(word.startswith(self._FORBIDDEN) for word in words):
            return
        if self._list_files() != self._clean:
            shutil.rmtree(self._place)
            shutil.copytree(self._home, self._place)
            self._clean = self._list_files()
        with self._watched() as errors:
            code = self._run(words)
        assert code in (0, 1, 2, 3), code
        if code == 2:
            told = errors.buffer.getvalue().decode(errors="replace").strip()
            assert told, "exit code 2 without a word"
            raise VisCriticError(told)

    def _run(self, words: list[str]) -> Any:
        """The exit code. An error that the console script would not tell of in one line comes out as it is."""
        from viscritic.cli.ending import bad_input_told

        try:
            with bad_input_told():
                self._command.main(words, prog_name="viscritic")
        except SystemExit as end:
            return end.code or 0
        raise AssertionError("a command that does not end")

    @contextmanager
    def _watched(self) -> Iterator[Any]:
        """In the folder, with streams of its own; what is written to standard error."""
        out, errors, none = (io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace") for _ in range(3))
        with ExitStack() as stack:
            for name, opened in self._once.items():
                stack.enter_context(patch(f"viscritic.runtime.{name}", opened))
            stack.enter_context(patch.dict(os.environ, {"HOME": str(self._place)}))
            stack.enter_context(patch.object(sys, "stdin", none))
            for context in (redirect_stdout(out), redirect_stderr(errors), chdir(self._place)):
                stack.enter_context(context)
            yield errors
            errors.flush()

    def _list_files(self) -> set[tuple[str, int, int]]:
        """Path, size and time of change of every file of the folder."""
        found = [(path, path.lstat()) for path in self._place.rglob("*")]
        return {(str(path), stat.st_size, stat.st_mtime_ns) for path, stat in found}


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
