"""A run: it learns, it resumes to identical weights, and it refuses what would mean nothing."""

from __future__ import annotations

import json
import pickle
import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import lightning
import pytest
import safetensors.torch
import torch
from toy_run import ToyRun, compose_tiny, foreign_warnings_ignored, train_quietly

from viscritic.errors import ConfigError, DataError
from viscritic.model.critic import CriticModel, load_checkpoint
from viscritic.sample_folder import SampleFolder
from viscritic.train.arrays import open_arrays
from viscritic.train.config import LossConfig, StageConfig
from viscritic.train.data import TransitionDataset
from viscritic.train.losses import judgement_losses, weigh
from viscritic.train.predict import predict
from viscritic.train.run import check_samples, choose_precision, train
from viscritic.train.stages import ContrastiveStage, JudgementStage, Stage, _cosine


def weights_of(run: Path) -> dict[str, torch.Tensor]:
    return safetensors.torch.load_file(run / "checkpoint" / "model.safetensors")


def assert_bit_equal(first: Path, second: Path) -> None:
    """Two runs ended with the same weights."""
    ours, theirs = weights_of(first), weights_of(second)
    assert ours.keys() == theirs.keys()
    assert [name for name, value in ours.items() if not torch.equal(value, theirs[name])] == []


def test_a_run_leaves_a_checkpoint_that_says_how_it_came_about(toy_run: ToyRun) -> None:
    meta = json.loads((toy_run.checkpoint / "meta.json").read_text())
    manifest = json.loads((toy_run.samples / "manifest.json").read_text())
    assert meta["data_sha256"] == manifest["samples_sha256"]
    assert meta["config"]["model"]["backbone"]["name"] == "test_vit"
    assert set(meta["metrics"]) == {"stage1", "stage2"}
    assert (toy_run.run / "stage2" / "metrics" / "metrics.csv").is_file()
    model = load_checkpoint(toy_run.checkpoint)
    folder = SampleFolder(toy_run.samples)
    store = open_arrays(folder, model.config.preprocess, toy_run.cache)
    raw = predict(model, list(folder), store, range(len(folder)), batch_size=5)
    again = predict(model, list(folder), store, range(len(folder)), batch_size=48)
    assert raw.success.std() > 0.01
    assert abs(raw.success - again.success).max() < 1e-5
    with pytest.raises(DataError, match="the split is empty"):
        predict(model, list(folder), store, [])


def test_it_overfits_eight_pairs(toy_samples: Path, tmp_path: Path) -> None:
    torch.manual_seed(0)
    config = compose_tiny(toy_samples, tmp_path, tmp_path / "out")
    folder = SampleFolder(toy_samples)
    samples = list(folder)
    model = CriticModel.build(config.model)
    store = open_arrays(folder, config.model.preprocess, tmp_path)
    # The failures of one trajectory and its successes, and some of another: equal screens, a wrong switch, a banner.
    dataset = TransitionDataset(samples, store, range(8), model.text.tokenizer, 40)
    batch, labels = dataset.collate(range(8))
    assert 2 <= labels.success.sum() <= 6
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    for _ in range(250):
        optimizer.zero_grad()
        losses = judgement_losses(model(batch), labels)
        weigh(losses, LossConfig()).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
    with torch.no_grad():
        output = model.eval()(batch)
    assert ((output.success > 0) == (labels.success > 0.5)).all()
    assert (output.outcome.argmax(-1) == labels.outcome).all()
    assert (output.progress - labels.progress).abs().max() < 0.2
    assert judgement_losses(output, labels)["success"] < 0.05


class PowerCutError(Exception):
    """The run is broken off."""


@pytest.mark.parametrize("stage", [ContrastiveStage, JudgementStage])
def test_a_run_that_was_interrupted_ends_with_identical_weights(
    stage: type[Stage], toy_run: ToyRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Dropout is on, the learning rate moves, and the interruption comes in the middle of an epoch."""
    config = compose_tiny(toy_run.samples, toy_run.cache, tmp_path / "run", "stage1.epochs=2", "data.batch_size=4")
    whole = replace(config, out=str(tmp_path / "whole"))
    train_quietly(whole)
    step = stage.training_step

    def break_off(self: Stage, batch: object, index: int) -> torch.Tensor:
        if self.current_epoch == 1 and index == 1:
            raise PowerCutError
        return step(self, batch, index)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(stage, "training_step", break_off)
        with pytest.raises(PowerCutError):
            train_quietly(config)
    assert not (tmp_path / "run" / "checkpoint").exists()
    assert (tmp_path / "run" / ("stage1" if stage is ContrastiveStage else "stage2") / "last.ckpt").is_file()
    torch.manual_seed(12345)  # what happened in between does not matter
    train_quietly(config)
    assert_bit_equal(tmp_path / "run", tmp_path / "whole")


def test_the_seed_decides(toy_run: ToyRun, tmp_path: Path) -> None:
    short = ("stage1.epochs=0", "stage2.epochs=1")
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        train_quietly(compose_tiny(toy_run.samples, toy_run.cache, tmp_path / name, f"seed={seed}", *short))
    assert_bit_equal(tmp_path / "a", tmp_path / "b")
    name = "head.success.0.weight"
    assert not torch.equal(weights_of(tmp_path / "a")[name], weights_of(tmp_path / "c")[name])


def test_a_finished_run_returns_at_once(
    toy_run: ToyRun, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("it trains again")

    monkeypatch.setattr(lightning.Trainer, "fit", never)
    monkeypatch.setattr(CriticModel, "build", never)
    before = weights_of(toy_run.run)
    assert train(compose_tiny(toy_run.samples, toy_run.cache, toy_run.run)) == toy_run.checkpoint
    assert "is complete" in " ".join(capsys.readouterr().err.split())
    assert all(torch.equal(value, before[name]) for name, value in weights_of(toy_run.run).items())


def test_a_folder_of_another_run_is_refused(toy_run: ToyRun, tmp_path: Path) -> None:
    other = compose_tiny(toy_run.samples, toy_run.cache, toy_run.run, "stage2.epochs=5", "data.batch_size=4")
    with pytest.raises(ConfigError, match=r"data\.batch_size 8 -> 4; stage2\.epochs 3 -> 5\): give another out="):
        train(other)
    moved = Path(shutil.copytree(toy_run.samples, tmp_path / "moved"))
    elsewhere = compose_tiny(moved, tmp_path / "cache", toy_run.run, "device.threads=2", "log.progress_bar=true")
    assert train(elsewhere) == toy_run.checkpoint  # where and on what it runs may change


def test_a_checkpoint_that_would_run_code_is_refused(toy_run: ToyRun, tmp_path: Path) -> None:
    class Malice:
        def __reduce__(self) -> tuple[object, ...]:
            return Path.touch, (tmp_path / "harmed",)

    config = compose_tiny(toy_run.samples, toy_run.cache, tmp_path / "run")
    last = tmp_path / "run" / "stage1" / "last.ckpt"
    last.parent.mkdir(parents=True)
    for contents in (pickle.dumps(Malice()), b"", b"PK\x03\x04 torn"):
        last.write_bytes(contents)
        with pytest.raises(DataError, match=r"last\.ckpt cannot be read .*remove .*stage1 to begin"):
            train_quietly(config)
    torch.save({"state_dict": Malice()}, last)
    with pytest.raises(DataError, match=r"last\.ckpt cannot be read"):
        train_quietly(config)
    assert not (tmp_path / "harmed").exists()


def test_a_trajectory_in_two_splits_is_a_leak(toy_samples: Path) -> None:
    samples = list(SampleFolder(toy_samples))
    check_samples(samples)
    leaking = [replace(s, split="val") if s.id == "toy-0000-3" else s for s in samples]
    with pytest.raises(DataError, match="trajectory toy-0000 is in the splits train and val: a leak"):
        check_samples(leaking)
    apart = [replace(s, source="another") if s.id == "toy-0000-3" else s for s in leaking]
    check_samples(apart)  # two sources may count their trajectories alike


@pytest.mark.parametrize("split", ["train", "val"])
def test_a_split_of_one_class_is_refused(toy_samples: Path, split: str) -> None:
    samples = [s for s in SampleFolder(toy_samples) if s.split != split or s.success < 0.5]
    count = Counter(s.split for s in samples)[split]
    with pytest.raises(DataError, match=f"the {split} split has 0 successes and {count} failures"):
        check_samples(samples)
    with pytest.raises(DataError, match="the train split has 0 successes and 0 failures"):
        check_samples([])


@pytest.mark.parametrize(
    ("blocks", "learns"), [(0, set()), (1, {"blocks.1", "norm"}), (None, {"blocks.0", "blocks.1", "norm", "project"})]
)
def test_only_the_chosen_blocks_learn(toy_run: ToyRun, blocks: int | None, learns: set[str]) -> None:
    model = load_checkpoint(toy_run.checkpoint)
    stage = JudgementStage(model, StageConfig(1, encoder_blocks=blocks), LossConfig(), 0)
    learning = {name for name, p in stage.named_parameters() if p.requires_grad}
    encoder = {name.removeprefix("model.encoder.") for name in learning if name.startswith("model.encoder.")}
    assert {name for name in learns if any(n.startswith(f"{name}.") for n in encoder)} == learns
    if blocks is not None:
        assert all(n.startswith(tuple(f"{name}." for name in learns)) for n in encoder)
    assert not any(name.startswith("model.text.") for name in learning)
    assert "model.head.attend_change.log_beta" in learning


def test_the_rate_climbs_and_falls() -> None:
    factors = [_cosine(step, 10, 100) for step in range(101)]
    assert factors[0] == pytest.approx(0.1)
    assert factors[9] == factors[10] == 1
    assert factors[55] == pytest.approx(0.5)
    assert factors[100] == pytest.approx(0)
    assert factors[10:] == sorted(factors[10:], reverse=True)


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("device.accelerator=abacus", "device.accelerator=abacus .*cannot be had"),
        ("device.strategy=hope", "device.strategy=hope cannot be had"),
        ("device.devices=0", "device.devices=0"),
    ],
)
def test_a_device_that_cannot_be_had_is_named(toy_run: ToyRun, tmp_path: Path, override: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        train_quietly(compose_tiny(toy_run.samples, toy_run.cache, tmp_path / "run", override))


def test_precision_is_what_the_configuration_says(toy_run: ToyRun, tmp_path: Path) -> None:
    device = compose_tiny(toy_run.samples, toy_run.cache, tmp_path).device
    assert choose_precision(device) == "32-true"
    assert choose_precision(replace(device, precision="auto")) in ("bf16-mixed", "32-true")


def test_bf16_trains(toy_run: ToyRun, tmp_path: Path) -> None:
    overrides = ("device.precision=bf16-mixed", "stage2.epochs=1")
    train_quietly(compose_tiny(toy_run.samples, toy_run.cache, tmp_path / "run", *overrides))
    assert all(value.isfinite().all() for value in weights_of(tmp_path / "run").values() if value.is_floating_point())


def test_wandb_offline_needs_no_network(toy_run: ToyRun, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("WANDB_MODE", "WANDB_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("WANDB_BASE_URL", "http://127.0.0.1:9")  # nobody answers there
    config = compose_tiny(toy_run.samples, toy_run.cache, tmp_path / "run", "log.wandb=offline", "stage2.epochs=1")
    with foreign_warnings_ignored():
        train(config)
    for stage in ("stage1", "stage2"):  # a run of its own for each stage, or their steps would collide
        assert len(list((tmp_path / "run" / stage / "wandb").glob("offline-run-*/*.wandb"))) == 1
