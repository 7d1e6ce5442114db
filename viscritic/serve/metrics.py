"""Counters for Prometheus: one set a server, nothing global."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Gauge, Histogram, Info, generate_latest

import viscritic

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST
_SECONDS: Final = (0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 1.5, 2, 3, 5, 10, 30)


class Metrics:
    """What a server counts."""

    def __init__(self, model: str) -> None:
        self.registry = CollectorRegistry()
        info = Info("viscritic", "Version and model.", registry=self.registry)
        info.info({"version": viscritic.__version__, "model": model})
        self._requests = Counter(
            "viscritic_requests", "Requests that were answered.", ("route", "status"), registry=self.registry
        )
        self._request_seconds = Histogram(
            "viscritic_request_seconds", "Time from a request to its answer.", ("route",), registry=self.registry,
            buckets=_SECONDS,
        )  # fmt: skip
        self._verdicts = Counter("viscritic_verdicts", "Verdicts by state.", ("state",), registry=self.registry)
        self._judging = Histogram(
            "viscritic_judging_seconds", "Time to decode and judge one transition.", registry=self.registry,
            buckets=_SECONDS,
        )  # fmt: skip

    def watch_queue(self, size: Callable[[], float]) -> None:
        """Tell the length of the queue whenever it is asked for."""
        gauge = Gauge("viscritic_queue_transitions", "Transitions that wait or are judged.", registry=self.registry)
        gauge.set_function(size)

    def answered(self, route: str, status: int, seconds: float) -> None:
        """Count an answered request."""
        self._requests.labels(route, str(status)).inc()
        self._request_seconds.labels(route).observe(seconds)

    def judged(self, state: str, seconds: float) -> None:
        """Count a verdict."""
        self._verdicts.labels(state).inc()
        self._judging.observe(seconds)

    def text(self) -> bytes:
        """The exposition that Prometheus reads."""
        return generate_latest(self.registry)
