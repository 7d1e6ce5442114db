"""Steps in a desktop application that need a way: the wheel, scroll bars that are pulled, files that are dragged."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Final

from data_prep.collect.application import Element, Intent, State
from data_prep.collect.desktop_tree import Node
from viscritic.actions import Action
from viscritic.trajectory import Box

if TYPE_CHECKING:
    from data_prep.collect.desktop_application import DesktopApplication

_LEAST: Final = 24.0  # pixels that there must be to scroll
_WHEEL: Final = (200, 300, 400, 600)  # pixels that the wheel turns
_GRIP: Final = 10.0  # pixels from the end of a scroll bar where its thumb is sure to be, when it is at that end
_END: Final = 0.9  # of the way: so far a thumb that is pulled to the end must come


def scrolling(app: DesktopApplication, elements: Sequence[Element], random: Random) -> list[Intent]:
    """Down or up, by the wheel or by the scroll bar, wherever there is more to see."""
    nodes = {node.key: node for node in app.nodes}
    found = []
    for bar in scroll_bars(app):
        assert bar.value is not None  # or it is none of them
        assert bar.most is not None
        pane = nodes[bar.key.rpartition("/")[0]]
        for way, room in ((-1, bar.value), (1, bar.most - bar.value)):
            if room > _LEAST:
                found += _turning(app, elements, pane.seen, bar, way, random)
                if bar.value < 1 or bar.most - bar.value < 1:
                    found += _pulling(app, bar, way)
    return found


def scroll_bars(app: DesktopApplication) -> list[Node]:
    """The upright scroll bars that show and can be moved."""
    return [
        node
        for node in app.nodes
        if node.role == "scroll bar" and node.value is not None and (node.most or 0) > _LEAST
        and node.seen[3] > 4 * _GRIP and node.seen[3] > node.seen[2] > 0
    ]  # fmt: skip


def _turning(
    app: DesktopApplication, elements: Sequence[Element], pane: Box, bar: Node, way: int, random: Random
) -> list[Intent]:
    x, y = (float(round(pane[i] + pane[i + 2] * random.uniform(0.25, 0.75))) for i in (0, 1))
    if (hit := app.hit((x, y))) == "?":
        return []
    below = next((e for e in elements if e.key == hit and e.role == "text area"), None)
    target = Element(hit, "panel", "", pane) if below is None else below
    turn = Action("scroll", x=x, y=y, dy=float(way * random.choice(_WHEEL)))
    purpose = f"see what is further {'down' if way > 0 else 'up'}"
    return [Intent("scroll", target, (turn,), purpose=purpose, reached=partial(_has_scrolled, bar.key, way))]


def _pulling(app: DesktopApplication, bar: Node, way: int) -> list[Intent]:
    """Pull the thumb from one end to the other."""
    left, top, width, height = bar.seen
    x, ends = float(round(left + width / 2)), (float(round(top + _GRIP)), float(round(top + height - _GRIP)))
    start, end = ends[::way]
    if (hit := app.hit((x, start))) == "?":
        return []
    words = f"to the {'bottom' if way > 0 else 'top'}"
    drag = Action("drag", x=x, y=start, x2=x, y2=end + way * (_GRIP - 1))
    target = Element(hit, "scroll bar", "", bar.seen)
    reached = partial(_is_at_end, bar.key, way)
    return [Intent("drag", target, (drag,), text=words, purpose=f"drag the scroll bar {words}", reached=reached)]


def position(state: State, key: str) -> tuple[float, float]:
    """Where a scroll bar stands in a state, and how far it goes; (0, 0) where it is not there."""
    for row in state.shown:
        if row[0] == key:
            told = next((word for word in row[3].split() if word.startswith("value=")), "value=0")
            value, _, most = told.removeprefix("value=").partition("/")
            return float(value), float(most or 0)
    return 0.0, 0.0


def _has_scrolled(key: str, way: int, before: State, after: State) -> bool:
    return (position(after, key)[0] - position(before, key)[0]) * way > 0


def _is_at_end(key: str, way: int, _: State, after: State) -> bool:
    value, most = position(after, key)
    return most > 0 and (value >= _END * most if way > 0 else value <= (1 - _END) * most)


def moving(elements: Sequence[Element], held: Sequence[str], random: Random) -> list[Intent]:
    """Files to be dragged into folders, in a file manager.

    Args:
        elements: those of the roles "file" and "folder" are files and folders.
        held: the paths of all files: none is dragged to where another has its name.
    """
    files, folders = ([e for e in elements if e.role == role and e.name] for role in ("file", "folder"))
    found = []
    for file in random.sample(files, min(2, len(files))):
        goals = [e for e in folders if not any(path.endswith(f"{e.name}/{file.name}") for path in held)]
        if goals:
            found.append(_moving(file, random.choice(goals)))
    return found


def _moving(file: Element, goal: Element) -> Intent:
    start, end = file.centre, goal.centre
    drag = Action("drag", x=start[0], y=start[1], x2=end[0], y2=end[1])
    return Intent(
        "drag", file, (drag,), text=f"onto '{goal.name}'", purpose=f"move '{file.name}' into the folder '{goal.name}'",
        reached=partial(_lies_in, f"{goal.name}/{file.name}"),
    )  # fmt: skip


def _lies_in(path: str, before: State, after: State) -> bool:
    """Whether a file is in a folder where it was not before: the application's folder, as `extra` lists it."""

    def holds(state: State) -> bool:
        return any(f"/{name}".endswith(f"/{path}") for name, _ in state.truth["extra"])

    return holds(after) and not holds(before)
