"""Servers on free ports of this machine only: for static pages, for failures, and an application's own process."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final, Protocol, Self

from data_prep.collect.processes import descendants, end_tree
from viscritic.errors import DataError

_STARTS: Final = 3  # tries: another program may take the port first
_PATIENCE: Final = 60.0  # seconds that a server may take to answer for the first time


class Server(Protocol):
    """Something that answers at `url` until it is closed."""

    url: str

    def close(self) -> None:
        """Stop serving; also more than once."""


class ProcessServer:
    """An application's own server: a process that listens at a free port of 127.0.0.1 until it is closed.

    Args:
        command: the command line, given the port.
        folder: its own: it runs there, prints into `server.log` there, and `close` removes it.
        environment: variables beside those of this process.
        path: what is asked until it answers.

    Raises:
        DataError: it ends at once, or does not answer; the message has its last words.
    """

    def __init__(
        self, command: Callable[[int], Sequence[str]], folder: Path, environment: Mapping[str, str], path: str = "/"
    ) -> None:
        self._folder, self._log = folder, folder / "server.log"
        for tried in range(1, _STARTS + 1):
            port = _free_port()
            self.url = f"http://127.0.0.1:{port}"
            with self._log.open("wb") as log:
                self._process = subprocess.Popen(
                    command(port), cwd=folder, env=os.environ | environment,
                    stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
                )  # fmt: skip
            try:
                self._wait(port, path)
            except DataError:
                self._end()
                if tried == _STARTS:
                    self.close()
                    raise
            else:
                return

    def _wait(self, port: int, path: str) -> None:
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline and self._process.poll() is None:
            with suppress(OSError, HTTPException):
                connection = HTTPConnection("127.0.0.1", port, timeout=_PATIENCE)
                try:
                    connection.request("GET", path)
                    connection.getresponse().read()
                finally:
                    connection.close()
                return
            time.sleep(0.1)
        words = self._log.read_text("utf-8", "replace").strip()[-500:]
        raise DataError(f"the server in {self._folder} does not answer: {words}")

    def pause(self) -> None:
        """Let it hang: connections are taken, and nothing is answered."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let it go on and answer what came meanwhile."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: int) -> None:
        for pid in (self._process.pid, *descendants(self._process.pid)):
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def close(self) -> None:
        """End the process with all that it started, and remove its folder."""
        self._end()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _end(self) -> None:
        if self._process.poll() is None:
            end_tree(self._process.pid)
        self._process.wait()


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


class StaticServer:
    """Serves a folder at `url` until it is closed. Use it as a context manager, or call `close`.

    Args:
        folder: the root.
        moved: end of a path -> the path that is served in its place, for pages that name their files wrongly.
    """

    def __init__(self, folder: Path, moved: Mapping[str, str] | None = None) -> None:
        self._server = ThreadingHTTPServer(
            ("127.0.0.1", 0), partial(_Handler, directory=str(folder), moved=dict(moved or {}))
        )
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _Handler(SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def __init__(self, *args: Any, moved: Mapping[str, str], **kwargs: Any) -> None:
        self._moved = moved
        super().__init__(*args, **kwargs)  # it answers in here

    def translate_path(self, path: str) -> str:
        """The file of a path; of a page also without its ending, as many servers do."""
        clean = path.partition("?")[0].partition("#")[0]
        file = super().translate_path(next((to for end, to in self._moved.items() if clean.endswith(end)), clean))
        page = f"{file}.html"
        return page if not Path(file).exists() and Path(page).is_file() else file

    def end_headers(self) -> None:
        """Keep no page: offline, a page that was seen before would still come from the browser's store."""
        if self.path.partition("?")[0].endswith((".html", "/")):
            self.send_header("Cache-Control", "no-store")
        super().end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


class FaultServer(ThreadingHTTPServer):
    """Answers in the ways that servers should not: /status/500, /slow/800 (milliseconds), /hold (until `release`)."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _FaultHandler)
        self.gate = threading.Event()
        self._thread = threading.Thread(target=self.serve_forever, daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def release(self) -> None:
        """Answer everything that is held."""
        self.gate.set()
        self.gate = threading.Event()

    def close(self) -> None:
        """Stop, and let nothing wait."""
        self.gate.set()
        self.shutdown()
        self.server_close()
        self._thread.join()

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: pages go away while they wait."""


class _FaultHandler(BaseHTTPRequestHandler):
    server: FaultServer

    def do_GET(self) -> None:
        kind, _, value = self.path.strip("/").partition("/")
        if kind == "slow":
            time.sleep(int(value) / 1000)
        elif kind == "hold":
            self.server.gate.wait(30)
        body = b"{}"
        self.send_response(int(value) if kind == "status" else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""
