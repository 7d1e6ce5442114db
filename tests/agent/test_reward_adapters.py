"""Reward functions for TRL and verl, called as those libraries call them."""

from __future__ import annotations

import numpy as np
import pytest
from agent_parts import CONFIRMED, PENDING, UNSURE, Board, Scripted, TruthfulScorer

from viscritic.agent.adapters.trl import trl_reward
from viscritic.agent.adapters.verl import verl_reward

RIGHT = '{"kind": "click", "x": 96, "y": 32}'


def execute(actions, row):
    """The board of an example: it may drop or shift the click."""
    board = Board([row.get("fault", "")])
    pre = board.screen()
    for action in actions:
        board.act(action)
    return pre, board.screen()


def call_as_trl(reward, completions, **columns):
    metrics = {}
    answers = reward(
        prompts=["p"] * len(completions), completions=completions, completion_ids=[[1]] * len(completions),
        trainer_state=object(), log_extra=lambda *a: None, log_metric=metrics.__setitem__, **columns,
    )  # fmt: skip
    return answers, metrics


def test_trl_text_and_conversations_are_judged_and_what_is_no_action_earns_nothing():
    completions = [RIGHT, [{"role": "assistant", "content": RIGHT}], "I would rather not", RIGHT]
    answers, metrics = call_as_trl(trl_reward(TruthfulScorer(), execute), completions, fault=["", "", "", "shift"])
    assert answers == [0.95, 0.95, 0.0, 0.05]
    assert metrics == {"viscritic/unreadable": 0.25, "viscritic/unscored": 0.0}


@pytest.mark.parametrize("said", [UNSURE, PENDING])
def test_trl_what_the_critic_cannot_tell_has_no_reward(said):
    assert call_as_trl(trl_reward(Scripted([said]), execute), [RIGHT])[0] == [None]


def test_trl_recorded_steps_score_the_action_that_was_done_and_no_other():
    board = Board()
    pre = board.screen()
    board.cells[1] = 1
    other = '{"kind": "click", "x": 5, "y": 5}'
    columns = {"pre": [pre] * 2, "post": [board.screen()] * 2, "action": [RIGHT] * 2}
    assert call_as_trl(trl_reward(TruthfulScorer()), [RIGHT, other], **columns)[0] == [0.95, None]


def test_trl_environments_reach_the_executor():
    seen = []

    def use(actions, row):
        seen.append(row["environment"])
        return np.zeros((32, 32, 3), np.uint8), np.ones((32, 32, 3), np.uint8)

    call_as_trl(trl_reward(Scripted([CONFIRMED]), use), [RIGHT, RIGHT], environments=["a", "b"])
    assert seen == ["a", "b"]


def test_verl_every_answer_has_the_same_keys():
    compute_score = verl_reward(TruthfulScorer(), execute, unsure=0.4)
    unsure = verl_reward(Scripted([UNSURE]), execute, unsure=0.4)
    call = {"data_source": "gui", "ground_truth": None, "extra_info": {"num_turns": 1}}
    assert compute_score(solution_str=RIGHT, **call) == {"score": 0.95, "scored": 1.0, "readable": 1.0}
    assert compute_score(solution_str="no", **call) == {"score": 0.0, "scored": 1.0, "readable": 0.0}
    assert unsure(solution_str=RIGHT, **call) == {"score": 0.4, "scored": 0.0, "readable": 1.0}
