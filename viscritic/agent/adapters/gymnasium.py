"""Gymnasium: a wrapper that judges every step, and undoes by replaying the actions from the episode's seed.

```
env = VerifiedEnv(gymnasium.make("..."), critic, to_action=..., look=lambda env, obs: env.render())
obs, reward, terminated, truncated, info = env.step(action)
info["viscritic"]["reason"]
```
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from viscritic.agent.environment import Scorer
from viscritic.agent.gate import CriticGate, GateDecision
from viscritic.agent.log import StepLog
from viscritic.agent.policy import GatePolicy
from viscritic.agent.rollback.replay import ReplayRollback
from viscritic.errors import MissingExtraError
from viscritic.screen import ScreenSource

try:
    import gymnasium
except ImportError as error:
    raise MissingExtraError("The Gymnasium adapter", "agent", "gymnasium") from error

Look = Callable[[Any, Any], ScreenSource]  # (environment, latest observation) -> screen
Reading = Callable[[Any, Any], Any]  # (action, observation before it) -> what Action.parse_batch reads


class VerifiedEnv(gymnasium.Wrapper[Any, Any, Any, Any]):
    """Any environment that can be looked at.

    Args:
        env: the environment.
        critic: a scorer.
        look: the screen; by default `env.render()`, so make the environment with render_mode="rgb_array".
        to_action: the environment's action as something that `Action.parse_batch` reads; by default itself.
        instruction, element: the step's intent, and what it acts on, in words, from (action, observation).
        task: the whole goal in words, from the first observation.
        policy: of the gate. Where time stands still between steps, waits=() is right.
        rollback: undo steps that went wrong: reset to the seed, and replay.
        log: where decisions go.

    Retries and rollbacks happen within `step`, which then returns the last observation and the sum of rewards. After an
    episode's end nothing is repeated or undone. `info["viscritic"]` is the decision.
    """

    def __init__(
        self,
        env: Any,
        critic: Scorer,
        *,
        look: Look | None = None,
        to_action: Reading | None = None,
        instruction: Callable[[Any, Any], str] | None = None,
        element: Callable[[Any, Any], str] | None = None,
        task: Callable[[Any], str] | None = None,
        policy: GatePolicy | None = None,
        rollback: bool = True,
        log: StepLog | None = None,
    ) -> None:
        super().__init__(env)
        self._look: Look = look or (lambda env, obs: env.render())
        self._to_action: Reading = to_action or (lambda action, obs: action)
        self._instruction = instruction or (lambda action, obs: "")
        self._element = element or (lambda action, obs: "")
        self._task = task or (lambda obs: "")
        self.gate = CriticGate(critic, policy, log=log)
        self.rollback = ReplayRollback(self._start_again, self._replay, self.screen) if rollback else None
        self._obs: Any = None
        self._info: dict[str, Any] = {}
        self._seed = 0
        self._options: dict[str, Any] | None = None

    def screen(self) -> ScreenSource:
        """The screen now."""
        return self._look(self.env, self._obs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode; without a seed one is drawn, since a rollback needs it."""
        self._seed = random.randrange(2**31) if seed is None else seed
        self._options = options
        self._start_again()
        if self.rollback is not None:
            self.rollback.begin()
        self.gate.begin(self._task(self._obs))
        return self._obs, self._info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """One step of the agent, as often as it takes."""
        before, pre = self._obs, self.screen()
        mark = self.rollback.mark() if self.rollback is not None else None
        total, tries = 0.0, 0
        while True:
            obs, reward, terminated, truncated, info = self.env.step(action)
            self._obs, total = obs, total + float(reward)
            if self.rollback is not None:
                self.rollback.note([action])
            decision = self.gate.watch(
                pre, self.screen, self._to_action(action, before), self._instruction(action, before),
                element=self._element(action, before), tries=tries,
                can_roll_back=None if terminated or truncated else self.rollback,
            )  # fmt: skip
            tries += 1
            if decision.move != "retry" or terminated or truncated:
                break
        if decision.move == "rollback" and self.rollback is not None:
            decision = self.gate.undo(decision, self.rollback, mark)
        return self.report(decision, self._obs), total, terminated, truncated, info | {"viscritic": decision.to_dict()}

    def report(self, decision: GateDecision, obs: Any) -> Any:
        """The observation that the agent gets; subclasses may put the advice into it."""
        return obs

    def _start_again(self) -> None:
        self._obs, self._info = self.env.reset(seed=self._seed, options=self._options)

    def _replay(self, action: Any) -> None:
        self._obs = self.env.step(action)[0]
