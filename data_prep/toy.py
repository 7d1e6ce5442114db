"""A drawn toy GUI whose truth is known: samples to try the pipeline on, in seconds and without any download.

Two applications of labelled switches. A click on a switch turns it; a task asks for one by its name. What it teaches is
worth nothing outside of it.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from viscritic.actions import Action
from viscritic.sample import Change, Sample, Split
from viscritic.sample_writer import SampleWriter
from viscritic.trajectory import Outcome

SIZE: Final = (320, 240)  # pixels
_NAMES: Final = ("Wi-Fi", "Sound", "Light", "Alarm", "Radio", "Backup", "Clock", "Print")
_SWITCHES: Final = 4
_SPLITS: Final[tuple[Split, ...]] = ("train", "val", "test", "train")
_CAUSES: Final[tuple[tuple[str, Outcome, Change], ...]] = (
    ("clean", "success", "visual"),
    ("neighbour_hit", "wrong_target", "visual"),
    ("swallowed_event", "no_op", "none"),
    ("clean", "success", "visual"),
    ("server_error", "page_error", "textual"),
    ("held_request", "timeout", "visual"),
)


@dataclass(frozen=True, slots=True)
class _Panel:
    """The state of the drawn application."""

    names: tuple[str, ...]
    on: tuple[bool, ...]
    banner: str = ""

    def turn(self, index: int) -> _Panel:
        return _Panel(self.names, tuple(value != (i == index) for i, value in enumerate(self.on)))


def write_toy_samples(out: Path, *, trajectories: int, seed: int, command: str) -> dict[str, Any]:
    """Draw `trajectories` tasks of six steps each and write them as a sample folder.

    Of each four trajectories two are for training, one for validation, one for testing.

    Returns:
        The folder's manifest.
    """
    configuration = {"trajectories": trajectories, "seed": seed}
    with SampleWriter(out, command=command, configuration=configuration, seed=seed, card=_card) as writer:
        for number in range(trajectories):
            _write_trajectory(writer, number, _SPLITS[number % len(_SPLITS)], np.random.default_rng([seed, number]))
    return writer.manifest


def _card(manifest: Mapping[str, Any]) -> str:
    return (
        f"# Toy samples\n\n{manifest['samples']} transitions of a drawn panel of switches (data_prep/toy.py), seed "
        f"{manifest['seed']}. For trying the pipeline; a model of them knows nothing of real GUIs.\n"
    )


def _write_trajectory(writer: SampleWriter, number: int, split: Split, rng: np.random.Generator) -> None:
    names = tuple(str(name) for name in rng.permutation(_NAMES)[:_SWITCHES])
    panel = _Panel(names, tuple(bool(value) for value in rng.integers(0, 2, _SWITCHES)))
    for step, (cause, outcome, change) in enumerate(_CAUSES):
        wanted = int(rng.integers(_SWITCHES))
        hit = (wanted + 1) % _SWITCHES if outcome == "wrong_target" else wanted
        after = {
            "success": panel.turn(hit),
            "wrong_target": panel.turn(hit),
            "no_op": panel,
            "page_error": _Panel(panel.names, panel.on, "Error 500: not saved"),
            "timeout": _Panel(panel.names, panel.on, "Loading ..."),
        }[outcome]
        x, y, width, height = _switch_box(hit)
        writer.append(
            Sample(
                id=f"toy-{number:04d}-{step}", app=f"toy-{split}", platform="desktop", source="toy",
                trajectory=f"toy-{number:04d}", step=step, pre=writer.add_screen(_draw(panel)),
                post=writer.add_screen(_draw(after)), action=(Action("click", x + width / 2, y + height / 2),),
                success=float(outcome == "success"),
                progress=(step + 1) / len(_CAUSES) if outcome == "success" else 0.0,
                outcome=outcome, cause=cause, origin="observed", split=split,
                instruction=f"Turn {names[wanted]} {'off' if panel.on[wanted] else 'on'}",
                task="Set the switches", change=change, target_box=_switch_box(wanted),
            )
        )  # fmt: skip
        panel = after if outcome in ("success", "wrong_target") else panel


def _switch_box(index: int) -> tuple[float, float, float, float]:
    return 20.0, 30.0 + 45 * index, 44.0, 24.0


def _draw(panel: _Panel) -> bytes:
    """The panel as PNG."""
    image = Image.new("RGB", SIZE, (244, 245, 247))
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(16)
    for index, (name, on) in enumerate(zip(panel.names, panel.on, strict=True)):
        x, y, width, height = _switch_box(index)
        draw.rounded_rectangle((x, y, x + width, y + height), 12, fill=(40, 140, 80) if on else (180, 184, 190))
        left = x + width - 22 if on else x + 2
        draw.ellipse((left, y + 2, left + 20, y + 22), fill="white")
        draw.text((x + width + 16, y + 2), name, font=font, fill=(30, 34, 40))
    if panel.banner:
        draw.rectangle((0, 212, SIZE[0], SIZE[1]), fill=(250, 226, 190))
        draw.text((12, 216), panel.banner, font=font, fill=(120, 40, 0))
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()
