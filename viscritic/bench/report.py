"""The tables and the picture: success by agent and verifier, harm, and how much of the way to the truth is gone."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from viscritic.bench.config import AGENTS, VERIFIERS
from viscritic.bench.episode import Row
from viscritic.errors import MissingExtraError

_DRAWS: Final = 2000
_COMPARED: Final = ("none", "retry", "pixels", "ssim")  # with the critic
_LABELS: Final = {
    "none": "no verifier", "before": "critic, before the act", "retry": "blind retry", "pixels": "pixel difference",
    "ssim": "SSIM", "critic": "critic", "truth": "true outcome",
}  # fmt: skip
_COLOURS: Final = {
    "none": "#b8bec9", "before": "#d9b25f", "retry": "#c98f8f", "pixels": "#8fb0c9", "ssim": "#6f94b0",
    "critic": "#2f6f4f", "truth": "#444b57",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Summary:
    """One agent under one verifier.

    Attributes:
        success: share of episodes won.
        low, high: its 95 % interval; tasks are resampled, not episodes, since a task's seeds are alike.
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


@dataclass(frozen=True, slots=True)
class Difference:
    """Success of one verifier less that of another, on the same episodes, with its 95 % interval over tasks."""

    agent: str
    group: str
    verifier: str
    other: str
    episodes: int
    mean: float
    low: float
    high: float


def summarise(rows: Sequence[Row], seed: int = 0) -> list[Summary]:
    """A summary for each agent and verifier that has rows."""
    won = {row.key: row.won for row in rows}
    pairs = [(a, v) for a in AGENTS for v in VERIFIERS if any((row.agent, row.verifier) == (a, v) for row in rows)]
    means = {pair: float(np.mean([row.won for row in rows if (row.agent, row.verifier) == pair])) for pair in pairs}
    summaries = []
    for (agent, verifier), mean in means.items():
        mine = [row for row in rows if (row.agent, row.verifier) == (agent, verifier)]
        alone = [won.get((agent, "none", row.task, row.seed)) for row in mine]
        low, high = _interval([row.task for row in mine], [float(row.won) for row in mine], seed)
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


def compare(rows: Sequence[Row], verifier: str = "critic", seed: int = 0) -> list[Difference]:
    """The verifier against each of the others, by agent, on all tasks ("all") and by group of tasks."""
    won = {row.key: float(row.won) for row in rows}
    found = []
    for agent in AGENTS:
        for group in ("all", *sorted({row.group for row in rows})):
            mine = [
                row for row in rows
                if (row.agent, row.verifier) == (agent, verifier) and group in ("all", row.group)
            ]  # fmt: skip
            for other in _COMPARED:
                both = [row for row in mine if (agent, other, row.task, row.seed) in won]
                if not both:
                    continue
                less = [won[row.key] - won[agent, other, row.task, row.seed] for row in both]
                low, high = _interval([row.task for row in both], less, seed)
                found.append(Difference(agent, group, verifier, other, len(both), float(np.mean(less)), low, high))
    return found


def write_table(summaries: Sequence[Summary]) -> str:
    """The summaries in Markdown."""
    lines = [
        "| agent | verifier | success | steps | seconds | harm | gain | gap closed |",
        "|---|---|---|---|---|---|---|---|",
    ]  # fmt: skip
    for s in summaries:
        closed = "-" if s.closed is None else f"{100 * s.closed:.0f} %"
        lines.append(
            f"| {s.agent} | {_LABELS[s.verifier]} | {s.success:.3f} [{s.low:.2f}, {s.high:.2f}] | {s.steps:.1f} | "
            f"{s.seconds:.1f} | {100 * s.harm:.1f} % | {100 * s.gain:.1f} % | {closed} |"
        )
    episodes = max((s.episodes for s in summaries), default=0)
    return "\n".join([*lines, "", f"Up to {episodes} episodes a row; 95 % intervals resample tasks."]) + "\n"


def write_differences(differences: Sequence[Difference]) -> str:
    """The differences in Markdown."""
    lines = ["| agent | tasks | critic less | difference of success | episodes |", "|---|---|---|---|---|"]
    lines += [
        f"| {d.agent} | {d.group} | {_LABELS[d.other]} | {d.mean:+.3f} [{d.low:+.2f}, {d.high:+.2f}] | {d.episodes} |"
        for d in differences
    ]
    return "\n".join(lines) + "\n"


def write_report(rows: Sequence[Row], picture: str, command: str) -> str:
    """All of it as a page in Markdown.

    Args:
        picture: the name of the picture's file, beside the page.
        command: what made the rows.
    """
    tasks, seeds = {row.task for row in rows}, {row.seed for row in rows}
    return (
        f"# Agents with and without a verifier\n\n{len(tasks)} tasks, {len(seeds)} seeds each; made by\n\n"
        f"```\n{command}\n```\n\n![Success by agent and verifier]({picture})\n\n{write_table(summarise(rows))}\n"
        "Harm: episodes lost that the bare agent wins. Gap closed: of the way from no verifier to the true outcome.\n\n"
        f"## The critic against the others, on the same episodes\n\n{write_differences(compare(rows))}"
    )


def draw_picture(summaries: Sequence[Summary]) -> bytes:
    """Bars with intervals, as a PNG.

    Raises:
        MissingExtraError: Matplotlib is not installed.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 - an extra
        from matplotlib.figure import Figure  # noqa: PLC0415
    except ImportError as error:
        raise MissingExtraError("The picture", "train", "matplotlib") from error
    agents = list(dict.fromkeys(s.agent for s in summaries))
    verifiers = [v for v in VERIFIERS if any(s.verifier == v for s in summaries)]
    figure = Figure(figsize=(2 + 2.4 * len(agents), 3.6), dpi=140, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    width = 0.84 / len(verifiers)
    for i, verifier in enumerate(verifiers):
        mine = [s for s in summaries if s.verifier == verifier]
        places = [agents.index(s.agent) + (i - (len(verifiers) - 1) / 2) * width for s in mine]
        reach = [[s.success - s.low for s in mine], [s.high - s.success for s in mine]]
        axes.bar(places, [s.success for s in mine], 0.92 * width, color=_COLOURS[verifier], label=_LABELS[verifier])
        axes.errorbar(places, [s.success for s in mine], reach, fmt="none", ecolor="#333333", elinewidth=0.8)
    axes.set_xticks(range(len(agents)), agents)
    axes.set_ylim(0, 1)
    axes.set_ylabel("success")
    axes.spines[["top", "right"]].set_visible(False)
    figure.legend(loc="outside right upper", frameon=False, fontsize=8)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", metadata={"Software": ""})
    return buffer.getvalue()


def _interval(tasks: Sequence[str], values: Sequence[float], seed: int) -> tuple[float, float]:
    """The 95 % interval of the mean, tasks resampled."""
    names = list(dict.fromkeys(tasks))
    of: dict[str, list[float]] = {name: [] for name in names}
    for task, value in zip(tasks, values, strict=True):
        of[task].append(value)
    sums, counts = (np.array([f(of[name]) for name in names], float) for f in (sum, len))
    drawn: npt.NDArray[np.int64] = np.random.default_rng(seed).integers(0, len(names), (_DRAWS, len(names)))
    low, high = np.quantile(sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1), (0.025, 0.975))
    return float(low), float(high)
