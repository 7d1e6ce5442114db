from __future__ import annotations

from viscritic.evidence import Evidence
from viscritic.verdict import Decision, judge

DECISION = Decision(0.5, (0.4, 0.6))


def test_what_idle_screens_did_as_well_confirms_nothing() -> None:
    """Every change was cancelled: the screens differ, but not by the action's doing."""
    evidence = Evidence(changed=0.0, changed_at_target=0.0, changed_elsewhere=0.0, identical=False)
    state, outcome, probabilities, ok = judge(
        0.99, {"no_op": 0.1, "wrong_target": 0.9}, DECISION, evidence, visible=True, settled=False
    )
    assert (state, outcome, ok) == ("pending", "no_op", False)
    assert probabilities["success"] <= 0.4


def test_a_resized_blank_screen_is_a_change() -> None:
    evidence = Evidence(changed=0.0, changed_at_target=None, changed_elsewhere=0.0, identical=False, resized=True)
    state, *_ = judge(0.99, {"no_op": 1.0}, DECISION, evidence, visible=True, settled=False)
    assert state == "confirmed"
