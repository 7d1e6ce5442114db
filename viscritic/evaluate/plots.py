"""Pictures of a comparison, as PNG bytes: drawn without a display and without matplotlib's global state."""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.lines import Line2D
from sklearn.metrics import precision_recall_curve, roc_curve

from viscritic.evaluate.measures import Bools, Floats, reliability
from viscritic.evaluate.metrics import Report
from viscritic.trajectory import OUTCOMES

# Okabe and Ito's palette with grey for its yellow, told apart by colour-blind eyes; dashes and markers repeat the
# message. The counts of colours, dashes and markers share no factor, so that no pair of them comes twice soon.
_COLOURS: Final = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#808080")
_DASHES: Final[tuple[Any, ...]] = ("-", "--", "-.", (0, (1, 1)), (0, (5, 1, 1, 1, 1, 1)))
_MARKERS: Final = ("o", "s", "D", "^", "v", "P", "X", "<", "*")
_GREY: Final = "#666666"
_MOST_ROWS: Final = 25
_DPI: Final = 150


@dataclass(frozen=True, slots=True, eq=False)
class Plotted:
    """One system on the samples of a plot.

    Attributes:
        scores: (N,) predicted probability of success.
    """

    report: Report
    scores: Floats


def plot_curves(labels: Bools, systems: Mapping[str, Plotted]) -> bytes:
    """ROC and precision-recall curves of all systems; a marker stands at each one's threshold. Needs both classes."""
    figure = Figure(figsize=(11, 5.9 + 0.22 * math.ceil(len(systems) / 3)), layout="constrained")
    roc, recall = figure.subplots(1, 2)
    roc.plot([0, 1], [0, 1], color=_GREY, lw=1, ls=":")
    recall.axhline(labels.mean(), color=_GREY, lw=1, ls=":")
    handles = []
    for number, (name, system) in enumerate(systems.items()):
        style, marker = _line_style(number), _marker_style(number)
        false_rate, true_rate, _ = roc_curve(labels, system.scores)
        roc.plot(false_rate, true_rate, **style)
        recall.plot(*_recall_steps(labels, system.scores), drawstyle="steps-post", **style)
        said = system.scores >= system.report.threshold
        hits, alarms = np.count_nonzero(said & labels), np.count_nonzero(said & ~labels)
        roc.plot(alarms / np.count_nonzero(~labels), hits / np.count_nonzero(labels), **marker)
        if said.any():
            recall.plot(hits / np.count_nonzero(labels), hits / np.count_nonzero(said), **marker)
        auroc, precision = (system.report.metrics[key].value for key in ("auroc", "average_precision"))
        handles.append(
            Line2D([], [], **style, **_marker_only(number), label=f"{legible(name)}: {auroc:.3f}, {precision:.3f}")
        )
    _frame(roc, "ROC curve", "false positive rate", "true positive rate")
    _frame(recall, "Precision and recall", "recall", "precision")
    figure.legend(handles=handles, loc="outside lower center", ncols=3, frameon=False, title="AUROC, average precision")
    figure.suptitle(f"Did the step succeed? {_counts(labels, systems)}")
    return to_png(figure)


def _recall_steps(labels: Bools, scores: Floats) -> tuple[Floats, Floats]:
    """Recall, falling, and the precision that holds from there down to the next: the steps under average precision.

    Of thresholds with the same recall only the one with the highest precision matters.
    """
    precisions, recalls, _ = precision_recall_curve(labels, scores)
    # Thresholds rise, so that precision is best at the last of equal recalls; (0, 1) at the end is a convention.
    last = np.flatnonzero(np.diff(recalls) < 0)
    return np.append(recalls[last], 0.0), np.append(precisions[last], precisions[last[-1]])


def plot_reliability(labels: Bools, systems: Mapping[str, Plotted]) -> bytes:
    """Share of successes against the predicted probability, a panel a system; bars show where its scores lie."""
    figure, panels = _grid(len(systems), most=4, width=3.4, height=3.6)
    for axes, (name, system) in zip(panels, systems.items(), strict=True):
        table = reliability(labels, system.scores)
        filled = table.count > 0
        edges = np.arange(table.count.size) / table.count.size
        axes.bar(edges, 0.3 * table.count / labels.size, 1 / table.count.size, align="edge", color="#BBBBBB", lw=0)
        axes.plot([0, 1], [0, 1], color=_GREY, lw=1, ls=":")
        axes.plot(table.score[filled], table.share[filled], color=_COLOURS[0], lw=1.2)
        sizes = 14 + 90 * table.count[filled] / table.count.max()
        axes.scatter(table.score[filled], table.share[filled], sizes, color=_COLOURS[0], zorder=3, clip_on=False)
        _frame(axes, f"{legible(name)}\nECE {system.report.metrics['ece'].value:.3f}", "", "")
    figure.supxlabel("predicted probability of success")
    figure.supylabel("share of successes")
    figure.suptitle(f"Reliability, {_counts(labels, systems)}\n(grey: histogram of the predictions)")
    return to_png(figure)


def plot_confusion(reports: Mapping[str, Report]) -> bytes:
    """Confusion of the outcomes, a panel a system: counts, coloured by their share of the row (the true outcome)."""
    figure, panels = _grid(len(reports), most=3, width=4.6, height=4.3)
    names = [outcome.replace("_", " ") for outcome in OUTCOMES]
    for axes, (name, report) in zip(panels, reports.items(), strict=True):
        counts = np.array(report.confusion)
        totals = counts.sum(axis=1, keepdims=True)
        shares = counts / np.maximum(totals, 1)
        axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
        for (row, column), count in np.ndenumerate(counts):
            colour = "#AAAAAA" if not count else "white" if shares[row, column] > 0.5 else "black"
            axes.text(column, row, str(count), ha="center", va="center", color=colour)
        axes.set_xticks(range(len(names)), names, rotation=35, ha="right", rotation_mode="anchor")
        axes.set_yticks(range(len(names)), [f"{n} ({t})" for n, t in zip(names, totals[:, 0], strict=True)])
        macro = report.metrics["macro_f1"].value
        axes.set_title(f"{legible(name)}\nmacro-F1 {macro:.3f} over {len(report.outcomes)} outcomes", fontsize=10)
    figure.supxlabel("predicted outcome")
    figure.supylabel("true outcome (n)")
    known = sum(next(iter(reports.values())).outcomes.values())
    figure.suptitle(f"Outcomes of {known} samples")
    return to_png(figure)


def plot_cut(reports: Mapping[str, Report], cut: str, figure_name: str, title: str) -> bytes:
    """A figure of every system for each value of a cut, as dots in a row; a row without dots is undefined there.

    Args:
        cut: a key of `Report.cuts` ("app").
        figure_name: "f1", "auroc" or "accuracy".
    """
    first = next(iter(reports.values())).cuts[cut]
    rows = list(first)[:_MOST_ROWS]
    figure = Figure(figsize=(9, 2.2 + (0.24 + 0.07 * len(reports)) * len(rows)), layout="constrained")
    axes = figure.subplots()
    spread = np.linspace(-0.36, 0.36, len(reports)) if len(reports) > 1 else np.zeros(1)
    for number, (name, report) in enumerate(reports.items()):
        values = [getattr(report.cuts[cut][row], figure_name).value for row in rows]
        x = [math.nan if value is None else value for value in values]
        axes.plot(x, np.arange(len(rows)) + spread[number], ls="", label=legible(name), **_marker_style(number))
    for place, row in enumerate(rows):
        if getattr(first[row], figure_name).value is None:
            axes.text(0.5, place, getattr(first[row], figure_name).reason, ha="center", va="center", color=_GREY)
    axes.set_yticks(range(len(rows)), [f"{legible(row)} ({first[row].positives} of {first[row].n})" for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    for place in range(len(rows) - 1):
        axes.axhline(place + 0.5, color="#DDDDDD", lw=0.8)
    axes.set_xlim(-0.02, 1.02)
    axes.grid(axis="x", color="#DDDDDD", lw=0.8)
    axes.set_axisbelow(True)
    axes.set_xlabel(title)
    axes.set_ylabel(f"{cut} (successes of n)")
    shown = "" if len(rows) == len(first) else f", the {len(rows)} most frequent of {len(first)}"
    total = next(iter(reports.values())).n
    axes.set_title(f"{title} by {cut}{shown}, n = {total}")
    figure.legend(loc="outside lower center", ncols=3, frameon=False)
    return to_png(figure)


def legible(text: str) -> str:
    """Text as matplotlib shall draw it: no mathematics, not hidden from legends, a box for what its font lacks."""
    known = get_font(findfont(FontProperties())).get_charmap()
    drawn = "".join(character if ord(character) in known else "\u25a1" for character in text)
    return (" " * drawn.startswith("_") + drawn).replace("$", r"\$")


def _grid(count: int, *, most: int, width: float, height: float) -> tuple[Figure, Sequence[Any]]:
    """A figure with `count` panels, at most `most` in a row; width and height of one panel in inches."""
    rows = math.ceil(count / most)
    columns = math.ceil(count / rows)
    figure = Figure(figsize=(max(width * columns, 4.8) + 0.4, height * rows + 0.9), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False).flatten().tolist()
    for empty in panels[count:]:
        empty.remove()
    return figure, panels[:count]


def _frame(axes: Any, title: str, x_label: str, y_label: str) -> None:
    """Unit square with a faint grid."""
    axes.set(xlim=(-0.02, 1.02), ylim=(-0.02, 1.02), xlabel=x_label, ylabel=y_label)
    axes.set_title(title, fontsize=10)
    axes.grid(color="#E5E5E5", lw=0.8)
    axes.set_axisbelow(True)


def _line_style(number: int) -> dict[str, Any]:
    return {"color": _COLOURS[number % len(_COLOURS)], "ls": _DASHES[number % len(_DASHES)], "lw": 1.8}


def _marker_only(number: int) -> dict[str, Any]:
    return {
        "marker": _MARKERS[number % len(_MARKERS)],
        "markersize": 8,
        "markeredgecolor": "white",
        "markeredgewidth": 0.6,
    }


def _marker_style(number: int) -> dict[str, Any]:
    return {"color": _COLOURS[number % len(_COLOURS)], "clip_on": False, "zorder": 4, **_marker_only(number)}


def _counts(labels: Bools, systems: Mapping[str, Plotted]) -> str:
    trajectories = next(iter(systems.values())).report.trajectories
    return f"n = {labels.size}, {np.count_nonzero(labels)} successes, {trajectories} trajectories"


def to_png(figure: Figure) -> bytes:
    """The figure's PNG."""
    FigureCanvasAgg(figure)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=_DPI)
    return buffer.getvalue()
