"""Cost curves: latency against the screen's size and against how much of it changed."""

from __future__ import annotations

import io
from typing import Any, Final

from viscritic.bench.speed.clock import Clock, Contestant, Times, take_turns
from viscritic.bench.speed.scores import score_pair
from viscritic.bench.speed.screens import Scene
from viscritic.errors import MissingExtraError
from viscritic.runtime import Critic

_SIZES: Final = ((412, 915), (1280, 720), (1920, 1080), (2560, 1440), (3840, 2160))
_SHARES: Final = (0.0, 0.001, 0.01, 0.05, 0.2, 0.5, 1.0)  # of a 1920x1080 screen
_SHARE: Final = 0.1  # of each of the sizes


def measure_curves(bundle: str | None, threads: int, rounds: int, clock: Clock) -> dict[str, dict[str, Times]]:
    """Times by screen size ("1920x1080"), and by the share of a 1920x1080 screen that changed ("0.2")."""
    critic = Critic.load(bundle, threads=threads, cache=0)
    sizes = {f"{w}x{h}": _scoring(critic, Scene(w, h), _SHARE) for w, h in _SIZES}
    scene = Scene(1920, 1080)
    shares = {str(share): _scoring(critic, scene, share) for share in _SHARES}
    return {"size": take_turns(sizes, rounds, clock), "changed": take_turns(shares, rounds, clock)}


def draw_curves(curves: dict[str, dict[str, Times]]) -> bytes:
    """A PNG of both curves.

    Raises:
        MissingExtraError: matplotlib is not installed.
    """
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415  # of the extra `train`
    except ImportError as error:
        raise MissingExtraError("The picture", "train", "matplotlib") from error
    figure = Figure(figsize=(10, 4), layout="constrained")
    left, right = figure.subplots(1, 2)
    pixels = [_pixels(name) for name in curves["size"]]
    _draw(left, pixels, curves["size"], f"{100 * _SHARE:.0f} % of the screen changed", "megapixels of the screen")
    percent = [100 * float(name) for name in curves["changed"]]
    _draw(right, percent, curves["changed"], "1920x1080", "% of the screen that changed")
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=110)
    return buffer.getvalue()


def _draw(axes: Any, where: list[float], times: dict[str, Times], title: str, label: str) -> None:
    axes.plot(where, [t.median for t in times.values()], "o-", label="median")
    axes.plot(where, [t.p95 for t in times.values()], ":", label="95th percentile")
    axes.set(title=title, xlabel=label, ylabel="ms", ylim=(0, None))
    axes.legend()
    axes.grid(alpha=0.3)


def _pixels(size: str) -> float:
    width, height = size.split("x")
    return int(width) * int(height) / 1e6


def _scoring(critic: Critic, scene: Scene, share: float) -> Contestant:
    return lambda turn: score_pair(critic, scene.changed(share, turn), turn)
