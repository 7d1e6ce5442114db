"""Servers to ask: with the shipped critic, or with one of known opinions."""

from __future__ import annotations

import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn
from audit_runs import StubCritic

from viscritic import Critic
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


@pytest.fixture
def start() -> Iterator[Callable[..., Started]]:
    """Start a server with a critic and settings; it ends with the test."""
    opened = []

    def started(critic: Any = None, **settings: Any) -> Started:
        context = running(critic or StubCritic(), **settings)
        opened.append(context)
        return context.__enter__()

    yield started
    for context in opened:
        context.__exit__(None, None, None)


@pytest.fixture(scope="session")
def shipped() -> Critic:
    return Critic.load(threads=1)


@pytest.fixture(scope="session")
def real_server(shipped: Critic) -> Iterator[str]:
    """The URL of a server with the shipped critic."""
    with running(shipped) as (url, _):
        yield url


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """A real Chromium."""
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("needs a Chromium: apt-get install chromium fonts-liberation fonts-dejavu")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield opened
        opened.close()
