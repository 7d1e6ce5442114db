"""Spreadsheets that are drawn on a canvas: cells as elements, by the geometry that the spreadsheet itself tells.

A page defines `grid`: `grid.cells()`, rows [row, column, box in CSS pixels, text, look] of the cells in view;
`grid.surface()`, the element that gets what is aimed at cells; `grid.state()`, with the chosen ranges as `chosen`,
[first row, last row, first column, last column] each, the name of the sheet as `at`, and all contents as `book`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any, ClassVar, Final

from data_prep.collect.application import Application, Element, Fault, Intent, State
from data_prep.collect.apps.served import OwnPages
from data_prep.collect.faults import HandFault, aim
from data_prep.collect.texts import text_for
from data_prep.collect.web_intents import click, point_in
from viscritic.actions import Action
from viscritic.actions.action import Point

_READY: Final = """(async () => {
  for (let i = 0; i < 200 && !window.gridReady; i++) await new Promise(done => setTimeout(done, 50));
  if (!window.gridReady) throw new Error('the spreadsheet did not become ready');
})()"""
_FAR: Final = 4  # rows and columns that a marked range spans at most
_CELL_SHARE: Final = 0.7  # of the steps that are about cells
# Faults that press the target by script, which a cell that is drawn does not notice.
_NOT_HERE: Final = ("asked_", "confirmed", "rejected", "hung")


class Grid(OwnPages):
    """A spreadsheet. Subclasses name the page."""

    pages = "sheets"
    page: ClassVar[str]

    def address(self, seed: int) -> str:
        """The page, with another workbook for every seed."""
        return f"/pages/{self.page}.html?seed={seed % 100_000}"

    def prepare(self, seed: int) -> None:
        """Wait until the workbook is drawn."""
        self.run(_READY)

    def extra(self) -> str:
        """Everything the workbook holds, and the cells in view."""
        return "window.gridReady ? {...grid.state(), seen: grid.cells().filter(cell => cell[3] || cell[4])} : null"

    def elements(self) -> list[Element]:
        """What the page lists, without the canvas, and the cells in view that nothing covers."""
        listed = super().elements()
        boxes = {key: row for key, row in self._keys.items() if row["tag"] != "canvas"}
        cells = [
            (f"cell/{row}/{column}", name_cell(row, column), box, text)
            for row, column, box, text, _ in self.run("grid.near()")
        ]
        scale = self.driver.view.scale
        for key, _, box, _ in cells:
            boxes[key] = {
                "key": key, "box": box, "tag": "cell", "type": "", "link": "", "leaves": False, "limit": 0,
                "readonly": True, "draggable": False, "near": "", "range": None,
            }  # fmt: skip
        self._keys = boxes
        return [e for e in listed if e.key in boxes] + [
            Element(key, "cell", name, tuple(scale * side for side in box), value=text)
            for key, name, box, text in cells
        ]

    def query(self, key: str) -> str:
        """The element of a key; for a cell the surface that it is drawn on."""
        return "grid.surface()" if key.startswith("cell/") else super().query(key)

    def hit(self, point: Point) -> str:
        """The listed element under a point, or the cell."""
        x, y = self.driver.css(point)
        cell = self.run(f"grid.cellAt({x}, {y})")
        return f"cell/{cell[0]}/{cell[1]}" if cell else super().hit(point)

    def state(self) -> State:
        """The page's state, with a row for each filled cell in view and one for what is chosen."""
        state = super().state()
        extra = state.truth["extra"] or {"seen": [], "chosen": []}
        cells = [[f"cell/{row}/{column}", "cell", text, "", look] for row, column, _, text, look in extra["seen"]]
        chosen = ["chosen", "grid", "", "", json.dumps(extra["chosen"])]
        return State([*state.shown, *cells, chosen], state.truth, state.focus)

    def faults(self) -> Sequence[Fault]:
        """The usual ones that a canvas can have, and the cell beside."""
        usual = [fault for fault in super().faults() if not fault.cause.startswith(_NOT_HERE)]
        return (*usual, CellBeside())

    def intents(self, elements: Sequence[Element], random: Random) -> list[Intent]:
        """Steps with cells, more often than with what stands around them."""
        cells = [element for element in elements if element.role == "cell"]
        around = super().intents([element for element in elements if element.role != "cell"], random)
        chosen = [make(self, cells, random) for make in random.choices(_STEPS, k=6)] if cells else []
        found = [step for step in chosen if step is not None]
        return [*found, *around] if random.random() < _CELL_SHARE else [*around, *found]


def name_cell(row: int, column: int) -> str:
    """The name of a cell: (2, 1) is "B3"."""
    letters = ""
    while column >= 0:
        letters = chr(ord("A") + column % 26) + letters
        column = column // 26 - 1
    return f"{letters}{row + 1}"


def _place(element: Element) -> tuple[int, int]:
    _, row, column = element.key.split("/")
    return int(row), int(column)


def _select(app: Grid, cells: Sequence[Element], random: Random) -> Intent:
    cell = random.choice([*[c for c in cells if c.value], *random.sample(list(cells), min(6, len(cells)))])
    row, column = _place(cell)
    purpose = f"go to the cell with '{cell.value}'" if cell.value else f"select cell {cell.name}"
    return click(cell, random, purpose=purpose, reached=partial(_is_chosen, [row, row, column, column]))


def _enter(app: Grid, cells: Sequence[Element], random: Random) -> Intent:
    cell = random.choice(_filled(cells) if random.random() < 0.6 else list(cells))
    text = _other_text(cell, random)
    x, y = point_in(cell, random)
    here = Action("click", x=x, y=y)
    actions = random.choice(((here, Action("type", text=f"{text}\n")), (here, Action("type", text=text), _ENTER)))
    purpose = f"change '{cell.value}' to '{text}'" if cell.value else f"write '{text}' into {cell.name}"
    return Intent("type", cell, actions, text=text, purpose=purpose, reached=partial(_holds, cell.key, text))


def _clear(app: Grid, cells: Sequence[Element], random: Random) -> Intent | None:
    """Delete what the chosen cell holds."""
    chosen, focus = app.run("[grid.state().chosen, viscritic.state(null).focus]")
    for cell in cells:
        row, column = _place(cell)
        if cell.value and chosen == [[row, row, column, column]]:
            purpose = f"clear {cell.name}, which says '{cell.value}'"
            keyed = replace(cell, key=focus)  # what the keyboard goes to
            return Intent("key", keyed, (_DELETE,), purpose=purpose, reached=partial(_holds, cell.key, ""))
    return None


def _mark(app: Grid, cells: Sequence[Element], random: Random) -> Intent | None:
    first, last = random.choice(cells), random.choice(cells)
    (top, left), (bottom, right) = _place(first), _place(last)
    if not (0 <= bottom - top <= _FAR and 0 <= right - left <= _FAR) or first is last:
        return None
    (x, y), (x2, y2) = point_in(first, random), point_in(last, random)
    words = f"to {last.name}"
    return Intent(
        "drag", first, (Action("drag", x=x, y=y, x2=x2, y2=y2),), text=words,
        purpose=f"select the cells {first.name} {words}", reached=partial(_is_chosen, [top, bottom, left, right]),
    )  # fmt: skip


def _edit(app: Grid, cells: Sequence[Element], random: Random) -> Intent:
    cell = random.choice(_filled(cells))
    x, y = point_in(cell, random)
    return Intent("double_click", cell, (Action("double_click", x=x, y=y),), purpose=f"edit cell {cell.name}")


def _options(app: Grid, cells: Sequence[Element], random: Random) -> Intent:
    cell = random.choice(cells)
    x, y = point_in(cell, random)
    return Intent("right_click", cell, (Action("right_click", x=x, y=y),), purpose=f"open the menu of {cell.name}")


_ENTER: Final = Action("key", keys=("enter",))
_DELETE: Final = Action("key", keys=("delete",))
_STEPS: Final[tuple[Callable[[Grid, Sequence[Element], Random], Intent | None], ...]] = (
    _select, _enter, _enter, _enter, _clear, _clear, _mark, _mark, _edit, _options,
)  # fmt: skip


def _filled(cells: Sequence[Element]) -> list[Element]:
    return [cell for cell in cells if cell.value] or list(cells)


def _other_text(cell: Element, random: Random) -> str:
    """Another content: of a number often the next one, else another; of a word the like."""
    if cell.value.isdigit():
        near = int(cell.value) + random.choice((-1, 1))
        return str(near if near >= 0 and random.random() < 0.5 else random.randint(1, 999))
    if not cell.value and random.random() < 0.5:
        return str(random.randint(1, 999))
    text = text_for(cell, "text", random)
    return text if text != cell.value else f"{text} 2"


def _is_chosen(wanted: list[int], _: State, after: State) -> bool:
    return after.truth["extra"] is not None and after.truth["extra"]["chosen"] == [wanted]


def _holds(key: str, text: str, _: State, after: State) -> bool:
    found: list[Any] = [row[2] for row in after.shown if row[0] == key]
    return found == [text] if text else all(not words for words in found)


class CellBeside(HandFault):
    """The action goes to a cell beside. Evidence: the hit is not the target."""

    cause = "neighbour"

    def begin(
        self, app: Application, intent: Intent, elements: Sequence[Element], random: Random
    ) -> tuple[Action, ...] | None:
        """Aim at one of the cells around."""
        if intent.target.role != "cell" or intent.verb == "drag":
            return None
        row, column = _place(intent.target)
        beside = [
            e for e in elements
            if e.role == "cell" and e.key != intent.target.key
            and abs(_place(e)[0] - row) <= 1 and abs(_place(e)[1] - column) <= 1
        ]  # fmt: skip
        return aim(intent, random.choice(beside).centre) if beside else None
