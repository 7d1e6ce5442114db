"""The windows of others that a desktop shows: notes, chats, updates, notices, panels. Drawn by `desktop_stage.py`."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from viscritic.trajectory import Box

Prop = dict[str, Any]
PANEL: Final = 28  # pixels of height at the edge of the screen that stay free for a panel

_TALKS: Final = (
    ("Chat - Kim", ("Kim: are you coming to lunch?", "You: in ten minutes", "Kim: I'll keep you a seat")),
    ("Messages", ("Ola: the draft is in the shared folder", "You: thanks, I'll read it tonight")),
    ("Team room", ("Ana: deploy is done", "Bo: great, closing the ticket", "Ana: any objections?")),
)  # fmt: skip
_NOTES: Final = (
    ("Note", "Call the plumber on Thursday.\nMilk, rice, onions.\nReturn the library books."),
    ("Sticky note", "Password hint: second cat.\nRing Mum."),
    ("Reading list", "1. The long way home\n2. A short history of tea\n3. Notes on bridges"),
)  # fmt: skip
_ASKS: Final = (
    ("Software Updater", "Updates are available", "12 packages can be updated (48 MB).", ("Later", "Install now")),
    ("Reminder", "Weekly meeting", "Starts in 10 minutes in room 3.", ("Snooze", "Dismiss")),
    ("Backup", "Back up your files?", "The last backup was made 9 days ago.", ("Not now", "Back up")),
    ("Network", "Sign in to the network", "This network asks you to sign in.", ("Ignore", "Sign in")),
    ("Printer", "Printer is out of paper", "Load paper into tray 1 to go on.", ("Cancel", "OK")),
)  # fmt: skip
_SHELL: Final = (
    ("user@desk: ~", ("$ make test", "collected 312 items", "312 passed in 41.20s", "$ ")),
    ("Terminal", ("$ ls", "Desktop  Documents  Music  Pictures", "$ df -h .", "/dev/sda2  120G  67G  59% /", "$ ")),
    ("ssh build", ("Last login: Mon Mar  3 09:12", "$ uptime", " 14:02 up 12 days, load average: 0.4", "$ ")),
)  # fmt: skip
_NOTICES: Final = (
    ("Download finished", "report-may.pdf"), ("New mail", "Ivo: Minutes of Tuesday"), ("Battery low", "12 % remaining"),
    ("USB stick connected", "KINGSTON, 14 GB"), ("Screenshot saved", "Pictures/shot-4.png"),
)  # fmt: skip
_PAPERS: Final = ("#fff7c2", "#e8f4ea", "#fdfdfd", "#2d2f36", "#f5e6ff")
_VEILS: Final = (0xFFFFFF, 0x888888)
_PANELS: Final = ("#2f343f", "#e9e9ed", "#1d1f21", "#31506b", "#d8d4c8")


def make_overlay(place: tuple[int, int], size: tuple[int, int], seed: int, *, dark: bool, focus: bool = True) -> Prop:
    """A window of another program.

    Args:
        place: its upper left corner.
        size: its least width and height.
    """
    random = Random(f"overlay {seed}")
    make = random.choice((_chat, _note, _ask, _ask, _shell))
    return {"box": [*place, *size], "dark": dark, "focus": focus, **make(random)}


def _chat(random: Random) -> Prop:
    title, lines = random.choice(_TALKS)
    parts = [{"part": "text", "text": line} for line in lines]
    return {"kind": "normal", "title": title, "parts": [*parts, {"part": "entry"}]}


def _note(random: Random) -> Prop:
    title, text = random.choice(_NOTES)
    paper = random.choice(_PAPERS)
    ink = "#f2f2f2" if paper == "#2d2f36" else "#222"
    css = f"window {{ background: {paper}; }} label {{ color: {ink}; }}"
    return {"kind": "normal", "title": title, "css": css, "parts": [{"part": "text", "text": text}]}


def _ask(random: Random) -> Prop:
    title, head, text, names = random.choice(_ASKS)
    words = [{"part": "text", "text": head, "bold": True}, {"part": "text", "text": text}]
    return {"kind": "dialog", "title": title, "parts": [*words, {"part": "buttons", "names": names}]}


def _shell(random: Random) -> Prop:
    title, lines = random.choice(_SHELL)
    css = "window { background: #181a1f; } label { color: #c8e6c9; font: 10pt Monospace; }"
    parts = [{"part": "text", "text": line, "width": 60} for line in lines]
    return {"kind": "normal", "title": title, "css": css, "parts": parts}


def make_panel(size: tuple[int, int], seed: int, programs: Sequence[str], rate: int = 0, *, top: bool = False) -> Prop:
    """A panel along an edge of the screen, with what runs and a clock.

    Args:
        rate: milliseconds between two ticks of a clock that shows seconds; 0 for one that stands still.
    """
    random = Random(f"panel {seed}")
    paper = random.choice(_PANELS)
    ink = "#222" if paper in ("#e9e9ed", "#d8d4c8") else "#eee"
    words = "   ".join((random.choice(("Menu", "Applications", "Start", "Activities")), *programs))
    clock = {"part": "clock", "now": random.randrange(28000, 70000), "rate": rate, "before": "   "}
    css = f"window {{ background: {paper}; }} label {{ color: {ink}; }}"
    parts = [{"part": "text", "text": words, "width": 120}, clock]
    if random.random() < 0.5:
        parts.reverse()
    return {
        "kind": "dock", "box": [0, 0 if top else size[1] - PANEL, size[0], PANEL], "css": css, "margin": 3,
        "focus": False, "parts": [{"part": "row", "parts": parts}],
    }  # fmt: skip


def make_notice(place: tuple[int, int], seed: int, *, dark: bool) -> Prop:
    """A notice that comes and goes by itself."""
    head, text = Random(f"notice {seed}").choice(_NOTICES)
    parts = [{"part": "text", "text": head, "bold": True, "width": 26}, {"part": "text", "text": text, "width": 26}]
    return {"kind": "notice", "box": [*place, *NOTICE], "dark": dark, "above": True, "focus": False, "parts": parts}


NOTICE: Final = (230, 66)
TERMINAL: Final = (250, 110)
WORKING: Final = (230, 90)
FILM: Final = (240, 160)


def make_terminal(place: tuple[int, int], seed: int) -> Prop:
    """A terminal whose cursor blinks."""
    random = Random(f"terminal {seed}")
    title, lines = random.choice(_SHELL)
    part = {"part": "terminal", "lines": [line[:28] for line in lines], "rate": random.randrange(250, 600)}
    css = f"window {{ background: {random.choice(('#181a1f', '#002b36', '#300a24'))}; }} label {{ color: #d0d0d0; }}"
    return {"kind": "normal", "title": title, "box": [*place, *TERMINAL], "css": css, "focus": False, "parts": [part]}


def make_working(place: tuple[int, int], seed: int, *, dark: bool) -> Prop:
    """Another program that is at work: a bar that moves."""
    random = Random(f"working {seed}")
    title, text = random.choice((("Copying", "holiday.zip to Backup"), ("Updating", "Reading package lists"),
                                 ("Scanning", "Documents"), ("Exporting", "clip-07.mp4")))  # fmt: skip
    bar = {"part": "progress", "done": random.random() * 0.6, "moves": random.randrange(80, 200)}
    parts = [{"part": "text", "text": text, "width": 26}, bar]
    return {"kind": "dialog", "title": title, "box": [*place, *WORKING], "dark": dark, "focus": False, "parts": parts}


def make_film(place: tuple[int, int], seed: int) -> Prop:
    """A player with a film."""
    title = Random(f"film {seed}").choice(("Player", "holiday-2019.mp4", "Camera"))
    return {
        "kind": "normal", "title": title, "box": [*place, *FILM], "focus": False, "margin": 0,
        "parts": [{"part": "film"}],
    }  # fmt: skip


def make_waiting(program: str, window: Box, seed: int, *, dark: bool) -> tuple[Prop, ...]:
    """What desktops show of a window that does not answer: a question, a veil, a busy sign; one or two of them."""
    random = Random(f"waiting {seed}")
    x, y, width, height = (round(side) for side in window)
    veil: Prop = {
        "kind": "bare", "box": [x, y, width, height], "margin": 0, "focus": False,
        "parts": [{"part": "veil", "opacity": random.randrange(110, 180), "colour": random.choice(_VEILS)}],
    }  # fmt: skip
    name = random.choice(
        (f"“{program}” is not responding.", f"{program} is not responding", f"{program} does not answer.")
    )
    advice = random.choice(("You may choose to wait a short while for it to continue or force it to quit.",
                            "Do you want to wait, or end the program?"))  # fmt: skip
    words = [{"part": "text", "text": name, "bold": True}, {"part": "text", "text": advice, "width": 36}]
    names = random.choice((("Force Quit", "Wait"), ("End now", "Wait"), ("Terminate", "Keep waiting")))
    ask: Prop = {
        "kind": "dialog", "title": random.choice(("", "Window not responding", program)), "dark": dark, "above": True,
        "box": [max(x + width // 2 - 160, 4), max(y + height // 3, 30), 320, 90], "focus": False,
        "parts": [*words, {"part": "buttons", "names": names}],
    }  # fmt: skip
    side = random.randrange(40, 72)
    busy: Prop = {
        "kind": "bare", "box": [x + (width - side) // 2, y + (height - side) // 2, side, side], "margin": 6,
        "focus": False, "parts": [{"part": "spinner", "size": side - 12}],
    }  # fmt: skip
    return random.choice(((ask,), (ask,), (veil,), (veil, ask), (busy,), (veil, busy)))


def make_obituary(program: str, size: tuple[int, int], seed: int, *, dark: bool) -> Prop:
    """The desktop's report of a program that crashed."""
    random = Random(f"obituary {seed}")
    head = random.choice((f"Sorry, {program} has closed unexpectedly.", f"{program} has crashed", f"{program} stopped"))
    text = random.choice(("You can send a report that helps to fix it.", "A problem report was saved."))
    names = random.choice((("Don't send", "Send"), ("Close", "Report"), ("Close",)))
    return {
        "kind": "dialog", "title": random.choice(("System problem", "Crash report", program)), "dark": dark,
        "box": [size[0] // 2 - 180, size[1] // 3, 360, 90], "focus": False,
        "parts": [{"part": "text", "text": head, "bold": True}, {"part": "text", "text": text},
                  {"part": "buttons", "names": names}],
    }  # fmt: skip
