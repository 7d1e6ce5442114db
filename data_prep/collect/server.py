"""A small server for static applications, on a free port of this machine only."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self


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
