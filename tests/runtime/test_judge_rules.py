from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from dataclasses import replace
from types import MappingProxyType

import pytest
from audit_runs import make_verdict

from viscritic.evidence import Evidence
from viscritic.verdict import Decision, Verdict, judge

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


def test_a_likelier_failure_leaves_it_unsure() -> None:
    """The threshold may be low; what is less likely than a failure is not confirmed all the same."""
    evidence = Evidence(changed=0.1, changed_at_target=0.1, changed_elsewhere=0.1, identical=False)
    low = Decision(0.25, (0.2, 0.3))
    state, outcome, probabilities, ok = judge(
        0.4, {"no_op": 0.2, "wrong_target": 0.8}, low, evidence, visible=True, settled=False
    )
    assert (state, outcome, ok) == ("unsure", "success", True)
    assert probabilities["wrong_target"] > probabilities["success"]
    state, *_ = judge(0.4, {"no_op": 0.5, "wrong_target": 0.5}, low, evidence, visible=True, settled=False)
    assert state == "confirmed"


@pytest.mark.parametrize("again", [lambda verdict: pickle.loads(pickle.dumps(verdict)), copy.deepcopy])
def test_a_verdict_goes_to_other_processes_and_stays_read_only(again: Callable[[Verdict], Verdict]) -> None:
    made = make_verdict("failed")
    verdict = replace(made, outcome_probs=MappingProxyType(dict(made.outcome_probs)))
    other = again(verdict)
    assert other.to_dict() == verdict.to_dict()
    assert isinstance(other.outcome_probs, MappingProxyType)
