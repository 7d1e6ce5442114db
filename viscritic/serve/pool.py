"""A bounded queue that feeds worker threads of one critic."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Final

from viscritic.errors import VisCriticError
from viscritic.runtime import Critic
from viscritic.serve.metrics import Metrics
from viscritic.serve.wire import TransitionBody
from viscritic.verdict import Verdict

_FIRST_GUESS: Final = 0.5  # seconds a verdict, until one was given
_SMOOTHING: Final = 0.1  # weight of the latest verdict in the mean time
_LONGEST_WAIT: Final = 60  # seconds that a client is asked to wait at most


class BusyError(VisCriticError):
    """There is no room for more; `retry_after` says in how many seconds there may be."""

    def __init__(self, message: str, retry_after: int) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class Pool:
    """Judges transitions in the order of their coming.

    Requests are not joined into one run of the graphs: with int8 weights the rounding depends on all that a run
    contains, and an answer shall not depend on what others ask at the same time. What is gained by working on several
    at once comes from the threads: while one transition is in the graphs, the next one's images are decoded.

    Args:
        critic: shared by all threads.
        workers: threads.
        queue: transitions that may wait or be judged at once.
        max_pixels: of a screen.
    """

    def __init__(self, critic: Critic, *, workers: int, queue: int, max_pixels: int, metrics: Metrics) -> None:
        self._critic, self._workers, self._queue, self._max_pixels = critic, workers, queue, max_pixels
        self._metrics = metrics
        self._threads = ThreadPoolExecutor(workers, thread_name_prefix="viscritic-judge")
        self._lock = threading.Lock()
        self._open = 0
        self._seconds = _FIRST_GUESS

    @property
    def open(self) -> int:
        """Transitions that wait or are being judged."""
        return self._open

    @property
    def full(self) -> bool:
        """Nothing more would be accepted now."""
        return self._open >= self._queue

    def submit(self, bodies: Sequence[TransitionBody]) -> list[Future[Verdict]]:
        """Accept all of the transitions, or none.

        Raises:
            BusyError: there is no room for them.
        """
        with self._lock:
            if self._open + len(bodies) > self._queue:
                raise BusyError("the server has as much to do as it takes on: try again later", self.retry_after())
            self._open += len(bodies)
        futures = [self._threads.submit(self._judge, body) for body in bodies]
        for future in futures:
            future.add_done_callback(self._finish)
        return futures

    def retry_after(self) -> int:
        """Seconds until the queue is likely to be empty."""
        return min(_LONGEST_WAIT, max(1, math.ceil(self._open * self._seconds / self._workers)))

    def close(self) -> None:
        """Finish what was accepted, then end the threads."""
        self._threads.shutdown(wait=True)

    def _judge(self, body: TransitionBody) -> Verdict:
        start = time.perf_counter()
        t = body.transition(self._max_pixels)
        verdict = self._critic.score(t.pre, t.post, t.action, t.instruction, t.task, t.burst, t.idle)
        seconds = time.perf_counter() - start
        self._seconds += _SMOOTHING * (seconds - self._seconds)
        self._metrics.judged(verdict.state, seconds)
        return verdict

    def _finish(self, _: Future[Verdict]) -> None:
        with self._lock:
            self._open -= 1
