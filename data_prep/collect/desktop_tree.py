"""What an application says of its widgets, as rows of the accessibility tree, and what a person could act on in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from data_prep.collect.application import Element
from data_prep.collect.judge import FIELDS
from viscritic.actions.action import Point
from viscritic.trajectory import Box

# Bits of the accessibility interface (AtspiStateType).
_STATES: Final = {
    "checked": 4, "editable": 7, "expanded": 10, "focusable": 11, "focused": 12, "modal": 16, "multi line": 17,
    "pressed": 20, "selected": 23, "sensitive": 24, "showing": 25, "visible": 30,
}  # fmt: skip
SHOWING: Final = 25
VISIBLE: Final = 30
_MEANING: Final = ("checked", "expanded", "pressed", "selected")  # states that a person can see
ROLES: Final = {
    "push button": "button", "button": "button", "toggle button": "toggle button", "check box": "checkbox",
    "radio button": "radio button", "menu": "menu", "menu item": "menu item", "check menu item": "menu item",
    "radio menu item": "menu item", "page tab": "tab", "password text": "password field", "spin button": "number field",
    "combo box": "list", "icon": "icon", "table cell": "row", "list item": "list item", "tree item": "tree item",
    "link": "link", "switch": "switch", "text": "text field", "entry": "text field", "text box": "text field",
}  # fmt: skip
_TICKS: Final = ("check box", "radio button", "check menu item", "radio menu item", "toggle button", "switch")
_DECORATION: Final = ("filler", "panel", "statusbar", "separator", "scroll pane", "viewport", "layered pane", "group",
                      "widget", "tool tip", "redundant object", "generic", "section")  # fmt: skip
_CLASSES: Final = ("Gtk", "Adw")  # GTK 4 tells the class of a widget that has no name
_LEAST: Final = 6.0  # pixels: a smaller box is no target


@dataclass(frozen=True, slots=True)
class Node:
    """A widget that shows.

    Attributes:
        key: the numbers of the children from the application down: "0/0/2".
        role: AT-SPI's word.
        text: what it holds, None where it holds no text.
        marked: the selected part of the text, (start, end).
        value, most: of a scroll bar or the like: where it stands, and the most that it can.
        box: in pixels of the screen, as the application says; `seen` without what its containers cut off.
        popup: whether it is in a menu or another window without a frame.
        sheet: whether it is in a sheet that lies over its window and has the input to itself (a popover).
        states: names of `_STATES`.
    """

    key: str
    role: str
    name: str
    text: str | None
    caret: int
    marked: tuple[int, int]
    value: float | None
    most: float | None
    box: Box
    seen: Box
    popup: bool
    sheet: bool
    states: frozenset[str]

    @property
    def top(self) -> str:
        """The key of the window that it is in."""
        return "/".join(self.key.split("/")[:2])

    def row(self) -> list[str]:
        """A row of `State.shown`: key, role, text, states, place."""
        text = self.name if self.text is None else self.text
        states: list[str] = [state for state in _MEANING if state in self.states]
        states += ["off"] * ("sensitive" not in self.states)
        states += [f"marked={self.marked[0]}-{self.marked[1]}"] * (self.marked[0] != self.marked[1])
        states += [f"value={self.value}/{self.most}"] * (self.value is not None)
        place = ",".join(str(round(side)) for side in self.box)
        return [self.key, self.role, text, " ".join(states), place]


def read_nodes(
    rows: Sequence[Any], size: tuple[int, int], bare: Sequence[Box] = (), shift: Point = (0.0, 0.0)
) -> list[Node]:
    """The nodes of the reader's rows.

    Args:
        size: (width, height) of the screen.
        bare: the boxes of windows without a frame: what is in a menu shows in one of them.
        shift: added to every box, for toolkits that count from their window.
    """
    nodes: dict[str, Node] = {}
    rooms: dict[str, Box] = {}  # where what is in a node can show
    screen = (0.0, 0.0, float(size[0]), float(size[1]))
    tips = {row[0] for row in rows if row[1] == "tool tip"}  # they come with the pointer, and are no effect
    for key, role, name, text, value, words, box in rows:
        if "/".join(key.split("/")[:2]) in tips:
            continue
        parent = nodes.get(key.rpartition("/")[0])
        popup = _is_popup(role, parent)
        if parent is None and role == "window":  # a menu without a frame, or how GTK 4 calls its windows
            popup = any(inside(frame, middle(box)) for frame in bare)
        place = (box[0] + shift[0], box[1] + shift[1], float(box[2]), float(box[3]))
        sheet = parent is not None and (parent.sheet or (key.count("/") > 1 and bool(words[0] >> _STATES["modal"] & 1)))
        around = screen if parent is None or popup != parent.popup or key.count("/") < 2 else rooms[parent.key]
        states = frozenset(state for state, bit in _STATES.items() if words[0] >> bit & 1)
        written, caret, start, end = text or (None, 0, 0, 0)
        stands, most = value or (None, None)
        nodes[key] = Node(
            key, role, name, written, caret, (start, end), stands, most, place, _cut(place, around), popup, sheet,
            states,
        )  # fmt: skip
        rooms[key] = around if role == "page tab" else nodes[key].seen  # a tab is beside its page, or does not show
    return [n for n in nodes.values() if not n.popup or any(inside(box, middle(n.box)) for box in bare)]


def _is_popup(role: str, parent: Node | None) -> bool:
    if parent is None:
        return False
    return parent.popup or parent.role == "menu" or (role == "menu" and parent.role not in ("menu bar", "menu"))


def _cut(box: Box, around: Box) -> Box:
    left, top = max(box[0], around[0]), max(box[1], around[1])
    right = min(box[0] + box[2], around[0] + around[2])
    bottom = min(box[1] + box[3], around[1] + around[3])
    return left, top, max(right - left, 0.0), max(bottom - top, 0.0)


def shown_rows(nodes: Sequence[Node]) -> list[list[str]]:
    """What a person could see of the nodes, without mere containers and without what is cut off."""
    return [
        node.row()
        for node in nodes
        if node.role not in _DECORATION and node.seen[2] > 0 and node.seen[3] > 0 and node.top != node.key
    ]


def make_element(node: Node, inner: Sequence[Node]) -> Element | None:
    """A node as something that one can act on; None for what is not.

    Args:
        inner: the nodes below it: a label there may be its name.
    """
    role = ROLES.get(node.role)
    if role is None or min(node.seen[2:]) < _LEAST:
        return None
    if role == "text field":
        if "editable" not in node.states:
            return None
        role = "text area" if "multi line" in node.states else role
    name = "" if node.name.startswith(_CLASSES) else node.name
    name = name or ("" if role in FIELDS else node.text or "")
    name = name or next((n.name for n in inner if n.role in ("label", "table cell") and n.name.strip()), "")
    ticked = "checked" in node.states or "pressed" in node.states
    value = node.text or "" if role in FIELDS else ""
    return Element(
        key=node.key, role=role, name=" ".join(name.split()), box=node.seen, enabled="sensitive" in node.states,
        checked=ticked if node.role in _TICKS else None, value=value,
    )  # fmt: skip


def middle(box: Box) -> Point:
    """The centre of a box."""
    return box[0] + box[2] / 2, box[1] + box[3] / 2


def inside(box: Box, point: Point) -> bool:
    """Whether a point lies in a box."""
    return box[0] <= point[0] < box[0] + box[2] and box[1] <= point[1] < box[1] + box[3]
