from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from viscritic.actions import Action
from viscritic.evaluate import Predictions
from viscritic.sample import Sample
from viscritic.sample_folder import SampleFolder
from viscritic.sample_writer import SampleWriter

MakeSample = Callable[..., Sample]


@pytest.fixture
def make_sample() -> MakeSample:
    """A sample with the given fields; ids count up."""
    numbers: Iterator[int] = iter(range(10**6))

    def make(success: float, **fields: Any) -> Sample:
        defaults: dict[str, Any] = {
            "id": f"s{next(numbers)}",
            "app": "editor",
            "platform": "desktop",
            "source": "drawn",
            "trajectory": "t0",
            "step": 0,
            "pre": "pre.png",
            "post": "post.png",
            "action": (Action("click", 10, 10),),
            "progress": None,
            "outcome": None,
            "cause": "positive" if success >= 0.5 else "wrong",
            "origin": "weak",
            "split": "test",
        }
        return Sample(success=success, **(defaults | fields))

    return make


@pytest.fixture(scope="session")
def predict() -> Callable[..., Predictions]:
    """Predictions of samples from plain lists."""

    def make(samples: list[Sample], success: Any, progress: Any = None, probs: Any = None) -> Predictions:
        unknown = np.full(len(samples), np.nan)
        ids = tuple(sample.id for sample in samples)
        return Predictions(ids, np.asarray(success, float), unknown if progress is None else progress, probs)

    return make


def draw_desktop(
    button: tuple[int, int], *, dialog: bool = False, clock: int = 0, size: tuple[int, int] = (320, 240)
) -> bytes:
    """A small desktop as PNG: a menu bar with a clock, a button, and perhaps the dialog that the button opens."""
    image = Image.new("RGB", size, "#dfe6ee")
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, size[0], 18), fill="#334155")
    draw.text((size[0] - 40, 4), f"12:{clock:02d}", fill="white")
    x, y = button
    draw.rounded_rectangle((x - 30, y - 10, x + 30, y + 10), 4, fill="#0072b2")
    draw.text((x - 14, y - 6), "Open", fill="white")
    if dialog:
        draw.rectangle((x - 60, y + 20, x + 60, y + 90), fill="white", outline="black")
        draw.text((x - 40, y + 40), "Choose a file", fill="black")
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


@pytest.fixture(scope="session")
def drawn_folder(tmp_path_factory: pytest.TempPathFactory) -> SampleFolder:
    """48 samples of drawn desktops: a click opens the dialog (success), only the clock ticks, or another button opens
    its own (failures). A wait succeeds with nothing but the clock. Trajectories of 4 samples, three splits of 16."""
    path: Path = tmp_path_factory.mktemp("drawn") / "samples"
    rng = np.random.default_rng(7)
    with SampleWriter(path, command="tests", configuration={}, seed=7) as writer:
        for number in range(48):
            x, y = int(rng.integers(70, 250)), int(rng.integers(40, 120))
            kind = ("opened", "clock", "elsewhere", "waited")[number % 4]
            pre = draw_desktop((x, y), clock=number)
            post = draw_desktop((x, y), dialog=kind in ("opened", "elsewhere"), clock=(number + 1) % 60)
            point = (x, y) if kind != "elsewhere" else ((x + 160) % 320, 220)
            action = Action("wait", seconds=1.0) if kind == "waited" else Action("click", *map(float, point))
            writer.append(
                Sample(
                    id=f"drawn-{number}",
                    app=("editor", "browser")[number // 4 % 2],
                    platform="desktop",
                    source="drawn",
                    trajectory=f"t{number // 4}",
                    step=number % 4,
                    pre=writer.add_screen(pre),
                    post=writer.add_screen(post),
                    action=(action,),
                    success=float(kind in ("opened", "waited")),
                    progress=(number % 4) / 4,
                    outcome={"clock": "no_op", "elsewhere": "wrong_target"}.get(kind, "success"),  # type: ignore[arg-type]
                    cause=kind,
                    origin="observed",
                    split=("train", "val", "test")[number // 16],  # type: ignore[arg-type]
                    instruction="Open a file",
                )
            )
    return SampleFolder(path)
