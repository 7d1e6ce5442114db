"""Instructions as people give them: by role and name, by place, by what stands beside it, or by what it is good for."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from data_prep.collect.application import Element, Intent
from data_prep.collect.naming import name_element

_CLICK: Final = (
    "Click {}", "Click on {}", "Press {}", "Select {}", "Tap {}", "Hit {}", "Click {} now", "Please click {}",
    "Find {} and click it", "Use {}", "Choose {}",
)  # fmt: skip
_OPENERS: Final = ("Click {}", "Open {}", "Go to {}", "Follow {}", "Click on {}", "Visit {}", "Switch to {}")
_TYPE: Final = (
    "Type '{1}' into {0}", "Enter '{1}' in {0}", "Fill {0} with '{1}'", "Write '{1}' in {0}", "Put '{1}' into {0}",
    "Set {0} to '{1}'", 'In {0}, type "{1}"', 'Enter "{1}" into {0}', "{0} should read '{1}'",
)  # fmt: skip
_CHOOSE: Final = (
    "Set {0} to '{1}'", "Choose '{1}' in {0}", "Select '{1}' from {0}", "Pick '{1}' in {0}", "Change {0} to '{1}'",
    'In {0}, choose "{1}"', "Select the option '{1}' in {0}",
)  # fmt: skip
_SCROLL: Final = ("Scroll {}", "Scroll {} a bit", "Scroll further {}")
_TEMPLATES: Final[dict[str, tuple[str, ...]]] = {
    "type": _TYPE,
    "select": _CHOOSE,
    "double_click": ("Double-click {}", "Double-click on {}", "Click {} twice"),
    "right_click": ("Right-click {}", "Open the context menu of {}"),
    "drag": ("Drag {0} {1}", "Move {0} {1}", "Pull {0} {1}"),
}
_TICK: Final = ("Tick {}", "Check {}", "Turn on {}", "Select {}", "Click {}", "Enable {}", "Activate {}", "Mark {}")
_UNTICK: Final = ("Untick {}", "Uncheck {}", "Turn off {}", "Click {}", "Clear {}", "Disable {}", "Deselect {}")
_FOCUS: Final = (
    "Click into {}", "Click {}", "Put the cursor in {}", "Focus {}", "Activate {}", "Place the cursor in {}",
)  # fmt: skip
_PURPOSE_SHARE: Final = 0.3


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
    said_already = len(intent.actions) > 1 and intent.verb == "click"  # more than a click: only the purpose tells
    if intent.purpose and (said_already or random.random() < _PURPOSE_SHARE) and _is_clear(intent, elements):
        return intent.purpose[:1].upper() + intent.purpose[1:] + random.choice(("", "", "."))
    sentence = _sentence(intent, elements, size, random)
    if random.random() < 0.12:
        sentence = sentence[:1].lower() + sentence[1:]
    return sentence + random.choice(("", "", "", "."))


def _is_clear(intent: Intent, elements: Sequence[Element]) -> bool:
    """Whether a purpose, which names an element by its name at most, can mean one element only."""
    target = intent.target
    return sum((e.role, e.name) == (target.role, target.name) for e in elements) <= 1


def _sentence(intent: Intent, elements: Sequence[Element], size: tuple[int, int], random: Random) -> str:
    action = intent.actions[-1]
    if intent.verb == "key":
        keys = "+".join(key.capitalize() for key in action.keys)
        return random.choice(("Press {}", "Hit {}", "Press the {} key" if "+" not in keys else "Press {}")).format(keys)
    if intent.verb == "scroll":
        return _scroll_sentence(intent, size, random)
    words = name_element(intent.target, elements, size, random)
    templates = _TEMPLATES.get(intent.verb) or _click_templates(intent.target)
    sentence = random.choice(templates).format(words, intent.text)
    return sentence[:1].upper() + sentence[1:]


def _scroll_sentence(intent: Intent, size: tuple[int, int], random: Random) -> str:
    """A finger moves against the direction of sight, a wheel with it."""
    action, target = intent.actions[0], intent.target
    down = (action.y2 or 0) < (action.y or 0) if action.kind == "swipe" else (action.dy or 0) > 0
    sentence = random.choice(_SCROLL).format("down" if down else "up")
    if target.role == "page":
        return sentence + random.choice(("", " the page", " on the page"))
    place = name_element(target, [target], size, random)
    return f"{sentence} in {place}" if target.name else f"{sentence} inside {place}"


def _click_templates(target: Element) -> tuple[str, ...]:
    if target.checked is not None and target.role in ("checkbox", "switch"):
        return _UNTICK if target.checked else _TICK
    if "field" in target.role or target.role == "text area":
        return _FOCUS
    return _OPENERS if target.role in ("link", "tab") else _CLICK


def write_task(purposes: Sequence[str], random: Random) -> str:
    """The whole goal of several steps, "" where a step's purpose is unknown."""
    if not purposes or not all(purposes):
        return ""
    parts = list(purposes)
    text = random.choice((", then ", "; ", " and then ", ", ")).join(parts)
    return text[:1].upper() + text[1:]
