"""The process: opens the port, ends without dropping what it accepted."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

import uvicorn

from viscritic.errors import ConfigError
from viscritic.runtime import Critic
from viscritic.serve.app import Server
from viscritic.serve.config import ServeConfig
from viscritic.serve.guard import LOG

_LOOK_SECONDS: Final = 0.1  # between looks at whether anything is left to judge


class _Uvicorn(uvicorn.Server):
    """Uvicorn that says when it stops."""

    def __init__(self, config: uvicorn.Config, server: Server) -> None:
        super().__init__(config)
        self._server = server

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take the signals, and leave it at that: uvicorn's own would raise them again once all is answered."""
        for sig in (signal.SIGINT, signal.SIGTERM):
            signal.signal(sig, self.handle_exit)
        yield

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """On SIGINT or SIGTERM: no longer ready. Uvicorn then closes the port and waits for what is being answered."""
        self._server.stopping = True
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close the port, wait for what is being judged however long it takes, then do as uvicorn does.

        Its own limit of time would cut off requests that a busy machine has not come to. What is accepted is limited by
        number, so that this ends; a second Ctrl+C ends it at once.
        """
        for listening in (*self.servers, *(sockets or ())):
            listening.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()  # answers what it was asked, and takes no further request
        while self._server.working and not self.force_exit:
            await asyncio.sleep(_LOOK_SECONDS)
        await super().shutdown(sockets)


def serve(config: ServeConfig, bundle: str | None, tell: Callable[[str], None]) -> None:
    """Serve until SIGINT or SIGTERM, then finish what was accepted and return.

    Args:
        bundle: as `Critic.load` takes it.
        tell: called with the server's address once the port is open.

    Raises:
        ConfigError: the address cannot be listened on.
        BundleError: there is no such bundle.
    """
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s", level=logging.WARNING)
    LOG.setLevel(logging.INFO)
    listening = _listen(config)
    with listening:
        threads = max(1, (os.cpu_count() or 1) // config.workers)
        server = Server(Critic.load(bundle, threads=threads), config)
        host = f"[{config.host}]" if ":" in config.host else config.host
        tell(f"http://{host}:{listening.getsockname()[1]}")
        settings = uvicorn.Config(
            server.app, log_level="warning", access_log=False, server_header=False, lifespan="off",
            timeout_graceful_shutdown=round(config.grace_seconds), limit_concurrency=None,
        )  # fmt: skip
        try:
            _Uvicorn(settings, server).run([listening])
        finally:
            server.close()


def _listen(config: ServeConfig) -> socket.socket:
    """The open port: taken before the bundle is loaded, so that a taken one is told of at once."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    listening = socket.socket(family)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((config.host, config.port))
        listening.listen(128)
    except OSError as error:
        listening.close()
        raise ConfigError(f"{config.host}:{config.port} cannot be listened on: {error.strerror or error}") from error
    return listening
