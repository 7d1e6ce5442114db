"""Thunar: the file manager of Xfce, for testing only. Debian package `thunar`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any, Final

from data_prep.collect.application import Element, Intent, State
from data_prep.collect.desktop_application import DesktopApplication
from data_prep.collect.desktop_files import list_files, make_files
from data_prep.collect.desktop_intents import shortcut
from data_prep.collect.web_intents import click, point_in
from viscritic.actions import Action
from viscritic.sample import Split

_SETTINGS: Final = """<?xml version="1.0" encoding="UTF-8"?>
<channel name="thunar" version="1.0">
  <property name="last-view" type="string" value="ThunarDetailsView"/>
  <property name="default-view" type="string" value="ThunarDetailsView"/>
  <property name="last-statusbar-visible" type="bool" value="false"/>
  <property name="misc-full-path-in-title" type="bool" value="false"/>
  <property name="misc-single-click" type="bool" value="false"/>
  <property name="misc-thumbnail-mode" type="string" value="THUNAR_THUMBNAIL_MODE_NEVER"/>
  <property name="last-menubar-visible" type="bool" value="true"/>
</channel>
"""  # rows of its list tell their names, its icons do not
_YES: Final = ("create", "rename", "delete", "ok", "yes")


class Thunar(DesktopApplication):
    """The file manager; a seed chooses the files."""

    name = family = "thunar"
    title = "Thunar"
    split: Split = "test"
    program = ("thunar",)
    area = ((660, 400), (900, 620))
    dialog = (("ctrl", "shift", "n"),)
    avoided = frozenset({"Close All Windows", "Close Window", "New Window", "Open in New Window", "Open Terminal Here",
                         "Detach Tab", "Contents", "Report a bug", "About", "Open With", "Open With Other Application",
                         "Open", "Copy", "Cut", "Preferences", "File System", "Devices", "Places", "Open in New Tab",
                         "Send To", "Make Link", "Set Default Application"})  # fmt: skip

    def restore(self, random: Random) -> None:
        """Files below the home folder, and settings that hide what depends on the machine."""
        settings = self.home / ".config" / "xfce4" / "xfconf" / "xfconf-perchannel-xml"
        settings.mkdir(parents=True)
        (settings / "thunar.xml").write_text(_SETTINGS, "utf-8")
        self._folder = self.home / "Files"
        self._folder.mkdir()
        make_files(self._folder, random, random.randint(1, 5), random.randint(1, 8))
        inner = sorted(path for path in self._folder.iterdir() if path.is_dir())
        self._opened = random.choice([self._folder, self._folder, *inner])

    def command(self, random: Random) -> tuple[str, ...]:
        """Open the folder."""
        return (*self.program, str(self._opened))

    def extra(self) -> Any:
        """What lies in the folder."""
        return list_files(self._folder)

    def adjust(self, element: Element) -> Element:
        """The rows of its list are files or folders."""
        if element.role == "row" and (found := self._kind_of(element.name)):
            return replace(element, role=found)
        if element.role == "text field" and not element.name and element.value.startswith("/"):
            return replace(element, name="location")
        return element

    def _kind_of(self, name: str) -> str:
        for path in self._folder.rglob("*"):
            if path.name == name:
                return "folder" if path.is_dir() else "file"
        return ""

    def steps(self, elements: Sequence[Element], random: Random) -> list[Intent]:
        """Opening folders, selecting, renaming, making folders."""
        items = [e for e in elements if e.role in ("folder", "file")]
        if not items:
            return []
        steps = [self._opening(e, random) for e in items if e.role == "folder"]
        steps += [click(e, random, purpose=f"select '{e.name}'") for e in random.sample(items, min(3, len(items)))]
        place = random.choice(items)
        x, y = point_in(place, random)
        asking = f"see what can be done with '{place.name}'"
        steps.append(Intent("right_click", place, (Action("right_click", x=x, y=y),), purpose=asking))
        keys = Element(self.focus(), "window", "Thunar", place.box)
        steps += [
            shortcut(keys, ("ctrl", "a"), "select everything"),
            shortcut(keys, ("ctrl", "shift", "n"), "make a new folder"),
            shortcut(keys, ("ctrl", "t"), "open a new tab"),
            shortcut(keys, ("alt", "up"), "go to the folder above"),
        ]
        if any(n.role == "table cell" and "selected" in n.states for n in self.nodes):
            steps.append(shortcut(keys, ("f2",), "rename the selected file"))
        return steps

    def _opening(self, element: Element, random: Random) -> Intent:
        x, y = point_in(element, random)
        reached = partial(_shows_folder, element.name)
        purpose = f"look into the folder '{element.name}'"
        return Intent("double_click", element, (Action("double_click", x=x, y=y),), purpose=purpose, reached=reached)

    def deny_saving(self, intent: Intent) -> bool:
        """The folders become read-only, right before a dialog is confirmed."""
        if intent.verb != "click" or intent.target.name.lower() not in _YES:
            return False
        for folder in (self._folder, *(path for path in self._folder.rglob("*") if path.is_dir())):
            folder.chmod(0o555)
        return True


def _shows_folder(name: str, _: State, after: State) -> bool:
    return any(row[1] == "window" and row[2].split(" - ")[0] == name for row in after.shown)


THUNAR: Final[dict[str, Callable[[], Thunar]]] = {"thunar": Thunar}
