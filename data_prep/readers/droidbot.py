"""DroidBot: runs of a tester that explores an Android app, event by event.

Layout: `events/event_<time>.json` (`event`, `start_state`, `stop_state`), `states/state_<time>.json` (`state_str`) and
`states/screen_<time>.jpg` or `.png`. A state is stored when it is first seen, so the two screens of a step show the
right contents, but a clock or dimming may be of another time. Events on a view have no point: its middle is taken.
Source: input_event.py and device_state.py of https://github.com/honeynet/droidbot (MIT).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any, Final

from data_prep.readers.android_packages import main_package
from data_prep.readers.images import image_size
from data_prep.readers.json_files import need_object, read_json, text_of
from data_prep.readers.paths import base_of, name_of, need_any, walk
from data_prep.readers.problems import Problems
from viscritic.actions import Action, Point
from viscritic.actions.dialects.pointer import DIRECTIONS, scroll
from viscritic.actions.shown import shown
from viscritic.errors import ActionError, DataError
from viscritic.trajectory import Box, Step, Trajectory

SOURCE: Final = "droidbot"
_STARTED: Final = re.compile(r"\bstart\b.*?([A-Za-z][\w.]*\.[\w.]+)/")
_NO_ACTION: Final = ("manual", "exit")


def is_droidbot(path: Path) -> bool:
    """Whether a file is one of this data set, by its name."""
    return path.parent.name == "events" and path.name.startswith("event_") and path.suffix == ".json"


def read_droidbot(path: Path | str, *, strict: bool = False) -> Iterator[Trajectory]:
    """Yield each run under `path` as one trajectory.

    There is no task, no instruction and nothing that was meant; a step that leaves the state as it was is a no-op and
    so a failure, of the others nothing is known. `target_box` is the view.

    Args:
        path: a folder of runs, or one run.
        strict: a broken row is an error; otherwise it is told of in the notes of its trajectory.

    Raises:
        DataError: no event under `path`; or the first broken row where `strict`.
    """
    files = need_any(walk(path, is_droidbot), path, "run of DroidBot (events/event_<time>.json and states/)")
    for run, events in groupby(files, key=lambda file: file.parent.parent):
        yield _trajectory(run, list(events), path, Problems(strict))


def _trajectory(run: Path, events: list[Path], root: Path | str, problems: Problems) -> Trajectory:
    name = run.resolve().name if run == base_of(root).parent else name_of(run, root)
    states, activities = _read_states(run, name, problems)
    steps: list[Step] = []
    for file in events:
        try:
            step = _read_step(need_object(read_json(file), "an event"), states, len(steps))
        except (ActionError, DataError) as error:
            problems.add(f"{name}, {file.name}", error)
            continue
        if step is not None:
            steps.append(step)
    app = main_package(activities, name)
    return problems.attach(Trajectory(name, SOURCE, app, "mobile", "", tuple(steps)))


def _read_states(run: Path, name: str, problems: Problems) -> tuple[dict[str, Path], list[str]]:
    """The screen of each state, and the activities that were seen."""
    screens: dict[str, Path] = {}
    activities: list[str] = []
    for file in walk(run / "states") if (run / "states").is_dir() else ():
        if not file.name.startswith("state_") or file.suffix != ".json":
            continue
        try:
            state = need_object(read_json(file), "a state")
            tag = file.stem.removeprefix("state_")
            found = [file.with_name(f"screen_{tag}{suffix}") for suffix in (".jpg", ".png")]
            screen = next((path for path in found if path.is_file()), None)
            if screen is None:
                raise DataError(f"its screen screen_{tag}.jpg is missing")
            screens.setdefault(text_of(state, "state_str"), screen)
            activities.append(text_of(state, "foreground_activity"))
        except DataError as error:
            problems.add(f"{name}, {file.name}", error)
    return screens, activities


def _read_step(record: dict[str, Any], states: dict[str, Path], index: int) -> Step | None:
    event = need_object(record.get("event"), "event")
    if event.get("event_type") in _NO_ACTION:
        return None
    start, stop = text_of(record, "start_state"), text_of(record, "stop_state")
    if start not in states:
        raise DataError(f"no screen is stored of its start_state {shown(start)}")
    size = image_size(states[start])
    post = states.get(stop)
    if post is not None:
        image_size(post)
    action, box = _read_event(event)
    is_same = start == stop
    return Step(
        index=index,
        pre=states[start],
        post=post,
        size=size,
        actions=(action,),
        success=False if is_same else None,
        target_box=box,
        outcome="no_op" if is_same else None,
    )


def _read_event(event: dict[str, Any]) -> tuple[Action, Box | None]:
    point, box = _where(event)
    x, y = point or (None, None)
    match event.get("event_type"):
        case "touch":
            action = Action("click", x, y, raw=event)
        case "long_touch":
            duration = event.get("duration")
            seconds = duration / 1000 if isinstance(duration, int | float) else None
            action = Action("long_press", x, y, seconds=seconds, raw=event)
        case "swipe":
            (x, y), (x2, y2) = (_where(event, part)[0] or (None, None) for part in ("start_", "end_"))
            action = Action("swipe", x, y, x2, y2, raw=event)
        case "scroll":
            direction = text_of(event, "direction").lower()
            if direction not in DIRECTIONS:
                raise DataError(f"direction must be one of {', '.join(DIRECTIONS)}, got {shown(direction)}")
            action = scroll(direction, at=point, raw=event)
        case "set_text":
            action = Action("type", x, y, text=text_of(event, "text"), raw=event)
        case "key":
            action = _read_key(text_of(event, "name"), event)
        case "intent":
            action = _read_intent(text_of(event, "intent"), event)
        case kind:
            raise DataError(f"event_type {shown(kind)} is not known")
    return action, box


def _where(event: dict[str, Any], prefix: str = "") -> tuple[Point | None, Box | None]:
    """The point of an event, and the view's box; as in DroidBot itself, a coordinate of 0 counts as none."""
    x, y = event.get(f"{prefix}x"), event.get(f"{prefix}y")
    view = event.get(f"{prefix}view")
    box = _read_bounds(view.get("bounds")) if isinstance(view, dict) else None
    if isinstance(x, int | float) and isinstance(y, int | float) and x and y:
        return (float(x), float(y)), box
    return (None if box is None else (box[0] + box[2] / 2, box[1] + box[3] / 2)), box


def _read_bounds(bounds: Any) -> Box | None:
    try:
        (x0, y0), (x1, y1) = ((float(x), float(y)) for x, y in bounds)
    except (TypeError, ValueError):
        raise DataError(f"bounds must be [[x0, y0], [x1, y1]], got {shown(bounds)}") from None
    return (x0, y0, max(x1 - x0, 0.0), max(y1 - y0, 0.0))


def _read_key(name: str, raw: Any) -> Action:
    match name.upper():
        case "BACK":
            return Action("back", raw=raw)
        case "HOME":
            return Action("home", raw=raw)
        case _:
            return Action("key", keys=(name.removeprefix("KEYCODE_"),), raw=raw)


def _read_intent(command: str, raw: Any) -> Action:
    """`am start ... package/activity` opens an app; other intents ("am force-stop") happen out of sight."""
    found = _STARTED.search(command)
    if found:
        return Action("open_app", text=found[1], raw=raw)
    return Action("other", text="stop the app" if "force-stop" in command else "send an intent", raw=raw)
