"""What tests of several rooms share."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from toy_run import ToyRun, compose_tiny, export_quietly, graphs_copied, train_quietly

settings.register_profile("viscritic", deadline=None)  # the machine may be busy: no test is about time
settings.load_profile("viscritic")


@pytest.fixture(scope="session")
def screenagent_dir() -> Path:
    """The ScreenAgent sample: the folder that holds `train/`."""
    beside = Path(__file__).parents[2] / "shared" / "screenagent"
    folder = Path(os.environ.get("VISCRITIC_SCREENAGENT", beside))
    if not (folder / "train").is_dir():
        pytest.skip(f"the ScreenAgent sample is not at {folder}; set VISCRITIC_SCREENAGENT to the folder with train/")
    return folder


@pytest.fixture(scope="session")
def toy_samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """48 toy transitions: 24 for training, 12 for validation, 12 for testing."""
    from data_prep.toy import write_toy_samples

    out = tmp_path_factory.mktemp("toy") / "samples"
    write_toy_samples(out, trajectories=8, seed=0, command="viscritic data toy")
    return out


@pytest.fixture(scope="session")
def toy_run(toy_samples: Path, tmp_path_factory: pytest.TempPathFactory) -> ToyRun:
    """A run of experiment=tiny, shortened: stage 1 for one epoch, stage 2 for three."""
    folder = tmp_path_factory.mktemp("run")
    train_quietly(compose_tiny(toy_samples, folder / "cache", folder / "run"))
    return ToyRun(toy_samples, folder / "cache", folder / "run")


@pytest.fixture(scope="session")
def fp32_bundle(toy_run: ToyRun, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run's checkpoint as a float32 bundle."""
    out = tmp_path_factory.mktemp("bundles") / "fp32"
    return export_quietly(toy_run.checkpoint, toy_run.samples, toy_run.cache, out)


@pytest.fixture(scope="session")
def int8_bundle(toy_run: ToyRun, fp32_bundle: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run's checkpoint as an int8 bundle."""
    out = tmp_path_factory.mktemp("bundles") / "int8"
    with graphs_copied(fp32_bundle):
        return export_quietly(toy_run.checkpoint, toy_run.samples, toy_run.cache, out, precision="int8", parity=0.02)


@pytest.fixture(scope="module")  # Playwright runs once at a time: the next module starts its own
def browser() -> Iterator[Any]:
    """A real Chromium."""
    sync_api = pytest.importorskip("playwright.sync_api", reason="needs: pip install 'viscritic[collect]'")
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("needs a Chromium: apt-get install chromium fonts-liberation fonts-dejavu")
    with sync_api.sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        yield opened
        opened.close()
