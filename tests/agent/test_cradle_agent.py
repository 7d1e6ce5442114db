"""Cradle's loop: reflection on frames, skills, memories, long actions."""

from __future__ import annotations

import numpy as np
import pytest
from agent_parts import CONFIRMED, NO_OP, UNSURE, WRONG, Board, Scripted, TruthfulScorer

from viscritic.actions import Action
from viscritic.agent.cradle import CradleAgent, EpisodicMemory, Reflector, Skills, sample_frames
from viscritic.agent.gui.macros import MacroStore
from viscritic.agent.gui.protocol import ProtocolError
from viscritic.errors import AgentError

CLICK = Action("click", 20, 20)
WHITE = np.full((400, 640, 3), 255, np.uint8)


def spotted(x, size=3):
    screen = WHITE.copy()
    screen[100 : 100 + size, x : x + size] = 0
    return screen


def test_frames_are_taken_evenly_with_both_ends():
    assert sample_frames(list(range(100))) == [0, 14, 28, 42, 57, 71, 85, 99]
    assert sample_frames([1, 2]) == [1, 2]
    with pytest.raises(ValueError, match="no frames"):
        sample_frames([])


def test_what_nothing_reacted_to_was_not_executed_and_the_critic_is_not_asked():
    critic = Scripted([CONFIRMED])
    reflection = Reflector(critic).reflect(WHITE, [WHITE] * 20, CLICK, "Click 'OK'")
    assert (reflection.executed, reflection.took_effect, reflection.frames) == (False, False, 8)
    assert critic.asked == []
    assert "not executed" in reflection.sentence()


def test_what_only_full_resolution_shows_counts_as_well():
    critic = Scripted([CONFIRMED])
    assert Reflector(critic).reflect(WHITE, [spotted(7, 1)], CLICK).executed
    assert critic.asked[0]["burst"] == 0


@pytest.mark.parametrize(
    ("said", "effect", "told"),
    [(CONFIRMED, True, "took effect"), (WRONG, False, "something else"), (UNSURE, None, "unclear")],
)
def test_the_critic_says_whether_it_took_effect_and_why_not(said, effect, told):
    reflection = Reflector(Scripted([said])).reflect(WHITE, [spotted(40, 30)], CLICK)
    assert reflection.took_effect is effect
    assert told in reflection.sentence()
    assert reflection.to_dict()["finished"] is None


def test_a_long_action_goes_on_while_it_moves_and_the_task_is_not_done():
    frames = [spotted(x, 30) for x in range(0, 200, 20)]
    assert Reflector(Scripted([UNSURE])).reflect(WHITE, frames, CLICK, long=True).go_on
    assert not Reflector(Scripted([UNSURE])).reflect(WHITE, [*frames, frames[-1]], CLICK, long=True).go_on
    done = Reflector(Scripted([UNSURE]), finished=lambda screen: True).reflect(WHITE, frames, CLICK, long=True)
    assert (done.go_on, done.finished) == (False, True)


class Planner:
    """Says one thing after the other; keeps the prompts."""

    def __init__(self, *calls):
        self.calls, self.prompts = list(calls), []

    def ask(self, prompt, screen):
        self.prompts.append(prompt)
        return self.calls.pop(0)


def at(cell):
    return f"click_at_position(x={(cell + 0.5) / 4}, y=0.5, mouse_button='left')"


def make_agent(board, planner, store=None, critic=None):
    reflector = Reflector(critic or TruthfulScorer())
    return CradleAgent(board, planner, reflector, Skills(store), sleep=lambda seconds: None, watch_seconds=0.3)


def test_a_task_is_done_learnt_and_used_as_a_skill(tmp_path):
    store, board = MacroStore(tmp_path / "macros.json"), Board(["", "drop"])
    planner = Planner(at(0), at(1), at(1), "done()")
    result = make_agent(board, planner, store).run("Both")
    assert (result.status, result.steps, board.cells) == ("done", 3, [1, 1, 0, 0])
    assert "not executed: nothing on the screen reacted" in planner.prompts[2]
    assert len(store.get("Both").steps) == 2  # what came to nothing is not learnt
    again = Planner("use_skill('both')", "done()")
    fresh = Board()
    assert make_agent(fresh, again, store).run("Do it again").status == "done"
    assert fresh.cells == [1, 1, 0, 0]
    assert "use_skill('Both')   2 steps" in again.prompts[0]


def test_a_learnt_skill_stops_at_the_step_that_fails(tmp_path):
    store = MacroStore(tmp_path / "macros.json")
    make_agent(Board(), Planner(at(0), at(1), at(2), "done()"), store).run("Three")
    board = Board(["", "shift"])
    make_agent(board, Planner("use_skill('Three')", "done()"), store).run("Now")
    assert board.cells == [1, 0, 1, 0]
    assert len(board.sent) == 2


def test_a_long_scroll_ends_where_nothing_moves_any_more():
    class Page(Board):
        position = 0

        def screen(self):
            return spotted(self.position, 30)

        def act(self, action):
            self.sent.append(action)
            self.position = min(self.position + 100, 200)

    page = Page()
    make_agent(page, Planner("mouse_scroll_down(distance=60)", "done()"), critic=Scripted([CONFIRMED])).run("Go down")
    assert {action.kind for action in page.sent} == {"scroll"}
    assert len(page.sent) == 3  # two pieces that moved it, one that did not


def test_garbage_from_the_planner_and_a_dead_environment_end_the_run_in_a_clear_state():
    board = Board()
    planner = Planner("hello", "click(", "rm -rf /")
    result = make_agent(board, planner).run("x")
    assert (result.status, result.steps, board.sent) == ("stopped", 0, [])
    assert "no skill 3 times" in result.note
    assert "refused" in planner.prompts[1]
    dead = Board(["die"])
    result = make_agent(dead, Planner(at(0))).run("x")
    assert (result.status, dead.released) == ("stopped", True)
    assert "no longer answers" in result.note


def test_a_skill_that_was_not_learnt_here_is_refused(tmp_path):
    store = MacroStore(tmp_path / "macros.json")
    skills = Skills(store)
    with pytest.raises(ProtocolError, match="No skill of the name"):
        skills.read("use_skill('fly')", (640, 400))
    skills.learn("Both", [(CLICK, "it")], (640, 400))
    with pytest.raises(ProtocolError, match="learnt on a screen"):
        skills.read("use_skill('Both')", (1280, 800))


def test_old_steps_are_summed_up_and_the_memory_survives(tmp_path):
    path = tmp_path / "memory.json"
    memory = EpisodicMemory(recent=2, path=path)
    for number in range(7):
        memory.add(f"Click {number} -> " + ("it took effect." if number % 2 == 0 else "it failed: wrong. no"))
    assert memory.summary == "4 earlier steps: 2 x it took effect, 2 x it failed"
    assert list(memory.steps)[1:] == ["Click 5 -> it failed: wrong. no", "Click 6 -> it took effect."]
    assert EpisodicMemory(recent=2, path=path).tell() == memory.tell()
    path.write_text("{")
    with pytest.raises(AgentError, match="cannot be read"):
        EpisodicMemory(path=path)


def test_a_no_op_is_told_with_its_reason():
    reflection = Reflector(Scripted([NO_OP])).reflect(WHITE, [spotted(40, 30)], CLICK)
    assert reflection.sentence() == "it failed: nothing came of it. said."
