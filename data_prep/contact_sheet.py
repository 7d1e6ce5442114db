"""A picture of some steps: the screens before and after side by side, where the action went, and what it was."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PIL import Image, ImageDraw

from viscritic.actions import describe_batch
from viscritic.errors import ScreenError
from viscritic.heatmap.colours import Colour
from viscritic.heatmap.fonts import tell_missing
from viscritic.heatmap.marks import draw_mark
from viscritic.heatmap.text import draw_lines, line_height, wrap
from viscritic.screen import load_screen
from viscritic.trajectory import Box, Step

_PANEL: Final = (320, 240)  # the most that a screen takes; longer pages are cut around the action
_GAP: Final = 12
_TEXT: Final = 14  # height in pixels
_LINES: Final = 4
_COLUMNS: Final = 2  # steps beside each other
_MOST_MARKS: Final = 4
_PAPER: Final[Colour] = (250, 250, 248)
_INK: Final[Colour] = (28, 32, 40)
_RULE: Final[Colour] = (196, 200, 206)
_BOX: Final[Colour] = (0, 104, 160)


def draw_sheet(samples: Sequence[tuple[str, Step]], title: str) -> Image.Image:
    """The sheet, RGB; a screen that cannot be drawn is an empty panel that says why.

    Args:
        samples: steps with the ids of their trajectories.
        title: stands above them.
    """
    cells = [_draw_step(name, step) for name, step in samples]
    if told := tell_missing(" ".join([title, *(_describe(name, step) for name, step in samples)])):
        title = f"{title} - {told}"
    width, height = 2 * _PANEL[0] + _GAP, _PANEL[1] + _LINES * line_height(_TEXT) + _GAP
    rows = -(-len(cells) // _COLUMNS)
    head = 2 * _GAP + line_height(_TEXT)
    sheet = Image.new("RGB", (_COLUMNS * (width + 2 * _GAP), head + rows * (height + _GAP)), _PAPER)
    draw_lines(sheet, (_GAP, _GAP), wrap(title, _TEXT, sheet.width - 2 * _GAP, lines=1), _TEXT, _INK)
    for number, cell in enumerate(cells):
        row, column = divmod(number, _COLUMNS)
        sheet.paste(cell, (_GAP + column * (width + 2 * _GAP), head + row * (height + _GAP)))
    return sheet


def _draw_step(name: str, step: Step) -> Image.Image:
    cell = Image.new("RGB", (2 * _PANEL[0] + _GAP, _PANEL[1] + _LINES * line_height(_TEXT) + _GAP), _PAPER)
    draw_lines(cell, (0, 0), wrap(_describe(name, step), _TEXT, cell.width, lines=_LINES), _TEXT, _INK)
    top = _LINES * line_height(_TEXT)
    cell.paste(_draw_screen(step.pre, step, on_pre=True), (0, top))
    cell.paste(_draw_screen(step.post, step, on_pre=False), (_PANEL[0] + _GAP, top))
    return cell


def _describe(name: str, step: Step) -> str:
    """What is written above a step: its place, what was done, how it ended, what was meant."""
    result = {True: "success", False: "failure", None: "unknown"}[step.success] + (
        f", {step.outcome}" * bool(step.outcome)
    )
    told = f"{name}, step {step.index}: {describe_batch(step.actions, step.size)} [{result}{', marked' * step.marked}]"
    return f"{told} - {step.instruction}" if step.instruction else told


def _draw_screen(source: object, step: Step, *, on_pre: bool) -> Image.Image:
    """A screen in its panel, with the target's box (before) and the action's points (before and after)."""
    panel = Image.new("RGB", _PANEL, _PAPER)
    ImageDraw.Draw(panel).rectangle((0, 0, _PANEL[0] - 1, _PANEL[1] - 1), outline=_RULE)
    if source is None:
        draw_lines(panel, (_GAP, _GAP), ["no screen after"], _TEXT, _INK)
        return panel
    try:
        picture = Image.fromarray(load_screen(source)).convert("RGB")  # type: ignore[arg-type]  # load_screen checks it
    except ScreenError as error:
        draw_lines(panel, (_GAP, _GAP), wrap(str(error), _TEXT, _PANEL[0] - 2 * _GAP, lines=8), _TEXT, _INK)
        return panel
    top = _cut(picture.size, step)
    picture = picture.crop((0, top, picture.width, min(picture.height, top + _tallest(picture.width))))
    scale = min(_PANEL[0] / picture.width, _PANEL[1] / picture.height, 1.0)
    picture = picture.resize((max(1, round(picture.width * scale)), max(1, round(picture.height * scale))))
    if on_pre and step.target_box is not None:
        ImageDraw.Draw(picture).rectangle(_corners(step.target_box, top, scale), outline=_BOX, width=2)
    for action in step.actions[:_MOST_MARKS]:
        if action.point is not None:
            end = None if action.end is None else (action.end[0] * scale, (action.end[1] - top) * scale)
            draw_mark(picture, (action.point[0] * scale, (action.point[1] - top) * scale), end)
    panel.paste(picture, (0, 0))
    return panel


def _tallest(width: int) -> int:
    """How much of a long page is shown: twice its width."""
    return max(2 * width, 1)


def _cut(size: tuple[int, int], step: Step) -> int:
    """Where a long page is cut so that the action shows; 0 for a page that is shown whole."""
    room = size[1] - _tallest(size[0])
    point = next((action.point for action in step.actions if action.point is not None), None)
    return 0 if room <= 0 or point is None else round(min(max(point[1] - size[0], 0), room))


def _corners(box: Box, top: int, scale: float) -> tuple[float, float, float, float]:
    x, y, width, height = box
    return x * scale, (y - top) * scale, (x + width) * scale, (y - top + height) * scale
