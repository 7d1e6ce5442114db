"""Shows windows that do not belong to the application: other programs, notices, panels, a film. JSON lines in and out.

It runs in the system's Python, which has PyGObject, as the user of the desktop, and imports nothing of this project.
What is shown is described by the request (`desktop_props.py` writes it):

    {"show": "note", "prop": {"kind": "normal", "title": ..., "box": [x, y, w, h], "parts": [...]}}  ->  {"box": [...]}
    {"hide": "note"}, {"clear": true}                                                                ->  {}
    {"touched": true}                       ->  {"touched": [["note", "typed: abc"]]}: what a person did to them
"""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Callable
from typing import Any

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("Gdk", "3.0")
from gi.repository import Gdk, GdkPixbuf, GLib, Gtk, Pango  # noqa: E402

HINTS = {
    "normal": Gdk.WindowTypeHint.NORMAL, "dialog": Gdk.WindowTypeHint.DIALOG, "dock": Gdk.WindowTypeHint.DOCK,
    "notice": Gdk.WindowTypeHint.NOTIFICATION,
}  # fmt: skip


class Stage:
    """The windows, by the names that requests gave them."""

    def __init__(self) -> None:
        self._windows: dict[str, Gtk.Window] = {}
        self._timers: dict[str, list[int]] = {}
        self._touched: dict[str, str] = {}
        self._loop = GLib.MainLoop()
        self._rest = b""

    def run(self) -> None:
        """Answer until standard input ends."""
        GLib.io_add_watch(sys.stdin.fileno(), GLib.IO_IN | GLib.IO_HUP, self._hear)
        self._loop.run()

    def _hear(self, number: int, _: Any) -> bool:
        words = os.read(number, 1 << 16)
        if not words:
            self._loop.quit()
            return False
        self._rest += words
        while b"\n" in self._rest:
            line, _, self._rest = self._rest.partition(b"\n")
            sys.stdout.write(json.dumps(self._answer(json.loads(line))) + "\n")
            sys.stdout.flush()
        return True

    def _answer(self, words: dict[str, Any]) -> dict[str, Any]:
        if "show" in words:
            return {"box": self._show(words["show"], words["prop"])}
        if "hide" in words:
            self._hide(words["hide"])
        elif "clear" in words:
            for name in list(self._windows):
                self._hide(name)
            self._touched.clear()
        elif "touched" in words:
            return {"touched": sorted(self._touched.items())}
        _iterate()
        return {}

    def _show(self, name: str, prop: dict[str, Any]) -> list[int]:
        self._hide(name)
        Gtk.Settings.get_default().set_property("gtk-application-prefer-dark-theme", prop.get("dark", False))
        bare = prop["kind"] == "bare"
        window = Gtk.Window(type=Gtk.WindowType.POPUP if bare else Gtk.WindowType.TOPLEVEL)
        self._windows[name], self._timers[name] = window, []
        x, y, width, height = prop["box"]
        window.set_title(prop.get("title", ""))
        if not bare:
            window.set_type_hint(HINTS[prop["kind"]])
        window.set_decorated(prop["kind"] in ("normal", "dialog"))
        window.set_keep_above(prop.get("above", False))
        window.set_accept_focus(prop.get("focus", True))
        window.set_focus_on_map(prop.get("focus", True))
        window.connect("delete-event", lambda *_: self._touch(name, "closed", gone=True))
        window.add(self._fill(name, prop))
        _style(window, prop.get("css", ""))
        window.set_size_request(width, height)
        window.move(x, y)
        drawn: list[bool] = []
        window.connect_after("draw", lambda *_: drawn.append(True))
        window.show_all()
        _iterate_until(lambda: bool(drawn) and window.get_window().is_viewable())
        _iterate()
        if prop.get("focus", True) and not bare:
            window.present()
            _iterate()
        Gdk.Display.get_default().sync()
        outer = window.get_window().get_frame_extents()
        return [outer.x, outer.y, outer.width, outer.height]

    def _hide(self, name: str) -> None:
        for timer in self._timers.pop(name, []):
            GLib.source_remove(timer)
        if (window := self._windows.pop(name, None)) is not None:
            window.destroy()

    def _touch(self, name: str, what: str, *, gone: bool = False) -> bool:
        self._touched[name] = what
        if gone:
            self._hide(name)
        return True

    def _fill(self, name: str, prop: dict[str, Any]) -> Gtk.Widget:
        margin = prop.get("margin", 12)
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=8)
        box.set_border_width(margin)
        for part in prop["parts"]:
            kind = part["part"]
            widget = getattr(self, f"_make_{kind}")(name, part, prop)
            box.pack_start(widget, kind in ("film", "veil", "terminal", "entry_area"), True, 0)
        return box

    def _make_text(self, name: str, part: dict[str, Any], prop: dict[str, Any]) -> Gtk.Widget:
        label = Gtk.Label(xalign=part.get("align", 0.0), wrap=True, max_width_chars=part.get("width", 44))
        words = GLib.markup_escape_text(part["text"])
        label.set_markup(f"<b>{words}</b>" if part.get("bold") else words)
        return label

    def _make_row(self, name: str, part: dict[str, Any], prop: dict[str, Any]) -> Gtk.Widget:
        row = Gtk.Box(spacing=10)
        for inner in part["parts"]:
            row.pack_start(getattr(self, f"_make_{inner['part']}")(name, inner, prop), False, True, 0)
        return row

    def _make_buttons(self, name: str, part: dict[str, Any], prop: dict[str, Any]) -> Gtk.Widget:
        row = Gtk.Box(spacing=8)
        for text in reversed(part["names"]):
            button = Gtk.Button(label=text)
            button.set_can_focus(False)
            button.connect("clicked", lambda *_, text=text: self._touch(name, f"pressed: {text}", gone=True))
            row.pack_end(button, False, True, 0)
        return row

    def _make_entry(self, name: str, part: dict[str, Any], prop: dict[str, Any]) -> Gtk.Widget:
        entry = Gtk.Entry(text=part.get("text", ""))
        entry.connect("changed", lambda field: self._touch(name, f"typed: {field.get_text()}"))
        return entry

    def _make_icon(self, name: str, part: dict[str, Any], prop: dict[str, Any]) -> Gtk.Widget:
        image = Gtk.Image.new_from_icon_name(part["icon"], Gtk.IconSize.DIALOG)
        image.set_pixel_size(part.get("size", 40))
        return image

    def _make_spinner(self, name: str, part: dict[str, Any], prop: dict[str, Any]) -> Gtk.Widget:
        return self._draw(name, part.get("size", 32), part.get("size", 32), 80, _draw_spinner)

    def _make_progress(self, name: str, part: dict[str, Any], prop: dict[str, Any]) -> Gtk.Widget:
        bar = Gtk.ProgressBar(fraction=part["done"])
        if part.get("moves"):

            def step() -> bool:
                bar.set_fraction((bar.get_fraction() + 0.013) % 1.0)
                return True

            self._timers[name].append(GLib.timeout_add(part["moves"], step))
        return bar

    def _make_clock(self, name: str, part: dict[str, Any], prop: dict[str, Any]) -> Gtk.Widget:
        label = Gtk.Label(xalign=part.get("align", 0.5))
        state = {"now": int(part["now"])}

        def step() -> bool:
            now = state["now"] = state["now"] + 1
            words = f"{now // 3600 % 24:02}:{now // 60 % 60:02}"
            label.set_text(f"{part.get('before', '')}{words}:{now % 60:02}" if part["rate"] else words)
            return True

        step()
        if part["rate"]:
            self._timers[name].append(GLib.timeout_add(part["rate"], step))
        return label

    def _make_terminal(self, name: str, part: dict[str, Any], prop: dict[str, Any]) -> Gtk.Widget:
        label = Gtk.Label(xalign=0.0, yalign=0.0)
        label.modify_font(Pango.FontDescription("Monospace 10"))
        state = {"on": False}

        def step() -> bool:
            state["on"] = not state["on"]
            label.set_text("\n".join(part["lines"]) + ("\u2588" if state["on"] else "\u2002"))
            return True

        step()
        self._timers[name].append(GLib.timeout_add(part["rate"], step))
        return label

    def _make_film(self, name: str, part: dict[str, Any], prop: dict[str, Any]) -> Gtk.Widget:
        return self._draw(name, 60, 40, 90, _draw_film)

    def _make_veil(self, name: str, part: dict[str, Any], prop: dict[str, Any]) -> Gtk.Widget:
        x, y, width, height = prop["box"]
        picture = Gdk.pixbuf_get_from_window(Gdk.get_default_root_window(), x, y, width, height)
        dim = picture.composite_color_simple(
            width, height, GdkPixbuf.InterpType.NEAREST, part["opacity"], 8, part["colour"], part["colour"]
        )
        return Gtk.Image.new_from_pixbuf(dim)

    def _draw(self, name: str, width: int, height: int, rate: int, paint: Callable[..., None]) -> Gtk.Widget:
        area = Gtk.DrawingArea()
        area.set_size_request(width, height)
        state = {"turn": 0}

        def step() -> bool:
            state["turn"] += 1
            area.queue_draw()
            return True

        def draw(widget: Gtk.Widget, cairo: Any) -> None:
            paint(cairo, widget.get_allocated_width(), widget.get_allocated_height(), state["turn"])

        area.connect("draw", draw)
        self._timers[name].append(GLib.timeout_add(rate, step))
        return area


def _draw_spinner(cairo: Any, width: int, height: int, turn: int) -> None:
    cairo.translate(width / 2, height / 2)
    radius = min(width, height) / 2
    for spoke in range(12):
        angle = math.pi * spoke / 6
        cairo.set_source_rgba(0.35, 0.5, 0.8, 0.12 + 0.88 * ((spoke - turn) % 12) / 12)
        cairo.set_line_width(radius / 5)
        cairo.move_to(0.5 * radius * math.cos(angle), 0.5 * radius * math.sin(angle))
        cairo.line_to(0.95 * radius * math.cos(angle), 0.95 * radius * math.sin(angle))
        cairo.stroke()


def _draw_film(cairo: Any, width: int, height: int, turn: int) -> None:
    cairo.set_source_rgb(0.08, 0.1, 0.16 + 0.08 * math.sin(turn / 9))
    cairo.paint()
    for ball in range(5):
        cairo.set_source_rgb(0.9 - 0.15 * ball, 0.3 + 0.1 * ball, 0.2 + 0.15 * ball)
        x = width * (0.5 + 0.4 * math.sin(turn / (5 + ball) + ball))
        y = height * (0.5 + 0.4 * math.cos(turn / (7 - ball) + 2 * ball))
        cairo.arc(x, y, height / 9, 0, 2 * math.pi)
        cairo.fill()


def _style(window: Gtk.Window, css: str) -> None:
    if css:
        provider = Gtk.CssProvider()
        provider.load_from_data(css.encode())
        window.get_style_context().add_provider(provider, Gtk.STYLE_PROVIDER_PRIORITY_APPLICATION)
        for child in [window, *_below(window)]:
            child.get_style_context().add_provider(provider, Gtk.STYLE_PROVIDER_PRIORITY_APPLICATION)


def _below(widget: Any) -> list[Any]:
    children = widget.get_children() if isinstance(widget, Gtk.Container) else []
    return [node for child in children for node in (child, *_below(child))]


def _iterate() -> None:
    while Gtk.events_pending():
        Gtk.main_iteration_do(False)


def _iterate_until(condition: Callable[[], bool]) -> None:
    timer = GLib.timeout_add(10, lambda: True)  # so that the loop wakes up
    for _ in range(300):
        if condition():
            break
        Gtk.main_iteration_do(True)
    GLib.source_remove(timer)


if __name__ == "__main__":
    for setting in ("gtk-enable-animations", "gtk-cursor-blink"):
        Gtk.Settings.get_default().set_property(setting, False)
    Stage().run()
