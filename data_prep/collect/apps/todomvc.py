"""TodoMVC: one to-do list, written in many frameworks. They look alike, so they are one family.

npm package `todomvc`; the list that a seed stands for is typed in as a person would.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import Final

from data_prep.collect.application import Element, Intent, State
from data_prep.collect.texts import todo_text
from data_prep.collect.web_application import WebApplication
from data_prep.collect.web_intents import point_in
from viscritic.actions import Action

IMPLEMENTATIONS: Final = (
    "backbone", "react", "vue", "knockoutjs", "angularjs", "mithril", "emberjs", "ractive", "vanillajs",
    "dojo", "canjs",
)  # fmt: skip
_FIELD: Final = "document.querySelector('.new-todo,#new-todo')"
_BEGIN: Final = f"""(async () => {{  // some implementations draw themselves a moment after the page has loaded
  for (let i = 0; i < 60 && !{_FIELD}; i++) await new Promise(done => setTimeout(done, 50));
  {_FIELD}.focus();
}})()"""
_TODOS: Final = """[...document.querySelectorAll('.todo-list li,#todo-list li')].map(li => [
  (li.querySelector('label') || li).textContent.trim(), !!(li.querySelector('input[type=checkbox]') || {}).checked])"""


class TodoMvc(WebApplication):
    """One implementation."""

    family = "todomvc"
    folder = "npm/node_modules/todomvc"

    def __init__(self, implementation: str) -> None:
        self.implementation = implementation
        self.name = f"todomvc-{implementation}"

    def address(self, seed: int) -> str:
        """The implementation's page."""
        return f"/examples/{self.implementation}/index.html"

    def prepare(self, seed: int) -> None:
        """Type up to five to-dos, and tick some."""
        random = Random(f"todos {seed}")
        self.run(_BEGIN)
        for _ in range(random.choice((0, 1, 1, 2, 2, 3))):
            self.driver.act((Action("type", text=todo_text(random)), Action("key", keys=("enter",))))
            self.driver.rest(1.0)  # some implementations render a moment later
        for element in [e for e in self.elements() if e.role == "checkbox"]:
            if element.name != "Mark all as complete" and random.random() < 0.3:
                self.driver.act((Action("click", x=element.centre[0], y=element.centre[1]),))
        if random.random() < 0.5:
            self.run("document.activeElement.blur()")

    def extra(self) -> str:
        """The to-dos: text and whether it is done."""
        return _TODOS

    def intents(self, elements: Sequence[Element], random: Random) -> list[Intent]:
        """What every page offers, a new to-do with Enter, and a double click that edits."""
        found = super().intents(elements, random)
        for element in elements:
            if element.role == "text field" and "needs to be done" in element.name and not element.value:
                found.insert(0, self._adding(element, random))
        labels = [e for e in elements if e.role in ("label", "item") and e.name]
        if labels and random.random() < 0.3:
            target = random.choice(labels)
            x, y = point_in(target, random)
            actions = (Action("double_click", x=x, y=y),)
            found.insert(0, Intent("double_click", target, actions, purpose=f"edit '{target.name}'"))
        return found if random.random() < 0.5 else random.sample(found, len(found))

    def _adding(self, element: Element, random: Random) -> Intent:
        text = todo_text(random)
        x, y = point_in(element, random)
        typing = random.choice((
            (Action("type", text=text + "\n"),), (Action("type", text=text), Action("key", keys=("enter",))),
        ))  # fmt: skip
        return Intent(
            "type", element, (Action("click", x=x, y=y), *typing), text=text, purpose=f"add '{text}' to the list",
            reached=partial(_is_added, text),
        )  # fmt: skip


def _is_added(text: str, before: State, after: State) -> bool:
    return bool(after.truth["extra"] == [*before.truth["extra"], [text, False]])


TODOMVC: Final[dict[str, Callable[[], TodoMvc]]] = {
    f"todomvc-{name}": partial(TodoMvc, name) for name in IMPLEMENTATIONS
}
