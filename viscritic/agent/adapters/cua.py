"""cua (`cua-agent`): a callback that judges each computer call, and tells the model before its next turn.

    verifier = CuaVerifier(Critic.load(), look=computer.interface.screenshot)
    agent = ComputerAgent(model=..., tools=[computer], callbacks=[verifier])

The agent hands its callbacks copies, so what the verifier says goes into the messages of the next turn
(`on_llm_start`); `stop` ends the run (`on_run_continue`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

from viscritic.agent.environment import Scorer
from viscritic.agent.gate import CriticGate, GateDecision
from viscritic.agent.log import StepLog
from viscritic.agent.policy import GatePolicy
from viscritic.errors import ActionError

# The words that cua itself has for what became of an action.
EFFECTS: Final = {
    "confirmed": "confirmed", "failed": "suspected_noop", "unsure": "unverifiable", "pending": "unverifiable",
}  # fmt: skip
_LOOKING: Final = ("screenshot", "get_dimensions", "get_environment", "get_current_url")


class CuaVerifier:
    """A callback for `ComputerAgent(callbacks=[...])`; cua asks for methods, not for a base class.

    Args:
        critic: a scorer.
        look: takes the computer's screenshot, as bytes, a data-URL or bare base64 (what a computer handler's
            `screenshot` gives).
        task: the whole goal in words.
        policy, log: of the gate.

    Attributes:
        decisions: of the calls so far; None for a call that only looked.
    """

    def __init__(
        self,
        critic: Scorer,
        look: Callable[[], Awaitable[str | bytes]],
        *,
        task: str = "",
        policy: GatePolicy | None = None,
        log: StepLog | None = None,
    ) -> None:
        self.gate, self._take = CriticGate(critic, policy, task=task, log=log), look
        self.decisions: list[GateDecision | None] = []
        self._pre: str | bytes | None = None
        self._told: str | None = None

    async def _look(self) -> str | bytes:
        taken = await self._take()
        if isinstance(taken, str) and not taken.startswith("data:"):
            return f"data:image/png;base64,{taken}"
        return taken

    async def on_computer_call_start(self, item: dict[str, Any]) -> None:
        """Take the screen before."""
        self._pre = await self._look()

    async def on_computer_call_end(self, item: dict[str, Any], result: list[dict[str, Any]]) -> None:
        """Judge the call."""
        self._told, action = None, item.get("action") or {}
        if self._pre is None or action.get("type") in _LOOKING:
            self.decisions.append(None)
            return
        try:
            decision = await self.gate.watch_async(self._pre, self._look, action)
        except ActionError as error:
            self.decisions.append(None)
            self._told = f"[verifier] the action cannot be judged: {error}"
            return
        self.decisions.append(decision)
        if not decision.worked:
            effect = EFFECTS[decision.state or "unsure"]
            self._told = f"[verifier: {decision.move}, effect {effect}] {decision.advice}"

    async def on_llm_start(self, messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Tell the model."""
        return messages if self._told is None else [*messages, {"role": "user", "content": self._told}]

    async def on_run_continue(self, kwargs: Any, old_items: Any, new_items: Any) -> bool:
        """Whether the run goes on."""
        last = self.decisions[-1] if self.decisions else None
        return last is None or last.move != "stop"
