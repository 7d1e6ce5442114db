"""The two stages as Lightning modules."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal

import lightning
import torch
from sklearn.metrics import roc_auc_score
from torch import Tensor, nn

from viscritic.model.critic import Batch, CriticModel, Encoded
from viscritic.train.config import LossConfig, StageConfig
from viscritic.train.data import Labels
from viscritic.train.losses import attention_kl, info_nce, judgement_losses, weigh


class Stage(lightning.LightningModule):
    """What both stages share: which weights learn, at which rate, and randomness that depends on the epoch alone.

    Attributes:
        monitor: the figure that tells the best epoch, and whether the least ("min") or the greatest ("max") is best.
    """

    monitor: tuple[str, Literal["min", "max"]] = ("val/loss", "min")

    def __init__(self, model: CriticModel, config: StageConfig, loss: LossConfig, seed: int) -> None:
        super().__init__()
        self.model, self.config, self.loss, self.seed = model, config, loss, seed
        model.requires_grad_(False)
        for module in self._learning():
            module.requires_grad_(True)
        for module in _last_blocks(model, config.encoder_blocks):
            module.requires_grad_(True)

    def _learning(self) -> Iterator[nn.Module]:
        """The modules that learn, beside the encoder."""
        raise NotImplementedError

    def on_train_epoch_start(self) -> None:
        """Dropout of an epoch does not depend on whether the run was resumed before it."""
        torch.manual_seed(self.seed * 100_003 + self.current_epoch)
        self.model.train()
        self.model.text.eval()  # frozen: its dropout too

    def configure_optimizers(self) -> dict[str, Any]:
        """AdamW with a cosine after a linear warm-up."""
        groups = _parameter_groups(self, self.config)
        optimizer = torch.optim.AdamW(groups, lr=self.config.learning_rate, betas=(0.9, 0.98))
        total = int(self.trainer.estimated_stepping_batches)
        warmup = max(1, round(self.config.warmup * total))
        schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: _cosine(step, warmup, total))
        return {"optimizer": optimizer, "lr_scheduler": {"scheduler": schedule, "interval": "step"}}

    def transfer_batch_to_device(self, batch: Any, device: torch.device, dataloader_idx: int) -> Any:
        """Lightning moves only containers that it knows."""
        return tuple(part.to(device) for part in batch)

    def _encode(self, batch: Batch | Encoded, *, hide: bool = False) -> Encoded:
        """What the head reads; in training some details are hidden from it, the thumbnail never."""
        seen = batch if isinstance(batch, Encoded) else self.model.encode(batch)
        if not hide or not self.config.hidden:
            return seen
        shown = torch.rand(seen.mask.shape, device=seen.mask.device) >= self.config.hidden
        shown[:, seen.details :] = True
        return replace(seen, mask=seen.mask & shown)

    def _log(self, split: str, values: dict[str, Tensor], size: int) -> None:
        for name, value in values.items():
            self.log(
                f"{split}/{name}", value.detach(), on_step=split == "train", on_epoch=True, batch_size=size,
                prog_bar=name == "loss", sync_dist=split == "val",
            )  # fmt: skip


class ContrastiveStage(Stage):
    """Stage 1: the change's direction is that of the action that made it, and attention lies on the action's region."""

    def __init__(self, model: CriticModel, config: StageConfig, loss: LossConfig, seed: int) -> None:
        super().__init__(model, config, loss, seed)
        self.log_temperature = nn.Parameter(torch.tensor(math.log(0.07)))

    def _learning(self) -> Iterator[nn.Module]:
        head = self.model.head
        yield from (head.attend_change, head.align_change, head.align_intent)

    def training_step(self, batch: tuple[Batch | Encoded, Labels], _: int) -> Tensor:
        """One step of InfoNCE and KL."""
        return self._step("train", self._encode(batch[0], hide=True), batch[1])

    def validation_step(self, batch: tuple[Batch | Encoded, Labels], _: int) -> None:
        """The same losses, and how often the right action is the nearest."""
        self._step("val", self._encode(batch[0]), batch[1])

    def _step(self, split: str, seen: Encoded, labels: Labels) -> Tensor:
        head = self.model.head
        delta = seen.post - seen.pre
        attention = head.attend_change(delta, seen.mask)
        change = head.embed_change(torch.einsum("bn,bnd->bd", attention.to(delta.dtype), delta))
        intents = head.embed_intent(*self.model.encode_texts(labels.candidate_ids, labels.candidate_mask))
        contrast = info_nce(change, intents, labels.intent, self.log_temperature.exp())
        kl = attention_kl(attention, labels.region)
        loss = contrast + self.loss.attention * kl
        nearest = ((change @ intents.T).argmax(-1) == labels.intent).float().mean()
        self._log(split, {"loss": loss, "contrast": contrast, "kl": kl, "nearest": nearest}, len(labels.success))
        return loss


class JudgementStage(Stage):
    """Stage 2: success, progress and outcome, end to end.

    Its best epoch is the one that ranks successes best: a loss would punish being sure, which the bundle's temperature
    takes back afterwards.
    """

    monitor = ("val/auroc", "max")

    def __init__(self, model: CriticModel, config: StageConfig, loss: LossConfig, seed: int) -> None:
        super().__init__(model, config, loss, seed)
        self._ranked: list[tuple[Tensor, Tensor]] = []

    def _learning(self) -> Iterator[nn.Module]:
        yield self.model.head  # its forest has no parameters: it is fitted before

    def training_step(self, batch: tuple[Batch | Encoded, Labels], _: int) -> Tensor:
        """One step of the three losses."""
        return self._step("train", self._encode(batch[0], hide=True), batch[1])

    def validation_step(self, batch: tuple[Batch | Encoded, Labels], _: int) -> None:
        """The same losses."""
        self._step("val", self._encode(batch[0]), batch[1])

    def on_validation_epoch_end(self) -> None:
        """How well the whole split is ranked."""
        logits, labels = (torch.cat(column).float().cpu() for column in zip(*self._ranked, strict=True))
        self._ranked.clear()
        self.log("val/auroc", roc_auc_score(labels.numpy() >= 0.5, logits.numpy()), sync_dist=True)

    def _step(self, split: str, seen: Encoded, labels: Labels) -> Tensor:
        output = self.model.judge(seen, labels.guess if labels.guess.shape[1] else None)
        losses = judgement_losses(output, labels)
        loss = weigh(losses, self.loss)
        if split == "val":
            self._ranked.append((output.success.detach(), labels.success))
        right = ((output.success > 0) == (labels.success >= 0.5)).float().mean()
        self._log(split, {"loss": loss, **losses, "accuracy": right}, len(labels.success))
        return loss


def _last_blocks(model: CriticModel, count: int | None) -> Iterator[nn.Module]:
    """The encoder's last `count` blocks and its norm; all of it for None."""
    if count is None:
        yield model.encoder
    elif count > 0:
        yield from model.encoder.blocks[-count:]
        yield model.encoder.norm


def _parameter_groups(stage: nn.Module, config: StageConfig) -> list[dict[str, Any]]:
    """Encoder and head at their rates; vectors (norms, biases, positions) without decay."""
    groups: dict[tuple[bool, bool], list[Tensor]] = {}
    for name, parameter in stage.named_parameters():
        if parameter.requires_grad:
            key = (name.startswith("model.encoder."), parameter.ndim == 2)
            groups.setdefault(key, []).append(parameter)
    return [
        {
            "params": parameters,
            "lr": config.learning_rate * (config.encoder_rate if encoder else 1.0),
            "weight_decay": config.weight_decay if matrix else 0.0,
        }
        for (encoder, matrix), parameters in groups.items()
    ]


def _cosine(step: int, warmup: int, total: int) -> float:
    """Factor of the learning rate at a step."""
    if step < warmup:
        return (step + 1) / warmup
    return 0.5 * (1 + math.cos(math.pi * min(1.0, (step - warmup) / max(1, total - warmup))))
