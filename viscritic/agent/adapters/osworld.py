"""OSWorld: a wrapper around `desktop_env.DesktopEnv` whose steps are judged.

    env = VerifiedDesktopEnv(DesktopEnv(action_space="pyautogui", ...), critic)
    obs = env.reset(task_config)
    obs, reward, done, info = env.step("pyautogui.click(960, 540)")      # four values; the reward is always 0
    info["viscritic"]["reason"], obs["verifier"]

The screens of the gate come from `env.controller.get_screenshot()`.
"""

from __future__ import annotations

from typing import Any

from viscritic.actions import Action
from viscritic.agent.environment import Scorer
from viscritic.agent.gate import CriticGate
from viscritic.agent.log import StepLog
from viscritic.agent.policy import GatePolicy
from viscritic.agent.rollback.replay import ReplayRollback


class VerifiedDesktopEnv:
    """Steps, resets and observes as a DesktopEnv does; everything else is the environment's own.

    Args:
        env: the DesktopEnv.
        critic: a scorer.
        policy, log: of the gate.
        rollback: undo by `env.reset` (the virtual machine's snapshot) and a replay: thorough, and minutes long.
    """

    def __init__(
        self,
        env: Any,
        critic: Scorer,
        *,
        policy: GatePolicy | None = None,
        log: StepLog | None = None,
        rollback: bool = False,
    ) -> None:
        self._env, self.gate = env, CriticGate(critic, policy, log=log)
        self._task: Any = None
        self._obs: dict[str, Any] = {}
        self._rollback = ReplayRollback(self._start_again, self._replay, self._look) if rollback else None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._env, name)

    def reset(self, task_config: Any = None, **options: Any) -> Any:
        """Begin a task."""
        self._task = task_config
        self._obs = self._env.reset(task_config, **options)
        self.gate.begin(str(self._obs.get("instruction") or ""))
        if self._rollback is not None:
            self._rollback.begin()
        return self._obs

    def step(self, action: Any, pause: float = 2) -> tuple[Any, float, bool, dict[str, Any]]:
        """One step of the agent, as often as it takes."""
        pre, tries = self._obs["screenshot"], 0
        mark = self._rollback.mark() if self._rollback is not None else None
        while True:
            obs, reward, done, info = self._env.step(action, pause)
            if self._rollback is not None:
                self._rollback.note([action])
            if done:  # WAIT goes on; DONE and FAIL end the episode, and there is nothing to judge
                self._obs = obs
                return obs, reward, done, info
            actions = Action.parse_batch(action, "osworld")
            decision = self.gate.watch(pre, self._look, actions, tries=tries, can_roll_back=self._rollback)
            tries += 1
            if decision.move != "retry":
                break
        self._obs = obs | {"screenshot": self._look()}
        if decision.move == "rollback" and self._rollback is not None:
            decision = self.gate.undo(decision, self._rollback, mark)
        self._obs = self._obs | {"verifier": "" if decision.worked else decision.advice}
        return self._obs, reward, done, info | {"viscritic": decision.to_dict()}

    def _look(self) -> bytes:
        return bytes(self._env.controller.get_screenshot())

    def _start_again(self) -> None:
        self._obs = self._env.reset(self._task)

    def _replay(self, action: Any) -> None:
        self._obs = self._env.step(action)[0]
