"""cua's own ComputerAgent, with a scripted agent loop and a board as the computer."""

from __future__ import annotations

import asyncio
import base64
import io

import pytest
from agent_parts import Board, TruthfulScorer
from PIL import Image

from viscritic.actions import Action
from viscritic.agent import GatePolicy
from viscritic.agent.adapters.cua import CuaVerifier

QUICK = GatePolicy(waits=(0.01,), patience=0.0, look_every=0.0)
CALL = {"type": "computer_call", "call_id": "1", "action": {"type": "click", "button": "left", "x": 96, "y": 32}}


def png(board):
    buffer = io.BytesIO()
    Image.fromarray(board.screen()).save(buffer, "PNG")
    return base64.b64encode(buffer.getvalue()).decode()


def test_the_hooks_judge_a_call_and_tell_the_next_turn():
    board = Board(["drop"])

    async def run():
        async def look():
            return png(board)

        verifier = CuaVerifier(TruthfulScorer(), look, policy=QUICK)
        await verifier.on_computer_call_start(CALL)
        board.act(Action("click", 96, 32))
        await verifier.on_computer_call_end(CALL, [])
        told = await verifier.on_llm_start([{"role": "user", "content": "Go"}])
        assert await verifier.on_run_continue({}, [], [])
        await verifier.on_computer_call_end({**CALL, "action": {"type": "screenshot"}}, [])
        assert await verifier.on_llm_start(told[:1]) == told[:1]
        return verifier, told

    verifier, told = asyncio.run(run())
    assert verifier.decisions[0].move == "replan"
    assert verifier.decisions[1] is None
    assert "effect suspected_noop" in told[-1]["content"]


@pytest.mark.filterwarnings("default")  # its own warnings are not ours
def test_the_real_agent_calls_them():
    cua_agent = pytest.importorskip("cua_agent", reason="needs cua-agent: pip install cua-agent")
    from cua_agent.computers import AsyncComputerHandler
    from cua_agent.decorators import register_agent

    board, heard = Board(["drop"]), []

    class Computer(AsyncComputerHandler):
        async def screenshot(self):
            return png(board)

        async def click(self, x, y, button="left"):
            board.act(Action("click", x, y))

        async def get_dimensions(self):
            return 256, 64

        async def get_environment(self):
            return "linux"

    for name in (
        AsyncComputerHandler.__abstractmethods__ if hasattr(AsyncComputerHandler, "__abstractmethods__") else ()
    ):
        if name not in vars(Computer):
            setattr(Computer, name, lambda self, *a, **k: None)
    Computer.__abstractmethods__ = frozenset()

    @register_agent(models="scripted", priority=99)
    class ScriptedLoop:
        async def predict_step(self, messages, **options):
            heard.append(messages)
            if len(heard) == 1:
                return {"output": [CALL], "usage": {}}
            said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done"}]}
            return {"output": [said], "usage": {}}

        async def predict_click(self, *args, **options):
            return None

        def get_capabilities(self):
            return ["step"]

    computer = Computer()
    verifier = CuaVerifier(TruthfulScorer(), computer.screenshot, policy=QUICK)
    agent = cua_agent.ComputerAgent(
        model="scripted", tools=[computer], callbacks=[verifier], screenshot_delay=0, telemetry_enabled=False
    )

    async def run():
        async for _ in agent.run("Press the second square"):
            pass

    asyncio.run(run())
    assert [d.move for d in verifier.decisions] == ["replan"]
    assert "suspected_noop" in str(heard[1])
