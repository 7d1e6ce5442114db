"""Instructions as people give them: by role and name, by place, or by what it is good for."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from data_prep.collect.application import Element, Intent

_ORDINALS: Final = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_CLICK: Final = (
    "Click {}",
    "Click on {}",
    "Press {}",
    "Select {}",
    "Tap {}",
    "Hit {}",
    "Click {} now",
    "Please click {}",
)
_OPENERS: Final = ("Click {}", "Open {}", "Go to {}", "Follow {}")
_TYPE: Final = (
    "Type '{1}' into {0}", "Enter '{1}' in {0}", "Fill {0} with '{1}'", "Write '{1}' in {0}", "Put '{1}' into {0}",
)  # fmt: skip
_CHOOSE: Final = ("Set {0} to '{1}'", "Choose '{1}' in {0}", "Select '{1}' from {0}", "Pick '{1}' in {0}")
_TEMPLATES: Final[dict[str, tuple[str, ...]]] = {
    "type": _TYPE,
    "select": _CHOOSE,
    "key": ("Press {}", "Hit {}", "Press the {} key"),
    "double_click": ("Double-click {}", "Double-click on {}"),
    "right_click": ("Right-click {}", "Open the context menu of {}"),
    "scroll": ("Scroll {}", "Scroll {} the page", "Scroll {} a bit"),
    "drag": ("Drag {}",),
}
_TICK: Final = ("Tick {}", "Check {}", "Turn on {}", "Select {}", "Click {}", "Enable {}")
_UNTICK: Final = ("Untick {}", "Uncheck {}", "Turn off {}", "Click {}", "Clear {}", "Disable {}")
_FOCUS: Final = ("Click into {}", "Click {}", "Put the cursor in {}", "Focus {}", "Activate {}")


def write_instruction(
    intent: Intent, elements: Sequence[Element], size: tuple[int, int], random: Random, without: float = 0.1
) -> str:
    """An instruction that names the intended element so that a person would find it; "" in a tenth of the cases.

    Args:
        elements: all on the screen, to tell whether a name is enough.
        size: (width, height) of the screen in pixels.
        without: the share of steps that have none.
    """
    if random.random() < without:
        return ""
    if intent.purpose and random.random() < 0.3:
        return intent.purpose[:1].upper() + intent.purpose[1:] + random.choice(("", "", "."))
    sentence = _sentence(intent, name_element(intent.target, elements, size, random), random)
    if random.random() < 0.12:
        sentence = sentence[:1].lower() + sentence[1:]
    return sentence + random.choice(("", "", "", "."))


def _sentence(intent: Intent, words: str, random: Random) -> str:
    action = intent.actions[-1]
    if intent.verb == "drag" and intent.purpose:
        return intent.purpose[:1].upper() + intent.purpose[1:]
    if intent.verb == "key":
        words = " + ".join(action.keys).capitalize()
    if intent.verb == "scroll":
        words = "down" if (action.dy or 0) > 0 else "up"
    templates = _TEMPLATES.get(intent.verb) or _click_templates(intent.target)
    return random.choice(templates).format(words, intent.text)


def _click_templates(target: Element) -> tuple[str, ...]:
    if target.checked is not None and target.role in ("checkbox", "switch"):
        return _UNTICK if target.checked else _TICK
    if "field" in target.role or target.role == "text area":
        return _FOCUS
    return _OPENERS if target.role in ("link", "tab") else _CLICK


def name_element(target: Element, elements: Sequence[Element], size: tuple[int, int], random: Random) -> str:
    """Words that single an element out: "the 'Save' button", "the second 'Delete' button", "the icon at the top"."""
    name = target.name if len(target.name) <= 40 else target.name[:37].rstrip() + "..."
    alike = [e for e in elements if e.role == target.role and (e.name == target.name or not name)]
    same_name = [e for e in elements if e.name == target.name]
    if name and len(same_name) == 1 and random.random() < 0.35:
        return random.choice((f"'{name}'", f'"{name}"', name if name.isascii() and len(name) > 3 else f"'{name}'"))
    words = target.role
    if name:
        quoted = random.choice((f"'{name}'", f'"{name}"'))
        words = random.choice((f"{quoted} {words}", f"{words} {quoted}", f"{words} labelled {quoted}"))
    if len(alike) <= 1:
        place = f" {_place(target, size)}" if not name and random.random() < 0.5 else ""
        return f"the {words}{place}"
    alike.sort(key=lambda e: (round(e.box[1] / 8), e.box[0]))
    index = next(i for i, e in enumerate(alike) if e.key == target.key)
    if index == len(alike) - 1 and index > 1:
        return f"the last {words}"
    ordinal = _ORDINALS[index] if index < len(_ORDINALS) else f"{index + 1}th"
    return f"the {ordinal} {words}" + (f" {_place(target, size)}" if random.random() < 0.3 else "")


def _place(element: Element, size: tuple[int, int]) -> str:
    x, y = element.centre[0] / size[0], element.centre[1] / size[1]
    row = "top" if y < 1 / 3 else "bottom" if y > 2 / 3 else ""
    column = "left" if x < 1 / 3 else "right" if x > 2 / 3 else ""
    if not row and not column:
        return "in the middle"
    return f"at the {row} {column}".replace("  ", " ").rstrip() if row else f"on the {column}"


def write_task(purposes: Sequence[str], random: Random) -> str:
    """The whole goal of several steps, "" where a step's purpose is unknown."""
    if not purposes or not all(purposes):
        return ""
    parts = list(purposes)
    text = ", then ".join(parts) if random.random() < 0.5 else "; ".join(parts)
    return text[:1].upper() + text[1:]
