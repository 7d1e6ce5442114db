"""A screen recording cut into numbered screens: a folder that `viscritic audit` and the reader `folder` understand.

Where the times of the actions are known, the screen before each of them is taken, and the last one. Otherwise a screen
is taken wherever the picture has come to rest as another one than before; the measure of change is the critic's own, so
that noise does not count and a digit does.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np

from data_prep.readers.images import encode_png
from data_prep.readers.json_files import need_list, need_object, read_json
from viscritic.actions.shown import shown
from viscritic.errors import DataError, MissingExtraError
from viscritic.files import write_bytes, write_json
from viscritic.preprocess import PreprocessConfig
from viscritic.preprocess.change import change_amounts
from viscritic.screen import MAX_PIXELS, Screen

_RATE: Final = 5.0  # frames a second that are compared
_STILL: Final = 0.4  # seconds without a change: the screen has come to rest
_MOST: Final = 2_000  # screens of a recording
_CHANGE: Final = PreprocessConfig()


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A picture of a recording: its time in seconds from the beginning, and (H, W, 3) uint8 RGB."""

    time: float
    screen: Screen


def cut_recording(video: Path, out: Path, actions: Path | None = None) -> list[float]:
    """Write the screens of a recording as `0.png`, `1.png`, ... into the folder `out`; their times in seconds.

    Args:
        out: made; where it exists it must be an empty folder.
        actions: a file like `actions.json` of numbered screens, each entry an object with `time` in seconds beside
            `action`. It is written as `actions.json` without the times. Without it `times.json` holds those of the
            screens.

    Raises:
        DataError: no video that can be read, actions without times or out of order, or a place that is taken.
        MissingExtraError: PyAV is not installed.
    """
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise DataError(f"{out} exists and is not an empty folder: choose another place")
    whole, times = ({}, None) if actions is None else _read_actions(actions)
    frames = decode(video) if times is None else decode(video, rate=None)
    chosen = find_keyframes(frames) if times is None else frames_before(frames, times)
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=f".{out.name}.", dir=out.parent))
    except OSError as error:
        raise DataError(f"nothing can be written in {out.parent}: {error.strerror}") from error
    try:
        taken = _write_screens(chosen, work, video)
        if times is None:
            write_json(work / "times.json", taken)
        else:
            write_json(work / "actions.json", whole)
        work.chmod(0o755)
        work.replace(out)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return taken


def decode(video: Path, *, rate: float | None = _RATE) -> Iterator[Frame]:
    """The frames of a video in their order, at most `rate` of them a second; None gives all.

    Raises:
        DataError: no video that can be read, or one whose pictures are too large for screens.
        MissingExtraError: PyAV is not installed.
    """
    try:
        import av  # noqa: PLC0415  # an extra
    except ImportError as error:
        raise MissingExtraError("the cutting of recordings", "video", "av") from error
    due = 0.0
    try:
        with av.open(str(video)) as container:
            if not container.streams.video:
                raise DataError(f"{video} holds no pictures, only sound")
            for number, picture in enumerate(container.decode(container.streams.video[0])):
                if picture.width * picture.height > MAX_PIXELS:
                    raise DataError(f"the pictures of {video} are too large: {picture.width}x{picture.height} pixels")
                time = float(picture.time if picture.time is not None else number / 25)
                if rate is None or time >= due:
                    due = time + 1 / (rate or 1) - 1e-6
                    yield Frame(time, np.asarray(picture.to_ndarray(format="rgb24"), np.uint8))
    except (av.FFmpegError, OSError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(f"{video} is no video that can be read: {error}") from error


def find_keyframes(frames: Iterable[Frame]) -> Iterator[Frame]:
    """The first frame, each that has been still for a while and differs from the last one taken, and the end."""
    taken = before = None
    since = 0.0
    for frame in frames:
        if before is None:
            yield (taken := frame)
        elif _differ(before, frame):
            since = frame.time
        elif frame.time - since >= _STILL and taken is not None and _differ(taken, frame):
            yield (taken := frame)
        before = frame
    if before is not None and taken is not None and _differ(taken, before):
        yield before


def frames_before(frames: Iterable[Frame], times: Iterable[float]) -> Iterator[Frame]:
    """The last frame before each of the times, which rise, and the last of all."""
    waiting = iter([*times, float("inf")])
    due = next(waiting)
    latest = None
    for frame in frames:
        while latest is not None and frame.time >= due:
            yield latest
            due = next(waiting)
        latest = frame
    if latest is None:
        return
    yield latest
    if due != float("inf"):
        raise DataError(f"an action at {due:g} s comes after the end of the recording ({latest.time:.1f} s)")


def _differ(one: Frame, other: Frame) -> bool:
    if one.screen.shape != other.screen.shape:
        return True
    return bool(change_amounts(one.screen, other.screen, _CHANGE).any())


def _write_screens(frames: Iterable[Frame], folder: Path, video: Path) -> list[float]:
    times = []
    for number, frame in enumerate(frames):
        if number == _MOST:
            raise DataError(f"{video} has more than {_MOST} screens: cut the recording into parts")
        write_bytes(folder / f"{number}.png", encode_png(frame.screen))
        times.append(round(frame.time, 3))
    if not times:
        raise DataError(f"{video} holds no pictures")
    return times


def _read_actions(file: Path) -> tuple[dict[str, Any], list[float]]:
    """The contents without the times, as an object with `steps`; and the times."""
    try:
        value = read_json(file)
        whole = {"steps": value} if isinstance(value, list) else dict(need_object(value, "it"))
        entries = [dict(need_object(entry, "a step")) for entry in need_list(whole.get("steps"), "steps")]
    except DataError as error:
        raise DataError(f"{file}: {error}") from error
    times = [entry.pop("time", None) for entry in entries]
    for number, time in enumerate(times):
        if isinstance(time, bool) or not isinstance(time, int | float):
            raise DataError(f"{file.name}, entry {number}: time must be seconds from the beginning, got {shown(time)}")
    if not times or any(later <= earlier for earlier, later in pairwise(times)):
        raise DataError(f"{file.name} must hold actions, one after the other by their times")
    return whole | {"steps": entries}, times
