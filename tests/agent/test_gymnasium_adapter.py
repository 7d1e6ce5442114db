"""VerifiedEnv around real Gymnasium environments."""

from __future__ import annotations

import numpy as np
import pytest
from agent_parts import CONFIRMED, NO_OP, PENDING, WRONG, Board, Scripted

from viscritic.actions import Action
from viscritic.agent import GatePolicy
from viscritic.agent.environment import changed_share
from viscritic.screen import load_screen

gymnasium = pytest.importorskip("gymnasium", reason="needs: pip install 'viscritic[agent]'")
AT_ONCE = GatePolicy(waits=(0.0, 0.0), settle_seconds=0.0, look_every=0.0)


class Boards(gymnasium.Env):
    """The board of the gate's tests as an environment: action i is a click on square i; square 3 ends the episode."""

    metadata = {"render_modes": ["rgb_array"]}  # noqa: RUF012
    render_mode = "rgb_array"
    action_space = gymnasium.spaces.Discrete(4)
    observation_space = gymnasium.spaces.MultiDiscrete([100] * 4)

    def __init__(self, faults=()):
        self.faults = list(faults)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.board = Board()
        self.board.cells[int(self.np_random.integers(4))] = 3
        return self._obs(), {}

    def step(self, action):
        self.board.faults = [self.faults.pop(0)] if self.faults else []
        self.board.act(Action("click", 64 * int(action) + 32, 32))
        return self._obs(), 1.0, bool(action == 3), False, {}

    def render(self):
        return self.board.screen()

    def _obs(self):
        return np.array(self.board.cells)


def wrap(faults=(), critic=None, **more):
    from viscritic.agent.adapters.gymnasium import VerifiedEnv

    env = Boards(faults)
    more.setdefault("to_action", lambda action, obs: Action("click", 64 * int(action) + 32, 32))
    return VerifiedEnv(env, critic or Truth(), policy=AT_ONCE, **more), env


class Truth:
    def score(self, pre, post, action, instruction="", task="", burst=(), idle=()):
        before, after = load_screen(pre), load_screen(post)
        x = int(action[0].x)
        if (before[32, x] != after[32, x]).any():
            return CONFIRMED
        return WRONG if changed_share(before, after) else (NO_OP if burst else PENDING)


def test_a_good_step_passes_unchanged():
    env, _ = wrap()
    obs, _ = env.reset(seed=1)
    after, reward, terminated, truncated, info = env.step(2)
    assert after[2] == obs[2] + 1
    assert (reward, terminated, truncated, info["viscritic"]["move"]) == (1.0, False, False, "proceed")


def test_a_lost_step_is_repeated_where_that_is_safe():
    env, base = wrap(["drop"], element=lambda action, obs: "link 'it'")
    obs, _ = env.reset(seed=1)
    after, reward, *_, info = env.step(2)
    assert after[2] == obs[2] + 1
    assert (reward, len(base.board.sent), info["viscritic"]["worked"]) == (2.0, 2, True)


def test_a_wrong_step_is_undone_from_the_seed():
    env, _ = wrap(["", "shift"])
    obs, _ = env.reset(seed=4)
    obs = env.step(0)[0]
    after, *_, info = env.step(1)
    assert np.array_equal(after, obs)
    assert (info["viscritic"]["move"], info["viscritic"]["restored"]) == ("rollback", True)
    assert env.step(1)[0][1] == obs[1] + 1


def test_an_episode_without_a_seed_gets_one_and_can_be_undone():
    env, _ = wrap(["shift"])
    obs, _ = env.reset()
    assert np.array_equal(env.step(1)[0], obs)


def test_after_the_end_nothing_is_undone_or_repeated():
    env, base = wrap(["shift"], element=lambda action, obs: "link 'it'")
    env.reset(seed=0)
    *_, terminated, _, info = env.step(3)
    assert terminated
    assert (info["viscritic"]["move"], len(base.board.sent)) == ("replan", 1)


def test_a_real_game_can_be_wrapped(critic):
    """FrozenLake draws itself; the shipped critic looks at it."""
    pytest.importorskip("pygame", reason="FrozenLake needs pygame")
    from viscritic.agent.adapters.gymnasium import VerifiedEnv

    keys = ["left", "down", "right", "up"]
    game = gymnasium.make("FrozenLake-v1", render_mode="rgb_array", is_slippery=False)
    env = VerifiedEnv(
        game, critic, policy=AT_ONCE, rollback=False, to_action=lambda action, obs: Action("key", keys=(keys[action],))
    )
    env.reset(seed=0)
    *_, info = env.step(2)
    assert info["viscritic"]["note"]
    env.close()


def test_a_missing_package_names_the_extra(monkeypatch):
    import importlib
    import sys

    from viscritic.errors import MissingExtraError

    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.delitem(sys.modules, "viscritic.agent.adapters.gymnasium", raising=False)
    with pytest.raises(MissingExtraError, match=r"viscritic\[agent\]"):
        importlib.import_module("viscritic.agent.adapters.gymnasium")


def test_the_policy_that_waits_not_looks_once_more(critic=None):
    env, _ = wrap(critic=Scripted([PENDING]))
    env.reset(seed=0)
    assert env.step(0)[-1]["viscritic"]["move"] == "replan"
