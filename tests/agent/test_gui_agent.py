"""run, macro replay, a replay that fails and recovers: on the small GUI whose truth is known."""

from __future__ import annotations

import json

import pytest
from agent_parts import NO_OP, UNSURE, Board, Clock, Scripted, TruthfulScorer

from viscritic.agent import CriticGate, GatePolicy, StepLog
from viscritic.agent.gui.macros import MacroStore
from viscritic.agent.gui.run import GuiAgent
from viscritic.agent.log import LOG_NAME
from viscritic.errors import AgentError

TASK = "Colour the first and the second"
DONE = {"action": "done"}


def click(square, **more):
    return {"action": "click", "x": 64 * square + 32, "y": 32, **more}


class Model:
    """Answers with one thing after the other; keeps the prompts."""

    def __init__(self, *answers):
        self.answers, self.prompts = list(answers), []

    def ask(self, prompt, screen):
        self.prompts.append(prompt)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, str) else json.dumps(answer)


def make_agent(board, model, store=None, critic=None, **more):
    clock = Clock()
    gate = CriticGate(critic or TruthfulScorer(), GatePolicy(failures=4), sleep=clock.sleep, clock=clock)
    return GuiAgent(board, model, gate, store, **more)


@pytest.fixture
def store(tmp_path):
    return MacroStore(tmp_path / "macros.json")


def test_a_finished_task_is_saved_and_then_replayed_without_the_model(store):
    model = Model(click(0, why="the first"), click(1), DONE)
    result = make_agent(Board(), model, store).run(TASK)
    assert result.to_dict() == {
        "status": "done", "note": "", "steps": 2, "replayed": 0, "asked": 3, "saved": True,
    }  # fmt: skip
    board = Board()
    result = make_agent(board, None, store).run(TASK)
    assert (result.status, result.replayed, result.asked, board.cells) == ("done", 2, 0, [1, 1, 0, 0])


def test_a_replay_that_fails_goes_on_with_the_model_from_there_and_is_saved_anew(store):
    make_agent(Board(), Model(click(0), click(1), DONE), store).run(TASK)
    model = Model(click(1), DONE)
    board = Board(["", "drop"])
    result = make_agent(board, model, store).run(TASK)
    assert (result.status, result.replayed, result.asked, result.saved) == ("done", 2, 2, True)
    assert board.cells == [1, 1, 0, 0]
    assert "Nothing came of this action" in model.prompts[0]
    macro = store.get(TASK)
    assert (macro.revision, len(macro.steps)) == (2, 2)


def test_replay_alone_stops_at_the_first_step_that_fails(store):
    make_agent(Board(), Model(click(0), click(1), DONE), store).run(TASK)
    board = Board(["drop"])
    result = make_agent(board, None).replay(store.get(TASK))
    assert (result.status, result.steps, len(board.sent)) == ("stopped", 1, 1)
    assert "Nothing came of this action" in result.note


def test_a_macro_of_another_screen_is_not_played(store):
    store.save(TASK, [], (1, 1))
    model = Model(DONE)
    assert make_agent(Board(), model, store).run(TASK).asked == 1
    assert "(1, 1)" in model.prompts[0]


def test_a_note_is_no_success_and_nothing_is_saved(store):
    result = make_agent(Board(), Model(click(0), {"action": "done", "note": "the rest is missing"}), store).run(TASK)
    assert (result.status, result.note, result.saved) == ("noted", "the rest is missing", False)
    assert store.all() == []


def test_garbage_is_sent_back_with_its_reason_and_ends_the_run_at_last(store):
    model = Model("Sure! Here you go", click(0), "nonsense", "", "{}", DONE)
    board = Board()
    result = make_agent(board, model, store).run(TASK)
    assert "Your last answer was refused: It must begin with {" in model.prompts[1]
    assert "refused" not in model.prompts[2]
    assert result.status == "stopped"
    assert "no action 3 times" in result.note
    assert board.cells == [1, 0, 0, 0]
    assert store.all() == []


@pytest.mark.parametrize("fault", [AgentError("the model has gone"), KeyError("model")])
def test_a_model_that_dies_ends_the_run_with_nothing_saved_or_pressed(store, fault):
    board = Board()
    agent = make_agent(board, Model(click(0), fault), store)
    if isinstance(fault, AgentError):
        result = agent.run(TASK)
        assert (result.status, result.note) == ("stopped", "the model has gone")
    else:
        with pytest.raises(KeyError):
            agent.run(TASK)
    assert board.released
    assert store.all() == []


def test_an_environment_that_dies_ends_the_run(store):
    result = make_agent(Board(["die"]), Model(click(0), DONE), store).run(TASK)
    assert result.status == "stopped"
    assert "browser has gone" in result.note
    assert store.all() == []


def test_an_environment_that_dies_unjudged_ends_the_run_as_well(store):
    board = Board(["die"])
    result = make_agent(board, Model(click(0), DONE), store, verify_rate=0.0).run(TASK)
    assert (result.status, board.released) == ("stopped", True)
    assert "no longer answers (ConnectionError" in result.note


def test_a_disk_that_is_full_ends_the_run_with_nothing_saved_or_pressed(store, tmp_path):
    """The log is a link to a device that takes nothing."""
    (tmp_path / "log").mkdir()
    (tmp_path / "log" / LOG_NAME).symlink_to("/dev/full")
    board = Board()
    with StepLog(tmp_path / "log") as log:
        gate = CriticGate(TruthfulScorer(), GatePolicy(waits=()), log=log, sleep=lambda seconds: None)
        result = GuiAgent(board, Model(click(0), click(1), DONE), gate, store).run(TASK)
    assert (result.status, result.saved, board.released) == ("stopped", False, True)
    assert "cannot be written" in result.note
    assert store.all() == []


def test_steps_in_vain_are_no_part_of_the_macro(store):
    make_agent(Board(["drop"]), Model(click(0), click(0), click(1), DONE), store).run(TASK)
    assert len(store.get(TASK).steps) == 2


def test_unsure_steps_are_kept_and_told_as_such(store):
    model = Model(click(0), DONE)
    assert make_agent(Board(), model, store, Scripted([UNSURE])).run(TASK).saved
    assert "neither as done nor as failed" in model.prompts[1]


def test_the_rate_says_how_many_steps_are_judged():
    critic = Scripted([UNSURE])
    agent = make_agent(Board(), Model(*[click(i % 4) for i in range(40)], DONE), None, critic, verify_rate=0.25)
    assert agent.run(TASK).steps == 40
    judged = len(critic.asked) // 2  # what is unsure is looked at twice
    assert 2 <= judged <= 20


def test_a_run_is_bounded_and_stopped_when_nothing_works():
    never = [click(0)] * 60
    assert "in 5 steps" in make_agent(Board(), Model(*never), most_steps=5).run(TASK).note
    result = make_agent(Board(), Model(*[click(i % 4) for i in range(60)]), None, Scripted([NO_OP])).run(TASK)
    assert (result.status, result.steps) == ("stopped", 4)
    assert "in a row" in result.note


def test_without_model_and_macro_there_is_nothing_to_do(store):
    assert "no macro" in make_agent(Board(), None, store).run(TASK).note
