"""gedit: a text editor with tabs, search and preferences. Debian package `gedit`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any, Final

from data_prep.collect.application import Element, Intent, State
from data_prep.collect.desktop_application import DesktopApplication
from data_prep.collect.desktop_files import FILES, list_files, make_text
from data_prep.collect.desktop_intents import shortcut, text_in
from data_prep.collect.desktop_tree import Node
from data_prep.collect.texts import todo_text
from viscritic.actions import Action
from viscritic.sample import Split

_SETTINGS: Final = """[org/gnome/gedit/preferences/ui]
statusbar-visible=false

[org/gnome/gedit/preferences/editor]
scheme='{scheme}'
display-line-numbers={numbers}
"""  # the status bar tells for some seconds what was loaded
_SAVING: Final = ("save", "save all")


class Gedit(DesktopApplication):
    """The editor; a seed chooses the file and whether it was changed."""

    name = family = "gedit"
    split: Split = "val"
    title = "gedit"
    program = ("gedit",)
    area = ((620, 420), (1000, 680))
    avoided = frozenset({"Open", "Recent documents", "Minimize", "Help", "Print", "New Window", "Save As", "Reload"})

    def restore(self, random: Random) -> None:
        """Some text files in a folder, one of which is opened; a third are longer than the window."""
        self._folder = self.home / "Documents"
        self._folder.mkdir()
        names = random.sample(FILES, 3)
        for name in names:
            (self._folder / name).write_text(
                make_text(random, random.choice((0, 0, 60)) + random.randint(2, 14)), "utf-8"
            )
        self._file = names[0]
        scheme = random.choice(("oblivion", "cobalt") if self.is_dark else ("tango", "kate", "classic"))
        settings = self.home / ".config" / "glib-2.0" / "settings" / "keyfile"
        settings.parent.mkdir(parents=True)
        settings.write_text(_SETTINGS.format(scheme=scheme, numbers=random.choice(("true", "false"))), "utf-8")

    def command(self, random: Random) -> tuple[str, ...]:
        """Open the file."""
        return (*self.program, str(self._folder / self._file))

    def prepare(self, random: Random) -> None:
        """Type something now and then."""
        if random.random() < 0.5:
            self.driver.act((Action("type", text=random.choice(("Remember: ", "1. ", "Draft\n", "x"))),))

    def extra(self) -> Any:
        """What lies in the folder."""
        return list_files(self._folder)

    def adjust(self, element: Element) -> Element:
        """Name what says the same name twice, or none."""
        if element.key.endswith("/0/0/1/5/1"):
            return replace(element, name="Recent documents")
        if element.role == "text area" and not element.name:
            return replace(element, name="document")
        return element

    def document(self) -> Node | None:
        """The text that is edited."""
        return next((n for n in self.nodes if n.role == "text" and "multi line" in n.states), None)

    def steps(self, elements: Sequence[Element], random: Random) -> list[Intent]:
        """Typing, saving, searching, undoing, a new tab."""
        page = self.document()
        if page is None or self.focus() != page.key or page.text is None:
            return []
        target = Element(page.key, "text area", "document", page.seen, value=page.text)
        text = random.choice((todo_text(random), "a", "7", "Dear all, ", todo_text(random) + ". "))
        want = page.text[: page.caret] + text + page.text[page.caret :]
        typing = Intent(
            "type", target, (Action("type", text=text),), text=text, purpose=f"write '{text.strip()}' at the cursor",
            reached=partial(_holds, page.key, want),
        )  # fmt: skip
        steps = [
            typing,
            shortcut(target, ("ctrl", "f"), "search in the text"),
            shortcut(target, ("ctrl", "n"), "begin a new document"),
            shortcut(target, ("ctrl", "a"), "select the whole text"),
            shortcut(target, ("ctrl", "d"), "delete the line"),
            shortcut(target, ("ctrl", "end"), "go to the end of the text"),
        ]
        if any(e.name == "Save" and e.enabled for e in elements):
            steps += [shortcut(target, ("ctrl", "s"), "save the document")] * 2
            steps.append(shortcut(target, ("ctrl", "z"), "undo the last change"))
        return steps

    def deny_saving(self, intent: Intent) -> bool:
        """The folder and its files become read-only."""
        keys = intent.actions[-1].keys
        if keys != ("ctrl", "s") and intent.target.name.lower() not in _SAVING:
            return False
        for path in (*self._folder.iterdir(), self._folder):
            path.chmod(0o444 if path.is_file() else 0o555)
        return True


def _holds(key: str, text: str, _: State, after: State) -> bool:
    return text_in(after, key) == text


GEDIT: Final[dict[str, Callable[[], Gedit]]] = {"gedit": Gedit}
