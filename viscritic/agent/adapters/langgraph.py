"""LangGraph: a node between the action and the model call, and the edge that follows from it.

    graph.add_node("verify", verify_node(gate, look))
    graph.add_edge("act", "verify")
    graph.add_conditional_edges("verify", move_of, {"proceed": "think", "replan": "think", "retry": "act", ...})

The state holds `pre` (the screen before), `action` and, if you like, `instruction`; the node adds `verdict` (the
decision as a dict) and `tries`. LangGraph itself is not imported: a node is a function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from viscritic.agent.gate import CriticGate
from viscritic.screen import ScreenSource


def verify_node(gate: CriticGate, look: Callable[[], ScreenSource]) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """A node that judges the action that was sent just now.

    Args:
        gate: of the run.
        look: takes the screen now.
    """

    def verify(state: Mapping[str, Any]) -> dict[str, Any]:
        tries = state.get("tries") or 0
        decision = gate.watch(
            state["pre"], look, state["action"], state.get("instruction") or "",
            element=state.get("element") or "", tries=tries,
        )  # fmt: skip
        return {
            "verdict": decision.to_dict() | {"advice": decision.advice},
            "tries": tries + 1 if decision.move == "retry" else 0,
        }

    return verify


def move_of(state: Mapping[str, Any]) -> str:
    """The gate's move, for `add_conditional_edges`."""
    return str(state["verdict"]["move"])
