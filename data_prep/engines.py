"""Where work on one piece after the other is done: in this process, in several, or all over a Ray cluster.

Every engine maps a function over pieces and gives the results in the order of the pieces, so that it changes nothing
but the time. Only as many pieces are in the air as keep the workers busy.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import pickle
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from multiprocessing.connection import wait
from typing import Any, Final, Literal, Protocol, TypeVar

from viscritic.errors import ConfigError, MissingExtraError, VisCriticError

J = TypeVar("J")
R = TypeVar("R")
_PART: Final = 16  # pieces that go to the cluster together, for each worker


class Run(Protocol):
    """Maps a function, which must be picklable, over pieces; yields each piece with its result, in their order."""

    def __call__(self, function: Callable[[J], R], pieces: Iterable[J], /) -> Iterator[tuple[J, R]]:
        """The results; an error of the function is raised here."""


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """Where the work is done.

    Attributes:
        engine: "local" for this machine, "ray" for a Ray cluster.
        workers: processes, or of Ray, the processors that a cluster started here gets; 1 and local is this process.
        address: of a running Ray cluster; "" starts one here.
    """

    engine: Literal["local", "ray"] = "local"
    workers: int = 1
    address: str = ""

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise ConfigError(f"workers must be at least 1, got {self.workers}")
        if self.address and self.engine != "ray":
            raise ConfigError(f"the address {self.address} is for the engine ray, not {self.engine}")

    @property
    def here(self) -> bool:
        """The work is done in this process."""
        return self.engine == "local" and self.workers == 1


def open_engine(config: EngineConfig) -> AbstractContextManager[Run]:
    """Start the workers; they end with the block.

    Raises:
        MissingExtraError: Ray is not installed.
        ConfigError: no Ray cluster at the address.
    """
    if config.engine == "ray":
        return _open_ray(config)
    return _open_here() if config.workers == 1 else _open_processes(config.workers)


@contextmanager
def _open_here() -> Iterator[Run]:
    def run(function: Callable[[J], R], pieces: Iterable[J], /) -> Iterator[tuple[J, R]]:
        return ((piece, function(piece)) for piece in pieces)

    yield run


@contextmanager
def _open_processes(workers: int) -> Iterator[Run]:
    # spawn: a fork of a process with threads can hang
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _end_with_parent) as pool:

        def run(function: Callable[[J], R], pieces: Iterable[J], /) -> Iterator[tuple[J, R]]:
            waiting: deque[tuple[J, Future[R]]] = deque()
            try:
                for piece in pieces:
                    waiting.append((piece, pool.submit(function, piece)))
                    if len(waiting) > 2 * workers:
                        first, future = waiting.popleft()
                        yield first, future.result()
                for first, future in waiting:
                    yield first, future.result()
            except BrokenProcessPool as error:
                raise ChildProcessError(
                    "a worker process was ended from outside (out of memory?): start again, with fewer --workers if it"
                    " happens again; what a build or a score has done is kept"
                ) from error
            finally:
                for _, future in waiting:  # after an error
                    future.cancel()

        yield run


def _end_with_parent() -> None:
    """Let a worker end when whoever started it was killed; it would wait for work for ever."""
    parent = multiprocessing.parent_process()
    assert parent is not None

    def watch(sentinel: int) -> None:
        wait([sentinel])
        os._exit(1)

    threading.Thread(target=watch, args=(parent.sentinel,), daemon=True).start()


@contextmanager
def _open_ray(config: EngineConfig) -> Iterator[Run]:
    try:
        import ray  # noqa: PLC0415  # an extra
        import ray.data  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError("the engine ray", "ray", "ray") from error
    started = not ray.is_initialized()
    if started:
        alone = {"num_cpus": config.workers, "include_dashboard": False}
        where = {"address": config.address} if config.address else alone
        try:
            ray.init(**where, logging_level=logging.ERROR, log_to_driver=False)
        except Exception as error:  # Ray raises it as such where a cluster does not start in time
            raise ConfigError(
                f"no Ray cluster could be reached at {config.address or 'this machine'}: {error}"
            ) from error
    context = ray.data.DataContext.get_current()
    context.execution_options.preserve_order = True
    context.enable_progress_bars = False

    def run(function: Callable[[J], R], pieces: Iterable[J], /) -> Iterator[tuple[J, R]]:
        workers = max(int(ray.cluster_resources().get("CPU", 1)), 1)
        call = _Call(function)
        for part in _parts(pieces, _PART * workers):
            rows = [{"piece": pickle.dumps(piece)} for piece in part]
            results = ray.data.from_items(rows, override_num_blocks=min(len(rows), 4 * workers)).map(call)
            for piece, row in zip(part, results.iter_rows(), strict=True):
                result, error = pickle.loads(row["result"])  # what our own workers wrote
                if error is not None:
                    raise error
                yield piece, result

    try:
        yield run
    finally:
        if started:
            ray.shutdown()


@dataclass(frozen=True, slots=True)
class _Call:
    """A function on pickled pieces, as a row of Ray Data holds them."""

    function: Callable[[Any], Any]

    def __call__(self, row: dict[str, bytes]) -> dict[str, bytes]:
        try:
            return {"result": pickle.dumps((self.function(pickle.loads(row["piece"])), None))}
        except VisCriticError as error:  # as a result: Ray would wrap it
            return {"result": pickle.dumps((None, error))}


def _parts(pieces: Iterable[J], size: int) -> Iterator[list[J]]:
    part: list[J] = []
    for piece in pieces:
        part.append(piece)
        if len(part) == size:
            yield part
            part = []
    if part:
        yield part
