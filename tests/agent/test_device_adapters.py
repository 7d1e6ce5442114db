"""OSWorld and AndroidWorld against their documented interfaces: their machines cannot be had in a test."""

from __future__ import annotations

import io
from types import SimpleNamespace

from agent_parts import Board, TruthfulScorer
from PIL import Image

from viscritic.actions import Action
from viscritic.agent import GatePolicy
from viscritic.agent.adapters.androidworld import VerifiedAndroidAgent
from viscritic.agent.adapters.osworld import VerifiedDesktopEnv

QUICK = GatePolicy(waits=(0.0,), patience=0.0, look_every=0.0)


class Desktop:
    """What OSWorld's DesktopEnv offers: reset, step (a 4-tuple), a controller that takes screenshots."""

    def __init__(self, faults=()):
        self.faults, self.controller = list(faults), self
        self.resets = 0

    def reset(self, task_config=None):
        self.resets += 1
        self.board = Board()
        return self._obs()

    def step(self, action, pause=2):
        if action in ("WAIT", "DONE", "FAIL"):
            return self._obs(), 0, action != "WAIT", {action.lower(): True}
        self.board.faults = [self.faults.pop(0)] if self.faults else []
        self.board.act(Action.parse(action, "osworld"))
        return self._obs(), 0, False, {}

    def get_screenshot(self):
        buffer = io.BytesIO()
        Image.fromarray(self.board.screen()).save(buffer, "PNG")
        return buffer.getvalue()

    def evaluate(self):
        return 1.0

    def _obs(self):
        return {"screenshot": self.get_screenshot(), "instruction": "Press the second"}


def test_osworld_a_step_is_judged_and_stays_a_4_tuple():
    env = VerifiedDesktopEnv(Desktop(), TruthfulScorer(), policy=QUICK)
    env.reset({"id": "1"})
    obs, reward, done, info = env.step("pyautogui.click(96, 32)")
    assert (reward, done, info["viscritic"]["worked"], obs["verifier"]) == (0, False, True, "")
    assert env.gate.task == "Press the second"
    assert env.evaluate() == 1.0


def test_osworld_a_lost_step_is_told_and_a_wrong_one_undone_by_the_snapshot():
    desktop = Desktop(["shift", "drop"])
    env = VerifiedDesktopEnv(desktop, TruthfulScorer(), policy=QUICK, rollback=True)
    env.reset({"id": "1"})
    *_, info = env.step("pyautogui.click(96, 32)")
    assert (info["viscritic"]["move"], desktop.board.cells) == ("rollback", [0, 0, 0, 0])
    assert desktop.resets == 2
    obs, *_, info = env.step("pyautogui.click(96, 32)")
    assert info["viscritic"]["move"] == "replan"
    assert "Nothing came of this action" in obs["verifier"]


def test_osworld_the_end_is_not_judged():
    env = VerifiedDesktopEnv(Desktop(), TruthfulScorer(), policy=QUICK)
    env.reset({"id": "1"})
    assert env.step("DONE")[2:] == (True, {"done": True})


class Phone:
    """What AndroidWorld's agents offer: step(goal) -> (done, data), env.get_state().pixels, reset(go_home)."""

    def __init__(self, actions, faults=()):
        self.board, self.actions, self.env = Board(faults), list(actions), self
        self.history = []

    def get_state(self, wait_to_stabilize=False):
        return SimpleNamespace(pixels=self.board.screen())

    def reset(self, go_home=False):
        self.history.clear()

    def step(self, goal):
        action = self.actions.pop(0)
        if action["action_type"] == "click":
            self.board.act(Action("click", action["x"], action["y"]))
        json_action = SimpleNamespace(as_dict=lambda skip_none=True: {**action, "index": None})
        data = {"action_output_json": json_action, "summary": "I clicked it."}
        self.history.append(data)
        return SimpleNamespace(done=action["action_type"] == "status", data=data)


def test_androidworld_a_step_is_judged_and_told_through_the_agents_own_history():
    click = {"action_type": "click", "x": 96, "y": 32}
    phone = Phone([click, click, {"action_type": "status", "goal_status": "complete"}], ["", "drop"])
    agent = VerifiedAndroidAgent(phone, TruthfulScorer(), policy=QUICK)
    agent.reset(go_home=True)
    assert not agent.step("Press it").done
    agent.step("Press it")
    assert agent.step("Press it").done
    assert [d and d.move for d in agent.decisions] == ["proceed", "replan", None]
    assert phone.history[0]["summary"] == "I clicked it."
    assert "[verifier: replan] Nothing came of this action" in agent.history[1]["summary"]
