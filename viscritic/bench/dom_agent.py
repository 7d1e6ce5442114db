"""A base agent that reads the utterance and the DOM once, makes a plan, and does it without looking back.

That is the kind of agent that a verifier can help: it has no eyes of its own. It finds each step's element anew when
the step's turn comes, and does a step again when it is told to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

from viscritic.actions import Action
from viscritic.bench.miniwob import SCALE, Episode

Verb = Literal["click", "type", "select"]
_ENDINGS: Final = ("submit", "login", "search", "ok", "sign in", "done")
_TYPING: Final = re.compile(r"\b(?:enter|type|fill|focus|into|username|password|search|write|copy)\b")
_QUOTED: Final = re.compile(r'"([^"]+)"')
# Finds by what people see: a role's elements, by text; a tick's own box stands for its label.
_FIND: Final = """([role, name, nth]) => {
  const seen = n => { const r = n.getBoundingClientRect(); return r.width > 1 && r.height > 1 && n.checkVisibility(); };
  const say = n => (n.innerText || n.value || n.placeholder || '').trim().toLowerCase();
  const area = document.getElementById('area') || document.body;
  const sets = {
    field: 'input:not([type=checkbox]):not([type=radio]):not([type=submit]):not([type=button]),textarea',
    tick: 'label', list: 'select', any: '*', opener: 'h3,[role=tab],li>a',
  };
  let found = [...area.querySelectorAll(sets[role])];
  if (role === 'any') found = [...document.querySelectorAll('.ui-dialog-titlebar-close,button,' +
    'input[type=submit],input[type=button]'), ...found];
  found = found.filter(seen);
  if (name) {
    const exact = found.filter(n => say(n) === name.toLowerCase());
    const inner = exact.filter(n => !exact.some(m => m !== n && n.contains(m)));
    found = inner;
  }
  let node = found[nth];
  if (!node) return null;
  if (role === 'tick') node = node.control || node.querySelector('input') || node;
  node.scrollIntoView({block: 'nearest'});
  const r = node.getBoundingClientRect(), tag = node.tagName.toLowerCase();
  const kind = node.type === 'checkbox' ? 'checkbox' : node.type === 'radio' ? 'radio button' : tag === 'a' ? 'link'
    : tag === 'select' ? 'list' : role === 'field' ? 'text field' : node.role === 'tab' ? 'tab' : 'button';
  return {x: r.x + r.width / 2, y: r.y + r.height / 2, kind, name: say(node).slice(0, 40)};
}"""
_LABELS: Final = """() => [...document.querySelectorAll('#area label')].map(n => n.innerText.trim()).filter(Boolean)"""
_COUNT: Final = "kind => document.querySelectorAll('#area ' + kind).length"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a plan: an element by role, name and position, and what to do with it."""

    verb: Verb
    role: str
    name: str = ""
    nth: int = 0
    text: str = ""

    @property
    def instruction(self) -> str:
        """The intent in words."""
        where = f"'{self.name}'" if self.name else f"the {self.role} number {self.nth + 1}"
        return {
            "click": f"Click {where}", "type": f"Type '{self.text}' into {where}", "select": f"Choose '{self.text}'",
        }[self.verb]  # fmt: skip


def make_plan(episode: Episode) -> list[Step]:
    """The steps that the utterance asks for, as far as simple rules read it."""
    said = episode.utterance
    low, quoted = said.lower(), _QUOTED.findall(said)
    plan = list(_fill_in(episode, low, quoted)) or list(_tick(episode, said)) or list(_choose(episode, low, said))
    if not plan:
        openers = episode.ask(_COUNT, "[role=tab]") or episode.ask(_COUNT, "h3")
        if openers and re.search("tab|section|expand|collaps", low):
            number = re.search(r"#(\d+)", said)
            nth = int(number[1]) - 1 if number else 0
            plan.append(Step("click", "opener", nth=nth))
        plan += [Step("click", "any", name) for name in quoted or re.findall(r"button (\w+)", low)]
    if re.search("submit|press|search|login|log in", low) or not plan:
        plan += [Step("click", "any", name) for name in _ENDINGS if _find(episode, Step("click", "any", name))][:1]
    if not plan and ("close" in low or "dialog" in low):
        plan.append(Step("click", "any", "close"))
    return plan or [Step("click", "any")]


def _fill_in(episode: Episode, low: str, quoted: list[str]) -> Iterator[Step]:
    fields = episode.ask(_COUNT, "input[type=text],#area input[type=password],#area textarea,#area input:not([type])")
    if not fields or not _TYPING.search(low):  # some pages have fields to lead astray
        return
    if "focus" in low:
        words = ("1st", "2nd", "3rd")
        yield Step("click", "field", nth=next((i for i, word in enumerate(words) if word in low), 0))
        return
    texts = quoted or re.findall(r"\b\d{1,2}[/:]\d{2}[/:\w ]*\b", low)
    for i, text in enumerate(texts[:fields] if len(texts) > 1 else texts * fields):
        yield Step("type", "field", nth=i, text=text)


def _tick(episode: Episode, said: str) -> Iterator[Step]:
    for label in episode.ask(_LABELS):
        if re.search(rf"(?<!\w){re.escape(label)}(?!\w)", said, re.IGNORECASE):
            yield Step("click", "tick", label)


def _choose(episode: Episode, low: str, said: str) -> Iterator[Step]:
    if episode.ask(_COUNT, "select") and (chosen := re.search(r"[Ss]elect (.+?) from", said)):
        yield Step("select", "list", text=chosen[1].strip('"'))


def ground(episode: Episode, step: Step) -> tuple[Action | None, str]:
    """The step's action on the page as it is, and what it acts on; None where there is no such element."""
    found = _find(episode, step)
    if found is None:
        return None, ""
    element = f"{found['kind']} '{found['name']}'"
    x, y = SCALE * found["x"], SCALE * found["y"]
    if step.verb == "type":
        return Action("type", x, y, text=step.text), element
    if step.verb == "select":
        return Action("select", x, y, text=step.text), element
    return Action("click", x, y), element


def close_banner(episode: Episode) -> Action | None:
    """The click that closes a banner, if one covers the page."""
    box = episode.ask(
        """() => { const n = document.getElementById('vc-accept'); if (!n) return null;
        const r = n.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }"""
    )
    return None if box is None else Action("click", SCALE * box[0], SCALE * box[1])


def _find(episode: Episode, step: Step) -> dict[str, Any] | None:
    found: dict[str, Any] | None = episode.ask(_FIND, [step.role, step.name, step.nth])
    return found
