"""The same step under another instruction: a click on A is wrong where B was asked for, and a stray click on B was
right where B is what one asks for. Two samples that differ in words alone cost no second look at the application."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random
from typing import Final

from data_prep.collect.application import Element, Intent
from data_prep.collect.play import Seen
from viscritic.actions.action import Point
from viscritic.trajectory import Box

RETOLD_WRONG: Final = "retold_wrong"
RETOLD_RIGHT: Final = "retold_right"
_CLICKS: Final = ("click", "double_click", "right_click")
_NEAREST: Final = 4  # of the other elements; one of them is named


def retell_as_wrong(seen: Seen, intent: Intent, others: Sequence[Intent], random: Random) -> Intent | None:
    """Something that a step which did what it was meant to do was not: another element of its kind, or another text.

    Args:
        seen: a success of `intent`.
        others: what else could be done in the same state.

    Returns:
        None where nothing else is there, or where it might as well be what happened.
    """
    if intent.verb in _CLICKS and len(intent.actions) == 1:
        return _other_target(seen, intent, others, random)
    if intent.verb == "type" and _typed(intent) == intent.text:
        fields = _other_target(seen, intent, others, random)
        if fields is not None and random.random() < 0.5:
            return replace(fields, text=intent.text, purpose="")
        text = _other_text(intent.text, [other.text for other in others if other.text], random)
        return replace(intent, text=text, purpose="")
    return None


def retell_as_right(
    seen: Seen, intent: Intent, elements: Sequence[Element], intents: Sequence[Intent]
) -> Intent | None:
    """What a step that hit something else did do, as if that had been meant.

    Args:
        seen: a wrong target of `intent` whose effect shows.
        elements, intents: what was there, and could be done, in the same state.

    Returns:
        None where nothing tells that it did.
    """
    hit = next((e for e in elements if e.key == seen.facts.hit and e.key != intent.target.key and e.enabled), None)
    if intent.verb not in _CLICKS or len(seen.actions) != 1 or hit is None or hit.options:
        return None
    known = next((i for i in intents if (i.target.key, i.verb) == (hit.key, intent.verb)), None)
    if known is None and intent.verb != "click":  # who double-clicks means more than two clicks
        return None
    if known is not None and known.reached is not None and not known.reached(seen.facts.before, seen.facts.after):
        return None
    return Intent(intent.verb, hit, seen.actions)


def _other_target(seen: Seen, intent: Intent, others: Sequence[Intent], random: Random) -> Intent | None:
    """One of the nearest that the step neither hit nor belongs to."""
    x, y = intent.target.centre
    apart = [
        other
        for other in others
        if other.verb == intent.verb
        and len(other.actions) == len(intent.actions)
        and not _is_same_thing(other.target, intent.target, intent.actions[0].point)
        and not (other.reached is not None and other.reached(seen.facts.before, seen.facts.after))
    ]
    apart.sort(key=lambda other: abs(other.target.centre[0] - x) + abs(other.target.centre[1] - y))
    return random.choice(apart[:_NEAREST]) if apart else None


def _is_same_thing(other: Element, target: Element, point: Point | None) -> bool:
    """Whether two elements may do the same: a label and its box, a row and what lies in it."""
    if other.key == target.key or (point is not None and _contains(other.box, point)):
        return True
    said = {text for text in (target.name, target.near) if text}
    return bool(said & {other.name, other.near}) and other.role != target.role


def _contains(box: Box, point: Point) -> bool:
    return box[0] <= point[0] <= box[0] + box[2] and box[1] <= point[1] <= box[1] + box[3]


def _typed(intent: Intent) -> str | None:
    return next((action.text for action in intent.actions if action.kind == "type"), None)


def _other_text(text: str, others: Sequence[str], random: Random) -> str:
    """Another text, or the same with a letter less or one twice."""
    different = [other for other in others if other != text]
    if len(text.strip()) < 2 or (different and random.random() < 0.4):
        return random.choice(different) if different else text + text
    place = random.choice([i for i, letter in enumerate(text) if not letter.isspace()])
    shorter, longer = text[:place] + text[place + 1 :], text[:place] + text[place] + text[place:]
    return random.choice((shorter, longer))
