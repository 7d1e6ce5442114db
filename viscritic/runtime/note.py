"""The verdict in one plain sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from viscritic.evidence import Evidence
from viscritic.trajectory import Outcome
from viscritic.verdict import State

_FAILED: Final[Mapping[Outcome, str]] = {
    "no_op": "it had no effect",
    "wrong_target": "something other than what was asked for happened",
    "page_error": "the application shows an error",
    "timeout": "the application is still working",
}


def write_note(
    state: State, outcome: Outcome, probabilities: Mapping[Outcome, float], evidence: Evidence, action: str
) -> str:
    """What is thought, how surely, and what was seen.

    Args:
        action: the action in words, as `describe_batch` gives it.
    """
    success = f"{100 * probabilities['success']:.0f} %"
    if state == "confirmed":
        judgement = f"It seems to have worked ({success})"
    elif state == "unsure":
        judgement = f"Too close to call (success {success}): treat it neither as done nor as failed"
    elif state == "pending" and evidence.unchanged:
        judgement = "Nothing to be seen yet: look again before you repeat anything"
    elif state == "pending":
        judgement = f"The application seems to be still working (success {success}): look again"
    elif outcome == "success":
        judgement = f"It seems to have failed (success {success})"
    else:
        judgement = f"It seems to have failed (success {success}): {_FAILED[outcome]}"
    return f"{judgement}. {_describe_change(evidence)} Action: {action}."


def _describe_change(evidence: Evidence) -> str:
    if evidence.identical:
        return "The screens are equal pixel for pixel."
    if evidence.changed == 0:
        return "Nothing changed beyond noise."
    share = _percent(evidence.changed)
    parts = [f"{share[0].upper()}{share[1:]} of the screen changed"]
    if evidence.changed_at_target is not None:
        parts.append(f"{_percent(evidence.changed_at_target)} of the area around the action's point")
    if evidence.off_screen:
        parts.append("a point of the action lies off the screen")
    if evidence.resized:
        parts.append("the screen's size changed")
    return ", ".join(parts) + "."


def _percent(fraction: float) -> str:
    percent = 100 * fraction
    return (
        f"{percent:.0f} %" if percent >= 10 or percent == 0 else f"{percent:.1f} %" if percent >= 0.1 else "under 0.1 %"
    )
