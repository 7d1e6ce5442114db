"""Pushing to a hub: the real `datasets` and `huggingface_hub`, talking to a hub on this machine."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest
from fake_hub import running_hub
from PIL import Image

from data_prep.build import build_samples
from data_prep.config import BuildConfig
from viscritic.sample_folder import SampleFolder

pytest.importorskip("datasets")


@pytest.fixture(scope="module")
def folder(trajectories, tmp_path_factory) -> SampleFolder:
    out = tmp_path_factory.mktemp("push") / "samples"
    build_samples(trajectories[:4], out, BuildConfig(), progress=False)
    return SampleFolder(out)


def push(folder: SampleFolder, address: str, home: Path) -> subprocess.CompletedProcess[str]:
    script = "from viscritic.cli import main; main()"
    environment = os.environ | {
        "HF_ENDPOINT": address, "HF_TOKEN": "hf_secret", "HF_HOME": str(home), "NO_PROXY": "127.0.0.1",
        "HF_HUB_DISABLE_XET": "1", "PYTHONPATH": str(Path(__file__).parents[2]),
    }  # fmt: skip
    command = [sys.executable, "-c", script, "data", "push", str(folder.path), "me/steps"]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_samples_arrive_at_a_hub_with_their_screens(folder, tmp_path):
    from pyarrow import parquet

    with running_hub() as hub:
        result = push(folder, hub.address, tmp_path)
        assert result.returncode == 0, result.stderr
        assert f"pushed to {hub.address}/datasets/me/steps" in result.stdout
    assert (hub.repository, hub.private) == ("me/steps", True)
    assert "Bearer hf_secret" in hub.tokens
    assert hub.files["CARD.md"] == (folder.path / "CARD.md").read_bytes()
    assert b"split: train" in hub.files["README.md"]
    for split in ("train", "val"):  # four trajectories leave none to test
        [data] = [data for name, data in hub.files.items() if name.startswith(f"data/{split}-")]
        rows = parquet.read_table(io.BytesIO(data)).to_pylist()
        samples = folder.by_split(split)
        assert [row["id"] for row in rows] == [sample.id for sample in samples]
        assert rows[0]["pre"]["bytes"] == folder.screen_path(samples[0].pre).read_bytes()
        assert Image.open(io.BytesIO(rows[0]["post"]["bytes"])).size == (320, 240)


def test_a_hub_that_cannot_be_reached_ends_in_one_line(folder, tmp_path):
    result = push(folder, "http://127.0.0.1:9", tmp_path)
    assert result.returncode == 2
    assert "could not be pushed to me/steps" in result.stderr.splitlines()[-1]
    assert "Traceback" not in result.stderr
