"""Exactly one JSON object, and a macro file that survives two processes."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from model_server import ModelServer

from viscritic.actions import Action
from viscritic.agent.gui.macros import MacroStep, MacroStore
from viscritic.agent.gui.model import CommandModel, EndpointModel
from viscritic.agent.gui.protocol import ProtocolError, read_answer, read_verdict, write_prompt
from viscritic.errors import AgentError, ConfigError

STEPS = [MacroStep(Action("click", 10, 20), "Press it"), MacroStep(Action("key", keys=("ctrl", "s")))]


def test_the_one_object_is_read_with_its_reason():
    answer = read_answer(' {"action": "click", "x": 5, "y": 6, "why": "Open the menu"}\n')
    assert (answer.action, answer.why, answer.note) == (Action("click", 5, 6), "Open the menu", "")
    assert read_answer('{"action": "done"}').note == ""
    assert read_answer('{"action": "done", "note": "no such button"}').note == "no such button"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "empty"),
        ("I will click.", "must begin with {"),
        ('```json\n{"action": "done"}\n```', "must begin with {"),
        ('{"action": "done"} {"action": "done"}', "Extra data"),
        ('{"action": "done"} and so on', "Extra data"),
        ('[{"action": "done"}]', "must begin with {"),
        ('{"action": "click", "x": 5}', "y"),
        ('{"action": "click", "x": 5, "x": 6, "y": 1}', "twice"),
        ('{"action": "fly"}', "fly"),
        ('{"action": "click", "x": 5, "y": 6, "z": 1}', "z"),
        ('{"action": "click", "x": NaN, "y": 6}', "finite"),
        ('{"action": "done", "why": 3}', "why"),
        ("{" * 5000, "JSON"),
    ],
)
def test_everything_else_is_refused_with_a_reason(text, told):
    with pytest.raises(ProtocolError, match=told.replace("{", r"\{")):
        read_answer(text)


def test_the_prompt_reminds_of_the_last_steps_and_of_a_refusal():
    prompt = write_prompt("Win", (800, 600), [f"step {i}" for i in range(30)], "It was empty.")
    assert "800 x 600" in prompt
    assert "step 29" in prompt
    assert "step 3\n" not in prompt
    assert "refused: It was empty. Nothing was done." in prompt


@pytest.mark.parametrize("text", ['{"ok": 1}', '{"ok": true, "more": 1}', "yes", '{"note": ""}'])
def test_a_verdict_is_as_strict(text):
    with pytest.raises(ProtocolError):
        read_verdict(text)
    assert read_verdict('{"ok": false, "note": "an error"}') == {"ok": False, "note": "an error"}


def test_a_macro_comes_back_as_it_was_and_counts_its_revisions(tmp_path):
    store = MacroStore(tmp_path / "deep" / "macros.json")
    assert store.all() == []
    store.save("Open the settings.", STEPS, (800, 600))
    found = MacroStore(store.path).get("  open THE settings ")
    assert (found.steps, found.size, found.revision) == (tuple(STEPS), (800, 600), 1)
    assert store.save("open the settings", STEPS[:1], (800, 600)).revision == 2
    assert [macro.task for macro in store.all()] == ["Open the settings."]
    assert store.delete("Open the settings")
    assert not store.delete("Open the settings")


def test_processes_that_write_at_the_same_time_lose_nothing(tmp_path):
    path = tmp_path / "macros.json"
    script = f"""
import sys
from viscritic.actions import Action
from viscritic.agent.gui.macros import MacroStep, MacroStore
for i in range(10):
    MacroStore({str(path)!r}).save(f"task {{sys.argv[1]}} {{i}}", [MacroStep(Action("click", i, i))], (9, 9))
"""
    running = [subprocess.Popen([sys.executable, "-c", script, name]) for name in "ab"]
    assert [process.wait() for process in running] == [0, 0]
    assert len(MacroStore(path).all()) == 20


@pytest.mark.parametrize(
    ("text", "told"),
    [("{", "damaged"), ('{"version": 9, "macros": {}}', "version 9"), ("[]", "damaged"),
     ('{"version": 1, "macros": {"a": {"steps": [{"action": {"kind": "fly"}}]}}}', "damaged")],
)  # fmt: skip
def test_a_damaged_or_newer_file_is_named_and_left_alone(tmp_path, text, told):
    path = tmp_path / "macros.json"
    path.write_text(text)
    with pytest.raises(AgentError, match=told):
        MacroStore(path).save("task", STEPS, (9, 9))
    assert path.read_text() == text


def test_a_store_that_cannot_be_written_says_so(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(AgentError, match="cannot be written"):
        MacroStore(tmp_path / "file" / "macros.json").save("task", STEPS, (9, 9))


def test_a_command_gets_the_prompt_and_the_screen(board_screen):
    script = "import sys; from PIL import Image; print(sys.stdin.read(), Image.open(sys.argv[1]).size)"
    answer = CommandModel(f"{sys.executable} -c '{script}'").ask("hello", board_screen)
    assert answer.split() == ["hello", "(256,", "64)"]


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ("no-such-program", "cannot be run"),
        (f"{sys.executable} -c 'import sys; sys.exit(\"out of memory\")'", "ended with 1: out of memory"),
        (f"{sys.executable} -c 'import time; time.sleep(60)'", "no answer in 1 s"),
    ],
)
def test_a_command_that_fails_is_named(command, told, board_screen):
    with pytest.raises(AgentError, match=told):
        CommandModel(command, timeout=1 if "sleep" in command else 60).ask("hello", board_screen)


@pytest.mark.parametrize("command", ["", "   ", "python 'unclosed"])
def test_a_command_that_is_none_is_refused(command):
    with pytest.raises(ConfigError, match="command"):
        CommandModel(command)


def test_an_endpoint_gets_the_prompt_and_the_screen(board_screen, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    with ModelServer([{"choices": [{"message": {"content": "hi"}}]}]) as server:
        assert EndpointModel(server.url, "eyes").ask("hello", board_screen) == "hi"
    content = server.requests[0]["messages"][0]["content"]
    assert content[0]["text"] == "hello"
    assert content[1]["image_url"]["url"].startswith("data:image/png;base64,")


@pytest.mark.parametrize("answer", [(500, "busy"), (200, "no json"), (200, json.dumps({"choices": []}))])
def test_an_endpoint_that_fails_is_named(answer, board_screen):
    with ModelServer([answer]) as server, pytest.raises(AgentError, match="endpoint"):
        EndpointModel(server.url, "eyes").ask("hello", board_screen)
    with pytest.raises(AgentError, match="no usable answer"):
        EndpointModel("http://127.0.0.1:9", "eyes", timeout=2).ask("hello", board_screen)
    with pytest.raises(ConfigError, match="URL"):
        EndpointModel("ftp://a", "eyes")


@pytest.fixture
def board_screen():
    from agent_parts import Board

    return Board().screen()
