"""A training run's settings, as Hydra composes them from configs/."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from viscritic.errors import ConfigError
from viscritic.model.config import ModelConfig


@dataclass(frozen=True, slots=True)
class DataConfig:
    """Where the samples are.

    Attributes:
        folder: a sample folder (`viscritic data build` writes one).
        cache: where arrays cut from its screens are kept between runs.
        batch_size: transitions in a step, per device.
        negatives: other actions of the same trajectory beside each transition in stage 1.
    """

    folder: str
    cache: str
    batch_size: int = 16
    negatives: int = 4

    def __post_init__(self) -> None:
        if self.batch_size < 1 or self.negatives < 0:
            raise ConfigError(
                f"data needs batch_size >= 1 and negatives >= 0, got {self.batch_size} and {self.negatives}"
            )


@dataclass(frozen=True, slots=True)
class StageConfig:
    """One stage's schedule.

    Attributes:
        epochs: 0 skips the stage.
        learning_rate: of the head, at the top of the cosine.
        encoder_rate: the encoder's, as a fraction of the head's.
        encoder_blocks: train so many of the encoder's last blocks; 0 freezes it, None trains all of it.
        warmup: fraction of all steps in which the rate climbs.
        weight_decay: of matrices; biases and norms have none.
        clip: largest norm of the gradient.
        hidden: fraction of the detail places that a training step hides, so that no single one decides.
    """

    epochs: int
    learning_rate: float = 3e-4
    encoder_rate: float = 0.1
    encoder_blocks: int | None = None
    warmup: float = 0.1
    weight_decay: float = 0.05
    clip: float = 1.0
    hidden: float = 0.0

    def __post_init__(self) -> None:
        if self.epochs < 0 or not 0 <= self.warmup <= 1 or self.learning_rate <= 0 or not 0 <= self.hidden < 1:
            raise ConfigError(
                f"a stage needs epochs >= 0, 0 <= warmup <= 1, learning_rate > 0 and 0 <= hidden < 1, got "
                f"{self.epochs}, {self.warmup}, {self.learning_rate}, {self.hidden}"
            )
        if self.encoder_blocks is not None and self.encoder_blocks < 0:
            raise ConfigError(f"a stage's encoder_blocks must be null or at least 0, got {self.encoder_blocks}")


@dataclass(frozen=True, slots=True)
class LossConfig:
    """Weights of the losses (the paper's: BCE 1, MSE 0.5, CE 0.5; the attention's KL 1)."""

    success: float = 1.0
    progress: float = 0.5
    outcome: float = 0.5
    attention: float = 1.0


@dataclass(frozen=True, slots=True)
class DeviceConfig:
    """What it runs on.

    Attributes:
        accelerator, devices, strategy: Lightning's ("cpu", 2, "ddp").
        precision: "auto" takes bf16-mixed where the device computes in it, else 32-true.
        threads: of torch on a CPU; 0 leaves torch's choice.
    """

    accelerator: str = "auto"
    devices: int = 1
    strategy: str = "auto"
    precision: Literal["auto", "bf16-mixed", "32-true"] = "auto"
    threads: int = 0


@dataclass(frozen=True, slots=True)
class LogConfig:
    """Where metrics go; a CSV file is always written.

    Attributes:
        wandb: "off", "offline" (a folder to sync later) or "online".
        project: of Weights & Biases.
        progress_bar: on the terminal.
    """

    wandb: Literal["off", "offline", "online"] = "off"
    project: str = "viscritic"
    progress_bar: bool = True


@dataclass(frozen=True, slots=True)
class TrainConfig:
    """A whole run.

    Attributes:
        out: folder of this run; a run that was stopped goes on where it is given the same folder again.
        seed: of weights, order and dropout.
    """

    out: str
    seed: int
    data: DataConfig
    stage1: StageConfig
    stage2: StageConfig
    model: ModelConfig = field(default_factory=ModelConfig)
    loss: LossConfig = field(default_factory=LossConfig)
    device: DeviceConfig = field(default_factory=DeviceConfig)
    log: LogConfig = field(default_factory=LogConfig)

    def __post_init__(self) -> None:
        if not 0 <= self.seed < 2**32:
            raise ConfigError(f"seed must be from 0 to {2**32 - 1}, got {self.seed}")
