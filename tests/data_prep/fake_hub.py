"""A Hugging Face hub on this machine, as far as pushing a data set needs one: it keeps what is committed to it."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class FakeHub(ThreadingHTTPServer):
    """Holds `files`, by path, of the one repository that it may have."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.address = f"http://127.0.0.1:{self.server_port}"
        self.repository = ""
        self.private = False
        self.files: dict[str, bytes] = {}
        self.large: dict[str, bytes] = {}  # by hash, before they are committed
        self.tokens: set[str] = set()


class _Handler(BaseHTTPRequestHandler):
    server: FakeHub

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path.startswith("/api/datasets/"):
            self._info(path.removeprefix("/api/datasets/"))
        elif "/resolve/" in path and (name := path.partition("/resolve/main/")[2]) in self.server.files:
            self._answer(self.server.files[name])
        else:
            self._missing("EntryNotFound")

    def do_HEAD(self) -> None:
        self.do_GET()

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.tokens.add(self.headers.get("Authorization", ""))
        if self.path == "/api/repos/create":
            made = json.loads(body)
            self.server.repository = f"{made['organization']}/{made['name']}"
            self.server.private = made.get("private") or made.get("visibility") == "private"
            self._json({"url": f"{self.server.address}/datasets/{self.server.repository}"})
        elif self.path == "/api/validate-yaml":
            self._json({"errors": [], "warnings": []})
        elif "/preupload/" in self.path:
            files = [
                (f["path"], "lfs" if f["path"].endswith(".parquet") else "regular") for f in json.loads(body)["files"]
            ]
            told = {"shouldIgnore": False, "oid": None}
            self._json({"files": [{"path": path, "uploadMode": mode, **told} for path, mode in files]})
        elif self.path.endswith("/info/lfs/objects/batch"):
            objects = json.loads(body)["objects"]
            for found in objects:
                found["actions"] = {"upload": {"href": f"{self.server.address}/lfs/{found['oid']}"}}
            self._json({"transfer": "basic", "objects": objects})
        elif "/commit/" in self.path:
            for line in map(json.loads, body.splitlines()):
                value = line["value"]
                if line["key"] == "file":
                    self.server.files[value["path"]] = base64.b64decode(value["content"])
                elif line["key"] == "lfsFile":
                    self.server.files[value["path"]] = self.server.large[value["oid"]]
            where = f"{self.server.address}/datasets/{self.server.repository}"
            self._json({"commitUrl": f"{where}/commit/{'0' * 40}", "commitOid": "0" * 40})
        else:
            self._missing("EntryNotFound")

    def do_PUT(self) -> None:
        data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.large[self.path.removeprefix("/lfs/")] = data
        self._answer(b"")

    def _file(self, path: str) -> dict[str, object]:
        return {"type": "file", "path": path, "size": len(self.server.files[path]), "oid": "0" * 40}

    def _info(self, rest: str) -> None:
        name = "/".join(rest.split("/")[:2])
        if name != self.server.repository:
            self._missing("RepoNotFound")
        elif "/tree/" in rest:
            folder = "/".join(rest.partition("/tree/")[2].split("/")[1:])
            inside = [self._file(path) for path in self.server.files if path.startswith(folder)]
            self._json(inside) if inside or not folder else self._missing("EntryNotFound")
        else:
            siblings = [{"rfilename": path} for path in self.server.files]
            self._json({"id": name, "sha": "0" * 40, "siblings": siblings, "private": False, "tags": []})

    def _json(self, value: object) -> None:
        self._answer(json.dumps(value).encode(), "application/json")

    def _missing(self, code: str) -> None:
        self._answer(b'{"error": "not here"}', "application/json", 404, {"X-Error-Code": code})

    def _answer(self, data: bytes, kind: str = "text/plain", status: int = 200, headers: dict[str, str] = {}) -> None:  # noqa: B006
        self.send_response(status)
        for name, value in {**headers, "Content-Type": kind, "Content-Length": str(len(data))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


@contextmanager
def running_hub() -> Iterator[FakeHub]:
    with FakeHub() as hub:
        threading.Thread(target=hub.serve_forever, daemon=True).start()
        try:
            yield hub
        finally:
            hub.shutdown()
