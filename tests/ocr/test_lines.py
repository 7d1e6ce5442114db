"""Text lines are found where they were drawn, and frames are not taken for text."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from viscritic.ocr import find_lines
from viscritic.screen import Screen

WHOLE = (0.0, 0.0, 400.0, 200.0)


def draw(*texts: tuple[float, float, str], size: int = 14, dark: bool = False, frames: bool = False) -> Screen:
    image = Image.new("RGB", (400, 200), "#202124" if dark else "white")
    pencil = ImageDraw.Draw(image)
    font = ImageFont.load_default(size)
    for x, y, text in texts:
        pencil.text((x, y), text, fill="white" if dark else "black", font=font)
        if frames:
            left, top, right, bottom = pencil.textbbox((x, y), text, font=font)
            pencil.rounded_rectangle((left - 14, top - 10, right + 14, bottom + 10), 6, outline="#888888", width=2)
    return np.asarray(image)


def covers(box: tuple[float, float, float, float], x: float, y: float) -> bool:
    return box[0] <= x <= box[0] + box[2] and box[1] <= y <= box[1] + box[3]


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("frames", [False, True])
@pytest.mark.parametrize("size", [11, 14, 24])
def test_each_text_is_one_line(size: int, frames: bool, dark: bool) -> None:
    screen = draw(
        (40, 30, "Save draft"), (230, 30, "Cancel"), (40, 120, "Total 42"), size=size, dark=dark, frames=frames
    )
    lines = find_lines(screen, WHOLE)
    assert len(lines) == 3
    assert [covers(box, *point) for box, point in zip(lines, ((60, 38), (250, 38), (60, 128)), strict=True)] == [
        True
    ] * 3
    assert all(size * 0.6 <= box[3] <= size * 1.8 + 8 for box in lines)


def test_a_frame_alone_is_no_text() -> None:
    image = Image.new("RGB", (400, 200), "white")
    pencil = ImageDraw.Draw(image)
    pencil.rounded_rectangle((30, 30, 200, 90), 8, outline="black", width=2)
    pencil.line((20, 150, 380, 150), fill="black", width=2)
    assert find_lines(np.asarray(image), WHOLE) == []


def test_only_the_region_is_looked_at_even_where_it_sticks_out() -> None:
    screen = draw((40, 30, "Save"), (40, 120, "Cancel"))
    assert len(find_lines(screen, (-50.0, -50.0, 300.0, 130.0))) == 1
    assert find_lines(screen, (900.0, 900.0, 50.0, 50.0)) == []
    assert find_lines(screen, (10.0, 10.0, 1.0, 1.0)) == []


def test_an_empty_screen_has_no_line() -> None:
    assert find_lines(np.full((200, 400, 3), 128, np.uint8), WHOLE) == []
