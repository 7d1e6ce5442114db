"""Samples on whose later screen somebody drew: a harness the place of a click, the system a pointer, a page a message
of its own. Where nothing else happened, that is no effect of the action; where something did, it takes nothing away.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final

from PIL import Image, ImageColor, ImageDraw, ImageFont

from data_prep.progress import progress_bar
from viscritic.actions import may_be_invisible
from viscritic.errors import DataError
from viscritic.sample import Sample
from viscritic.sample_folder import SampleFolder
from viscritic.sample_writer import SampleWriter

ON_NOTHING: Final = "drawn_on_nothing"
ON_SUCCESS: Final = "drawn_on_success"
_NOTHING_SHARE: Final = 0.7
_JITTER: Final = 3.0  # pixels between the action's point and what marks it
_COLOURS: Final = ("red", "orange", "gold", "limegreen", "dodgerblue", "blue", "purple", "magenta", "black", "white")
_POINTERS: Final = (  # outlines around their tip, of an arrow with and without a tail, and of a hand
    ((0, 0), (0, 14), (3.5, 11), (6, 17), (8, 16), (5.5, 10), (10, 10)),
    ((0, 0), (0, 15), (4.5, 11), (11, 11)),
    ((0, 0), (2, 1), (3, 8), (10, 10), (10, 16), (3, 17), (-4, 11), (-3, 10), (0, 12)),
)
_MESSAGES: Final = (
    "We use cookies to make this page better.", "20 % off everything until Sunday", "Chat with us", "3 new messages",
    "Rate this application", "A new version is available", "Battery at 12 %", "Good to know: press ? for help",
    "Your weekly summary is ready", "Install our app", "Subscribe to the newsletter", "All systems operational",
    "Backup finished", "Well done!", "Everything is up to date", "Meeting in 10 minutes",
)  # fmt: skip

Point = tuple[float, float]
Painter = Callable[[Image.Image, Point, Random], None]


def draw_samples(folder: Path, out: Path, *, number: int, seed: int, command: str, progress: bool) -> dict[str, Any]:
    """Write `number` samples made from those of a folder; they stay in their splits.

    Seven of ten show a step after which nothing changed but what was drawn: a no-op. The others are successes of the
    folder with the same drawn on them.

    Returns:
        The new folder's manifest.

    Raises:
        DataError: the folder is damaged, or has too few samples whose action has a point and should be seen.
    """
    source = SampleFolder(folder)
    random = Random(seed)
    chosen = _choose(source, number, random)
    configuration = {"folder": source.manifest["samples_sha256"], "number": number}
    with (
        SampleWriter(out, command=command, configuration=configuration, seed=seed) as writer,
        progress_bar(progress) as bar,
    ):
        for sample in bar.track(chosen, total=len(chosen), description="Drawing"):
            names = (
                {sample.pre, *sample.idle} if sample.cause == ON_NOTHING else {sample.pre, *sample.burst, *sample.idle}
            )
            for name in sorted(names):
                writer.add_screen(source.screen_path(name))
            with Image.open(source.screen_path(sample.post)) as image:
                screen = image.convert("RGB")
            random.choice(_PAINTERS)(screen, _point(sample), random)
            encoded = io.BytesIO()
            screen.save(encoded, "WEBP", lossless=True, quality=0, method=0)
            writer.append(replace(sample, post=writer.add_screen(encoded.getvalue())))
    return writer.manifest


def _choose(source: SampleFolder, number: int, random: Random) -> list[Sample]:
    """What is drawn on, under its new labels, at most one sample of each pre screen; post names what is drawn on."""
    able = [
        sample
        for sample in source
        if any(action.point for action in sample.action) and not may_be_invisible(sample.action, sample.instruction)
    ]
    random.shuffle(able)
    successes = [sample for sample in able if sample.outcome == "success" and sample.origin == "observed"]
    nothings = round(number * _NOTHING_SHARE)
    seen: set[str] = set()
    first = list(_first_of_each(able, seen, nothings))
    second = list(_first_of_each(successes, seen, number - nothings))
    if len(first) + len(second) < number:
        raise DataError(
            f"{source.path} has {len(first) + len(second)} samples to draw on, not {number}: ask for fewer, or name a "
            "folder with more"
        )
    return [_as_nothing(sample) for sample in first] + [
        replace(sample, id=f"{sample.id}-drawn", cause=ON_SUCCESS, noise="drawn") for sample in second
    ]


def _first_of_each(samples: Sequence[Sample], seen: set[str], number: int) -> Iterator[Sample]:
    for sample in samples:
        if number and sample.pre not in seen:
            seen.add(sample.pre)
            number -= 1
            yield sample


def _as_nothing(sample: Sample) -> Sample:
    return replace(
        sample, id=f"{sample.id}-drawn", post=sample.pre, burst=(), success=0.0, progress=0.0, outcome="no_op",
        cause=ON_NOTHING, change="none", noise="drawn",
    )  # fmt: skip


def _point(sample: Sample) -> Point:
    return next(point for action in reversed(sample.action) if (point := action.point) is not None)


def _paint_mark(screen: Image.Image, point: Point, random: Random) -> None:
    """A ring, a disc, a cross or a box where the action went, opaque or not."""
    x, y = (value + random.uniform(-_JITTER, _JITTER) for value in point)
    scale = max(1.0, min(screen.size) / 900)
    reach = scale * random.uniform(5, 24)
    width = max(1, round(scale * random.uniform(1, 5)))
    layer = Image.new("RGBA", screen.size)
    draw = ImageDraw.Draw(layer)
    colour = (*ImageColor.getrgb(random.choice(_COLOURS)), random.choice((255, 255, 170, 100)))
    box = (x - reach, y - reach, x + reach, y + reach)
    shape = random.choice(("ring", "ring", "disc", "cross", "box", "target"))
    if shape in ("ring", "target"):
        draw.ellipse(box, outline=colour, width=width)
    if shape == "disc":
        draw.ellipse(box, fill=colour)
    if shape == "box":
        draw.rectangle(box, outline=colour, width=width)
    if shape in ("cross", "target"):
        draw.line((x - reach, y, x + reach, y), fill=colour, width=width)
        draw.line((x, y - reach, x, y + reach), fill=colour, width=width)
    screen.paste(layer.convert("RGB"), (0, 0), layer)


def _paint_pointer(screen: Image.Image, point: Point, random: Random) -> None:
    """The system's pointer, which came with the action."""
    x, y = (value + random.uniform(-_JITTER, _JITTER) for value in point)
    scale = random.uniform(0.8, 2.0)
    outline = [(x + scale * dx, y + scale * dy) for dx, dy in random.choice(_POINTERS)]
    dark = random.random() < 0.5
    ImageDraw.Draw(screen).polygon(outline, fill="black" if dark else "white", outline="white" if dark else "black")


def _paint_message(screen: Image.Image, point: Point, random: Random) -> None:
    """A message that has nothing to do with the action, in a corner or across the page; never over the point."""
    wide, high = screen.size
    size = max(10, round(min(wide, high) * random.uniform(0.016, 0.032)))
    font = ImageFont.load_default(size)
    text = random.choice(_MESSAGES)
    draw = ImageDraw.Draw(screen)
    width, height = min(round(draw.textlength(text, font)) + 3 * size, wide), 3 * size
    across = random.random() < 0.4
    left = 0 if across else random.choice((size, wide - width - size, (wide - width) // 2))
    tops = [top for top in (0 if across else size, high - height - (0 if across else size))
            if not top - size <= point[1] <= top + height + size]  # fmt: skip
    if not tops:
        return _paint_mark(screen, point, random)
    top = random.choice(tops)
    right = wide if across else left + width
    dark = random.random() < 0.6
    fill = random.choice(("#202124", "#1b5e20", "#0d47a1", "#b71c1c") if dark else ("#ffffff", "#fff8e1", "#e3f2fd"))
    radius = 0 if across else random.choice((0, size // 2, size))
    draw.rounded_rectangle((left, top, right - 1, top + height - 1), radius, fill=fill, outline="#888888")
    draw.text((left + 1.5 * size, top + 0.8 * size), text, fill="white" if dark else "black", font=font)
    return None


_PAINTERS: Final[tuple[Painter, ...]] = (_paint_mark, _paint_mark, _paint_pointer, _paint_message)
