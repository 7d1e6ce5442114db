"""Whole trajectories that come as a zip: one at a time, since each takes minutes."""

from __future__ import annotations

import asyncio
import re
import shutil
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from starlette.requests import ClientDisconnect, Request

from viscritic.audit import Auditor
from viscritic.audit.archive import unpacked
from viscritic.audit.document import describe_audit
from viscritic.audit.pictures import Pictures
from viscritic.audit.source import read_trajectories
from viscritic.errors import DataError
from viscritic.runtime import Critic
from viscritic.serve.config import ServeConfig
from viscritic.serve.pool import BusyError

_BUSY_SECONDS: Final = 15  # a client is asked to wait before it tries again
_UNSAFE: Final = re.compile(r"[^\w-]")  # in a file's name that a client gives
_LONGEST_NAME: Final = 80
_UNPACKED_SHARE: Final = 8  # a zip may unpack to so many times its largest size


class _GoneError(Exception):
    """The client does not wait for the answer any more."""


@dataclass(frozen=True, slots=True)
class AuditQuery:
    """What an audit's request asks for besides its body.

    Attributes:
        name: what the client calls the trajectory.
        format: its layout; None finds it out.
        screens: whether the answer holds the screens, made small.
    """

    name: str
    format: str | None
    screens: bool


class Audits:
    """Audits trajectories, one at a time."""

    def __init__(self, critic: Critic, config: ServeConfig) -> None:
        self._critic, self._config = critic, config
        self._busy = False

    @property
    def busy(self) -> bool:
        """An audit is running."""
        return self._busy

    async def run(self, request: Request, query: AuditQuery) -> AsyncIterator[dict[str, Any]]:
        """First {"done", "steps"} again and again, then {"audit"} with the whole answer.

        Raises:
            BusyError: another audit is running.
            DataError: the body holds no trajectory that can be read, or too many steps.
        """
        if self._busy:
            raise BusyError("another trajectory is being audited: try again later", _BUSY_SECONDS)
        self._busy = True
        try:
            archive = await _store(request, query.name)
        except BaseException:
            self._busy = False
            raise
        gone = threading.Event()
        progress: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def tell(done: int, steps: int) -> None:
            if gone.is_set():
                raise _GoneError
            loop.call_soon_threadsafe(progress.put_nowait, {"done": done, "steps": steps})

        work = asyncio.ensure_future(asyncio.to_thread(self._audit, archive, query, tell))
        work.add_done_callback(self._end)
        try:
            while not work.done():
                told = asyncio.ensure_future(progress.get())
                await asyncio.wait({work, told}, return_when=asyncio.FIRST_COMPLETED)
                if told.done():
                    yield told.result()
                else:
                    told.cancel()
            yield {"audit": work.result()}
        finally:
            gone.set()  # the thread notices at its next step, and only then is there room for another audit

    def _end(self, work: asyncio.Future[dict[str, Any]]) -> None:
        self._busy = False
        if not work.cancelled():
            work.exception()  # where the client has gone nobody else asks for it

    def _audit(self, archive: Path, query: AuditQuery, tell: Callable[[int, int], None]) -> dict[str, Any]:
        with (
            _removed(archive.parent),
            unpacked(archive, most_bytes=_UNPACKED_SHARE * self._config.max_archive) as folder,
        ):
            try:
                name, trajectories = read_trajectories(folder, query.format)
            except DataError as error:  # where it lies here is none of the client's business
                message = str(error).replace(str(folder), "the zip").replace(str(archive), "the zip")
                raise DataError(message) from error
            steps = sum(len(trajectory.steps) for trajectory in trajectories)
            if steps > self._config.max_steps:
                raise DataError(f"it has {steps} steps, more than the {self._config.max_steps} of one request")
            pictures = Pictures(steps) if query.screens else None
            auditor = Auditor(self._critic, pictures, max_pixels=self._config.max_pixels)
            done = 0

            def advance() -> None:
                nonlocal done
                done += 1
                tell(done, steps)

            tell(0, steps)
            audited = [auditor.audit(trajectory, advance) for trajectory in trajectories]
            return describe_audit(audited, self._critic, name=query.name, format=name, pictures=pictures)


async def _store(request: Request, name: str) -> Path:
    """The body as a file of about that name, alone in a temporary folder."""
    folder = Path(tempfile.mkdtemp(prefix="viscritic-"))
    path = folder / f"{_UNSAFE.sub('_', name.removesuffix('.zip'))[:_LONGEST_NAME]}.zip"
    try:
        with path.open("wb") as file:
            async for chunk in request.stream():
                await asyncio.to_thread(file.write, chunk)
    except BaseException as error:
        shutil.rmtree(folder)
        if isinstance(error, ClientDisconnect):
            raise DataError("the zip ended before it was whole") from None
        raise
    return path


@contextmanager
def _removed(folder: Path) -> Iterator[None]:
    """Remove the folder in the end."""
    try:
        yield
    finally:
        shutil.rmtree(folder)
