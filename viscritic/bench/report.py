"""The tables: success by agent and verifier with intervals, harm, and how much of the way to the truth is gone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from viscritic.bench.episode import Row

_DRAWS: Final = 2000


@dataclass(frozen=True, slots=True)
class Summary:
    """One agent under one verifier.

    Attributes:
        success: share of episodes won.
        low, high: its 95 % interval; task types are resampled, not episodes, since a type's seeds are alike.
        steps, seconds: means of an episode.
        harm: share of episodes lost that the agent alone wins.
        gain: share of episodes won that the agent alone loses.
        closed: share of the gap between no verifier and the truth that is closed; None where there is no gap.
    """

    agent: str
    verifier: str
    episodes: int
    success: float
    low: float
    high: float
    steps: float
    seconds: float
    harm: float
    gain: float
    closed: float | None


def summarise(rows: Sequence[Row], seed: int = 0) -> list[Summary]:
    """A summary for each agent and verifier, in the order of the rows."""
    won = {(row.agent, row.verifier, row.task, row.seed): row.won for row in rows}
    means = {
        pair: float(np.mean([row.won for row in rows if (row.agent, row.verifier) == pair]))
        for pair in dict.fromkeys((row.agent, row.verifier) for row in rows)
    }
    summaries = []
    for (agent, verifier), mean in means.items():
        mine = [row for row in rows if (row.agent, row.verifier) == (agent, verifier)]
        alone = [won.get((agent, "none", row.task, row.seed)) for row in mine]
        low, high = _interval(mine, seed)
        bare, truth = means.get((agent, "none")), means.get((agent, "truth"))
        gap = truth - bare if truth is not None and bare is not None else 0.0
        summaries.append(
            Summary(
                agent, verifier, len(mine), mean, low, high,
                float(np.mean([row.steps for row in mine])), float(np.mean([row.seconds for row in mine])),
                float(np.mean([a is True and not row.won for a, row in zip(alone, mine, strict=True)])),
                float(np.mean([a is False and row.won for a, row in zip(alone, mine, strict=True)])),
                (mean - bare) / gap if bare is not None and gap > 0 else None,
            )
        )  # fmt: skip
    return summaries


def write_table(summaries: Sequence[Summary]) -> str:
    """The summaries in Markdown."""
    lines = [
        "| agent | verifier | success | steps | seconds | harm | gain | gap closed |",
        "|---|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    for s in summaries:
        closed = "-" if s.closed is None else f"{100 * s.closed:.0f} %"
        lines.append(
            f"| {s.agent} | {s.verifier} | {s.success:.3f} [{s.low:.2f}, {s.high:.2f}] | {s.steps:.1f} | "
            f"{s.seconds:.1f} | {100 * s.harm:.1f} % | {100 * s.gain:.1f} % | {closed} |"
        )
    episodes = max((s.episodes for s in summaries), default=0)
    return "\n".join([*lines, "", f"{episodes} episodes a row; 95 % intervals resample task types."]) + "\n"


def _interval(rows: Sequence[Row], seed: int) -> tuple[float, float]:
    tasks = list(dict.fromkeys(row.task for row in rows))
    won = [np.array([row.won for row in rows if row.task == task], float) for task in tasks]
    sums, counts = np.array([w.sum() for w in won]), np.array([len(w) for w in won])
    drawn = np.random.default_rng(seed).integers(0, len(tasks), (_DRAWS, len(tasks)))
    low, high = np.quantile(sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1), (0.025, 0.975))
    return float(low), float(high)
