"""Rich text editors in pages of our own: paragraphs as elements, and steps that write and mark text.

A page defines `editor`: `editor.blocks()`, rows [key, role, text, box of the first line in CSS pixels, whether it has
one line only]; `editor.words()`, rows [key of the block, word, box]; `editor.hit(x, y)`, the key of the block there;
`editor.mark(number)`, which marks a word; `editor.state()`, with the document as `html`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import Random
from typing import Any, ClassVar, Final

from data_prep.collect.application import Element, Intent, State
from data_prep.collect.apps.served import OwnPages
from data_prep.collect.view import View
from data_prep.collect.web_intents import point_in
from viscritic.actions import Action
from viscritic.actions.action import Point
from viscritic.trajectory import Box

_READY: Final = """(async () => {
  for (let i = 0; i < 200 && !window.editorReady; i++) await new Promise(done => setTimeout(done, 50));
  if (!window.editorReady) throw new Error('the editor did not become ready');
})()"""
_TEXT_SHARE: Final = 0.5  # of the steps that are about the text
_NAME: Final = 40  # characters of a paragraph that name it
_MORE: Final = ("again", "soon", "please", "in May", "twice", "not yet", "as agreed", "by train", "for free", "at last")
_END: Final = Action("key", keys=("end",))
_SIGNS: Final = (".", "!", "?", ":", "s", "4", "*")


class Editor(OwnPages):
    """An editor. Subclasses name the page."""

    pages = "editors"
    page: ClassVar[str]

    def view(self, seed: int) -> View:
        """The viewport of a seed, dark in a third of all cases."""
        return replace(super().view(seed), dark=Random(f"dark {self.name} {seed}").random() < 1 / 3)

    def address(self, seed: int) -> str:
        """The page, with another document for every seed."""
        return f"/pages/{self.page}.html?seed={seed % 100_000}&dark={int(self.view(seed).dark)}"

    def prepare(self, seed: int) -> None:
        """Wait until the editor is drawn; mark a word half of the time, so that there is something to format."""
        self.run(_READY)
        if (random := Random(f"mark {seed}")).random() < 0.5:
            self.run(f"editor.mark({random.randrange(1000)})")

    def extra(self) -> str:
        """The document."""
        return "window.editorReady ? editor.state() : null"

    def elements(self) -> list[Element]:
        """What the page lists, but for the text as a whole, and the paragraphs in view."""
        listed = super().elements()
        rows = self.run("editor.blocks()")
        self._lines = {row[0]: bool(row[4]) for row in rows}
        for key, _, _, box, _ in rows:
            self._keys[key] = {
                "key": key, "box": box, "tag": "p", "type": "", "link": "", "leaves": False, "limit": 0,
                "readonly": False, "draggable": False, "near": "", "range": None,
            }  # fmt: skip
        blocks = [Element(key, role, text[:_NAME], self._pixels(box), value=text) for key, role, text, box, _ in rows]
        others = [e for e in listed if e.key not in self._lines and not self._is_text(e)]
        return others + blocks

    def _is_text(self, element: Element) -> bool:
        """Whether it is the text as a whole, which nobody speaks of."""
        return element.role == "text field" and self._keys[element.key]["tag"] not in ("input", "textarea")

    def _pixels(self, box: Sequence[float]) -> Box:
        x, y, width, height = (self.driver.view.scale * side for side in box)
        return x, y, width, height

    def hit(self, point: Point) -> str:
        """The paragraph under a point, or what else is listed there."""
        x, y = self.driver.css(point)
        return str(self.run(f"window.editorReady ? editor.hit({x}, {y}) : ''")) or super().hit(point)

    def intents(self, elements: Sequence[Element], random: Random) -> list[Intent]:
        """Steps with the text, and with what stands around it."""
        blocks = [element for element in elements if element.key in self._lines]
        around = super().intents([element for element in elements if element.key not in self._lines], random)
        text = [step for make in random.choices(_STEPS, k=4) if (step := make(self, blocks, random)) is not None]
        return [*text, *around] if random.random() < _TEXT_SHARE else [*around, *text]

    def short(self, blocks: Sequence[Element]) -> list[Element]:
        """The paragraphs of one line: there End goes to their end."""
        return [block for block in blocks if self._lines[block.key]]

    def words(self) -> list[tuple[str, str, Box]]:
        """The words in view: key of their paragraph, word, box in pixels."""
        return [(key, word, self._pixels(box)) for key, word, box in self.run("editor.words()")]


def _write(app: Editor, blocks: Sequence[Element], random: Random) -> Intent | None:
    """A few words more at the end of a paragraph."""
    if not (lines := app.short(blocks)):
        return None
    block, text = random.choice(lines), f" {random.choice(_MORE)}"
    actions = (_at(block, random), _END, Action("type", text=text))
    purpose = f"write '{text.strip()}' at the end of '{block.name}'"
    reached = partial(_says, block.key, block.value + text)
    return Intent("type", block, actions, text=text.strip(), purpose=purpose, reached=reached)


def _add_sign(app: Editor, blocks: Sequence[Element], random: Random) -> Intent | None:
    """One character more, which is hard to see."""
    if not (lines := app.short(blocks)):
        return None
    block, sign = random.choice(lines), random.choice(_SIGNS)
    actions = (_at(block, random), _END, Action("type", text=sign))
    purpose = f"add '{sign}' at the end of '{block.name}'"
    reached = partial(_says, block.key, block.value + sign)
    return Intent("type", block, actions, text=sign, purpose=purpose, reached=reached)


def _mark(app: Editor, blocks: Sequence[Element], random: Random) -> Intent | None:
    """A word by a double click, or a paragraph by a triple one."""
    words = [word for word in app.words() if word[0] in {block.key for block in blocks}]
    if not words:
        return None
    key, word, box = random.choice(words)
    target = replace(next(block for block in blocks if block.key == key), role="word", name=word, box=box)
    x, y = point_in(target, random)
    return Intent(
        "double_click", target, (Action("double_click", x=x, y=y),), purpose=f"select the word '{word}'",
        reached=partial(_is_marked, word),
    )  # fmt: skip


def _at(block: Element, random: Random) -> Action:
    x, y = point_in(block, random)
    return Action("click", x=x, y=y)


_STEPS: Final[tuple[Callable[[Editor, Sequence[Element], Random], Intent | None], ...]] = (
    _write, _write, _add_sign, _add_sign, _mark,
)  # fmt: skip


def _says(key: str, text: str, _: State, after: State) -> bool:
    """Whether a paragraph says something now; what stands inside of it (bold words) is read with it."""
    rows: list[Any] = [row for row in after.shown if row[0] == key]
    inside = [row for row in after.shown if str(row[0]).startswith(f"{key}/")]
    if len(rows) != 1 or inside:
        return False
    return " ".join(str(rows[0][2]).split()) == " ".join(text.split())


def _is_marked(word: str, _: State, after: State) -> bool:
    return any(row[0] == "selection" and row[4] == word for row in after.shown)
