"""How graphs are run: on which providers of onnxruntime, with how many threads, and how many of them at once."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar

import onnxruntime

from viscritic.errors import BundleError, ConfigError
from viscritic.latest import Job

T = TypeVar("T")
_CPU: Final = ("CPUExecutionProvider",)
_LANES: Final = 2  # independent runs side by side


class Runner:
    """Opens graphs and runs them. Threads may share one.

    A graph of this size gains little from a second thread, which waits more than it works. So the threads are shared
    out to two lanes first: independent runs (two screens, several lines of text) go side by side, each with half of
    the threads. The answers are the same bit for bit.

    Args:
        providers: of onnxruntime, in order of preference; none is the CPU. One that is not installed or does not start
            is an error, never replaced.
        threads: for the computation; None takes every core.

    Raises:
        ConfigError: a provider that onnxruntime does not have, or threads below 1.
    """

    def __init__(self, providers: Sequence[str] = (), threads: int | None = None) -> None:
        if threads is not None and threads < 1:
            raise ConfigError(f"threads must be 1 or more, got {threads}")
        self._providers = tuple(providers) or _CPU
        available = onnxruntime.get_available_providers()
        missing = [name for name in self._providers if name not in available]
        if missing:
            raise ConfigError(f"onnxruntime has no {', '.join(missing)} here; available: {', '.join(available)}")
        total = threads or _count_cores()
        lanes = min(_LANES, total)
        self._threads = -(-total // lanes)  # of one run
        self._pool = ThreadPoolExecutor(lanes, thread_name_prefix="viscritic-run") if lanes > 1 else None

    def open(self, graph: bytes, name: str) -> onnxruntime.InferenceSession:
        """A session of a graph.

        Args:
            graph: in ONNX.
            name: what messages call it.

        Raises:
            BundleError: the graph cannot be run.
            ConfigError: a provider does not start on this machine.
        """
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = self._threads
        options.log_severity_level = 3
        try:
            session = onnxruntime.InferenceSession(graph, options, providers=list(self._providers))
        except Exception as error:  # onnxruntime raises a dozen kinds of its own
            raise BundleError(f"{name} cannot be run ({error})") from error
        absent = [provider for provider in self._providers if provider not in session.get_providers()]
        if absent:  # onnxruntime would go on without it
            raise ConfigError(
                f"onnxruntime has {', '.join(absent)}, but it does not start on this machine (a driver or a library is "
                f"missing): repair it, or choose another provider"
            )
        return session

    def answer(self, jobs: Sequence[Job[T]]) -> list[T]:
        """The answers of jobs, in their order. What is known, or asked twice, is not computed again."""
        known = {job.key: found for job in jobs if (found := job.latest.get(job.key)) is not None}
        new = list({job.key: job for job in jobs if job.key not in known}.values())
        for job, answer in zip(new, self.map([job.compute for job in new]), strict=True):
            job.latest.put(job.key, answer)
            known[job.key] = answer
        return [known[job.key] for job in jobs]

    def map(self, jobs: Sequence[Callable[[], T]]) -> list[T]:
        """The answers of independent jobs, in their order. A job must not call `map` itself."""
        if self._pool is None or len(jobs) < 2:
            return [job() for job in jobs]
        return list(self._pool.map(lambda job: job(), jobs))


def _count_cores() -> int:
    """Cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
