"""browser-use: judge each step when it has ended, and tell the model through the step's own result.

    verifier = BrowserUseVerifier(Critic.load(), task=task)
    await agent.run(on_step_start=verifier.on_step_start, on_step_end=verifier.on_step_end)

`register_new_step_callback` would be too early: it is called before the actions are done.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from viscritic.actions import Action
from viscritic.actions.keys import read_chord
from viscritic.agent.environment import Scorer
from viscritic.agent.gate import CriticGate, GateDecision
from viscritic.agent.log import StepLog
from viscritic.agent.policy import GatePolicy
from viscritic.errors import ActionError

_QUIET: Final = (
    "done", "extract", "screenshot", "search_page", "find_elements", "read_file", "write_file", "replace_file",
    "dropdown_options", "save_as_pdf", "find_text", "evaluate", "switch", "close",
)  # fmt: skip
_PAGE: Final = 800.0  # pixels that browser-use scrolls for one page, about


class BrowserUseVerifier:
    """The two hooks of `Agent.run`.

    Args:
        critic: a scorer.
        task: the whole goal in words.
        policy, log: of the gate.

    Attributes:
        decisions: of the steps so far; None for a step that did nothing on the page.
    """

    def __init__(
        self, critic: Scorer, *, task: str = "", policy: GatePolicy | None = None, log: StepLog | None = None
    ) -> None:
        self.gate = CriticGate(critic, policy, task=task, log=log)
        self.decisions: list[GateDecision | None] = []
        self._pre: bytes | None = None

    async def on_step_start(self, agent: Any) -> None:
        """Take the screen before; none where there is no page yet."""
        try:
            self._pre = await agent.browser_session.take_screenshot()
        except Exception:  # before the first navigation there may be nothing to capture
            self._pre = None

    async def on_step_end(self, agent: Any) -> None:
        """Judge what was done, and write into the step's result what the model should know of it."""
        actions, element, words = _read_step(agent)
        if self._pre is None or not actions:
            self.decisions.append(None)
            return
        decision = await self.gate.watch_async(
            self._pre, agent.browser_session.take_screenshot, actions, words, element=element
        )
        self.decisions.append(decision)
        result = agent.state.last_result
        if decision.worked or not result:
            return
        told = f"[verifier: {decision.move}] {decision.advice}"
        last = result[-1]
        if decision.worked is False:
            last.error = f"{last.error}\n{told}" if last.error else told
        else:
            last.long_term_memory = f"{last.long_term_memory}\n{told}" if last.long_term_memory else told
        if decision.move == "stop":
            agent.stop()


def _read_step(agent: Any) -> tuple[tuple[Action, ...], str, str]:
    """The step's actions on the page, what the last of them acted on, and the model's own goal."""
    output, history = agent.state.last_model_output, agent.history.history
    if output is None or not history:
        return (), "", ""
    elements = list(history[-1].state.interacted_element or ())
    results = list(agent.state.last_result or ())
    actions: list[Action] = []
    element = ""
    for i, model in enumerate(output.action[: len(results)]):  # the rest was not carried out
        node = elements[i] if i < len(elements) else None
        metadata = results[i].metadata or {}
        for name, options in model.model_dump(exclude_none=True).items():
            if name not in _QUIET:
                actions.append(_to_action(name, options or {}, _point(node, metadata)))
                element = _describe(node)
    return tuple(actions), element, str(getattr(output, "next_goal", "") or "")


def _to_action(name: str, options: Mapping[str, Any], point: tuple[float, float] | None) -> Action:
    x, y = point or (None, None)
    text = str(options.get("text", options.get("keys", options.get("query", ""))))
    match name:
        case "click":
            action = Action("click", x, y)
        case "input":  # it replaces what stands in the field, unless told otherwise
            action = Action("type", x, y, text=text, raw="fill()" if options.get("clear", True) else None)
        case "navigate" | "search":
            action = Action("navigate", url=str(options.get("url", text)))
        case "go_back":
            action = Action("back")
        case "wait":
            action = Action("wait", seconds=float(options.get("seconds", 3)))
        case "scroll":
            pages = float(options.get("pages", 1)) * (1 if options.get("down", True) else -1)
            action = Action("scroll", x, y, dy=_PAGE * pages)
        case "send_keys":
            action = _read_keys(text)
        case "select_dropdown":
            action = Action("select", x, y, text=text)
        case _:
            action = Action("other", text=name.replace("_", " "))
    return action


def _read_keys(text: str) -> Action:
    try:
        return Action("key", keys=read_chord(text))
    except ActionError:  # several chords, or plain text
        return Action("type", text=text)


def _point(node: Any, metadata: Mapping[str, Any]) -> tuple[float, float] | None:
    x, y = (metadata.get(f"click_{axis}", metadata.get(f"input_{axis}")) for axis in "xy")
    if x is not None and y is not None:
        return float(x), float(y)
    bounds = getattr(node, "bounds", None)
    return None if bounds is None else (bounds.x + bounds.width / 2, bounds.y + bounds.height / 2)


def _describe(node: Any) -> str:
    if node is None:
        return ""
    attributes = node.attributes or {}
    tag = str(node.node_name).lower()
    role = attributes.get("role") or {"a": "link", "textarea": "text field"}.get(tag, tag)
    if tag == "input":
        kind = attributes.get("type", "text")
        role = kind if kind in ("checkbox", "radio") else "button" if kind in ("submit", "button") else "text field"
    name = node.ax_name or attributes.get("aria-label") or ""
    return f"{role} '{name}'" if name else role
