"""What the computer-use loops of OpenAI and Anthropic share: do the actions of one call, judge them as one step."""

from __future__ import annotations

import base64
import io
from typing import Any, Final

from PIL import Image

from viscritic.actions import Action
from viscritic.agent.environment import Environment
from viscritic.agent.gate import CriticGate, GateDecision
from viscritic.agent.rollback.ladder import Rollback
from viscritic.errors import AgentError
from viscritic.screen import Screen, load_screen

_LOOKING: Final = ("screenshot", "zoom", "cursor position")  # actions of kind `other` that only look


class ComputerSession:
    """An environment behind a gate, spoken to in a model's dialect.

    Args:
        environment: what is acted on.
        gate: judges, waits, repeats what is safe, undoes.
        rollback: a way back, if there is one.
    """

    def __init__(self, environment: Environment, gate: CriticGate, rollback: Rollback | None = None) -> None:
        self._environment, self._gate, self._rollback = environment, gate, rollback

    def perform(self, actions: Any, dialect: str, instruction: str = "") -> tuple[Screen, GateDecision | None]:
        """Do a call's actions; returns the screen afterwards and the decision, None where nothing was done but looking.

        Raises:
            ActionError: the model's actions cannot be understood; nothing was done.
            AgentError: the environment died; the message says how.
        """
        screen = load_screen(self._environment.screen())
        read = Action.parse_batch(actions, dialect, (screen.shape[1], screen.shape[0]))
        doing = tuple(action for action in read if not (action.kind == "other" and action.text in _LOOKING))
        if not doing:
            return screen, None
        decision = self._gate.step(self._environment, doing, instruction, rollback=self._rollback)
        if decision.screen is None:
            raise AgentError(decision.reason)
        # A rollback has changed the screen after it was judged.
        undone = decision.restored is not None
        return load_screen(self._environment.screen()) if undone else decision.screen, decision


def advice_for(decision: GateDecision | None) -> str | None:
    """What the model is told beside the screenshot; None where the step was confirmed."""
    return None if decision is None or decision.worked else f"[verifier: {decision.move}] {decision.advice}"


def encode_png(screen: Screen) -> str:
    """The screen as base64 of a PNG."""
    buffer = io.BytesIO()
    Image.fromarray(screen).save(buffer, "PNG", compress_level=1)
    return base64.b64encode(buffer.getvalue()).decode()
