"""The MCP server, asked over stdio by the real client."""

from __future__ import annotations

import asyncio
import base64
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "todo-ticked"
MAIN = "from viscritic.cli import main; main()"  # what the console script runs
STEP = {
    "pre": str(EXAMPLE / "pre.webp"),
    "post": str(EXAMPLE / "post.webp"),
    "action": {"action": "click", "x": 334, "y": 363},
    "instruction": "Tick 'Buy oat milk'",
}


@pytest.fixture(scope="module")
def answers():
    """What one session of the server answers: the list of tools, and four calls."""
    pytest.importorskip("mcp.server.mcpserver", reason="needs mcp 2: pip install 'viscritic[agent]'")
    from mcp.client import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client

    server = StdioServerParameters(command=sys.executable, args=["-c", MAIN, "agent", "mcp"])

    async def ask():
        async with Client(stdio_client(server)) as client:
            tools = (await client.list_tools()).tools
            pixels = base64.b64encode((EXAMPLE / "post.webp").read_bytes()).decode()
            calls = [
                STEP,
                {**STEP, "post": f"data:image/webp;base64,{pixels}"},
                {**STEP, "pre": "/nowhere/pre.png"},
                {**STEP, "action": {"kind": "jump"}},
                {**STEP, "action": "pyautogui.click(334, 363)"},
            ]
            return tools, [await client.call_tool("verify", arguments) for arguments in calls]

    return asyncio.run(ask())


def test_the_tool_says_that_it_only_reads(answers):
    (tool,), _ = answers
    assert tool.name == "verify"
    assert tool.annotations.read_only_hint is True
    assert tool.annotations.destructive_hint is False
    assert set(tool.input_schema["required"]) == {"pre", "post", "action"}
    assert "state" in tool.output_schema["properties"]


def test_the_answer_is_structured_and_equals_the_critics(answers, critic):
    answer = answers[1][0].structured_content
    verdict = critic.score(*(STEP[name] for name in ("pre", "post", "action", "instruction")))
    assert answer["state"] == verdict.state
    assert answer["success"] == pytest.approx(verdict.success, abs=1e-3)
    assert answer["note"] == verdict.note
    assert answer["safe_to_repeat"] is False  # a tick would be taken back


def test_screens_may_come_as_data_urls_and_actions_as_code(answers):
    first, same, _, _, code = answers[1]
    for other in (same, code):
        assert other.structured_content["success"] == first.structured_content["success"]


@pytest.mark.parametrize(("call", "told"), [(2, "/nowhere/pre.png"), (3, "jump")])
def test_bad_input_is_an_error_of_the_tool_and_not_the_end_of_the_server(answers, call, told):
    answer = answers[1][call]
    assert answer.is_error
    assert told in answer.content[0].text
