"""The figures as JSON, the bars that they are held to, and the comparison with a former run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from viscritic.bench.speed.clock import Times
from viscritic.bench.speed.rivals import SIAMESE, SSIM, YARDSTICK
from viscritic.bench.speed.scores import FOLLOWING, MAIN
from viscritic.bench.speed.stages import Shares
from viscritic.errors import ConfigError

SLOWER: Final = 1.5  # times the recorded ratio is a regression
_FOOTPRINT: Final = {
    "import Critic, s": 0.3,
    "start to first verdict, s": 1.5,
    "peak memory, MB": 600.0,
    "runtime installed, MB": 260.0,
    "bundle, MB": 45.0,
}


@dataclass(frozen=True, slots=True)
class Bar:
    """One demand.

    Attributes:
        name: what is measured.
        value: what came out.
        limit: the most that it may be.
    """

    name: str
    value: float
    limit: float

    @property
    def met(self) -> bool:
        """Whether the value stays within the limit."""
        return self.value <= self.limit


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured; a part that was not asked for is empty.

    Attributes:
        settings: of the run: clock, threads, rounds, processor.
        scores: times of whole verdicts and of the rivals.
        stages: shares of a verdict's time by what changed.
        many: pairs a second.
        footprint: seconds and megabytes.
        curves: times by screen size and by changed share.
    """

    settings: Mapping[str, Any]
    scores: Mapping[str, Times]
    stages: Mapping[str, Shares]
    many: Mapping[str, float]
    footprint: Mapping[str, float]
    curves: Mapping[str, Mapping[str, Times]]

    def to_dict(self) -> dict[str, Any]:
        """JSON-able form."""
        stages = {
            name: asdict(s) | {"ratio": s.ratio, "ratio_reading": s.ratio_reading} for name, s in self.stages.items()
        }
        return {
            **{name: dict(getattr(self, name)) for name in ("settings", "many", "footprint")},
            "scores": {name: asdict(times) for name, times in self.scores.items()},
            "stages": stages,
            "curves": {axis: {k: asdict(t) for k, t in times.items()} for axis, times in self.curves.items()},
            "ratios": list_ratios(self.scores),
            "bars": [asdict(bar) | {"met": bar.met} for bar in list_bars(self)],
        }  # fmt: skip


def list_ratios(scores: Mapping[str, Times]) -> dict[str, float]:
    """What holds on any machine, more or less: each verdict to a matrix product of the same run.

    SSIM is no measure for that: with the same code on the same machine it takes 140 or 480 ms, by whether the memory
    that it asks for has been in use before.
    """
    if YARDSTICK not in scores:
        return {}
    return {
        f"{name} / {YARDSTICK}": t.median / scores[YARDSTICK].median
        for name, t in scores.items()
        if name not in (YARDSTICK, SSIM, SIAMESE)
    }


def list_bars(figures: Figures) -> list[Bar]:
    """Every demand of which something was measured."""
    scores, bars = figures.scores, []
    if MAIN in scores:
        main = scores[MAIN].median
        if SSIM in scores:
            bars.append(Bar("a verdict to SSIM", main / scores[SSIM].median, 1.0))
        if SIAMESE in scores:
            bars.append(Bar("a verdict to the dense Siamese", main / scores[SIAMESE].median, 0.2))
        if figures.settings["clock"] == "wall":
            bars += [Bar("a verdict, median, ms", main, 66.0), Bar("a verdict, p95, ms", scores[MAIN].p95, 100.0)]
        for name in ("3840x2160", "412x915"):
            bars.append(Bar(f"{name} to 1920x1080", scores[f"score, a dialog, {name}"].median / main, 1.5))
        bars.append(Bar("pre was the last post to cold", scores[FOLLOWING].median / main, 0.6))
        bars.append(Bar("no change to a dialog", scores["score, nothing, 1920x1080"].median / main, 1 / 3))
    if "a dialog" in figures.stages:
        shares = figures.stages["a dialog"]
        bars.append(Bar("a verdict to bare encoder, head and one pass", shares.ratio, 1.5))
        bars.append(Bar("a verdict to all four bare graphs and one pass", shares.ratio_reading, 1.5))
    bars += [
        Bar(name, figures.footprint[name], limit) for name, limit in _FOOTPRINT.items() if name in figures.footprint
    ]
    return bars


def find_regressions(ratios: Mapping[str, float], recorded: Path) -> list[str]:
    """One sentence for each ratio that grew by more than half since a former run.

    Args:
        recorded: what `--out` of a former run wrote.

    Raises:
        ConfigError: it is no such file, or has no ratio in common with these.
    """
    try:
        former = json.loads(recorded.read_text("utf-8"))["ratios"]
        pairs = {name: (ratio, float(former[name])) for name, ratio in ratios.items() if name in former}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"{recorded} is no result of a former run ({type(error).__name__}: {error})") from error
    if not pairs:
        raise ConfigError(
            f"{recorded} has no ratio in common with this run: measure the same parts with the same extras"
        )
    return [
        f"{name} is {ratio:.2f}, it was {before:.2f}"
        for name, (ratio, before) in pairs.items()
        if ratio > SLOWER * before
    ]
