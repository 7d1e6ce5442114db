"""BrowserGym's own strings and observations; the package itself pins a Playwright too old to share an environment."""

from __future__ import annotations

import importlib.util
import os

import numpy as np
import pytest
from agent_parts import NO_OP, Scripted

from viscritic.agent import GatePolicy

gymnasium = pytest.importorskip("gymnasium", reason="needs: pip install 'viscritic[agent]'")
QUICK = GatePolicy(waits=(0.0,), patience=0.0, settle_seconds=0.0, look_every=0.0)


class Stub(gymnasium.Env):
    """An environment with BrowserGym's observations."""

    action_space = gymnasium.spaces.Text(100)
    observation_space = gymnasium.spaces.Dict({})

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        node = {"browsergym_id": "19", "role": {"value": "button"}, "name": {"value": "submit"}}
        return {
            "goal": "Press submit", "screenshot": np.zeros((100, 100, 3), np.uint8), "last_action_error": "",
            "extra_element_properties": {"19": {"bbox": [10, 20, 30, 40]}}, "axtree_object": {"nodes": [node]},
        }, {}  # fmt: skip

    def step(self, action):
        return self.reset()[0], 0.0, False, False, {}


def test_a_bid_gets_its_point_its_words_and_the_advice_as_error():
    from viscritic.agent.adapters.browsergym import VerifiedBrowserGym

    critic = Scripted([NO_OP])
    env = VerifiedBrowserGym(Stub(), critic, policy=QUICK, rollback=False)
    env.reset(seed=0)
    obs, *_, info = env.step("click('19')")
    asked = critic.asked[0]
    assert asked["action"][0].point == (25, 40)
    assert asked["task"] == "Press submit"
    assert info["viscritic"]["safety"]["kind"] == "irreversible"  # "submit" stands in the element's name
    assert "It is not repeated unasked" in obs["last_action_error"]


@pytest.mark.browser
@pytest.mark.skipif(
    importlib.util.find_spec("browsergym") is None or "MINIWOB_URL" not in os.environ,
    reason="needs browsergym-miniwob in an environment of its own, and MINIWOB_URL",
)
def test_a_real_task_is_judged(critic):
    importlib.import_module("browsergym.miniwob")
    from viscritic.agent.adapters.browsergym import VerifiedBrowserGym

    env = VerifiedBrowserGym(gymnasium.make("browsergym/miniwob.click-button"), critic, policy=QUICK, rollback=False)
    obs, _ = env.reset(seed=3)
    bid = next(
        node["browsergym_id"]
        for node in obs["axtree_object"]["nodes"]
        if node.get("browsergym_id") and node["role"]["value"] == "button" and node["name"]["value"] in obs["goal"]
    )
    _, reward, terminated, _, info = env.step(f"click('{bid}')")
    env.close()
    assert (reward, terminated) == (1.0, True)
    assert info["viscritic"]["note"]
