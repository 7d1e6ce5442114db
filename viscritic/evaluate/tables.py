"""The figures of several systems side by side, for a terminal of 80 columns and for Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from viscritic.evaluate.bootstrap import Difference
from viscritic.evaluate.measures import Metric
from viscritic.evaluate.metrics import Report

_NONE: Final = "–"  # noqa: RUF001  an en dash stands for an undefined figure, and for "to" in an interval

_FEW: Final = 30  # clusters below which a percentile bootstrap covers less than it says


@dataclass(frozen=True, slots=True)
class Column:
    """One figure: its key in `Report.metrics`, its heading, and which end is the better one (None: a trade-off)."""

    key: str
    title: str
    best: Literal["high", "low"] | None


DECISIONS: Final = (
    Column("f1", "F1", "high"),
    Column("f1_sure", "F1 of the sure 90 %", "high"),
    Column("precision", "prec.", None),
    Column("recall", "recall", None),
    Column("accuracy", "acc.", "high"),
    Column("macro_f1", "macro-F1", "high"),
    Column("no_ops_confirmed", "no-ops confirmed", "low"),
)
PROBABILITIES: Final = (
    Column("auroc", "AUROC", "high"),
    Column("average_precision", "AP", "high"),
    Column("ece", "ECE", "low"),
    Column("brier", "Brier", "low"),
    Column("progress_spearman", "progress rho", "high"),
    Column("progress_pearson", "progress r", "high"),
)


def print_tables(
    data: Mapping[str, Any], reports: Mapping[str, Report], differences: Mapping[str, Difference], console: Console
) -> None:
    """Print the comparison: decisions at the thresholds, probabilities, differences from the first system, notes."""
    for line in _introduction(data, reports):
        console.print(Text(line))
    console.print()
    console.print(_rich_table("Decisions (95 % intervals by trajectory)", DECISIONS, reports, thresholds=True), "")
    title = "Probabilities (95 % intervals by trajectory)"
    console.print(_rich_table(title, PROBABILITIES, reports, thresholds=False), "")
    if differences:
        table = _new_table(f"F1 of {next(iter(reports))} minus F1 of ...")
        for heading in ("system", "difference", "95 % interval", "p"):
            table.add_column(heading, justify="left" if heading == "system" else "right", no_wrap=True)
        for name, gap in differences.items():
            table.add_row(Text(name), *_difference_cells(gap))
        console.print(table, "")
    for line in _notes(reports):
        console.print(Text(line, style="dim"))


def render_markdown(
    data: Mapping[str, Any],
    reports: Mapping[str, Report],
    differences: Mapping[str, Difference],
    pictures: Sequence[str],
) -> str:
    """The same as Markdown, with the reference system's cuts and the plots."""
    reference, report = next(iter(reports.items()))
    lines = ["# Evaluation", "", *(f"- {line}" for line in _introduction(data, reports)), ""]
    columns = (*DECISIONS, *PROBABILITIES)
    lines += _markdown_row(["system", "threshold", *(column.title for column in columns)])
    lines += _markdown_row(["---", *["---:"] * (len(columns) + 1)])
    for name, other in reports.items():
        cells = [_markdown_cell(other.metrics[c.key], bold=_is_best(c, name, reports)) for c in columns]
        lines += _markdown_row([name, f"{other.threshold:.3g}", *cells])
    lines += ["", "Bold: the best. In brackets: 95 % bootstrap intervals by trajectory.", ""]
    if differences:
        lines += [f"## F1 of {reference} minus F1 of the others", ""]
        lines += _markdown_row(["system", "difference", "95 % interval", "p"]) + _markdown_row(["---", *["---:"] * 3])
        for name, gap in differences.items():
            lines += _markdown_row([name, *_difference_cells(gap)])
        lines.append("")
    for cut, parts in report.cuts.items():
        if len(parts) > 1:
            lines += [f"## {reference} by {cut}", ""]
            lines += _markdown_row([cut, "n", "successes", "F1", "AUROC", "accuracy"])
            lines += _markdown_row(["---", *["---:"] * 5])
            for value, part in parts.items():
                cells = [_markdown_cell(metric) for metric in (part.f1, part.auroc, part.accuracy)]
                lines += _markdown_row([value, str(part.n), str(part.positives), *cells])
            lines.append("")
    lines += ["## Notes", "", *(f"- {line}" for line in _notes(reports)), ""]
    lines += [f"![{name.removesuffix('.png').replace('_', ' ')}]({name})\n" for name in pictures]
    return "\n".join(lines)


def _introduction(data: Mapping[str, Any], reports: Mapping[str, Report]) -> list[str]:
    report = next(iter(reports.values()))
    outcomes = ", ".join(f"{name} {count}" for name, count in report.outcomes.items()) or "none"
    unknown = f"; {report.outcomes_unknown} unknown, left out" if report.outcomes_unknown else ""
    splits = ", ".join(data["splits"])
    origins = ", ".join(f"{count} {name}" for name, count in data["origins"].items())
    few = [f"with only {report.trajectories} trajectories the intervals are narrower than the truth"]
    return [
        f"{report.n} samples ({splits}), {report.positives} successes, {report.trajectories} trajectories, "
        f"{data['apps']} apps; labels: {origins}",
        *(few if report.trajectories < _FEW else []),
        f"macro-F1 is the mean over the outcomes that occur: {outcomes}{unknown}",
    ]


def _notes(reports: Mapping[str, Report]) -> list[str]:
    """Why figures or intervals are missing, each reason once."""
    reasons: dict[tuple[str, str], list[str]] = {}
    for name, report in reports.items():
        for column in (*DECISIONS, *PROBABILITIES):
            if reason := report.metrics[column.key].reason:
                reasons.setdefault((reason, name), []).append(column.title)
    grouped: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for (reason, name), titles in reasons.items():
        grouped.setdefault((reason, tuple(titles)), []).append(name)
    notes = [f"{', '.join(titles)} of {', '.join(names)}: {reason}" for (reason, titles), names in grouped.items()]
    return [*notes, "ECE: 15 bins of equal width over the probability of success."]


def _rich_table(title: str, columns: Sequence[Column], reports: Mapping[str, Report], *, thresholds: bool) -> Table:
    table = _new_table(title)
    table.add_column("system", overflow="fold")
    for heading in (*(["threshold"] if thresholds else []), *(column.title for column in columns)):
        # Two words stand above each other, as a figure and its interval do.
        table.add_column(heading.replace(" ", "\n"), justify="right", no_wrap=True)
    for name, report in reports.items():
        cells = [Text(f"{report.threshold:.3g}")] if thresholds else []
        for column in columns:
            metric = report.metrics[column.key]
            cell = Text(_value(metric), style="bold" if _is_best(column, name, reports) else "")
            if metric.interval is not None:
                low, high = metric.interval
                cell.append(f"\n{low:.2f}{_NONE}{high:.2f}", style="not bold dim")
            cells.append(cell)
        table.add_row(Text(name), *cells)
    return table


def _new_table(title: str) -> Table:
    return Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)


def _is_best(column: Column, name: str, reports: Mapping[str, Report]) -> bool:
    """Whether no other system is better; a lone system is not called the best."""
    values = {other: report.metrics[column.key].value for other, report in reports.items()}
    known = [value for value in values.values() if value is not None]
    if column.best is None or len(known) < 2:
        return False
    return values[name] == (max(known) if column.best == "high" else min(known))


def _value(metric: Metric) -> str:
    return _NONE if metric.value is None else f"{metric.value:.3f}"


def _markdown_cell(metric: Metric, *, bold: bool = False) -> str:
    """**0.812** [0.76, 0.86]"""
    value = f"**{_value(metric)}**" if bold else _value(metric)
    return value if metric.interval is None else f"{value} [{metric.interval[0]:.2f}, {metric.interval[1]:.2f}]"


def _difference_cells(gap: Difference) -> list[str]:
    """Difference, interval and p-value as text."""
    if gap.f1.value is None:
        return [_NONE] * 3
    if gap.f1.interval is None or gap.p_value is None:
        return [f"{gap.f1.value:+.3f}", _NONE, _NONE]
    return [f"{gap.f1.value:+.3f}", f"{gap.f1.interval[0]:+.3f} to {gap.f1.interval[1]:+.3f}", f"{gap.p_value:.3f}"]


def _markdown_row(cells: Sequence[str]) -> list[str]:
    return ["| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in cells) + " |"]
