"""Playwright traces: what a script or an agent did in a browser, with the frames of its screencast.

Layout of `trace.zip`: `*.trace` of JSON lines, in which `before`, `input` and `after` records of one `callId` make a
call, and frames that lie under `resources/` (`sha1`) or, from version 9 on, where `file` says. Versions 6 to 10 are
read. Frames are shrunk to 800 pixels: points, which are CSS pixels of the page, are scaled to the frame. A frame is
only sent when something on the page changed, so a call without a frame of its own left the screen as it was.
Source: packages/trace/src/trace.ts and server/trace/recorder/tracing.ts of https://github.com/microsoft/playwright.
"""

from __future__ import annotations

import json
import zipfile
import zlib
from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from data_prep.readers.images import image_size
from data_prep.readers.json_files import LONGEST_LINE
from data_prep.readers.paths import name_of, need_any, walk
from data_prep.readers.playwright_calls import ACTING, read_call
from data_prep.readers.problems import Problems
from viscritic.actions import Action, Point
from viscritic.actions.shown import shown
from viscritic.errors import ActionError, DataError
from viscritic.trajectory import Box, Step, Trajectory

SOURCE: Final = "playwright"
VERSIONS: Final = range(6, 11)
_PATIENCE: Final = 1500.0  # ms after a call in which its first frame still shows its result
_MOST_BYTES: Final = 2**30  # of an entry of the archive when unpacked
_LONGEST_FRAME: Final = 2**25
_BROKEN: Final = (OSError, EOFError, zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, ValueError)


@dataclass(slots=True)
class _Frame:
    time: float
    page: str
    entry: str
    width: float  # of the page, CSS pixels


@dataclass(slots=True)
class _Call:
    """A call that acts on the page."""

    start: float
    end: float
    page: str
    method: str
    params: dict[str, Any]
    point: Any = None
    box: Any = None
    error: bool = False


def is_playwright(path: Path) -> bool:
    """Whether a file is a trace."""
    if path.suffix != ".zip":
        return False
    try:
        with zipfile.ZipFile(path) as archive:
            return any(name.endswith(".trace") for name in archive.namelist())
    except _BROKEN:
        return False


def read_playwright(path: Path | str, *, strict: bool = False) -> Iterator[Trajectory]:
    """Yield the traces under `path`, by file.

    The screen before is the last frame at a call's start; the screen after the first one between its start and 1.5 s
    after its end, before the next call that acts. A call that ended in an error is a failure; of the others nothing is
    known. `target_box` is the element, where the trace has its box.

    Args:
        path: a folder of traces, or one `.zip`.
        strict: a broken trace or call is an error; otherwise it is told of in the notes of its trajectory.

    Raises:
        DataError: no trace under `path`; or the first broken one where `strict`.
    """
    for file in need_any(walk(path, is_playwright), path, "trace of Playwright (a .zip with a .trace in it)"):
        problems = Problems(strict)
        name = name_of(file, path).removesuffix(".zip")
        yield problems.attach(replace(read_trace(file, problems), id=name))


def read_trace(file: Path, problems: Problems) -> Trajectory:
    """One trace; what is wrong with it goes to `problems`."""
    recorder = _Recorder()
    steps: list[Step] = []
    try:
        with zipfile.ZipFile(file) as archive:
            for name in sorted(name for name in archive.namelist() if name.endswith(".trace")):
                for record in _records(archive, name, partial(problems.add, f"{file.name}/{name}")):
                    recorder.take(record)
            recorder.frames.sort(key=lambda frame: frame.time)
            calls = sorted(recorder.calls.values(), key=lambda call: call.start)
            for number, (call, following) in enumerate(zip(calls, [*calls[1:], None], strict=False)):
                limit = call.end + _PATIENCE if following is None else min(call.end + _PATIENCE, following.start)
                try:
                    steps += _read_step(call, limit, recorder.frames, archive, len(steps))
                except (ActionError, DataError) as error:
                    problems.add(f"{file.name}, call {number} ({call.method})", error)
    except DataError as error:
        problems.add(file.name, error)
    except _BROKEN as error:
        problems.add(file.name, f"the archive cannot be read: {error}")
    hosts = [host for url in recorder.urls if (host := urlsplit(url).hostname)]
    app = hosts[0] if hosts else "web"
    return Trajectory(file.stem, SOURCE, app, "web", recorder.title, tuple(steps))


def _records(archive: zipfile.ZipFile, name: str, report: Callable[[str], None]) -> Iterator[dict[str, Any]]:
    left = _MOST_BYTES
    with archive.open(name) as lines:
        while line := lines.readline(LONGEST_LINE + 1):
            left -= len(line)
            if left < 0 or len(line) > LONGEST_LINE:
                raise DataError(f"{name} is larger than a trace may be")
            if line.startswith(b'{"type":"frame-snapshot"'):
                continue  # the page's contents, by far the longest records
            try:
                record = json.loads(line)
            except (ValueError, RecursionError) as error:
                report(f"a line is not JSON: {error}")
                continue
            if isinstance(record, dict):
                yield record


class _Recorder:
    """What the records of a trace tell."""

    def __init__(self) -> None:
        self.frames: list[_Frame] = []
        self.title = ""
        self.urls: list[str] = []
        self.calls: dict[str, _Call] = {}

    def take(self, record: dict[str, Any]) -> None:
        """Take one record."""
        call = self.calls.get(str(record.get("callId")))
        match record.get("type"):
            case "context-options":
                self._check(record)
            case "screencast-frame":
                entry = record.get("file") or f"resources/{record.get('sha1')}"
                time, width = _number(record, "timestamp"), _number(record, "width")
                self.frames.append(_Frame(time, str(record.get("pageId")), str(entry), width))
            case "before":
                self._begin(record)
            case "input" | "after" if call is not None:
                call.point = record.get("point") or call.point
                call.box = record.get("box") or call.box
                if record["type"] == "after":
                    call.end, call.error = _number(record, "endTime"), record.get("error") is not None

    def _check(self, record: dict[str, Any]) -> None:
        version = record.get("version")
        if version not in VERSIONS:
            raise DataError(
                f"the trace has version {shown(version)}; versions {VERSIONS[0]} to {VERSIONS[-1]} can be read"
            )
        title = record.get("title")
        self.title = title if isinstance(title, str) else self.title

    def _begin(self, record: dict[str, Any]) -> None:
        method, params = record.get("method"), record.get("params")
        if not isinstance(method, str) or not isinstance(params, dict):
            return
        if isinstance(url := params.get("url"), str):
            self.urls.append(url)
        if method in ACTING:
            start = _number(record, "startTime")
            self.calls[str(record.get("callId"))] = _Call(start, start, str(record.get("pageId") or ""), method, params)


def _number(record: dict[str, Any], name: str) -> float:
    value = record.get(name)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise DataError(f"{name} must be a number, got {shown(value)}")
    return float(value)


def _read_step(
    call: _Call, limit: float, frames: list[_Frame], archive: zipfile.ZipFile, index: int
) -> tuple[Step, ...]:
    """The step of a call; none where the page had not been drawn yet, as when a script opens its first page."""
    action = read_call(call.method, call.params)
    frames = [frame for frame in frames if not call.page or frame.page == call.page]
    times = [frame.time for frame in frames]
    at = bisect_right(times, call.start)
    if not at:
        return ()
    before = frames[at - 1]
    result = frames[at] if at < len(frames) and times[at] <= limit else before
    pre = _read_frame(archive, before)
    size = image_size(pre)
    scale = size[0] / before.width if before.width > 0 else 1.0
    box = _read_box(call.box)
    point = _read_point(call.point) or _middle(box)
    step = Step(
        index=index,
        pre=pre,
        post=pre if result is before else _read_frame(archive, result),
        size=size,
        actions=(_scaled(action, point, scale),),
        success=False if call.error else None,
        target_box=None if box is None else (box[0] * scale, box[1] * scale, box[2] * scale, box[3] * scale),
    )
    return (step,)


def _read_frame(archive: zipfile.ZipFile, frame: _Frame) -> bytes:
    try:
        with archive.open(frame.entry) as file:
            data = file.read(_LONGEST_FRAME + 1)
    except KeyError:
        raise DataError(f"the frame {shown(frame.entry)} is missing") from None
    if len(data) > _LONGEST_FRAME:
        raise DataError(f"the frame {shown(frame.entry)} is too large")
    return data


def _scaled(action: Action, point: Point | None, scale: float) -> Action:
    """The action with its points in pixels of the frame; where the trace saw it outranks what the call asked for."""
    x, y = point or action.point or (None, None)
    if x is not None and y is not None:
        action = replace(action, x=x * scale, y=y * scale)
    if action.end is not None:
        action = replace(action, x2=action.end[0] * scale, y2=action.end[1] * scale)
    return action


def _read_point(point: Any) -> Point | None:
    return (_number(point, "x"), _number(point, "y")) if isinstance(point, dict) else None


def _read_box(box: Any) -> Box | None:
    if not isinstance(box, dict):
        return None
    x, y, width, height = (_number(box, name) for name in ("x", "y", "width", "height"))
    return (x, y, width, height) if width >= 0 and height >= 0 else None


def _middle(box: Box | None) -> Point | None:
    return None if box is None else (box[0] + box[2] / 2, box[1] + box[3] / 2)
