"""Contestants take turns, so that whatever else the machine does meets them all."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

Clock = Literal["wall", "processor"]
CLOCKS: Final[Mapping[Clock, Callable[[], float]]] = {"wall": time.perf_counter, "processor": time.process_time}

# Prepares one round outside of the measured time; what it returns is measured.
Contestant = Callable[[int], Callable[[], object]]


@dataclass(frozen=True, slots=True)
class Times:
    """Milliseconds of one contestant.

    Attributes:
        median, p95: of its rounds.
        rounds: how many there were.
    """

    median: float
    p95: float
    rounds: int


def take_turns(contestants: Mapping[str, Contestant], rounds: int, clock: Clock) -> dict[str, Times]:
    """Measure each contestant once a round; a round before the first is not counted.

    Args:
        clock: "wall", or "processor": the time that this process computed, which other work on the machine does not
            lengthen. Threads that wait by spinning count as computing.
    """
    now = CLOCKS[clock]
    found: dict[str, list[float]] = {name: [] for name in contestants}
    for turn in range(rounds + 1):
        for name, prepare in contestants.items():
            call = prepare(turn)
            gc.collect()
            start = now()
            call()
            took = 1000 * (now() - start)
            if turn:
                found[name].append(took)
    return {name: summarise(times) for name, times in found.items()}


def summarise(times: list[float]) -> Times:
    """Median and 95th percentile of milliseconds."""
    median, p95 = np.quantile(times, (0.5, 0.95)).tolist()
    return Times(median, p95, len(times))
