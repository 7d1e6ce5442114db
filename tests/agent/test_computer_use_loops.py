"""The loops of OpenAI and Anthropic: their own clients, a server that plays the model, a real page."""

from __future__ import annotations

import pytest
from agent_parts import CONFIRMED, NO_OP, Board, Clock, Scripted, TruthfulScorer
from model_server import ModelServer

from viscritic.agent import CriticGate, GatePolicy
from viscritic.agent.adapters.anthropic import AnthropicComputer
from viscritic.agent.adapters.openai import OpenAIComputer
from viscritic.agent.page_environment import PageEnvironment
from viscritic.errors import AgentError
from viscritic.screen import load_screen

QUICK = GatePolicy(waits=(0.1,), patience=0.0, settle_seconds=1.0)


def gate_of(critic, policy=QUICK):
    clock = Clock()
    return CriticGate(critic, policy, sleep=clock.sleep, clock=clock)


def call(*actions, checks=()):
    return {"type": "computer_call", "id": "cu", "call_id": "call_1", "actions": list(actions), "status": "completed",
            "pending_safety_checks": list(checks)}  # fmt: skip


CLICK = {"type": "click", "button": "left", "x": 96, "y": 32}


def test_openai_a_batch_is_done_in_order_and_judged_once():
    critic, board = Scripted([CONFIRMED]), Board()
    items = OpenAIComputer(board, gate_of(critic)).handle(call(CLICK, {**CLICK, "x": 32}), "Press both")
    assert (board.cells, len(critic.asked)) == ([1, 1, 0, 0], 1)
    assert [item.get("type") for item in items] == ["computer_call_output"]
    assert items[0]["call_id"] == "call_1"
    assert (load_screen(items[0]["output"]["image_url"]) == board.screen()).all()


def test_openai_what_failed_is_told_beside_the_screenshot():
    output, told = OpenAIComputer(Board(["drop"]), gate_of(TruthfulScorer())).handle(call(CLICK))
    assert output["type"] == "computer_call_output"
    assert told["role"] == "developer"
    assert "verifier: replan" in told["content"]


def test_openai_a_screenshot_only_looks():
    critic = Scripted([NO_OP])
    assert len(OpenAIComputer(Board(), gate_of(critic)).handle(call({"type": "screenshot"}))) == 1
    assert critic.asked == []


def test_openai_a_safety_check_that_nobody_acknowledged_is_not_passed():
    board, check = Board(), {"id": "1", "code": "malicious", "message": "Looks odd"}
    _, told = OpenAIComputer(board, gate_of(TruthfulScorer())).handle(call(CLICK, checks=[check]))
    assert board.sent == []
    assert "Looks odd" in told["content"]
    computer = OpenAIComputer(board, gate_of(TruthfulScorer()), acknowledge=lambda check: True)
    assert computer.handle(call(CLICK, checks=[check]))[0]["acknowledged_safety_checks"] == [check]
    assert len(board.sent) == 1


def test_openai_an_action_that_is_none_is_told_and_not_done():
    board = Board()
    _, told = OpenAIComputer(board, gate_of(TruthfulScorer())).handle(call({"type": "fly"}))
    assert "cannot be understood" in told["content"]
    assert board.sent == []


def test_a_dead_environment_ends_the_loop_with_its_reason():
    with pytest.raises(AgentError, match="browser has gone"):
        OpenAIComputer(Board(["die"]), gate_of(TruthfulScorer())).handle(call(CLICK))


def use(number, **given):
    return {"type": "tool_use", "id": f"use_{number}", "name": "computer", "input": given}


def test_anthropic_the_blocks_of_a_message_are_one_step():
    critic, board = Scripted([CONFIRMED]), Board()
    content = [
        {"type": "text", "text": "I press both"},
        use(1, action="left_click", coordinate=[96, 32]),
        use(2, action="left_click", coordinate=[32, 32]),
    ]
    results = AnthropicComputer(board, gate_of(critic)).handle(content)
    assert (board.cells, len(critic.asked)) == ([1, 1, 0, 0], 1)
    assert [result["tool_use_id"] for result in results] == ["use_1", "use_2"]
    assert [part["type"] for part in results[1]["content"]] == ["image"]


def test_anthropic_what_failed_is_told_with_the_screenshot():
    content = [use(1, action="left_click", coordinate=[96, 32])]
    (result,) = AnthropicComputer(Board(["drop"]), gate_of(TruthfulScorer())).handle(content)
    assert [part["type"] for part in result["content"]] == ["image", "text"]
    assert "replan" in result["content"][1]["text"]


def test_anthropic_an_action_that_is_none_is_an_error_of_the_tool():
    (result,) = AnthropicComputer(Board(), gate_of(TruthfulScorer())).handle([use(1, action="fly")])
    assert result["is_error"]


def test_anthropic_a_message_without_calls_needs_no_answer():
    assert AnthropicComputer(Board(), gate_of(TruthfulScorer())).handle([{"type": "text", "text": "Done"}]) == []


@pytest.mark.browser
def test_openai_the_whole_loop_with_its_client(page):
    openai = pytest.importorskip("openai", reason="needs openai: pip install openai")
    box = page.locator("#add").bounding_box()
    response = {"id": "r1", "object": "response", "created_at": 0, "model": "scripted", "parallel_tool_calls": True,
                "tool_choice": "auto", "tools": [], "status": "completed"}  # fmt: skip
    click = {"type": "click", "button": "left", "x": int(box["x"] + 5), "y": int(box["y"] + 5)}
    said = {"type": "message", "id": "m", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": "Two are in the cart.", "annotations": []}]}  # fmt: skip
    answers = [response | {"output": [call(click, click)]}, response | {"id": "r2", "output": [said]}]
    with ModelServer(answers) as server, openai.OpenAI(base_url=server.url, api_key="none", max_retries=0) as client:
        computer = OpenAIComputer(PageEnvironment(page), CriticGate(Scripted([NO_OP]), QUICK))
        assert computer.run(client, "Put two into the cart", model="scripted") == "Two are in the cart."
    assert page.evaluate("count.textContent") == "5"
    assert server.requests[1]["previous_response_id"] == "r1"
    assert [item.get("type", item.get("role")) for item in server.requests[1]["input"]] == [
        "computer_call_output", "developer",
    ]  # fmt: skip


@pytest.mark.browser
def test_anthropic_the_whole_loop_with_its_client(page):
    anthropic = pytest.importorskip("anthropic", reason="needs anthropic: pip install anthropic")
    box = page.locator("#name").bounding_box()
    message = {"id": "m1", "type": "message", "role": "assistant", "model": "scripted", "stop_reason": "tool_use",
               "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}  # fmt: skip
    at = [int(box["x"] + 5), int(box["y"] + 5)]
    calls = [use(1, action="left_click", coordinate=at), use(2, action="type", text="Ada")]
    answers = [message | {"content": calls}, message | {"content": [{"type": "text", "text": "Typed."}]}]
    with (
        ModelServer(answers) as server,
        anthropic.Anthropic(base_url=server.url, api_key="none", max_retries=0) as client,
    ):
        computer = AnthropicComputer(PageEnvironment(page), CriticGate(Scripted([CONFIRMED]), QUICK))
        assert computer.run(client, "Type the name", model="scripted", size=(640, 560)) == "Typed."
    assert page.input_value("#name") == "Ada"
    assert len(server.requests[1]["messages"][-1]["content"]) == 2
