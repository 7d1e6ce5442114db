"""The rules from a judgement to a move, one by one."""

from __future__ import annotations

import pytest
from agent_parts import CONFIRMED, ERROR, NO_OP, PENDING, TIMEOUT, UNSURE, WRONG, Said

from viscritic.agent.policy import GatePolicy, Situation, decide
from viscritic.agent.safety import SAFETY_KINDS, Safety
from viscritic.errors import ConfigError

POLICY = GatePolicy()
SURE = 3  # looks after which a failure is believed


def situation(judgement: Said, kind: str = "unknown", **more) -> Situation:
    return Situation(judgement, "Click at (1, 2)", Safety(kind, "it is so"), **{"looks": SURE, **more})


@pytest.mark.parametrize("kind", [k for k in SAFETY_KINDS if k != "idempotent"])
@pytest.mark.parametrize("rollback", [False, True])
def test_nothing_unsafe_is_repeated_because_nothing_changed(kind, rollback):
    move, reason = decide(situation(NO_OP, kind, can_roll_back=rollback, undoes_all=True), POLICY)
    assert move == "replan"
    assert "not repeated" in reason


def test_what_is_safe_is_repeated_within_the_budgets():
    assert decide(situation(NO_OP, "idempotent"), POLICY)[0] == "retry"
    assert decide(situation(NO_OP, "idempotent", step_retries=2), POLICY)[0] == "replan"
    assert decide(situation(NO_OP, "idempotent", retries=20), POLICY)[0] == "replan"
    assert decide(situation(ERROR, "idempotent"), POLICY)[0] == "retry"


def test_pending_waits_as_long_as_there_are_waits_and_is_never_repeated():
    for judgement in (PENDING, TIMEOUT):
        moves = [decide(situation(judgement, "idempotent", looks=n), POLICY)[0] for n in range(1, 7)]
        assert moves == ["wait"] * len(POLICY.waits) + ["replan"] * 2


def test_unsure_is_looked_at_again_and_then_handed_on_as_such():
    assert decide(situation(UNSURE, looks=1), POLICY)[0] == "wait"
    move, reason = decide(situation(UNSURE, looks=2), POLICY)
    assert move == "proceed"
    assert "neither as done nor as failed" in reason


def test_a_failure_is_believed_at_the_second_look_only():
    assert decide(situation(WRONG, looks=1, can_roll_back=True), POLICY)[0] == "wait"
    assert decide(situation(WRONG, looks=2, can_roll_back=True), POLICY)[0] == "rollback"


def test_a_failure_is_believed_only_when_patience_has_passed():
    assert decide(situation(NO_OP, "idempotent", looks=2, waited=0.4), POLICY)[0] == "wait"
    assert decide(situation(NO_OP, "idempotent", looks=3, waited=1.2), POLICY)[0] == "retry"


@pytest.mark.parametrize("judgement", [WRONG, ERROR])
def test_a_wrong_turn_is_undone_if_that_is_possible_sure_and_harmless(judgement):
    assert decide(situation(judgement, can_roll_back=True), POLICY)[0] == "rollback"
    assert decide(situation(judgement), POLICY)[0] == "replan"
    assert decide(situation(judgement, can_roll_back=True, rollbacks=10), POLICY)[0] == "replan"
    assert decide(situation(judgement, "irreversible", can_roll_back=True), POLICY)[0] == "replan"
    assert decide(situation(judgement, "irreversible", can_roll_back=True, undoes_all=True), POLICY)[0] == "rollback"
    doubtful = Said("failed", judgement.outcome, 0.4)
    assert decide(situation(doubtful, can_roll_back=True), POLICY)[0] == "replan"


def test_a_loop_is_left_and_then_ends_the_run_even_if_every_step_worked():
    assert decide(situation(CONFIRMED, repeats=2), POLICY)[0] == "proceed"
    assert decide(situation(CONFIRMED, repeats=3), POLICY)[0] == "replan"
    assert decide(situation(CONFIRMED, repeats=6), POLICY)[0] == "stop"
    assert (
        decide(situation(PENDING, looks=1, repeats=3), POLICY)[0] == "wait"
    )  # what takes long must not be interrupted


def test_time_and_failures_end_the_run():
    assert decide(situation(CONFIRMED, elapsed=61), GatePolicy(seconds=60))[0] == "stop"
    assert decide(situation(NO_OP, failures=7), POLICY)[0] == "stop"
    assert decide(situation(NO_OP, failures=6), POLICY)[0] == "replan"


@pytest.mark.parametrize("judgement", [CONFIRMED, UNSURE, PENDING, NO_OP, WRONG, ERROR, TIMEOUT])
def test_every_decision_is_a_sentence_that_names_the_action(judgement):
    for looks in (1, 9):
        reason = decide(situation(judgement, looks=looks), POLICY)[1]
        assert "Click at (1, 2)" in reason
        assert reason.endswith(".")


@pytest.mark.parametrize(
    "wrong",
    [
        {"looks": 0},
        {"loop": 0},
        {"waits": (-1.0,)},
        {"retries": -1},
        {"rollback_below": 1.5},
        {"seconds": float("nan")},
    ],
)
def test_a_policy_refuses_what_makes_no_sense(wrong):
    with pytest.raises(ConfigError, match=next(iter(wrong))):
        GatePolicy(**wrong)


def test_a_screen_that_changed_is_brought_back_before_a_no_op_is_done_again():
    s = situation(NO_OP, "toggle", can_roll_back=True, undoes_all=True, changed=True)
    assert decide(s, POLICY)[0] == "rollback"
    assert decide(situation(NO_OP, "toggle", can_roll_back=True, undoes_all=True), POLICY)[0] == "replan"


@pytest.mark.parametrize("said", [WRONG, NO_OP])
def test_what_was_undone_and_comes_out_the_same_again_is_left(said):
    s = situation(said, "toggle", looks=3, can_roll_back=True, undoes_all=True, changed=True, undone=True)
    move, reason = decide(s, POLICY)
    assert move == "replan"
    assert "very same screen" in reason
