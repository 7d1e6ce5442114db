"""Whether the screens of a trajectory can be decoded: a file may be whole and its pixels broken all the same."""

from __future__ import annotations

import io
import warnings
from collections.abc import Callable
from dataclasses import replace

from PIL import Image

from data_prep.readers.problems import Problems
from data_prep.similarity import Source
from viscritic.errors import DataError
from viscritic.trajectory import Step, Trajectory


def decode(source: Source) -> None:
    """Decode a screen.

    Raises:
        DataError: it cannot be.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of Pillow, about oddities that it can read
            with Image.open(io.BytesIO(source) if isinstance(source, bytes) else source) as image:
                image.load()
    except Exception as error:  # decoders raise every kind of error on hostile bytes
        name = "an embedded screen" if isinstance(source, bytes) else f"the screen {source.name}"
        raise DataError(f"{name} cannot be decoded: {error}") from error


def keep_decodable(
    trajectory: Trajectory, look: Callable[[Source], object] = decode, *, strict: bool = False
) -> Trajectory:
    """The trajectory without the steps that begin or end at a screen that cannot be decoded; the notes name each.

    An idle screen that cannot be decoded is left out alone. What stays is counted from 0 again.

    Args:
        look: raises a DataError for a screen that cannot be decoded; asked once about each.
        strict: the first such screen is an error.

    Raises:
        DataError: where `strict`.
    """
    verdicts: dict[Source, DataError | None] = {}
    problems = Problems(strict)
    kept: list[Step] = []
    for step in trajectory.steps:
        where = f"{trajectory.id}, step {step.index}"
        needed = [step.pre] if step.post is None else [step.pre, step.post]
        reasons = [found for screen in needed if (found := _reason(screen, look, verdicts)) is not None]
        if reasons:
            problems.add(where, reasons[0])
            continue
        idle = [(screen, _reason(screen, look, verdicts)) for screen in step.idle]
        for _, lost in idle:
            if lost is not None and strict:
                problems.add(where, lost)
            elif lost is not None:
                problems.mention(f"{where}: {lost}; only that idle screen is left out")
        kept.append(replace(step, index=len(kept), idle=tuple(screen for screen, lost in idle if lost is None)))
    told = problems.attach(replace(trajectory, steps=tuple(kept)))
    return replace(told, notes=trajectory.notes + told.notes, broken=trajectory.broken + told.broken)


def _reason(
    screen: Source, look: Callable[[Source], object], verdicts: dict[Source, DataError | None]
) -> DataError | None:
    if screen not in verdicts:
        try:
            look(screen)
            verdicts[screen] = None
        except DataError as error:
            verdicts[screen] = error
    return verdicts[screen]
