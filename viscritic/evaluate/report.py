"""Several systems on the same samples: one folder with JSON, Markdown, predictions and plots, and a terminal table."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from viscritic import files
from viscritic.errors import DataError
from viscritic.evaluate import plots
from viscritic.evaluate.bootstrap import RESAMPLES, SEED, Difference, difference
from viscritic.evaluate.metrics import Report, Truth, evaluate, resampler_of
from viscritic.evaluate.mistakes import plot_mistakes, worst_mistakes
from viscritic.evaluate.predictions import Predictions
from viscritic.evaluate.tables import print_tables, render_markdown
from viscritic.sample import Sample
from viscritic.sample_folder import SampleFolder

SCHEMA_VERSION = 1


def compare(
    samples: Sequence[Sample],
    folder: SampleFolder,
    systems: Mapping[str, Predictions],
    thresholds: Mapping[str, float],
    out_dir: str | os.PathLike[str],
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
    console: Console | None = None,
) -> dict[str, Any]:
    """Evaluate every system on `samples`, write all of it to `out_dir`, print the tables.

    Writes `report.json`, `report.md`, `predictions/NAME.jsonl` and, where the data allow them, the plots `curves.png`,
    `reliability.png`, `confusion.png`, `f1_by_app.png`, `accuracy_by_cause.png` (most causes hold one class only, so
    that F1 is undefined there) and `mistakes.png` (the reference's most confident ones).

    Args:
        folder: where the samples' screens lie; the report repeats the hash of its manifest.
        systems: predictions by name; the first one is the reference whose F1 is compared with each other one's.
        thresholds: of success, by the same names, chosen on the validation split.
        resamples, seed: of the bootstrap of trajectories.
        console: where the tables are printed; the terminal by default.

    Returns:
        What `report.json` holds.

    Raises:
        DataError: if there is no system, a name cannot be a file's name, the names of the two mappings differ, there
            are no samples, or a sample has no prediction.
        ScreenError: if a screen that `mistakes.png` shows cannot be read.
        ConfigError: if a threshold is not in [0, 1].
    """
    slugs = _slugs(systems, thresholds)
    truth = Truth.of(samples)
    ids = [sample.id for sample in samples]
    chosen = {name: predictions.select(ids) for name, predictions in systems.items()}
    reports = {
        name: evaluate(samples, predictions, thresholds[name], resamples=resamples, seed=seed)
        for name, predictions in chosen.items()
    }
    resampler = resampler_of(samples, resamples=resamples, seed=seed)
    reference, *others = chosen
    decisions = {name: predictions.success >= thresholds[name] for name, predictions in chosen.items()}
    differences = {name: difference(resampler, truth.success, decisions[reference], decisions[name]) for name in others}
    out = Path(out_dir)
    for name, predictions in chosen.items():
        predictions.save(out / "predictions" / f"{slugs[name]}.jsonl")
    pictures = _draw(truth, chosen, reports)
    if wrong := worst_mistakes(truth.success, chosen[reference].success, thresholds[reference]):
        shown = [(samples[row], float(chosen[reference].success[row])) for row in wrong]
        pictures["mistakes.png"] = plot_mistakes(shown, folder, reference, thresholds[reference])
    for name, png in pictures.items():
        files.write_bytes(out / name, png)
    data = _describe(samples, folder)
    files.write_text(out / "report.md", render_markdown(data, reports, differences, list(pictures)))
    result = _to_dict(data, reports, differences, slugs, list(pictures))
    files.write_json(out / "report.json", result)
    print_tables(data, reports, differences, Console() if console is None else console)
    return result


def _slugs(systems: Mapping[str, Predictions], thresholds: Mapping[str, float]) -> dict[str, str]:
    """A file name for each system."""
    if not systems:
        raise DataError("there is no system to compare: pass at least one with its predictions")
    if set(systems) != set(thresholds):
        odd = sorted(set(systems) ^ set(thresholds))
        raise DataError(f"each system needs one threshold; only one of the two mappings names {', '.join(odd)}")
    slugs = {name: re.sub(r"[^a-z0-9.+-]+", "-", name.lower()).strip("-.") for name in systems}
    if not all(slugs.values()) or len(set(slugs.values())) < len(slugs):
        raise DataError(f"the systems' names must differ in their letters and digits, got {', '.join(systems)}")
    return slugs


def _describe(samples: Sequence[Sample], folder: SampleFolder) -> dict[str, Any]:
    """What the samples are, so that nobody has to guess what the figures are of."""
    keys = {"splits": "split", "origins": "origin", "sources": "source", "platforms": "platform", "causes": "cause"}
    counts = {name: dict(Counter(getattr(sample, key) for sample in samples)) for name, key in keys.items()}
    return {
        "folder": folder.path.name,
        "samples_sha256": folder.manifest.get("samples_sha256"),
        "n": len(samples),
        "apps": len({sample.app for sample in samples}),
        **counts,
    }


def _draw(truth: Truth, chosen: Mapping[str, Predictions], reports: Mapping[str, Report]) -> dict[str, bytes]:
    """The plots as PNG by file name; one whose figures are all undefined is left out."""
    systems = {name: plots.Plotted(reports[name], predictions.success) for name, predictions in chosen.items()}
    pictures = {"reliability.png": plots.plot_reliability(truth.success, systems)}
    if truth.success.any() and not truth.success.all():
        pictures["curves.png"] = plots.plot_curves(truth.success, systems)
        pictures["f1_by_app.png"] = plots.plot_cut(reports, "app", "f1", "F1 of success")
    pictures["accuracy_by_cause.png"] = plots.plot_cut(reports, "cause", "accuracy", "Share judged right")
    with_outcomes = {name: report for name, report in reports.items() if report.confusion is not None}
    if with_outcomes:
        pictures["confusion.png"] = plots.plot_confusion(with_outcomes)
    return pictures


def _to_dict(
    data: Mapping[str, Any],
    reports: Mapping[str, Report],
    differences: Mapping[str, Difference],
    slugs: Mapping[str, str],
    pictures: Sequence[str],
) -> dict[str, Any]:
    systems = {
        name: {**report.to_dict(), "predictions": f"predictions/{slugs[name]}.jsonl"}
        for name, report in reports.items()
    }
    return {
        "schema_version": SCHEMA_VERSION,
        "data": dict(data),
        "reference": next(iter(reports)),
        "systems": systems,
        "differences": {name: {"f1": gap.f1.to_dict(), "p_value": gap.p_value} for name, gap in differences.items()},
        "plots": list(pictures),
    }
