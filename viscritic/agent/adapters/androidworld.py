"""AndroidWorld: any of its agents, with every step judged and told to it.

    agent = VerifiedAndroidAgent(m3a.M3A(env, llm), critic)
    while not (result := agent.step(goal)).done: ...

After each step the agents keep `data` in their history and read its `summary` into the next prompt; the verifier's
words are added there.
"""

from __future__ import annotations

from typing import Any, Final

from viscritic.actions import Action
from viscritic.agent.environment import Scorer
from viscritic.agent.gate import CriticGate, GateDecision
from viscritic.agent.log import StepLog
from viscritic.agent.policy import GatePolicy
from viscritic.errors import ActionError

_ENDING: Final = ("status", "answer")


class VerifiedAndroidAgent:
    """Steps as the agent does; everything else is the agent's own.

    Args:
        agent: an `EnvironmentInteractingAgent` (M3A, T3A, ...).
        critic: a scorer.
        policy, log: of the gate.

    Attributes:
        decisions: of the steps so far; None for a step that did nothing on the device.
    """

    def __init__(
        self, agent: Any, critic: Scorer, *, policy: GatePolicy | None = None, log: StepLog | None = None
    ) -> None:
        self._agent, self.gate = agent, CriticGate(critic, policy, log=log)
        self.decisions: list[GateDecision | None] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._agent, name)

    def reset(self, go_home: bool = False) -> None:
        """A new task."""
        self._agent.reset(go_home)
        self.gate.begin()
        self.decisions.clear()

    def step(self, goal: str) -> Any:
        """One step of the agent, judged; returns the agent's own result."""
        self.gate.task = goal
        pre = self._pixels()
        result = self._agent.step(goal)
        self.decisions.append(self._judge(pre, result))
        return result

    def _judge(self, pre: Any, result: Any) -> GateDecision | None:
        action = _read_action(result.data)
        if action is None or action.get("action_type") in _ENDING:
            return None
        try:
            actions = Action.parse_batch(action, "androidworld", (pre.shape[1], pre.shape[0]))
            decision = self.gate.watch(pre, self._pixels, actions)
        except ActionError:  # what the agent could not do either
            return None
        if not decision.worked:
            told = f"[verifier: {decision.move}] {decision.advice}"
            summary = result.data.get("summary")
            result.data["summary"] = f"{summary} {told}" if summary else told
        return decision

    def _pixels(self) -> Any:
        return self._agent.env.get_state(wait_to_stabilize=False).pixels


def _read_action(data: Any) -> dict[str, Any] | None:
    """The JSONAction of a step: the agents keep it as an object, with `as_dict`, or as a dict."""
    action = data.get("action_output_json") or data.get("converted_action")
    if action is None:
        return None
    found = action.as_dict(skip_none=True) if hasattr(action, "as_dict") else dict(action)
    return {name: value for name, value in found.items() if value is not None}
