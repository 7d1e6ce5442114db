"""Contact sheets: samples as pictures for eyes, pre and post side by side with the action's point."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Final

from PIL import Image, ImageDraw

from viscritic.actions import Action
from viscritic.errors import DataError
from viscritic.files import atomic_write, check_file_place
from viscritic.heatmap.colours import Colour
from viscritic.heatmap.fonts import tell_missing
from viscritic.heatmap.text import draw_lines, wrap
from viscritic.sample import Sample
from viscritic.sample_folder import SampleFolder

_CELL: Final = (620, 400)  # pixels of one screen
_TEXT: Final = 54  # pixels above the screens, for two lines
_SIZE: Final = 15  # height of a letter
_INK: Final[Colour] = (0, 0, 0)
_LABEL: Final[Colour] = (176, 0, 32)


def draw_sheet(folder: SampleFolder, samples: list[Sample], columns: int = 1, *, blind: bool = False) -> Image.Image:
    """One row a sample: pre with point and target box, post, instruction; label and target box unless `blind`."""
    wide, high = 2 * _CELL[0] + 12, _CELL[1] + _TEXT
    rows = -(-len(samples) // columns)
    sheet = Image.new("RGB", (wide * columns, high * rows), "#222")
    for index, sample in enumerate(samples):
        cell = _draw_sample(folder, sample, index, blind)
        sheet.paste(cell, ((index % columns) * wide, (index // columns) * high))
    return sheet


def choose(folder: SampleFolder, number: int, seed: int) -> list[Sample]:
    """Random samples of a folder."""
    return [folder[i] for i in sorted(Random(seed).sample(range(len(folder)), min(number, len(folder))))]


def _draw_sample(folder: SampleFolder, sample: Sample, index: int, blind: bool) -> Image.Image:
    cell = Image.new("RGB", (2 * _CELL[0] + 8, _CELL[1] + _TEXT - 4), "white")
    for side, name in enumerate((sample.pre, sample.post)):
        with Image.open(folder.screen_path(name)) as image:
            screen = image.convert("RGB")
        if side == 0:
            _mark(screen, sample, box=not blind)
        screen.thumbnail(_CELL, Image.Resampling.LANCZOS)
        cell.paste(screen, (side * (_CELL[0] + 8), _TEXT))
    what = "; ".join(a.describe() for a in sample.action)
    progress = "-" if sample.progress is None else f"{sample.progress:.2f}"
    label = "" if blind else f"   ==> {sample.outcome} | {sample.cause} | {sample.change} | progress {progress}"
    extra = "" if blind else f"{sample.app} {sample.id} noise={sample.noise or '-'}"
    told = f"{index}: {sample.instruction or '(no instruction)'} [{what}]"
    _write(cell, 4, told, _INK)
    _write(cell, 26, f"{extra}{label} {tell_missing(told)}", _LABEL)
    return cell


def _write(cell: Image.Image, top: int, text: str, colour: Colour) -> None:
    """One line across the cell."""
    draw_lines(cell, (6, top), wrap(text, _SIZE, cell.width - 12, lines=1), _SIZE, colour)


def _mark(screen: Image.Image, sample: Sample, *, box: bool) -> None:
    draw = ImageDraw.Draw(screen)
    scale = max(screen.size) / 640
    if sample.target_box is not None and box:
        x, y, width, height = sample.target_box
        draw.rectangle((x, y, x + width, y + height), outline="#00a000", width=max(2, round(2 * scale)))
    for action in sample.action:
        _mark_point(draw, action, scale)


def _mark_point(draw: ImageDraw.ImageDraw, action: Action, scale: float) -> None:
    if action.point is not None:
        x, y = action.point
        radius = 12 * scale
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), outline="red", width=max(3, round(4 * scale)))


def write_sheet(folder: Path, out: Path, number: int = 24, seed: int = 0, *, blind: bool = False) -> None:
    """Draw random samples of a folder into a PNG.

    Raises:
        DataError: `out` is not named as a PNG, or the folder has no samples.
        OSError: `out` cannot be written.
    """
    if out.suffix.lower() != ".png":
        raise DataError(f"the sheet is written as PNG: name it {out.with_suffix('.png')}")
    check_file_place(out)
    samples = SampleFolder(folder)
    if len(samples) == 0:
        raise DataError(f"{folder} holds no samples to draw")
    picture = draw_sheet(samples, choose(samples, number, seed), blind=blind)
    with atomic_write(out) as file:
        picture.save(file, "PNG")
