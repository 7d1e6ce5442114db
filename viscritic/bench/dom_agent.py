"""The heuristic agent on MiniWoB++: it reads the utterance and the DOM once, and makes a plan."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

from data_prep.collect.web_application import WebApplication
from viscritic.actions import Action
from viscritic.bench.agents import Proposal
from viscritic.bench.world import World

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
_LABELS: Final = """[...document.querySelectorAll('#area label')].map(n => n.innerText.trim()).filter(Boolean)"""
_COUNT: Final = "document.querySelectorAll('#area ' + {}).length"


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

    def ground(self, world: World) -> Proposal | None:
        """The step's action on the page as it is."""
        found = _find(world, self)
        if found is None:
            return None
        x, y, *_ = cast(WebApplication, world.app).driver.screen_box((found["x"], found["y"], 0, 0))
        action = Action("click", x, y) if self.verb == "click" else Action(self.verb, x, y, text=self.text)
        return Proposal((action,), self.instruction, f"{found['kind']} '{found['name']}'")


def make_plan(world: World, said: str) -> list[Step]:
    """The steps that the utterance asks for, as far as simple rules read it."""
    low, quoted = said.lower(), _QUOTED.findall(said)
    plan = list(_fill_in(world, low, quoted)) or list(_tick(world, said)) or list(_choose(world, low, said))
    if not plan:
        openers = _count(world, "[role=tab]") or _count(world, "h3")
        if openers and re.search("tab|section|expand|collaps", low):
            number = re.search(r"#(\d+)", said)
            nth = int(number[1]) - 1 if number else 0
            plan.append(Step("click", "opener", nth=nth))
        plan += [Step("click", "any", name) for name in quoted or re.findall(r"button (\w+)", low)]
    if re.search("submit|press|search|login|log in", low) or not plan:
        plan += [Step("click", "any", name) for name in _ENDINGS if _find(world, Step("click", "any", name))][:1]
    if not plan and ("close" in low or "dialog" in low):
        plan.append(Step("click", "any", "close"))
    return plan or [Step("click", "any")]


def _fill_in(world: World, low: str, quoted: list[str]) -> Iterator[Step]:
    fields = _count(world, "input[type=text],#area input[type=password],#area textarea,#area input:not([type])")
    if not fields or not _TYPING.search(low):  # some pages have fields to lead astray
        return
    if "focus" in low:
        words = ("1st", "2nd", "3rd")
        yield Step("click", "field", nth=next((i for i, word in enumerate(words) if word in low), 0))
        return
    texts = quoted or re.findall(r"\b\d{1,2}[/:]\d{2}[/:\w ]*\b", low)
    for i, text in enumerate(texts[:fields] if len(texts) > 1 else texts * fields):
        yield Step("type", "field", nth=i, text=text)


def _tick(world: World, said: str) -> Iterator[Step]:
    for label in world.run(_LABELS):
        if re.search(rf"(?<!\w){re.escape(label)}(?!\w)", said, re.IGNORECASE):
            yield Step("click", "tick", label)


def _choose(world: World, low: str, said: str) -> Iterator[Step]:
    if _count(world, "select") and (chosen := re.search(r"[Ss]elect (.+?) from", said)):
        yield Step("select", "list", text=chosen[1].strip('"'))


def _find(world: World, step: Step) -> dict[str, Any] | None:
    found: dict[str, Any] | None = world.run(f"({_FIND})({json.dumps([step.role, step.name, step.nth])})")
    return found


def _count(world: World, selector: str) -> int:
    return int(world.run(_COUNT.format(json.dumps(selector))))
