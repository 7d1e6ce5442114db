"""The node in a real LangGraph graph, with a board as the GUI and a script as the model."""

from __future__ import annotations

from typing import Any, TypedDict

import pytest
from agent_parts import Board, Clock, TruthfulScorer

from viscritic.actions import Action
from viscritic.agent import CriticGate
from viscritic.agent.adapters.langgraph import move_of, verify_node

graphs = pytest.importorskip("langgraph.graph", reason="needs langgraph: pip install langgraph")


class State(TypedDict, total=False):
    pre: Any
    action: dict
    element: str
    tries: int
    verdict: dict
    turns: int


def run(board: Board, element: str) -> dict:
    clock = Clock()
    gate = CriticGate(TruthfulScorer(), sleep=clock.sleep, clock=clock)

    def think(state: State) -> dict:
        return {"action": {"kind": "click", "x": 96, "y": 32}, "element": element, "turns": state.get("turns", 0) + 1}

    def act(state: State) -> dict:
        pre = board.screen()
        board.act(Action.from_dict(state["action"]))
        return {"pre": pre}

    graph = graphs.StateGraph(State)
    graph.add_node("think", think)
    graph.add_node("act", act)
    graph.add_node("verify", verify_node(gate, board.screen))
    graph.add_edge(graphs.START, "think")
    graph.add_edge("think", "act")
    graph.add_edge("act", "verify")
    ways = {"proceed": graphs.END, "retry": "act", "replan": "think", "rollback": "think", "stop": graphs.END}
    graph.add_conditional_edges("verify", move_of, ways)
    return graph.compile().invoke({})


def test_a_step_that_works_goes_on():
    state = run(Board(), "")
    assert (state["turns"], state["verdict"]["worked"]) == (1, True)
    assert state["verdict"]["advice"]


def test_a_lost_click_on_a_link_goes_back_to_the_action():
    board = Board(["drop", "drop"])
    state = run(board, "link 'it'")
    assert (state["turns"], len(board.sent), board.cells) == (1, 3, [0, 1, 0, 0])


def test_a_lost_click_on_the_unknown_goes_back_to_the_model():
    board = Board(["drop"])
    state = run(board, "")
    assert (state["turns"], board.cells) == (2, [0, 1, 0, 0])
