"""Every example of docs/agents.md is executed as it stands there.

What cannot be had in a test (other people's agents and machines) is stood in for by its documented interface; the
adapters' own tests use the real packages where they are installed.
"""

from __future__ import annotations

import ast
import asyncio
import inspect
import json
import re
import shlex
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, TypedDict

import numpy as np
import pytest
from agent_parts import CONFIRMED, Board, Scripted
from model_server import ModelServer
from test_browsergym_adapter import Stub
from test_computer_use_loops import CLICK, call, use
from test_device_adapters import Desktop, Phone

import viscritic
from viscritic.agent import read_log

PAGE = (Path(__file__).parents[2] / "docs" / "agents.md").read_text("utf-8")
RIGHT = '{"kind": "click", "x": 96, "y": 32}'


def blocks(heading, language="python"):
    """The code below a heading of the page."""
    section = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)
    assert section is not None, heading
    return re.findall(rf"^```{language}\n(.*?)^```$", section[1], re.DOTALL | re.MULTILINE)


def execute(code, **given):
    """What a block defines; it may await."""
    names = {"__name__": "example", **given}
    compiled = compile(code, "docs/agents.md", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    if compiled.co_flags & inspect.CO_COROUTINE:
        with ThreadPoolExecutor(1) as pool:  # Playwright keeps a loop in this thread
            pool.submit(lambda: asyncio.run(eval(compiled, names))).result()
    else:
        exec(compiled, names)
    return names


@pytest.fixture(autouse=True)
def critic_that_confirms(monkeypatch, tmp_path):
    """One that is asked by `Critic.load()`; files go to an empty folder."""
    critic = Scripted([CONFIRMED])
    monkeypatch.setattr(viscritic.Critic, "load", lambda *args, **kwargs: critic)
    monkeypatch.chdir(tmp_path)
    return critic


def stand_in(monkeypatch, name, **members):
    """A package that is not there, by its documented interface."""
    parts = name.split(".")
    for length in range(1, len(parts) + 1):
        module = ModuleType(".".join(parts[:length]))
        module.__path__ = []
        monkeypatch.setitem(sys.modules, module.__name__, module)
    for member, value in members.items():
        setattr(sys.modules[name], member, value)


def test_your_own_loop(capsys):
    execute(*blocks("Your own loop"), environment=Board())
    assert capsys.readouterr().out.startswith("proceed It seems to have worked")
    assert [row["move"] for row in read_log("run")] == ["proceed"]


@pytest.mark.browser
def test_playwright(page, monkeypatch, capsys):
    """The page's own text with a real browser; example.org is another page."""
    sync_api = sys.modules["playwright.sync_api"]
    chromium = SimpleNamespace(launch=lambda: SimpleNamespace(new_page=lambda: page))

    class Running:
        def __enter__(self):
            return SimpleNamespace(chromium=chromium)

        def __exit__(self, *error):
            pass

    monkeypatch.setattr(sync_api, "sync_playwright", Running)
    page.context.route("https://example.org/", lambda route: route.fulfill(
        content_type="text/html", body="<a href='about:blank'>More information</a>"))  # fmt: skip
    execute(*blocks("Playwright"))
    assert page.url == "about:blank"
    assert capsys.readouterr().out == ""


def test_gymnasium(capsys, monkeypatch):
    pytest.importorskip("gymnasium", reason="needs: pip install 'viscritic[agent]'")
    pytest.importorskip("pygame", reason="needs: pip install 'viscritic[agent]'")
    lake, _ = blocks("Gymnasium, BrowserGym")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    execute(lake)
    assert "seems to have worked" in capsys.readouterr().out


def test_browsergym(capsys, monkeypatch):
    gymnasium = pytest.importorskip("gymnasium", reason="needs: pip install 'viscritic[agent]'")
    _, button = blocks("Gymnasium, BrowserGym")
    stand_in(monkeypatch, "browsergym.miniwob")
    monkeypatch.setattr(gymnasium, "make", lambda name: Stub())
    names = execute(button)
    assert capsys.readouterr().out.strip() == ""  # nothing to be told of a step that worked
    assert names["info"]["viscritic"]["move"] == "proceed"


def test_openai(capsys, monkeypatch, critic_that_confirms):
    pytest.importorskip("openai", reason="needs openai: pip install openai")
    first, _ = blocks("OpenAI and Anthropic computer use")
    said = {"type": "output_text", "text": "Done.", "annotations": []}
    message = {"type": "message", "id": "m1", "role": "assistant", "status": "completed", "content": [said]}
    answers = [
        {"id": "resp_1", "object": "response", "created_at": 0, "model": "m", "output": [item],
         "parallel_tool_calls": False, "tool_choice": "auto", "tools": []}
        for item in (call(CLICK), message)
    ]  # fmt: skip
    with ModelServer(answers) as server:
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        execute_on_board(first, monkeypatch)
    assert "Done." in capsys.readouterr().out
    assert len(critic_that_confirms.asked) == 1


def test_anthropic(capsys, monkeypatch, critic_that_confirms):
    pytest.importorskip("anthropic", reason="needs anthropic: pip install anthropic")
    _, second = blocks("OpenAI and Anthropic computer use")
    acting = [use(1, action="left_click", coordinate=[96, 32])]
    answers = [
        {"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content, "stop_reason": reason,
         "stop_sequence": None, "usage": {"input_tokens": 1, "output_tokens": 1}}
        for content, reason in ((acting, "tool_use"), ([{"type": "text", "text": "Done."}], "end_turn"))
    ]  # fmt: skip
    with ModelServer(answers) as server:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "none")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url)
        execute_on_board(second, monkeypatch)
    assert "Done." in capsys.readouterr().out
    assert len(critic_that_confirms.asked) == 1


def execute_on_board(code, monkeypatch):
    """With a board where the example has a page."""
    from viscritic.agent import page_environment

    monkeypatch.setattr(page_environment, "PageEnvironment", lambda page: Board())
    return execute(code, page=None, model="m")


def test_browser_use(monkeypatch, critic_that_confirms):
    class Agent:
        def __init__(self, task, llm, browser_session):
            self.browser_session = browser_session

        async def run(self, on_step_start, on_step_end):
            assert (on_step_start.__self__ is on_step_end.__self__) and inspect.iscoroutinefunction(on_step_end)
            self.ran = True

    stand_in(monkeypatch, "browser_use", Agent=Agent, BrowserSession=lambda highlight_elements: highlight_elements)
    names = execute(*blocks("browser-use"), task="Buy", llm=None)
    assert names["agent"].ran
    assert names["agent"].browser_session is False


def test_cua(monkeypatch):
    made = []
    stand_in(monkeypatch, "cua_agent", ComputerAgent=lambda model, tools, callbacks: made.extend(callbacks))
    computer = SimpleNamespace(interface=SimpleNamespace(screenshot=lambda: None))
    execute(*blocks("cua"), computer=computer, model="m", task="Buy")
    assert hasattr(made[0], "on_computer_call_end")


class State(TypedDict, total=False):
    """Of the graph."""

    pre: Any
    action: dict
    verdict: dict
    turns: int


def test_langgraph():
    graphs = pytest.importorskip("langgraph.graph", reason="needs langgraph: pip install langgraph")
    board = Board()

    def act(state):
        pre = board.screen()
        return board.act(viscritic.Action("click", 96, 32)) or {"pre": pre, "action": json.loads(RIGHT)}

    graph = graphs.StateGraph(State)
    graph.add_node("act", act)
    graph.add_node("think", lambda state: {"turns": 1})
    graph.add_edge(graphs.START, "act")
    execute(*blocks("LangGraph"), graph=graph, look=board.screen)
    state = graph.compile().invoke({})
    assert (state["verdict"]["worked"], state["turns"]) == (True, 1)


def test_osworld_and_androidworld(monkeypatch, capsys):
    osworld, androidworld = blocks("OSWorld, AndroidWorld")
    stand_in(monkeypatch, "desktop_env.desktop_env", DesktopEnv=lambda action_space: Desktop())
    names = execute(osworld, task_config={"id": "1"})
    assert names["info"]["viscritic"]["worked"] is True
    assert capsys.readouterr().out == "\n"
    phone = Phone([{"action_type": "click", "x": 96, "y": 32}])
    stand_in(monkeypatch, "android_world.agents.m3a", M3A=lambda env, llm: phone)
    assert execute(androidworld, env=None, llm=None, goal="Press it")["result"].done is False


def test_rewards(monkeypatch):
    trl, verl = blocks("Rewards: TRL, verl")
    made = []
    stand_in(monkeypatch, "trl", GRPOTrainer=lambda model, reward_funcs, train_dataset: made.append(reward_funcs))
    execute(trl, model="m", dataset=[])
    answers = made[0](
        prompts=["p"], completions=["I would rather not"], completion_ids=[[1]], trainer_state=None,
        log_extra=lambda *a: None, log_metric=lambda *a: None,
    )  # fmt: skip
    assert answers == [0.0]
    screen = np.zeros((64, 256, 3), np.uint8)
    names = execute(verl, execute=lambda actions, row: (screen, screen))
    scored = names["compute_score"]("set", RIGHT, None, {})
    assert (scored["score"] if isinstance(scored, dict) else scored) == CONFIRMED.success


def test_cradle(capsys):
    calls = ["click_at_position(x=0.1, y=0.5, mouse_button='left') # Colour the first square", "done()"]
    planner = SimpleNamespace(ask=lambda prompt, screen: calls.pop(0))
    execute(*blocks("Cradle's loop: skills, reflection, memory"), environment=Board(), planner=planner)
    assert capsys.readouterr().out == "{'status': 'done', 'steps': 1, 'note': ''}\n"
    assert json.loads(Path("skills.json").read_text())["macros"]


def test_the_client_settings_of_mcp_name_a_command_that_is_there():
    (server,) = json.loads(*blocks("MCP", "json"))["mcpServers"].values()
    assert server["command"] == "viscritic"
    find_command(server["args"])


def test_every_command_line_is_one_that_the_program_knows():
    found = 0
    for line in re.findall(r"^viscritic .*$", PAGE, re.MULTILINE):
        words = shlex.split(line.split(" #")[0].split("   ")[0].replace(" | ", "|"), comments=True)[1:]
        names = words[2].split("|") if len(words) > 2 and words[1] == "macro" else [None]
        for name in names if "|" in line.split("#")[0] else [None]:
            command = find_command([*words[:2], name] if name else words)
            known = {option for parameter in command.params for option in parameter.opts}
            assert {word for word in words if word.startswith("--")} <= known, line
            found += 1
    assert found >= 6


def find_command(words):
    """The command that words name."""
    import typer.main

    from viscritic.cli import app

    command = typer.main.get_command(app)
    for word in words:
        if not hasattr(command, "commands"):
            break
        assert word in command.commands, f"there is no {' '.join(words)}"
        command = command.commands[word]
    return command
