"""The windows of an X display: what is where, whose it is, and a window manager's usual requests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from viscritic.trajectory import Box

_ATOMS: Final = ("_NET_CLIENT_LIST", "_NET_ACTIVE_WINDOW", "_NET_WM_NAME", "_NET_WM_PID", "UTF8_STRING")


@dataclass(frozen=True, slots=True)
class Window:
    """A window on the screen: a frame with its client, or a bare window (a menu).

    Attributes:
        id: of the client, or of the bare window.
        pid: the process that it belongs to, 0 where nobody says.
        box: of the frame in pixels of the screen.
        inner: of the client in pixels of the screen.
        managed: whether it has a frame.
        active: whether it has the focus.
    """

    id: int
    pid: int
    title: str
    box: Box
    inner: Box
    managed: bool
    active: bool


class Windows:
    """The windows of a display.

    Questions are sent together and answered together: on a busy machine each round trip costs milliseconds.

    Args:
        display: an `Xlib.display.Display`.
    """

    def __init__(self, display: Any) -> None:
        import Xlib  # noqa: PLC0415 - an extra
        import Xlib.error  # noqa: PLC0415
        import Xlib.protocol.request  # noqa: PLC0415

        self._xlib, self._display = Xlib, display
        self._root = display.screen().root
        self._atoms = {name: display.intern_atom(name) for name in _ATOMS}
        self._frames: dict[int, int] = {}  # client -> frame

    def read(self) -> list[Window]:
        """What is on the screen, the lowest first."""
        clients, active, tree = self._ask(
            self._property(self._root.id, "_NET_CLIENT_LIST"), self._property(self._root.id, "_NET_ACTIVE_WINDOW"),
            self._make("QueryTree", window=self._root.id),
        )  # fmt: skip
        outer = [window.id for window in tree.children]
        frames = {self._frame_of(client, outer): client for client in _numbers(clients)}
        inner = [frames.get(number, number) for number in outer]
        answers = self._ask(
            *(self._make("GetWindowAttributes", window=number) for number in outer),
            *(self._make("GetGeometry", drawable=number) for number in outer),
            *(self._make("GetGeometry", drawable=number) for number in inner),
            *(self._make("TranslateCoords", src_wid=n, dst_wid=self._root.id, src_x=0, src_y=0) for n in inner),
            *(self._property(number, "_NET_WM_NAME") for number in inner),
            *(self._property(number, "_NET_WM_PID") for number in inner),
        )
        columns = [answers[part * len(outer) : (part + 1) * len(outer)] for part in range(6)]
        found = []
        for number, client, looks, box, size, place, title, pid in zip(outer, inner, *columns, strict=True):
            gone = None in (looks, box, size, place)
            if gone or looks.map_state != self._xlib.X.IsViewable:
                continue
            if box.x + box.width <= 0 or box.y + box.height <= 0:  # a helper that nobody sees
                continue
            found.append(
                Window(
                    client, next(iter(_numbers(pid)), 0), _text(title), _box(box, box), _box(place, size),
                    number in frames, client in _numbers(active),
                )
            )  # fmt: skip
        return found

    def _frame_of(self, client: int, outer: list[int]) -> int:
        if self._frames.get(client) not in outer:  # numbers are used again by the next process
            window = client
            while (tree := self._ask(self._make("QueryTree", window=window))[0]) and tree.parent.id != self._root.id:
                window = tree.parent.id
            self._frames[client] = window
        return self._frames[client]

    def _make(self, name: str, **words: Any) -> Any:
        return getattr(self._xlib.protocol.request, name)(display=self._display.display, defer=True, **words)

    def _property(self, window: int, name: str) -> Any:
        words = {"delete": False, "type": self._xlib.X.AnyPropertyType, "long_offset": 0, "long_length": 256}
        return self._make("GetProperty", window=window, property=self._atoms[name], **words)

    def _ask(self, *requests: Any) -> list[Any]:
        """The answers, None for each window that is gone."""
        answers = []
        for request in requests:
            try:
                request.reply()
                answers.append(request)
            except (self._xlib.error.BadWindow, self._xlib.error.BadDrawable):
                answers.append(None)
        return answers

    def place(self, window: Window, box: Box) -> None:
        """Move and resize a window's client."""
        x, y, width, height = (round(side) for side in box)
        self._open(window).configure(x=x, y=y, width=width, height=height)
        self._display.sync()

    def _open(self, window: Window) -> Any:
        return self._display.create_resource_object("window", window.id)


def _numbers(answer: Any) -> list[int]:
    return list(answer.value[1]) if answer is not None and answer.value else []


def _text(answer: Any) -> str:
    return bytes(answer.value[1]).decode("utf-8", "replace") if answer is not None and answer.value else ""


def _box(place: Any, size: Any) -> Box:
    return float(place.x), float(place.y), float(size.width), float(size.height)
