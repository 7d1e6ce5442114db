"""What training costs: a step beside the backbone alone, and an epoch by samples and device.

`python scripts/benchmark.py train --samples DIR` runs both.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any, Final

import torch

from viscritic.bench.speed.clock import CLOCKS, Clock
from viscritic.model.config import ModelConfig
from viscritic.model.critic import CriticModel
from viscritic.sample_folder import SampleFolder
from viscritic.train.arrays import open_arrays
from viscritic.train.config import DeviceConfig, LossConfig, StageConfig
from viscritic.train.data import TransitionDataset, make_loader
from viscritic.train.run import choose_precision
from viscritic.train.stages import JudgementStage

BATCH: Final = 16
_CPU: Final = torch.device("cpu")


class Course:
    """Stage 2 on a folder's samples, from their cut arrays on, without Lightning around it.

    Args:
        cache: where arrays are kept.
        clock: "wall", or "processor", which other work on the machine does not lengthen; of a GPU it knows nothing.
    """

    def __init__(self, samples: Path, cache: Path, clock: Clock) -> None:
        self.now = CLOCKS[clock]
        folder = SampleFolder(samples)
        self.rows = list(folder)
        self.model = CriticModel.build(ModelConfig())
        self._store = open_arrays(folder, self.model.config.preprocess, cache)
        self.stage = JudgementStage(self.model, StageConfig(epochs=1), LossConfig(), 0)
        self.stage.log = lambda *_, **__: None  # type: ignore[method-assign]  # no trainer here
        self.optimizer = torch.optim.AdamW([p for p in self.stage.parameters() if p.requires_grad])

    def load(self, samples: int) -> Any:
        """Batches of so many samples, of the first ones again where the folder has fewer."""
        chosen = [number % len(self.rows) for number in range(samples)]
        dataset = TransitionDataset(self.rows, self._store, chosen, self.model.text.tokenizer, 40)
        return make_loader(dataset, BATCH, None)

    def step(self, batch: Any, labels: Any, device: torch.device = _CPU) -> None:
        """Forward, backward, and the optimizer's step."""
        with self.cast(device):
            loss = self.stage.training_step((batch.to(device), labels.to(device)), 0)
        loss.backward()
        self.optimizer.step()
        self.optimizer.zero_grad()

    def cast(self, device: torch.device = _CPU) -> torch.autocast:
        """bf16 where training would take it."""
        asked = choose_precision(DeviceConfig(accelerator="gpu" if device.type == "cuda" else "cpu"))
        return torch.autocast(device.type, torch.bfloat16, enabled=asked == "bf16-mixed")


def bench_step(course: Course, threads: int, repeat: int) -> dict[str, float]:
    """Pairs/s of a training step on real batches, beside the backbone's forward and backward on the same tokens."""
    torch.set_num_threads(threads)
    whole, bare, loading = [], [], []
    batches = iter(course.load(BATCH * (repeat + 1)))
    for _ in range(repeat + 1):
        start = course.now()
        batch, labels = next(batches)
        loaded = course.now()
        course.step(batch, labels)
        stepped = course.now()
        with course.cast():
            features = torch.cat(course.model.encode_screens(batch), dim=1)
        features.float().square().mean().backward()
        course.optimizer.zero_grad()
        whole.append(stepped - start)
        loading.append(loaded - start)
        bare.append(course.now() - stepped)
    step, backbone = median(whole[1:]), median(bare[1:])
    return {
        "whole step, pairs/s": BATCH / step,
        "bare backbone, pairs/s": BATCH / backbone,
        "ratio": backbone / step,
        "share of loading": median(loading[1:]) / step,
    }


def bench_epochs(course: Course, counts: Sequence[int], threads: int) -> dict[str, dict[int, float]]:
    """Seconds of an epoch by device and number of samples: one thread, all threads, and a GPU where there is one."""
    devices = {f"CPU, threads: {count}": (_CPU, count) for count in sorted({1, threads})}
    if torch.cuda.is_available():
        devices[torch.cuda.get_device_name()] = (torch.device("cuda"), threads)
    found: dict[str, dict[int, float]] = {}
    for name, (device, wanted) in devices.items():
        torch.set_num_threads(wanted)
        course.stage.to(device)
        for batch, labels in course.load(BATCH):  # the first step makes the optimizer's state
            course.step(batch, labels, device)
        found[name] = {count: _time_epoch(course, count, device) for count in counts}
    return found


def _time_epoch(course: Course, count: int, device: torch.device) -> float:
    start = course.now()
    for batch, labels in course.load(count):
        course.step(batch, labels, device)
    if device.type == "cuda":
        torch.cuda.synchronize()
    return course.now() - start
