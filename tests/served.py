"""A server in a thread of the tests."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from viscritic.serve.app import Server
from viscritic.serve.config import ServeConfig

Started = tuple[str, Server]


@contextmanager
def running(critic: Any, **settings: Any) -> Iterator[Started]:
    """The URL of a server on this machine, and the server; it has ended when the block ends."""
    server = Server(critic, ServeConfig(port=0, **settings))
    with socket.create_server(("127.0.0.1", 0)) as listening:
        uvicorn_server = uvicorn.Server(uvicorn.Config(server.app, log_level="error", access_log=False, lifespan="off"))
        thread = threading.Thread(target=uvicorn_server.run, args=([listening],))
        thread.start()
        while not uvicorn_server.started:
            time.sleep(0.01)
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}", server
        finally:
            uvicorn_server.should_exit = True
            thread.join()
            server.close()
