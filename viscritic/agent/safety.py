"""Whether an action may be done a second time: the one place that decides it, with all of its words.

"Nothing changed" is no reason to press again: an order whose confirmation is late would be sent twice, a switch would
go back. So a repetition must be shown to be harmless, by the action itself, by the words of the instruction or by the
element; what cannot be told is `unknown`, and unknown counts as unsafe. A kind that does harm wins over one that does
not: a tab named "Delete account" is irreversible.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, get_args

from viscritic.actions import Action

SafetyKind = Literal["idempotent", "toggle", "cumulative", "irreversible", "unknown"]
SAFETY_KINDS: Final[tuple[SafetyKind, ...]] = get_args(SafetyKind)

# Verbs of deeds that nobody can take back, or that reach someone else.
IRREVERSIBLE_WORDS: Final = (
    "send", "submit", "pay", "buy", "purchase", "order", "checkout", "check out", "place order", "book", "reserve",
    "delete", "remove", "erase", "discard", "wipe", "trash", "empty", "clear all", "format", "uninstall", "terminate",
    "confirm", "approve", "accept", "agree", "sign", "vote", "apply", "post", "publish", "share", "tweet", "comment",
    "reply", "forward", "transfer", "withdraw", "donate", "subscribe", "unsubscribe", "register", "sign up",
    "log out", "logout", "sign out", "close account", "deploy", "merge", "release", "invite", "call", "print",
    "save as", "overwrite", "replace all", "reset", "factory", "shut down", "shutdown", "restart", "reboot", "execute",
    "finish", "done", "complete",
)  # fmt: skip
# What is one way after the first press and the other way after the second.
TOGGLE_WORDS: Final = (
    "toggle", "tick", "untick", "check", "uncheck", "enable", "disable", "turn on", "turn off", "switch on",
    "switch off", "expand", "collapse", "show", "hide", "fold", "unfold", "star", "unstar", "like", "unlike", "follow",
    "unfollow", "favourite", "favorite", "bookmark", "pin", "unpin", "mute", "unmute", "play", "pause", "mark",
    "unmark", "sort", "bold", "italic", "underline", "full screen", "fullscreen", "menu", "dropdown", "drop-down",
)  # fmt: skip
TOGGLE_ROLES: Final = ("checkbox", "switch", "toggle", "toggle button", "menu item checkbox", "disclosure", "combobox")
# What counts on with every press.
CUMULATIVE_WORDS: Final = (
    "add", "increase", "increment", "decrease", "decrement", "next", "previous", "more", "less", "zoom", "duplicate",
    "insert", "append", "undo", "redo", "paste", "new", "create", "upload", "attach", "import", "plus", "minus",
    "refill", "retry", "roll", "move up", "move down",
)  # fmt: skip
# What leads to the same state however often it is done, told by the element ...
IDEMPOTENT_ROLES: Final = (
    "link", "tab", "radio", "radio button", "text field", "textbox", "search field", "text area", "input", "option",
)  # fmt: skip
# ... by the instruction ...
IDEMPOTENT_WORDS: Final = (
    "go to", "navigate", "focus", "hover", "select the tab", "open the page", "open the link", "visit",
)  # fmt: skip
# ... or by the action: BrowserGym's calls that set a state and do not change one.
_SETTING_CALL: Final = re.compile(r"\s*(?:fill|clear|check|uncheck|select_option|goto|focus|hover|tab_focus|noop)\(")
_IDEMPOTENT_KINDS: Final = ("wait", "move", "navigate", "select", "home")
_CUMULATIVE_KINDS: Final = ("type", "scroll", "drag", "swipe", "back")
_TYPED_ENTER: Final = re.compile(r"\n\s*\Z")


@dataclass(frozen=True, slots=True)
class Safety:
    """What a repetition would do.

    Attributes:
        kind: `idempotent` is the only one that may be repeated unasked.
        why: what told so, as the end of a sentence ("it would be sent twice").
    """

    kind: SafetyKind
    why: str

    @property
    def repeatable(self) -> bool:
        """Whether doing it again is known to do no harm."""
        return self.kind == "idempotent"


def judge_safety(actions: Iterable[Action], instruction: str = "", element: str = "") -> Safety:
    """What repeating the whole batch would do: as bad as the worst of its actions.

    Args:
        actions: the batch.
        instruction: the step's intent in words; "" where unknown.
        element: role and name of what is acted on ("checkbox 'Wrap as a gift'"); "" where unknown.
    """
    judged = [_judge_one(action, instruction, element) for action in actions]
    return max(judged, key=lambda safety: _HARM.index(safety.kind))


_HARM: Final[tuple[SafetyKind, ...]] = ("idempotent", "toggle", "cumulative", "unknown", "irreversible")


def _judge_one(action: Action, instruction: str, element: str) -> Safety:
    said = f"{instruction} {element} {action.text if action.kind == 'other' and action.text else ''}"
    harmless = action.kind in ("wait", "move")
    if not harmless and (word := _find(IRREVERSIBLE_WORDS, said)):
        return Safety("irreversible", f'"{word}" cannot be taken back')
    if told := _told_by_action(action):
        return told
    role = re.split("['\"]", element, maxsplit=1)[0].strip().lower()
    if role in TOGGLE_ROLES:
        return Safety("toggle", f"a second press of a {role} takes back the first")
    if word := _find(TOGGLE_WORDS, said):
        return Safety("toggle", f'a second "{word}" would take back the first')
    if word := _find(CUMULATIVE_WORDS, said):
        return Safety("cumulative", f'every "{word}" counts again')
    if role in IDEMPOTENT_ROLES and action.kind in ("click", "double_click"):
        return Safety("idempotent", f"pressing a {role} again leads to the same state")
    if action.kind == "click" and (word := _find(IDEMPOTENT_WORDS, instruction)):
        return Safety("idempotent", f'to "{word}" twice leads to the same state')
    return Safety("unknown", "nothing tells what a repetition would do")


def _told_by_action(action: Action) -> Safety | None:
    if action.kind in _IDEMPOTENT_KINDS:
        return Safety("idempotent", f"to {action.kind} again leads to the same state")
    if isinstance(action.raw, str) and _SETTING_CALL.match(action.raw):
        return Safety("idempotent", "it sets a state, whatever the state was")
    if action.kind == "type" and action.text and _TYPED_ENTER.search(action.text):
        return Safety("irreversible", "the Enter at its end may have submitted the text")
    if action.kind in _CUMULATIVE_KINDS:
        return Safety("cumulative", f"every {action.kind} adds to the one before")
    if action.kind == "done":
        return Safety("irreversible", "the task has been declared finished")
    return None


def _find(words: tuple[str, ...], text: str) -> str | None:
    """The first of the words, in any of its forms, that stands in the text."""
    match = _pattern(words).search(text)
    return None if match is None else match[0].lower()


_PATTERNS: Final[dict[tuple[str, ...], re.Pattern[str]]] = {}


def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    if words not in _PATTERNS:
        # "delete" also stands in deletes, deleted, deleting; "submit" in submitting; "copy" in copied.
        forms = "|".join(_forms(word) for word in words)
        _PATTERNS[words] = re.compile(rf"(?<![\w])(?:{forms})(?![\w])", re.IGNORECASE)
    return _PATTERNS[words]


def _forms(word: str) -> str:
    first, space, rest = word.partition(" ")
    escaped, last = re.escape(first), first[-1]
    if last == "e":
        stem = rf"(?:{escaped}[sd]?|{re.escape(first[:-1])}ing)"
    elif last == "y" and first[-2:-1] not in "aeiou":
        stem = rf"(?:{escaped}(?:ing)?|{re.escape(first[:-1])}ie[sd])"
    else:
        stem = rf"{escaped}(?:e?s|(?:{re.escape(last)})?ed|(?:{re.escape(last)})?ing)?"
    return stem + (r"\s+" + re.escape(rest) if space else "")
