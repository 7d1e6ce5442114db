"""The most confident mistakes of a system as a picture: often the label is wrong, and only eyes can tell."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from matplotlib.figure import Figure

from viscritic.actions import Size, describe_batch
from viscritic.evaluate.measures import Bools, Floats
from viscritic.evaluate.pair_features import target_point
from viscritic.evaluate.plots import legible, to_png
from viscritic.sample import Sample
from viscritic.sample_folder import SampleFolder
from viscritic.screen import load_screen

_SHOWN: Final = 6
_LINE: Final = 110  # characters of a caption's line


def worst_mistakes(labels: Bools, scores: Floats, threshold: float, count: int = _SHOWN) -> list[int]:
    """Rows of the wrong decisions whose score lies farthest from the threshold, the worst first; at most `count`."""
    wrong = np.flatnonzero((scores >= threshold) != labels)
    order = np.argsort(-np.abs(scores[wrong] - threshold), kind="stable")
    return [int(row) for row in wrong[order][:count]]


def plot_mistakes(shown: Sequence[tuple[Sample, float]], folder: SampleFolder, name: str, threshold: float) -> bytes:
    """PNG of each sample's two screens with the action's point, its label and what was predicted.

    Args:
        shown: samples with their predicted probability of success.

    Raises:
        ScreenError: if a screen cannot be read.
    """
    figure = Figure(figsize=(10, 0.6 + 4.3 * len(shown)), layout="constrained")
    figure.suptitle(f"Most confident mistakes of {legible(name)} at threshold {threshold:.3g}")
    rows = figure.subfigures(len(shown), 1, squeeze=False)[:, 0]
    for row, (sample, score) in zip(rows, shown, strict=True):
        before, after = row.subplots(1, 2)
        pre = load_screen(folder.screen_path(sample.pre), name=f"pre of sample {sample.id}")
        row.suptitle(_caption(sample, score, (pre.shape[1], pre.shape[0])), fontsize=8, x=0.02, ha="left")
        _show(before, pre, "before")
        _show(after, load_screen(folder.screen_path(sample.post), name=f"post of sample {sample.id}"), "after")
        if point := target_point(sample, pre):
            # White under vermilion is seen on any background.
            before.plot(*point, marker="o", ms=16, mfc="none", mec="white", mew=4)
            before.plot(*point, marker="o", ms=16, mfc="none", mec="#D55E00", mew=2)
    return to_png(figure)


def _caption(sample: Sample, score: float, size: Size) -> str:
    label = "success" if sample.success >= 0.5 else f"failure ({sample.outcome or 'outcome unknown'})"
    lines = [
        f"label: {label}, cause: {sample.cause}; predicted probability of success: {score:.3f}",
        f"action: {describe_batch(sample.action, size)}",
        f"instruction: {sample.instruction or '(none)'}",
        f"{sample.app}, sample {sample.id}",
    ]
    return "\n".join(legible(textwrap.shorten(line, _LINE, placeholder=" ...")) for line in lines)


def _show(axes: Any, screen: Any, title: str) -> None:
    axes.imshow(screen)
    axes.set_title(title, fontsize=8)
    axes.set_axis_off()
