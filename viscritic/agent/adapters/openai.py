"""OpenAI's computer use (Responses API): each `computer_call`, with one action or several, is one judged step.

    computer = OpenAIComputer(PageEnvironment(page), CriticGate(Critic.load(), task=task))
    answer = computer.run(openai.OpenAI(), task, model="computer-use-preview")

`handle` alone serves loops that exist already: it takes the call and returns the items of the next request's input.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from viscritic.agent.adapters.computer_use import ComputerSession, advice_for, encode_png
from viscritic.agent.environment import Environment
from viscritic.agent.gate import CriticGate, GateDecision
from viscritic.agent.rollback.ladder import Rollback
from viscritic.errors import ActionError, AgentError
from viscritic.screen import load_screen


class OpenAIComputer:
    """Answers computer calls.

    Args:
        environment: what is acted on.
        gate: judges the steps.
        rollback: a way back, if there is one.
        acknowledge: whether a pending safety check of the API may be passed; nobody's by default, so such a call is not
            done.
    """

    def __init__(
        self,
        environment: Environment,
        gate: CriticGate,
        rollback: Rollback | None = None,
        acknowledge: Callable[[Mapping[str, Any]], bool] = lambda check: False,
    ) -> None:
        self._session, self._gate = ComputerSession(environment, gate, rollback), gate
        self._environment, self._acknowledge = environment, acknowledge
        self.last: GateDecision | None = None

    def handle(self, call: Any, instruction: str = "") -> list[dict[str, Any]]:
        """Do a call and judge it: the `computer_call_output`, and a message of the verifier where it was not confirmed.

        Args:
            call: the item, as the client's object or a dict.
            instruction: what the model said it was about to do.

        Raises:
            AgentError: the environment died.
        """
        item = call if isinstance(call, Mapping) else call.model_dump(exclude_none=True)
        checks = [dict(check) for check in item.get("pending_safety_checks") or ()]
        refused = [check for check in checks if not self._acknowledge(check)]
        if refused:
            told = f"Not done: nobody has acknowledged the safety check ({refused[0].get('message')})."
            return self._output(item, load_screen(self._environment.screen()), [], told)
        try:
            screen, self.last = self._session.perform(_actions(item), "openai", instruction)
            told = advice_for(self.last) or ""
        except ActionError as error:
            screen, told = (
                load_screen(self._environment.screen()),
                f"Not done, the action cannot be understood: {error}",
            )
        return self._output(item, screen, checks, told)

    def run(self, client: Any, task: str, *, model: str, steps: int = 50, **options: Any) -> str:
        """The whole loop, until the model calls no more; returns its last words.

        Args:
            client: an `openai.OpenAI`.
            options: further arguments of `client.responses.create`; `tools` defaults to the computer tool.

        Raises:
            AgentError: the environment died, the gate stopped the run, or `steps` calls were not enough.
        """
        self._gate.begin(task)
        options.setdefault("tools", [{"type": "computer"}])
        options.setdefault("truncation", "auto")
        answer = client.responses.create(model=model, input=task, **options)
        for _ in range(steps):
            calls = [item for item in answer.output if item.type == "computer_call"]
            if not calls:
                return str(answer.output_text)
            items = [entry for call in calls for entry in self.handle(call, _said(answer))]
            if self.last is not None and self.last.move == "stop":
                raise AgentError(self.last.reason)
            answer = client.responses.create(model=model, input=items, previous_response_id=answer.id, **options)
        raise AgentError(f"the task was not finished in {steps} calls")

    @staticmethod
    def _output(item: Mapping[str, Any], screen: Any, checks: list[Any], told: str) -> list[dict[str, Any]]:
        image = {"type": "computer_screenshot", "image_url": f"data:image/png;base64,{encode_png(screen)}"}
        output = {"type": "computer_call_output", "call_id": item["call_id"], "output": image}
        if checks:
            output["acknowledged_safety_checks"] = checks
        return [output, *([{"role": "developer", "content": told}] if told else [])]


def _actions(item: Mapping[str, Any]) -> Any:
    return item.get("actions") or item.get("action")


def _said(answer: Any) -> str:
    return " ".join(str(answer.output_text).split())[-300:]
