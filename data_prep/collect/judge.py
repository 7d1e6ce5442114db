"""The oracle: outcomes from application state, network events and hits. No function here sees a pixel's label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from data_prep.collect.application import Element, Intent, State, Traffic
from viscritic.actions import Action
from viscritic.sample import Change
from viscritic.trajectory import Outcome

FIELDS = ("text field", "text area", "search field", "password field", "number field", "date field", "editor")


@dataclass(frozen=True, slots=True)
class Facts:
    """What was observed of one action.

    Attributes:
        before, after: the application's state before the action and when all was settled.
        hit: the key of what received the action (`Application.hit`); for typing, what had the focus.
        traffic: failed and open requests that the action started.
        fields: the keys of elements that take typed text: only there a focus can be seen.
    """

    before: State
    after: State
    hit: str
    traffic: Traffic
    fields: frozenset[str] = frozenset()

    @property
    def changed(self) -> bool:
        """Whether the application did anything: its truth, what it shows, or a field that got the focus."""
        return self.shows or self.before.truth != self.after.truth

    @property
    def shows(self) -> bool:
        """Whether a person could see that it did something. A field that only lost the focus is no effect."""
        return self.before.shown != self.after.shown or self.focused not in ("", self.before.focus)

    @property
    def focused(self) -> str:
        """The field with the focus afterwards, "" where no field has it."""
        return self.after.focus if self.after.focus in self.fields else ""


def field_keys(elements: Sequence[Element]) -> frozenset[str]:
    """The keys of the elements that take typed text."""
    return frozenset(element.key for element in elements if element.role in FIELDS)


def judge_clean(intent: Intent, facts: Facts) -> Outcome | None:
    """The outcome of the right action, sent with no fault; None where the facts fit none.

    It is a success where the intended state is reached: what the intent says, or, where it says nothing, any change
    that the intended element led to.
    """
    if (outcome := _interrupted(facts)) is not None:
        return outcome
    if facts.traffic.pending:
        return None
    if intent.reached is not None and intent.reached(facts.before, facts.after):
        return "success" if facts.hit == intent.target.key else None
    if not facts.changed:
        return "no_op"
    if intent.reached is None and facts.hit == intent.target.key:
        return "success"
    return None


def judge_faulted(intent: Intent, facts: Facts, clean: Facts | None, *, strayed: bool = False) -> Outcome | None:
    """The outcome of an action that something was done to; None where the facts fit none.

    Args:
        clean: the facts of the clean replay, where that was a success: its end is what was meant.
        strayed: whether the actions said something else than was meant (`has_strayed`).
    """
    if (outcome := _interrupted(facts)) is not None:
        return outcome
    if facts.traffic.pending or clean is None:
        return None
    if is_reached(intent, facts, clean):
        return "success"
    if not facts.changed:
        return "no_op"
    elsewhere = facts.hit != intent.target.key
    return "wrong_target" if elsewhere or strayed or _is_missed(intent, facts) else None


def has_strayed(meant: Sequence[Action], sent: Sequence[Action]) -> bool:
    """Whether the actions differ from those that were meant in more than their point: another text, another end."""
    return len(meant) == len(sent) and [_content(a) for a in meant] != [_content(a) for a in sent]


def _content(action: Action) -> Action:
    return replace(action, x=None, y=None)


def _is_missed(intent: Intent, facts: Facts) -> bool:
    """Whether something with a certain end (a text in a field, say) came to another one."""
    exact = intent.verb in ("type", "select", "drag", "scroll") and intent.reached is not None
    return exact and intent.reached is not None and not intent.reached(facts.before, facts.after)


def _interrupted(facts: Facts) -> Outcome | None:
    """What the network says: a failure, or something that has not come yet and is seen to be waited for."""
    if facts.traffic.errors:
        return "page_error"
    return "timeout" if facts.traffic.pending and facts.traffic.loading else None


def is_reached(intent: Intent, facts: Facts, clean: Facts) -> bool:
    """Whether a faulted action ended all the same in what was meant, and in nothing else."""
    mine, right = facts.after, clean.after
    same = (mine.shown, mine.truth) == (right.shown, right.truth)
    return same and (facts.focused == clean.focused or intent.verb not in ("click", "type"))


def change_kind(facts: Facts) -> Change:
    """What kind of change the rows of two states show, the most meaningful first.

    semantic: another page, nodes came or went, something was ticked, chosen, opened or disabled. textual: only texts
    or values differ. visual: only place, size or style, or the field with the focus. States of another form than rows
    are semantic where they differ.
    """
    a, b = facts.before.shown, facts.after.shown
    if a == b:
        return "visual" if facts.shows else "none"
    if not (_is_rows(a) and _is_rows(b)):
        return "semantic"
    if [(row[0], row[1], row[3]) for row in a] != [(row[0], row[1], row[3]) for row in b]:
        return "semantic"
    return "textual" if [row[2] for row in a] != [row[2] for row in b] else "visual"


def _is_rows(shown: object) -> bool:
    return isinstance(shown, list) and all(isinstance(row, list) and len(row) == 5 for row in shown)
