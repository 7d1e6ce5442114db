"""Which actions can succeed while nothing visible changes, so that "nothing changed" is not "failed"."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from viscritic.actions.action import Action

_QUIET_KINDS: Final = ("wait", "move", "done", "other")
_QUIET_CHORDS: Final = tuple(
    frozenset(chord) for chord in (("ctrl", "c"), ("meta", "c"), ("ctrl", "insert"), ("ctrl", "s"), ("meta", "s"))
)
_QUIET_WORDS: Final = re.compile(r"\b(?:wait(?:s|ed|ing)?|cop(?:y|ies|ied|ying)|sav(?:e|es|ed|ing))\b", re.IGNORECASE)


def may_be_invisible(actions: Iterable[Action], instruction: str = "") -> bool:
    """Whether a batch can succeed with no visible change.

    So can waiting, moving the pointer, finishing, what has no kind of its own (a screenshot, say), the chords that copy
    (Ctrl+C, Cmd+C, Ctrl+Insert) and save (Ctrl+S, Cmd+S), and a batch of nothing but these. A click on a button
    "Copy" or "Save" looks like any other click; only the instruction tells, so the whole words wait, copy and save and
    their forms (saves, copied, waiting) in it count as well.

    Args:
        actions: the batch between two screens.
        instruction: the step's intent in words, "" where unknown.
    """
    batch = tuple(actions)
    if _QUIET_WORDS.search(instruction):
        return True
    return all(action.kind in _QUIET_KINDS or _is_quiet_chord(action) for action in batch)


def _is_quiet_chord(action: Action) -> bool:
    return action.kind == "key" and frozenset(action.keys) in _QUIET_CHORDS
