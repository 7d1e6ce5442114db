"""Words that single out one element of a screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from data_prep.collect.application import Element

_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_LONGEST: Final = 40  # letters of a name that are said
_FAR: Final = 0.4  # of the screen's side: so far apart, elements are told apart by where they lie
_RELATION_SHARE: Final = 0.35  # of the elements that something stands beside


def name_element(target: Element, elements: Sequence[Element], size: tuple[int, int], random: Random) -> str:
    """Words that fit the target and nothing else: "the 'Save' button", "the second 'Delete' button", "the checkbox next
    to 'Buy milk'", "the icon at the top right".

    Args:
        elements: all on the screen, the target among them.
        size: (width, height) of the screen in pixels.
    """
    if random.random() < _RELATION_SHARE and (words := _by_relation(target, elements, random)):
        return words
    name = _short(target.name)
    if any(e.name != target.name and _short(e.name) == name for e in elements):
        name = target.name  # cut short it would fit another
    alone = sum(e.name == target.name for e in elements) == 1
    if name and alone and random.random() < 0.35:
        return random.choice((f"'{name}'", f'"{name}"', name if name.isascii() and len(name) > 3 else f"'{name}'"))
    words = target.role
    if name:
        quoted = random.choice((f"'{name}'", f'"{name}"'))
        words = random.choice((f"{quoted} {words}", f"{words} {quoted}", f"{words} labelled {quoted}"))
    return _by_number(words, target, elements, size, random)


def _by_number(words: str, target: Element, elements: Sequence[Element], size: tuple[int, int], random: Random) -> str:
    """The words, with a place or a number where they fit several elements."""
    alike = [e for e in elements if e.role == target.role and (e.name == target.name or not target.name)]
    if len(alike) <= 1:
        place = f" {_place(target, size)}" if not target.name and random.random() < 0.5 else ""
        return f"the {words}{place}"
    apart = min(_apart(e, target, size) for e in alike if e.key != target.key)
    if apart > _FAR and random.random() < 0.5:
        return f"the {words} {_place(target, size)}"
    alike.sort(key=lambda e: (round(e.box[1] / 8), e.box[0]))
    index = next(i for i, e in enumerate(alike) if e.key == target.key)
    if index == len(alike) - 1 and index > 1:
        return f"the last {words}"
    ordinal = _ORDINALS[index] if index < len(_ORDINALS) else f"{index + 1}th"
    return f"the {ordinal} {words}" + (" from the top left" if random.random() < 0.1 else "")


def _by_relation(target: Element, elements: Sequence[Element], random: Random) -> str:
    """Words that name what stands beside the target, or its state; "" where none single it out."""
    ways: list[Callable[[], str]] = [
        lambda: _beside_words(target, elements, random),
        lambda: _beside_element(target, elements),
        lambda: _by_state(target, elements),
    ]
    random.shuffle(ways)
    return next((words for way in ways if (words := way())), "")


def _beside_words(target: Element, elements: Sequence[Element], random: Random) -> str:
    if not target.near:
        return ""
    like = [e for e in elements if (e.role, e.name) == (target.role, target.name)]
    if sum(e.near == target.near for e in like) != 1:
        return ""
    words = f"'{_short(target.name)}' {target.role}" if target.name else target.role
    if not target.name and sum(e.role == target.role and e.near == target.near for e in elements) != 1:
        return ""
    relation = random.choice(("next to", "beside", "in the row of", "for", "that belongs to"))
    return f"the {words} {relation} '{target.near}'"


def _beside_element(target: Element, elements: Sequence[Element]) -> str:
    """By an element with a name of its own that lies next to it, where no other of its kind lies between or beyond."""
    for other in elements:
        alone = sum(e.name == other.name for e in elements) == 1
        if other.key == target.key or not other.name or not alone or len(other.name) > _LONGEST:
            continue
        side = _side(target, other)
        if (
            side
            and not target.name
            and not any(
                e.key not in (target.key, other.key) and e.role == target.role and _side(e, other) == side
                for e in elements
            )
        ):
            return f"the {target.role} {side} '{other.name}'"
    return ""


def _side(element: Element, other: Element) -> str:
    """Where an element lies, seen from another one: next to it, in its row or column; "" for elsewhere."""
    (x, y), (ox, oy) = element.centre, other.centre
    if abs(y - oy) < min(element.box[3], other.box[3]) / 2:
        gap = element.box[0] - other.box[0] - other.box[2] if x > ox else other.box[0] - element.box[0] - element.box[2]
        return ("right of" if x > ox else "left of") if 0 <= gap < 80 else ""
    if abs(x - ox) < min(element.box[2], other.box[2]) / 2:
        gap = element.box[1] - other.box[1] - other.box[3] if y > oy else other.box[1] - element.box[1] - element.box[3]
        return ("below" if y > oy else "above") if 0 <= gap < 50 else ""
    return ""


def _by_state(target: Element, elements: Sequence[Element]) -> str:
    kind = [e for e in elements if e.role == target.role]
    if target.checked is not None and sum(e.checked == target.checked for e in kind) == 1 and len(kind) > 1:
        return f"the only {target.role} that is {'on' if target.checked else 'off'}"
    if target.value and len(target.value) <= _LONGEST and sum(e.value == target.value for e in kind) == 1:
        return f"the {target.role} that says '{target.value}'" if "password" not in target.role else ""
    return ""


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST else name[: _LONGEST - 3].rstrip() + "..."


def _apart(a: Element, b: Element, size: tuple[int, int]) -> float:
    """How far two elements lie apart, in sides of the screen."""
    return max(abs(a.centre[0] - b.centre[0]) / size[0], abs(a.centre[1] - b.centre[1]) / size[1])


def _place(element: Element, size: tuple[int, int]) -> str:
    x, y = element.centre[0] / size[0], element.centre[1] / size[1]
    row = "top" if y < 1 / 3 else "bottom" if y > 2 / 3 else ""
    column = "left" if x < 1 / 3 else "right" if x > 2 / 3 else ""
    if not row and not column:
        return "in the middle"
    return f"at the {row} {column}".replace("  ", " ").rstrip() if row else f"on the {column}"
