"""One training run: samples -> arrays -> stage 1 -> stage 2 -> checkpoint."""

from __future__ import annotations

import platform
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import lightning
import numpy as np
import numpy.typing as npt
import torch
from lightning.pytorch.callbacks import LearningRateMonitor, ModelCheckpoint, TQDMProgressBar
from lightning.pytorch.loggers import CSVLogger, WandbLogger
from lightning.pytorch.utilities.exceptions import MisconfigurationException
from rich.console import Console

import viscritic
from viscritic.errors import ConfigError, DataError
from viscritic.model.critic import CriticModel, save_checkpoint
from viscritic.sample import Sample
from viscritic.sample_folder import SampleFolder
from viscritic.train.arrays import ArrayStore, open_arrays
from viscritic.train.config import DeviceConfig, TrainConfig
from viscritic.train.data import EpochOrder, TransitionDataset, make_loader
from viscritic.train.features import FeatureStore, open_features
from viscritic.train.forest import fit_forest
from viscritic.train.run_folder import claim_folder
from viscritic.train.shrink import shrink_correction
from viscritic.train.stages import ContrastiveStage, JudgementStage, Stage

_console = Console(stderr=True)


def train(config: TrainConfig) -> Path:
    """Run both stages and write the checkpoint that validated best.

    A run that was stopped goes on from its last whole epoch; one that ended returns at once.

    Returns:
        The folder of the checkpoint, `out/checkpoint`.

    Raises:
        DataError: the samples cannot be trained on; the message says why.
        ConfigError: `out` holds a run with other settings, or the device cannot be had.
    """
    out = Path(config.out)
    final = out / "checkpoint"
    folder = SampleFolder(Path(config.data.folder))
    claim_folder(out, config, folder)
    if (final / "meta.json").is_file():
        _console.print(f"{final} is complete; give another out= to train anew")
        return final
    if config.device.threads:
        torch.set_num_threads(config.device.threads)
    samples = list(folder)
    check_samples(samples)
    lightning.seed_everything(config.seed, verbose=False)
    model = CriticModel.build(config.model)
    store = open_arrays(folder, config.model.preprocess, Path(config.data.cache).expanduser(), model.reader)
    forest = model.head.forest
    guesses = fit_forest(forest, store.facts, samples, config.seed) if forest is not None else None
    metrics: dict[str, Any] = {}
    features: FeatureStore | None = None
    for name, stage_config, kind in (
        ("stage1", config.stage1, ContrastiveStage),
        ("stage2", config.stage2, JudgementStage),
    ):
        if stage_config.epochs:
            stage = kind(model, stage_config, config.loss, config.seed)
            frozen = stage_config.encoder_blocks == 0
            features = open_features(model, store, Path(config.data.cache).expanduser()) if frozen else None
            metrics[name] = _run_stage(name, stage, samples, store, features, guesses, config)
    if forest is not None and config.stage2.epochs:
        chosen = [i for i, s in enumerate(samples) if s.split == "val"]
        dataset = TransitionDataset(
            samples, store, chosen, model.text.tokenizer, config.model.preprocess.text_tokens, features=features
        )
        batches = make_loader(dataset, config.data.batch_size, None)
        metrics["stage2"]["correction"] = shrink_correction(model.eval(), batches)
    if _is_first_process():
        save_checkpoint(model.eval(), final, _describe_run(config, folder, metrics))
        _console.print(f"checkpoint: {final}")
    return final


def check_samples(samples: Sequence[Sample]) -> None:
    """Refuse what would train without an error but mean nothing.

    Raises:
        DataError: an empty split, a split without both classes, or a trajectory in two splits.
    """
    homes: dict[tuple[str, str], str] = {}
    for sample in samples:
        home = homes.setdefault((sample.source, sample.trajectory), sample.split)
        if home != sample.split:
            raise DataError(f"trajectory {sample.trajectory} is in the splits {home} and {sample.split}: a leak")
    for split in ("train", "val"):
        classes = Counter(s.success >= 0.5 for s in samples if s.split == split)
        if len(classes) < 2:
            raise DataError(
                f"the {split} split has {classes[True]} successes and {classes[False]} failures; both are needed. "
                f"Build more samples, or with another --seed"
            )


def _run_stage(
    name: str,
    stage: Stage,
    samples: Sequence[Sample],
    store: ArrayStore,
    features: FeatureStore | None,
    guesses: npt.NDArray[np.float32] | None,
    config: TrainConfig,
) -> dict[str, float]:
    """Fit one stage, resuming where it was stopped, and leave the model with its best weights."""
    folder = Path(config.out) / name
    trainer = _make_trainer(folder, stage, config, wandb_name=f"{Path(config.out).name}-{name}")
    positives = isinstance(stage, ContrastiveStage)  # a perturbed transition has no action of its own
    loaders = []
    for split in ("train", "val"):
        chosen = [i for i, s in enumerate(samples) if s.split == split and (s.success >= 0.5 or not positives)]
        dataset = TransitionDataset(
            samples, store, chosen, stage.model.text.tokenizer,
            config.model.preprocess.text_tokens, config.data.negatives if positives else 0, features, guesses,
        )  # fmt: skip
        order = None
        if split == "train":
            order = EpochOrder(len(dataset), config.seed, trainer.global_rank, trainer.world_size)
        loaders.append(make_loader(dataset, config.data.batch_size, order))
    last = _find_last(folder)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module="lightning")  # advice on loaders and modes that we chose on purpose
        trainer.fit(stage, *loaders, ckpt_path=last, weights_only=True)
    for logger in trainer.loggers:
        if isinstance(logger, WandbLogger):
            logger.experiment.finish()  # else the next stage would log into this one's run
    best = trainer.checkpoint_callback
    assert isinstance(best, ModelCheckpoint)
    if trainer.interrupted:
        raise KeyboardInterrupt
    weights = torch.load(best.best_model_path, map_location="cpu", weights_only=True)["state_dict"]
    stage.load_state_dict(weights, strict=True)
    return {
        "epoch": float(Path(best.best_model_path).stem.split("=")[-1]),
        stage.monitor[0].replace("/", "_"): float(best.best_model_score or 0),
    }


def _find_last(folder: Path) -> str | None:
    """The checkpoint of the last whole epoch, None before the first.

    Raises:
        DataError: it is damaged, or would run code when it is read.
    """
    last = folder / "last.ckpt"
    if not last.is_file():
        return None
    try:
        torch.load(last, map_location="cpu", weights_only=True, mmap=True)
    except Exception as error:  # zip, pickle and torch raise a dozen kinds
        raise DataError(
            f"{last} cannot be read ({type(error).__name__}): remove {folder} to begin this stage anew"
        ) from error
    return str(last)


def _make_trainer(folder: Path, stage: Stage, config: TrainConfig, wandb_name: str) -> lightning.Trainer:
    device, log = config.device, config.log
    loggers: list[Any] = [CSVLogger(folder, name="", version="metrics")]
    if log.wandb != "off":
        loggers.append(
            WandbLogger(
                wandb_name, save_dir=folder, project=log.project, offline=log.wandb == "offline", config=asdict(config)
            )
        )
    keep = ModelCheckpoint(
        folder,
        filename="{epoch}",
        monitor=stage.monitor[0],
        mode=stage.monitor[1],
        save_last=True,
        enable_version_counter=False,
    )
    try:
        return lightning.Trainer(
            accelerator=device.accelerator, devices=device.devices, strategy=device.strategy,
            precision=choose_precision(device), max_epochs=stage.config.epochs, gradient_clip_val=stage.config.clip,
            logger=loggers, callbacks=[keep, LearningRateMonitor(), *([TQDMProgressBar()] if log.progress_bar else [])],
            enable_progress_bar=log.progress_bar, enable_model_summary=False, use_distributed_sampler=False,
            log_every_n_steps=1, num_sanity_val_steps=0, deterministic="warn", default_root_dir=folder,
        )  # fmt: skip
    except (ValueError, TypeError, MisconfigurationException) as error:
        raise ConfigError(
            f"device.accelerator={device.accelerator} device.devices={device.devices} "
            f"device.strategy={device.strategy} cannot be had: {error}"
        ) from error


def choose_precision(device: DeviceConfig) -> Any:
    """bf16 where the device computes in it, else float32, unless the configuration says."""
    if device.precision != "auto":
        return device.precision
    if device.accelerator in ("gpu", "cuda", "auto") and torch.cuda.is_available():
        return "bf16-mixed" if torch.cuda.is_bf16_supported() else "32-true"
    return "bf16-mixed" if torch.ops.mkldnn._is_mkldnn_bf16_supported() else "32-true"


def _is_first_process() -> bool:
    return not torch.distributed.is_initialized() or torch.distributed.get_rank() == 0


def _describe_run(config: TrainConfig, folder: SampleFolder, metrics: dict[str, Any]) -> dict[str, Any]:
    """What meta.json says: how to come to these weights again."""
    commit = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=Path(__file__).parent, capture_output=True, text=True, check=False
    )
    return {
        "viscritic": viscritic.__version__,
        "commit": commit.stdout.strip() or None,
        "command": " ".join(["python", *sys.argv]),
        "data_sha256": folder.manifest["samples_sha256"],
        "config": asdict(config),
        "metrics": metrics,
        "torch": torch.__version__,
        "machine": platform.machine(),
    }
