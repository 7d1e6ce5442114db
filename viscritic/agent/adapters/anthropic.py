"""Anthropic's computer use: the `tool_use` blocks of one message are one judged step.

    computer = AnthropicComputer(PageEnvironment(page), CriticGate(Critic.load(), task=task))
    answer = computer.run(anthropic.Anthropic(), task, model="claude-sonnet-4-5", size=(1280, 800))

`handle` alone serves loops that exist already: it takes a message's content and returns the `tool_result` blocks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from viscritic.agent.adapters.computer_use import ComputerSession, advice_for, encode_png
from viscritic.agent.environment import Environment
from viscritic.agent.gate import CriticGate, GateDecision
from viscritic.agent.rollback.ladder import Rollback
from viscritic.errors import ActionError, AgentError

_TOOL: Final = "computer_20250124"
_BETA: Final = "computer-use-2025-01-24"


class AnthropicComputer:
    """Answers the computer tool.

    Args:
        environment: what is acted on.
        gate: judges the steps.
        rollback: a way back, if there is one.
    """

    def __init__(self, environment: Environment, gate: CriticGate, rollback: Rollback | None = None) -> None:
        self._session, self._gate = ComputerSession(environment, gate, rollback), gate
        self.last: GateDecision | None = None

    def handle(self, content: Sequence[Any]) -> list[dict[str, Any]]:
        """Do all computer blocks of a message, judge them together: one `tool_result` for each.

        The last one carries the screenshot, and the verifier's words where the step was not confirmed.

        Raises:
            AgentError: the environment died.
        """
        blocks = [b if isinstance(b, Mapping) else b.model_dump(exclude_none=True) for b in content]
        calls = [b for b in blocks if b.get("type") == "tool_use" and b.get("name") == "computer"]
        if not calls:
            return []
        instruction = " ".join(" ".join(b["text"].split()) for b in blocks if b.get("type") == "text")[-300:]
        results = [{"type": "tool_result", "tool_use_id": call["id"], "content": "done"} for call in calls]
        try:
            screen, self.last = self._session.perform([c["input"] for c in calls], "anthropic", instruction)
        except ActionError as error:
            told = f"Not done, the action cannot be understood: {error}"
            return [result | {"is_error": True, "content": told} for result in results]
        image = {"type": "base64", "media_type": "image/png", "data": encode_png(screen)}
        told = advice_for(self.last) or ""
        results[-1]["content"] = [
            {"type": "image", "source": image},
            *([{"type": "text", "text": told}] if told else []),
        ]
        return results

    def run(self, client: Any, task: str, *, model: str, size: tuple[int, int], steps: int = 50, **options: Any) -> str:
        """The whole loop, until the model calls no more; returns its last words.

        Args:
            client: an `anthropic.Anthropic`.
            size: (width, height) of the screen in pixels.
            options: further arguments of `client.beta.messages.create`.

        Raises:
            AgentError: the environment died, the gate stopped the run, or `steps` messages were not enough.
        """
        self._gate.begin(task)
        tool = {"type": _TOOL, "name": "computer", "display_width_px": size[0], "display_height_px": size[1]}
        options = {"tools": [tool], "betas": [_BETA], "max_tokens": 4096} | options
        messages: list[Any] = [{"role": "user", "content": task}]
        for _ in range(steps):
            answer = client.beta.messages.create(model=model, messages=messages, **options)
            results = self.handle(answer.content)
            if not results:
                return " ".join(block.text for block in answer.content if block.type == "text")
            if self.last is not None and self.last.move == "stop":
                raise AgentError(self.last.reason)
            said = [block.model_dump(exclude_none=True) for block in answer.content]
            messages += [{"role": "assistant", "content": said}, {"role": "user", "content": results}]
        raise AgentError(f"the task was not finished in {steps} messages")
