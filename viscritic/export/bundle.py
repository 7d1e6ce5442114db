"""Write a bundle: graphs, calibration on the validation split, parity with torch, golden pairs, model card."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from rich.console import Console
from rich.progress import track

from viscritic.errors import DataError, VisCriticError
from viscritic.evaluate.calibration import choose_threshold, fit_temperature, unsure_band
from viscritic.evaluate.metrics import Report, evaluate
from viscritic.evaluate.systems import judge_with_bundle
from viscritic.export.config import ExportConfig
from viscritic.export.golden import write_golden
from viscritic.export.graphs import export_graphs, tag_graph
from viscritic.export.model_card import write_model_card
from viscritic.export.quantize import quantize_graphs
from viscritic.files import sha256, write_bytes, write_json, write_text
from viscritic.model.critic import CriticModel, load_checkpoint
from viscritic.runtime.bundle import (
    CONFIG,
    GRAPHS,
    HASH_KEY,
    READER,
    SCHEMA_VERSION,
    Bundle,
    BundleConfig,
    list_files,
    list_graphs,
)
from viscritic.runtime.graphs import Graphs
from viscritic.sample import Sample
from viscritic.sample_folder import SampleFolder
from viscritic.train.arrays import open_arrays, prepare_sample
from viscritic.train.predict import predict
from viscritic.trajectory import OUTCOMES
from viscritic.verdict import Decision

_SAME_F1: Final = 0.01  # on about a thousand samples thresholds that differ by less are equally good
_console = Console(stderr=True)


class ParityError(VisCriticError):
    """The bundle does not say what the checkpoint says."""


@dataclass(frozen=True, slots=True)
class Parity:
    """How far a bundle's success probabilities are from torch's, over real pairs.

    Attributes:
        pairs: compared.
        mean, largest: absolute differences of probability.
        flips: pairs on which the two fall on different sides of the threshold.
    """

    pairs: int
    mean: float
    largest: float
    flips: int


def export_bundle(config: ExportConfig) -> Path:
    """Export a checkpoint as a bundle that the runtime loads.

    The bundle is written beside its place and takes it when it is complete and has passed.

    Raises:
        DataError: the checkpoint or the samples cannot be used.
        ParityError: the bundle's answers are too far from the checkpoint's.
    """
    out = Path(config.out)
    if out.exists() and not all((out / name).is_file() for name in (CONFIG, *GRAPHS)):
        raise DataError(f"{out} exists and is no bundle; give another out=")
    apart = None if config.tested is None else SampleFolder(config.tested)
    if apart is not None and not apart.by_split("test"):
        raise DataError(f"{apart.path} has no test split for the model card's figures; name another tested=DIR")
    model = load_checkpoint(config.checkpoint)
    folder = SampleFolder(config.samples)
    tested = folder if apart is None else apart
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{out.name}.", dir=out.parent) as temporary:
        work = Path(temporary) / out.name
        work.mkdir()
        bundle_config, parity = _write(model, folder, config, work)
        write_model_card(work, bundle_config, parity, _evaluate(work, tested), config, folder, tested)
        _seal(work, bundle_config)
        Graphs(Bundle(work), (), None, 0)  # it loads, or nothing is replaced
        if out.exists():
            out.rename(Path(temporary) / "old")  # between the two renames the place is empty, never half full
        work.rename(out)
    size = sum(path.stat().st_size for path in out.iterdir()) / 1e6
    _console.print(
        f"{out}: {size:.1f} MB, {config.precision}; against torch over {parity.pairs} real pairs: mean difference "
        f"{parity.mean:.4f}, largest {parity.largest:.4f}, {parity.flips} verdicts flipped", soft_wrap=True,
    )  # fmt: skip
    return out


def _write(model: CriticModel, folder: SampleFolder, config: ExportConfig, work: Path) -> tuple[BundleConfig, Parity]:
    """Everything but the model card; the returned configuration is calibrated."""
    samples = list(folder)
    export_graphs(model, work)
    if model.reader is not None:
        write_bytes(work / READER, model.reader)
    if config.precision == "int8":
        quantize_graphs(work)
    write_text(work / "tokenizer.json", model.text.tokenizer.to_str())
    for name in ("golden.npz", "MODEL_CARD.md"):
        (work / name).touch()
    draft = BundleConfig(
        schema_version=SCHEMA_VERSION, name=config.name, preprocess=model.config.preprocess, classes=OUTCOMES,
        trained_outcomes=_trained_outcomes(samples), temperature=1.0, decision=Decision(0.5, (0.5, 0.5)),
        precision=config.precision, files={},
    )  # fmt: skip
    _seal(work, draft)
    graphs = Graphs(Bundle(work), (), None, 0)
    validation = [i for i, s in enumerate(samples) if s.split == "val"]
    prepared = (prepare_sample(folder, samples[i], draft.preprocess, graphs.recognizer) for i in validation)
    logits = np.array(
        [graphs.run(a).success for a in track(prepared, "Judging (bundle)", len(validation), transient=True)]
    )
    labels = np.array([samples[i].success >= 0.5 for i in validation])
    calibrated = _calibrate(draft, logits, labels, config.unsure)
    chosen = validation[: config.parity_pairs]
    store = open_arrays(folder, model.config.preprocess, Path(config.cache).expanduser(), model.reader)
    reference = predict(model, samples, store, chosen).success
    parity = _compare(reference, logits[: len(chosen)], calibrated)
    if not parity.mean <= config.parity:  # a NaN does not pass
        raise ParityError(
            f"the {config.precision} bundle differs from the checkpoint by {parity.mean:.4f} on average over "
            f"{parity.pairs} real pairs (largest {parity.largest:.3f}, {parity.flips} flips); "
            f"allowed is {config.parity}"
        )
    _seal(work, calibrated)
    write_golden(work, Path(config.examples))
    _seal(work, calibrated)
    return calibrated, parity


def _evaluate(work: Path, folder: SampleFolder) -> Report | None:
    """The bundle on the test split, as agents call it; None where the folder has no such split."""
    test = folder.by_split("test")
    if not test:
        return None
    predictions, threshold = judge_with_bundle(work, test, folder)
    return evaluate(test, predictions, threshold)


def _calibrate(
    draft: BundleConfig, logits: npt.NDArray[np.float64], labels: npt.NDArray[np.bool_], unsure: float
) -> BundleConfig:
    temperature = fit_temperature(logits, labels)
    scores = _sigmoid(logits / temperature)
    threshold = choose_threshold(scores, labels, within=_SAME_F1)
    return replace(draft, temperature=temperature, decision=Decision(threshold, unsure_band(scores, threshold, unsure)))


def _compare(reference: npt.NDArray[np.float64], logits: npt.NDArray[np.float64], config: BundleConfig) -> Parity:
    ours, theirs = (_sigmoid(values / config.temperature) for values in (logits, reference))
    gamma = config.decision.threshold
    difference = np.abs(ours - theirs)
    flips = int(((ours >= gamma) != (theirs >= gamma)).sum())
    return Parity(len(ours), float(difference.mean()), float(difference.max()), flips)


def _trained_outcomes(samples: Sequence[Sample]) -> tuple[Any, ...]:
    """Outcomes that the training split has, in the order of OUTCOMES."""
    seen = {s.outcome for s in samples if s.split == "train"}
    return tuple(name for name in OUTCOMES if name in seen)


def _seal(work: Path, config: BundleConfig) -> None:
    """Tag the graphs with the configuration's hash and write it with every file's hash."""
    for name in list_graphs(config.preprocess):
        tag_graph(work / name, {HASH_KEY: config.digest()})
    write_json(
        work / CONFIG,
        replace(config, files={name: sha256(work / name) for name in list_files(config.preprocess)}).to_dict(),
    )


def _sigmoid(logits: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-logits)))
