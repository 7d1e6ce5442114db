"""scripts/train.py as a person runs it: every experiment, two processes, and what it says of mistakes."""

from __future__ import annotations

import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from toy_run import CONFIGS, ROOT, ToyRun, compose_tiny, compose_training, foreign_warnings_ignored

from viscritic.errors import ConfigError
from viscritic.model.critic import load_checkpoint

EXPERIMENTS = sorted(file.stem for file in (CONFIGS / "experiment").glob("*.yaml"))
RECORDING = Path(__file__).with_name("recording_train.py")


SCRIPT = ROOT / "scripts" / "train.py"


def run_script(*arguments: str, script: Path = SCRIPT, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """The finished process, its output as text."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore", **variables}
    return subprocess.run(
        [sys.executable, str(script), *arguments], cwd=cwd, env=environment, capture_output=True, text=True,
        timeout=240, check=False,
    )  # fmt: skip


def test_there_are_the_experiments_that_the_readme_names() -> None:
    assert {"tiny", "screenagent"} <= set(EXPERIMENTS)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_every_experiment_composes_and_reads_strictly(name: str) -> None:
    config = compose_training(f"experiment={name}", "data.folder=samples")
    assert config.data.folder == "samples"
    assert config.out.startswith("outputs/")


def test_the_defaults_are_those_of_the_dataclasses() -> None:
    """Where configs/train.yaml and the code differ, one of them misleads its reader."""
    from viscritic.model.config import ModelConfig
    from viscritic.train.config import DataConfig, DeviceConfig, LogConfig, LossConfig

    config = compose_training("data.folder=samples")
    assert config.model == ModelConfig()
    assert config.loss == LossConfig()
    assert config.device == DeviceConfig()
    assert config.log == LogConfig()
    assert (config.data.batch_size, config.data.negatives) == (
        DataConfig("", "").batch_size, DataConfig("", "").negatives,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("+data.speed=9", r"unknown key in train\.data: speed; known: folder, cache, batch_size, negatives"),
        ("+fast=true", r"unknown key in train: fast"),
        ("data.batch_size=0", "batch_size >= 1"),
        ("data.batch_size=many", r"train\.data\.batch_size must be int, got 'many'"),
        ("data.negatives=-1", "negatives >= 0"),
        ("stage1.encoder_blocks=-1", "encoder_blocks must be null or at least 0"),
        ("stage2.warmup=2", "0 <= warmup <= 1"),
        ("stage2.epochs=1.5", r"train\.stage2\.epochs must be int"),
        ("log.wandb=maybe", r"train\.log\.wandb must be one of off, offline, online, got 'maybe'"),
        ("model.preprocess.window=[7]", r"must have 2 entries"),
        ("seed=-1", "seed must be from 0"),
    ],
)
def test_a_wrong_setting_is_named(override: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        compose_training("data.folder=samples", override)


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        (["experiment=tiny", "data.sped=9"], "sped"),
        (["experiment=nonsense"], "nonsense"),
        ([], "data.folder"),
        (["data.folder=no/such/folder"], "no/such/folder is not a sample folder"),
        (["experiment=tiny", "data.folder={samples}", "out=/dev/null/run"], "settings.json cannot be written"),
    ],
)
def test_a_mistake_ends_in_words_and_not_in_a_traceback(
    overrides: list[str], words: str, toy_samples: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr(sys, "argv", ["train.py", *(o.format(samples=toy_samples) for o in overrides)])
    monkeypatch.chdir(tmp_path)
    with foreign_warnings_ignored(), pytest.raises(SystemExit) as ended:
        runpy.run_path(str(SCRIPT), run_name="__main__")
    said = capsys.readouterr().err
    assert ended.value.code == 2
    assert words in said
    assert "Traceback" not in said
    assert list(tmp_path.iterdir()) == []


def test_an_unknown_key_is_one_line_and_a_failure(tmp_path: Path) -> None:
    done = run_script("experiment=tiny", "+data.speed=9", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    lines = done.stderr.splitlines()  # a library may have said something before
    assert lines[-1] == "error: unknown key in train.data: speed; known: folder, cache, batch_size, negatives"
    assert "Traceback" not in done.stderr


def test_a_run_tells_what_came_out_and_what_is_next(toy_run: ToyRun) -> None:
    names = runpy.run_path(str(SCRIPT), run_name="script")
    config = compose_tiny(toy_run.samples, toy_run.cache, toy_run.run)
    told = names["describe"](config, toy_run.checkpoint)
    kept = json.loads((toy_run.checkpoint / "meta.json").read_text())["metrics"]["stage2"]
    assert f"stage2: kept epoch {kept['epoch'] + 1:.0f} of 3" in told[1]
    assert f"auroc {kept['val_auroc']:.3f}" in told[1]
    assert told[-2] == f"checkpoint: {toy_run.checkpoint}"
    assert f"scripts/export.py checkpoint={toy_run.checkpoint} samples={toy_run.samples}" in told[-1]


def test_help_shows_examples(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["train.py", "--help"])
    with foreign_warnings_ignored(), pytest.raises(SystemExit) as ended:
        runpy.run_path(str(SCRIPT), run_name="__main__")
    assert ended.value.code in (None, 0)
    said = capsys.readouterr().out
    assert "python scripts/train.py experiment=tiny" in said
    assert "batch_size" in said


def test_two_processes_train_one_model_on_different_rows(toy_run: ToyRun, tmp_path: Path) -> None:
    recorded, out = tmp_path / "rows", tmp_path / "run"
    recorded.mkdir()
    done = run_script(
        "experiment=tiny", f"data.folder={toy_run.samples}", f"data.cache={toy_run.cache}", f"out={out}",
        "data.batch_size=4", "stage1.epochs=1", "stage2.epochs=2", "device.devices=2", "device.strategy=ddp",
        "device.threads=1", "log.progress_bar=false",
        script=RECORDING, cwd=tmp_path, RECORDED_ROWS=str(recorded),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    load_checkpoint(out / "checkpoint")
    first, second = ((recorded / f"rank-{rank}").read_text().splitlines() for rank in (0, 1))
    assert len(first) == len(second) == 3  # epochs of both stages
    for ours, theirs in zip(first, second, strict=True):
        assert len(ours.split()) == len(theirs.split()) > 0
        assert not set(ours.split()) & set(theirs.split())
    assert len(set(first[-1].split()) | set(second[-1].split())) == 24
