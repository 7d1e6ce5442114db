"""The gate around a small GUI whose truth is known."""

from __future__ import annotations

import asyncio
import itertools

import numpy as np
import pytest
from agent_parts import (
    CONFIRMED,
    NO_OP,
    PENDING,
    TIMEOUT,
    UNSURE,
    WRONG,
    Board,
    Clock,
    Scripted,
    TruthfulScorer,
)

from viscritic.actions import Action
from viscritic.agent import CriticGate, CustomRollback, GatePolicy, ReplayRollback, StepLog, read_log
from viscritic.errors import ActionError, LogError

CLICK = {"kind": "click", "x": 96, "y": 32}
LINK = "link 'Second'"


def make_gate(critic, policy=None, **more):
    clock = Clock()
    return CriticGate(critic, policy, sleep=clock.sleep, clock=clock, **more), clock


def test_what_worked_goes_on_after_one_look():
    gate, clock = make_gate(TruthfulScorer())
    board = Board()
    decision = gate.step(board, CLICK)
    assert (decision.move, decision.worked, decision.looks) == ("proceed", True, 1)
    assert board.cells == [0, 1, 0, 0]
    assert decision.reason == "It seems to have worked: Click at (96, 32)."
    assert sum(clock.slept) < 0.5


def test_a_dropped_click_on_a_link_is_sent_again():
    gate, _ = make_gate(TruthfulScorer())
    board = Board(["drop", "drop"])
    decision = gate.step(board, CLICK, element=LINK)
    assert (decision.move, board.cells, len(board.sent)) == ("proceed", [0, 1, 0, 0], 3)


def test_a_dropped_click_on_an_unknown_thing_is_not_sent_again():
    gate, _ = make_gate(TruthfulScorer())
    board = Board(["drop"])
    decision = gate.step(board, CLICK, "Click the second one")
    assert (decision.move, decision.worked, len(board.sent)) == ("replan", False, 1)


def test_a_step_is_repeated_no_more_than_its_budget_and_the_run_neither():
    gate, _ = make_gate(TruthfulScorer(), GatePolicy(retries_per_step=2, retries=3, loop=9))
    board = Board(["drop"] * 99)
    assert gate.step(board, CLICK, element=LINK).move == "replan"
    assert len(board.sent) == 3
    assert gate.step(board, CLICK, element=LINK).move == "replan"
    assert len(board.sent) == 5


def test_waiting_backs_off_and_gives_the_critic_what_was_seen():
    critic = Scripted([PENDING, TIMEOUT, CONFIRMED])
    gate, clock = make_gate(critic, GatePolicy(waits=(1.0, 2.0, 4.0)))
    decision = gate.step(Board(), CLICK, "Load it")
    assert (decision.move, decision.looks) == ("proceed", 3)
    assert [s for s in clock.slept if s >= 1] == [1.0, 2.0]
    assert critic.asked[0]["burst"] == 0
    assert critic.asked[1]["burst"] >= 1


def test_what_stays_pending_ends_in_a_replan_and_never_in_a_repetition():
    gate, _ = make_gate(Scripted([PENDING]), GatePolicy(waits=(1.0, 2.0)))
    board = Board()
    decision = gate.step(board, CLICK, element=LINK)
    assert (decision.move, decision.worked, len(board.sent)) == ("replan", None, 1)
    assert "still seems to be working" in decision.reason


def test_unsure_is_neither_success_nor_failure():
    gate, _ = make_gate(Scripted([UNSURE]), GatePolicy(failures=2, loop=99))
    for _ in range(5):  # five of them in a row do not count as failures
        decision = gate.step(Board(), CLICK)
        assert (decision.move, decision.worked, decision.state) == ("proceed", None, "unsure")


def test_a_screen_that_moves_is_waited_for_and_becomes_the_burst():
    critic = Scripted([CONFIRMED])
    gate, _ = make_gate(critic)
    board, frames = Board(), itertools.count()

    def animated():
        screen = Board.screen(board)
        if board.sent:
            screen[:4, : 4 * min(next(frames), 5)] = 0  # a bar that grows five times
        return screen

    board.screen = animated
    gate.step(board, CLICK)
    assert critic.asked[0]["burst"] == 5


def test_a_screen_that_never_rests_is_judged_at_the_bound():
    critic = Scripted([CONFIRMED])
    gate, clock = make_gate(critic, GatePolicy(settle_seconds=1.0, look_every=0.1))
    board, frames = Board(), itertools.count()
    board.screen = lambda: np.full((32, 32, 3), next(frames) % 256, np.uint8)
    assert gate.step(board, CLICK).move == "proceed"
    assert 1.9 < clock.now < 2.4  # a bound before the action, and one after it
    assert 0 < critic.asked[0]["burst"] <= 8
    assert critic.asked[0]["idle"] > 0  # what moved before the action is not its doing


def test_a_wrong_turn_is_undone_by_replay_of_the_prefix():
    gate, _ = make_gate(TruthfulScorer())
    board = Board(["", "shift"])
    way_back = ReplayRollback(board.reset, board.act, board.screen)
    assert gate.step(board, {"kind": "click", "x": 20, "y": 20}, rollback=way_back).move == "proceed"
    decision = gate.step(board, CLICK, rollback=way_back)
    assert (decision.move, decision.restored, board.cells) == ("rollback", True, [1, 0, 0, 0])
    assert gate.step(board, CLICK, rollback=way_back).move == "proceed"
    assert board.cells == [1, 1, 0, 0]


def test_the_same_way_is_undone_once_only():
    gate, _ = make_gate(TruthfulScorer())
    board = Board(["shift", "shift"])
    way_back = ReplayRollback(board.reset, board.act, board.screen)
    first, second = (gate.step(board, CLICK, rollback=way_back) for _ in range(2))
    assert (first.move, first.restored) == ("rollback", True)
    assert (second.move, second.restored, second.changed) == ("replan", None, True)
    assert sum(board.cells) == 1


def test_what_was_undone_is_no_part_of_a_loop():
    gate, _ = make_gate(TruthfulScorer(), GatePolicy(loop=3))
    board = Board(["shift", "shift", ""])
    way_back = ReplayRollback(board.reset, board.act, board.screen)
    gate.step(board, CLICK, rollback=way_back)
    board.faults[0] = "drop"
    moves = [gate.step(board, CLICK, rollback=way_back).move for _ in range(2)]
    assert moves == ["replan", "proceed"]  # the second of two that were not undone


def test_a_rollback_that_fails_is_told_and_left_to_the_agent():
    gate, _ = make_gate(TruthfulScorer())

    def restore(mark):
        raise OSError("no snapshot")

    decision = gate.step(Board(["shift"]), CLICK, rollback=CustomRollback(lambda: None, restore))
    assert (decision.move, decision.restored) == ("replan", False)
    assert "no snapshot" in decision.reason


def test_the_same_action_on_the_same_screen_is_a_loop():
    gate, _ = make_gate(Scripted([CONFIRMED]), GatePolicy(loop=2))
    board = Board(["drop"] * 9)
    moves = [gate.step(board, CLICK).move for _ in range(4)]
    assert moves == ["proceed", "replan", "replan", "stop"]
    gate.begin()
    assert gate.step(board, CLICK).move == "proceed"


def test_waiting_on_the_same_screen_is_no_loop():
    gate, _ = make_gate(Scripted([CONFIRMED]), GatePolicy(loop=2))
    assert {gate.step(Board(), {"kind": "wait"}).move for _ in range(5)} == {"proceed"}


def test_failures_in_a_row_stop_the_run():
    gate, _ = make_gate(Scripted([NO_OP]), GatePolicy(failures=3, loop=99))
    assert [gate.step(Board(), CLICK).move for _ in range(3)] == ["replan", "replan", "stop"]


def test_an_environment_that_dies_ends_in_a_clear_decision_with_nothing_left_pressed():
    gate, _ = make_gate(TruthfulScorer())
    board = Board(["die"])
    decision = gate.step(board, CLICK)
    assert (decision.move, decision.worked, board.released) == ("stop", None, True)
    assert decision.reason == (
        "The environment no longer answers (ConnectionError: the browser has gone): the run is stopped."
    )


def test_a_screen_that_cannot_be_taken_stops_before_anything_is_sent():
    gate, _ = make_gate(TruthfulScorer())
    board = Board()
    board.screen = lambda: b"not an image"
    decision = gate.step(board, CLICK)
    assert (decision.move, board.sent) == ("stop", [])


def test_an_action_that_cannot_be_understood_is_refused_before_anything_is_sent():
    gate, _ = make_gate(TruthfulScorer())
    board = Board()
    with pytest.raises(ActionError):
        gate.step(board, {"kind": "jump"})
    assert board.sent == []


def test_loops_that_send_their_own_actions_are_told_what_to_do():
    board = Board(["drop"])
    gate, _ = make_gate(TruthfulScorer())
    pre = board.screen()
    board.act(Action.from_dict(CLICK))
    assert gate.watch(pre, board.screen, CLICK, element=LINK).move == "retry"
    board.act(Action.from_dict(CLICK))
    assert gate.watch(pre, board.screen, CLICK, element=LINK, tries=1).move == "proceed"


def test_an_awaiting_loop_gets_the_same_decision():
    gate = CriticGate(Scripted([WRONG]), GatePolicy(look_every=0.0, waits=(0.0, 0.0)))
    board = Board()

    async def look():
        return board.screen()

    decision = asyncio.run(gate.watch_async(board.screen(), look, CLICK))
    assert (decision.move, decision.worked) == ("replan", False)


def test_a_batch_is_judged_as_one_step():
    critic = Scripted([CONFIRMED])
    gate, _ = make_gate(critic)
    board = Board()
    gate.step(board, [CLICK, {"kind": "type", "text": "a"}], "Fill it in")
    assert len(critic.asked) == 1
    assert [a.kind for a in critic.asked[0]["action"]] == ["click", "type"]


def test_every_look_is_logged_with_its_screens(tmp_path):
    with StepLog(tmp_path) as log:
        gate, _ = make_gate(Scripted([PENDING, CONFIRMED]), log=log, task="Win")
        gate.step(Board(), CLICK, "Press it")
    rows = list(read_log(tmp_path))
    assert [row["move"] for row in rows] == ["wait", "proceed"]
    assert rows[1]["task"] == "Win"
    assert rows[1]["reason"].endswith(".")
    for row in rows:
        for digest in (row["pre"], row["post"], *row["burst"], *row["idle"]):
            assert (tmp_path / "screens" / f"{digest}.png").is_file()


def test_a_log_that_cannot_be_written_ends_the_loop(tmp_path, monkeypatch):
    with StepLog(tmp_path) as log:
        gate, _ = make_gate(TruthfulScorer(), log=log)
        gate.step(Board(), CLICK)
        monkeypatch.setattr("viscritic.agent.log.os.write", lambda file, line: 0)
        with pytest.raises(LogError, match="cannot be written"):
            gate.step(Board(), CLICK)
    assert len(list(read_log(tmp_path))) == 1
