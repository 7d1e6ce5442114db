"""pcmanfm: a file manager. Debian packages `pcmanfm`, and `gnome-themes-extra` for its looks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any, Final

from data_prep.collect.application import Element, Intent, State
from data_prep.collect.desktop_application import DesktopApplication
from data_prep.collect.desktop_files import list_files, make_files
from data_prep.collect.desktop_gestures import moving
from data_prep.collect.desktop_intents import shortcut
from data_prep.collect.web_intents import click, point_in
from viscritic.actions import Action

_VIEW: Final = """[config]
bm_open_method=0
[ui]
always_show_tabs=0
hide_close_btn=0
win_width=700
win_height=480
view_mode={view}
show_hidden=0
sort=name;ascending;
toolbar=newtab;navigation;home;
show_statusbar=0
pathbar_mode_buttons=0
"""
_FILES: Final = """[config]
single_click=0
use_trash=0
confirm_del=1
confirm_trash=1
quick_exec=0
[ui]
show_thumbnail=0
places_home=1
places_desktop=0
places_root=1
places_trash=0
places_computer=0
places_network=0
places_applications=0
"""
_COLOURS: Final = """include "/usr/share/themes/{theme}/gtk-2.0/gtkrc"
gtk-icon-theme-name = "Adwaita"
gtk-enable-tooltips = 0
gtk-cursor-blink = 0
gtk-font-name = "Noto Sans 10"
"""
_YES: Final = ("ok", "yes", "create", "rename")


class Pcmanfm(DesktopApplication):
    """The file manager; a seed chooses the files and the view."""

    name = family = "pcmanfm"
    title = "Files"
    program = ("pcmanfm", "--no-desktop")
    area = ((560, 380), (860, 600))
    dialog = (("ctrl", "shift", "n"),)
    avoided = frozenset({"Quit", "Close Window", "New Window", "Open in New Window", "Open Current Folder in Terminal",
                         "Open Current Folder as Root", "Connect to Server", "Applications", "About", "Terminal",
                         "Add to Bookmarks", "Compress", "Extract Here", "Open With", "Copy", "Cut", "Open", "gedit",
                         "Vim", "Copy Path(s)"})  # fmt: skip

    def restore(self, random: Random) -> None:
        """Files below the home folder, and settings that hide what depends on the machine."""
        settings = self.home / ".config"
        for name, text in (("pcmanfm/default/pcmanfm.conf", _VIEW), ("libfm/libfm.conf", _FILES)):
            (settings / name).parent.mkdir(parents=True)
            (settings / name).write_text(
                text.replace("{view}", random.choice(("icon", "icon", "compact", "list"))), "utf-8"
            )
        theme = "Adwaita-dark" if self.is_dark else "Adwaita"
        (self.home / ".gtkrc-2.0").write_text(_COLOURS.format(theme=theme), "utf-8")
        self._folder = self.home / "Files"
        self._folder.mkdir()
        many = random.choice((0, 0, 4))  # more than the window shows at once, now and then
        make_files(self._folder, random, many + random.randint(1, 5), many + random.randint(1, 8))
        inner = sorted(path for path in self._folder.iterdir() if path.is_dir())
        self._opened = random.choice([self._folder, self._folder, *inner])

    def environment(self) -> Mapping[str, str]:
        """GTK 2 speaks to the accessibility bus through modules, and finds its colours in a file."""
        return {"GTK_MODULES": "gail:atk-bridge", "GTK2_RC_FILES": str(self.home / ".gtkrc-2.0")}

    def command(self, random: Random) -> tuple[str, ...]:
        """Open the folder."""
        return (*self.program, str(self._opened))

    def extra(self) -> Any:
        """What lies in the folder."""
        return list_files(self._folder)

    def adjust(self, element: Element) -> Element:
        """Icons are files or folders; the field of the path has no name."""
        if element.role == "icon":
            return replace(element, role="folder" if self._is_folder(element.name) else "file")
        if element.role == "text field" and not element.name and element.value.startswith("/"):
            return replace(element, name="location")
        return element

    def _is_folder(self, name: str) -> bool:
        return any(path.name == name and path.is_dir() for path in self._folder.rglob("*"))

    def steps(self, elements: Sequence[Element], random: Random) -> list[Intent]:
        """Opening folders, selecting, renaming, deleting, making folders."""
        items = [e for e in elements if e.role in ("folder", "file")]
        if not items:
            return []
        steps = [self._opening(e, random) for e in items if e.role == "folder"]
        steps += [click(e, random, purpose=f"select '{e.name}'") for e in random.sample(items, min(3, len(items)))]
        place = random.choice(items)
        x, y = point_in(place, random)
        steps.append(
            Intent(
                "right_click",
                place,
                (Action("right_click", x=x, y=y),),
                purpose=f"see what can be done with '{place.name}'",
            )
        )
        steps += moving(items, [name for name, _ in self.extra()], random)
        keys = Element(self.focus(), "window", "Files", place.box)
        steps += [
            shortcut(keys, ("ctrl", "a"), "select everything"),
            shortcut(keys, ("ctrl", "shift", "n"), "make a new folder"),
            shortcut(keys, ("ctrl", "h"), "show hidden files"),
            shortcut(keys, ("ctrl", "t"), "open a new tab"),
            shortcut(keys, ("ctrl", "2"), "change the view"),
        ]
        if any(n.role == "icon" and "selected" in n.states for n in self.nodes):
            steps += [
                shortcut(keys, ("f2",), "rename the selected file"),
                shortcut(keys, ("delete",), "delete the selected file"),
            ]
        return steps

    def _opening(self, element: Element, random: Random) -> Intent:
        x, y = point_in(element, random)
        reached = partial(_shows_folder, element.name)
        purpose = f"look into the folder '{element.name}'"
        return Intent("double_click", element, (Action("double_click", x=x, y=y),), purpose=purpose, reached=reached)

    def deny_saving(self, intent: Intent) -> bool:
        """The folders become read-only, right before a dialog is confirmed."""
        if intent.verb != "click" or intent.target.name.lower().lstrip("_") not in _YES:
            return False
        folders = [self._folder, *(path for path in self._folder.rglob("*") if path.is_dir())]
        for folder in folders:
            folder.chmod(0o555)
        return True


def _shows_folder(name: str, _: State, after: State) -> bool:
    return any(row[1] == "window" and row[2] == name for row in after.shown)


PCMANFM: Final[dict[str, Callable[[], Pcmanfm]]] = {"pcmanfm": Pcmanfm}
