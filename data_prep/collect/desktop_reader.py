"""Reads what an application tells assistive technology (AT-SPI): one line of JSON in, one out.

It runs in the system's Python, which has PyGObject, as the user of the desktop, and imports nothing of this project.

A request names a process, the state bit by which its nodes say that they show (25, SHOWING; GTK 4 knows only 30,
VISIBLE), whether a menu is open (GTK 2 does not say SHOWING of its items) and a bound in milliseconds:
{"pid": 1234, "shows": 25, "menus": false, "bound": 1000}. The answer has a row for each such node, parents first:
{"nodes": [[key, role, name, text, value, states, box], ...], "hung": false}. `key` is the path of child numbers, `text`
[text, caret, start and end of the marked part] or null, `value` [value, most] of a scroll bar or the like or null,
`states` the two words of state bits, `box` in pixels of the screen. "hung" is true where the process did not answer
within the bound.

All questions about a level of the tree are sent before the first answer is waited for: some hundred nodes take 30 ms.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

from gi.repository import Gio, GLib

ATSPI = "org.a11y.atspi."
TEXTS = ("text", "entry", "password text", "spin button", "icon", "paragraph", "label", "text box", "document text",
         "editor", "static", "terminal")  # fmt: skip
VISIBLE = 30
LEAVES = ("push button", "toggle button", "label", "menu item", "check menu item", "radio menu item", "separator",
          "image", "text", "entry", "password text", "icon", "scroll bar", "check box", "radio button", "progress bar",
          "slider")  # fmt: skip
VALUES = ("scroll bar", "slider", "spin button", "progress bar", "level bar")


class Reader:
    """A connection to the accessibility bus of the desktop."""

    def __init__(self) -> None:
        session = Gio.bus_get_sync(Gio.BusType.SESSION)
        answer = session.call_sync(
            "org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None, 0, 10000, None
        )
        flags = Gio.DBusConnectionFlags
        self._bus = Gio.DBusConnection.new_for_address_sync(
            answer.unpack()[0], flags.AUTHENTICATION_CLIENT | flags.MESSAGE_BUS_CONNECTION, None, None
        )
        self._context = GLib.MainContext.default()
        self._roots: dict[int, tuple[str, str]] = {}
        self._roles: dict[tuple[str, str], str] = {}
        self._open = 0  # questions without an answer
        self._late = False
        self._bound = 1000

    def tree(self, pid: int, shows: int, menus: bool, bound: int) -> dict[str, Any]:
        """The nodes of a process that show, parents before children."""
        self._bound, self._late = bound, False
        root = self._roots.get(pid) or self._find(pid)
        if root is None:
            return {"nodes": [], "hung": self._late}
        self._roots[pid] = root
        rows: dict[str, dict[str, Any]] = {}
        level = [(root, "0")]
        while level and not self._late:
            found = [self._ask_node(ref, rows.setdefault(key, {})) for ref, key in level]
            self._wait()
            shown = []
            for (ref, key), children in zip(level, found, strict=True):
                row = rows[key]
                row["role"] = self._roles.get((ref[0], ref[1]), "")
                of_menu = menus and rows.get(key.rpartition("/")[0], {}).get("role") == "menu"
                row["shows"] = _has(row, shows) or (of_menu and _has(row, VISIBLE))
                if key == "0" or row["shows"]:
                    self._ask_more(ref, row)
                    shown.append((ref, key, children))
            level = [
                (child, f"{key}/{number}")
                for _, key, children in shown
                for number, child in enumerate(children)
                if not child[1].endswith("/null")
            ]
        self._wait()
        seen = sorted((item for item in rows.items() if item[0] != "0" and item[1]["shows"]), key=_order)
        return {"nodes": [_pack(key, row) for key, row in seen], "hung": self._late}

    def _find(self, pid: int) -> tuple[str, str] | None:
        found: list[tuple[str, str]] = []
        refs: list[Any] = []
        registry = (ATSPI + "Registry", "/org/a11y/atspi/accessible/root")
        self._call(registry, "Accessible", "GetChildren", None, lambda answer: refs.extend(answer[0]))
        self._wait()
        for ref in refs:
            bus = ("org.freedesktop.DBus", "/org/freedesktop/DBus")
            name = GLib.Variant("(s)", (ref[0],))

            def check(answer: Any, ref: tuple[str, str] = ref) -> None:
                if answer[0] == pid:
                    found.append(ref)

            self._call(bus, "org.freedesktop.DBus", "GetConnectionUnixProcessID", name, check)
        self._wait()
        self._roles.clear()  # a new process: what the others had is not asked for again
        return found[0] if found else None

    def _ask_node(self, ref: Any, row: dict[str, Any]) -> list[Any]:
        children: list[Any] = []
        role = self._roles.get((ref[0], ref[1]))  # an object keeps its role
        self._call(ref, "Accessible", "GetState", None, lambda answer: row.update(states=answer[0]))
        if role is None:
            self._call(
                ref, "Accessible", "GetRoleName", None, lambda answer: self._roles.update({(ref[0], ref[1]): answer[0]})
            )
        if role not in LEAVES:
            self._call(ref, "Accessible", "GetChildren", None, lambda answer: children.extend(answer[0]))
        return children

    def _ask_more(self, ref: Any, row: dict[str, Any]) -> None:
        role = row["role"]
        self._get(ref, "Accessible", "Name", lambda value: row.update(name=value))
        self._call(ref, "Component", "GetExtents", GLib.Variant("(u)", (0,)), lambda a: row.update(box=a[0]))
        if role in TEXTS:
            self._call(ref, "Text", "GetText", GLib.Variant("(ii)", (0, -1)), lambda a: row.update(text=a[0]))
            if role not in ("label", "icon"):
                self._call(ref, "Text", "GetSelection", GLib.Variant("(i)", (0,)), lambda a: row.update(marked=a))
                self._get(ref, "Text", "CaretOffset", lambda value: row.update(caret=value))
        if role in VALUES:
            self._get(ref, "Value", "CurrentValue", lambda value: row.update(value=round(value, 3)))
            self._get(ref, "Value", "MaximumValue", lambda value: row.update(most=round(value, 3)))

    def _get(self, ref: Any, interface: str, name: str, done: Callable[[Any], None]) -> None:
        names = GLib.Variant("(ss)", (ATSPI + interface, name))
        self._call(ref, "org.freedesktop.DBus.Properties", "Get", names, lambda answer: done(answer[0]))

    def _call(self, ref: Any, interface: str, method: str, words: Any, done: Callable[[Any], None]) -> None:
        self._open += 1

        def ready(bus: Any, result: Any) -> None:
            self._open -= 1
            try:
                done(bus.call_finish(result).unpack())
            except GLib.Error as error:  # gone meanwhile, or it has no such interface
                self._late |= error.matches(Gio.io_error_quark(), Gio.IOErrorEnum.TIMED_OUT)

        name = interface if "." in interface else ATSPI + interface
        self._bus.call(ref[0], ref[1], name, method, words, None, 0, self._bound, None, ready)

    def _wait(self) -> None:
        while self._open:
            self._context.iteration(True)


def _has(row: dict[str, Any], state: int) -> bool:
    return bool(row.get("states", (0, 0))[0] >> state & 1)


def _order(item: tuple[str, Any]) -> list[int]:
    return [int(number) for number in item[0].split("/")]


def _pack(key: str, row: dict[str, Any]) -> list[Any]:
    value = [row["value"], row.get("most")] if "value" in row else None
    marked = row.get("marked", (0, 0))
    text = [row["text"], row.get("caret", 0), *marked] if "text" in row else None
    return [key, row.get("role", ""), row.get("name", ""), text, value, row["states"], row.get("box", (0, 0, 0, 0))]


def serve() -> None:
    """Answer until standard input ends."""
    reader = Reader()
    for line in sys.stdin:
        words = json.loads(line)
        sys.stdout.write(json.dumps(reader.tree(words["pid"], words["shows"], words["menus"], words["bound"])) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve()
