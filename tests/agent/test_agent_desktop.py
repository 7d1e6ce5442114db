"""A real X server: XTEST, screens, and `viscritic agent` from the command line."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from agent_parts import CONFIRMED, NO_OP, PENDING, WRONG

from viscritic.actions import Action
from viscritic.agent import CriticGate, GatePolicy, read_log
from viscritic.agent.environment import changed_share
from viscritic.agent.gui.macros import MacroStore
from viscritic.errors import AgentError
from viscritic.screen import load_screen

pytestmark = pytest.mark.desktop
MAIN = "from viscritic.cli import main; main()"  # what the console script runs
APP = Path(__file__).with_name("x_app.py")
MODEL = """
import json, pathlib, sys
script = pathlib.Path(__file__).with_name("script.json")
answers = json.loads(script.read_text())
pathlib.Path(__file__).with_name("prompt.txt").write_text(sys.stdin.read())
print(json.dumps(answers.pop(0)))
script.write_text(json.dumps(answers))
"""


def at(square):
    return 20 + 140 * square + 60, 80


@pytest.fixture(scope="module")
def display():
    """An X server of our own: its name."""
    for module in ("Xlib", "mss"):
        pytest.importorskip(module, reason="needs: pip install 'viscritic[agent]'")
    if shutil.which("Xvfb") is None:
        pytest.skip("needs an X server: apt-get install xvfb")
    server, name = start_server()
    yield name
    server.terminate()
    server.wait()


def start_server():
    """An X server, and the name of its display."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "640x400x24", "-nolisten", "tcp", "-noreset"],
        pass_fds=[writing], stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(writing)
    with os.fdopen(reading) as told:
        return server, f":{told.readline().strip()}"


@pytest.fixture
def show(display, monkeypatch):
    """Starts the window; returns its process, whose output tells what it heard."""
    monkeypatch.setenv("DISPLAY", display)
    monkeypatch.delenv("XAUTHORITY", raising=False)
    running = []

    def start(*options):
        app = subprocess.Popen([sys.executable, APP, *options], stdout=subprocess.PIPE, text=True)
        running.append(app)
        assert app.stdout.readline() == "shown\n"
        return app

    yield start
    for app in running:
        app.kill()
        app.wait()
        app.stdout.close()


@pytest.fixture
def desktop(show):
    from viscritic.agent.gui.desktop import open_desktop

    desktop = open_desktop("xtest")
    yield desktop
    desktop.close()


class SquareScorer:
    """The truth: whether the square under the click changed."""

    def score(self, pre, post, action, instruction="", task="", burst=(), idle=()):
        before, after = load_screen(pre), load_screen(post)
        x, y = (round(v) for v in action[0].point)
        if (before[y - 20, x] != after[y - 20, x]).any():
            return CONFIRMED
        return WRONG if changed_share(before, after) > 0.001 else (NO_OP if burst else PENDING)


def test_clicks_and_screens(show, desktop):
    app = show()
    before = desktop.screen()
    assert before.shape == (400, 640, 3)
    desktop.act(Action("click", *at(1)))
    assert app.stdout.readline() == "squares .X.\n"
    time.sleep(0.1)
    after = desktop.screen()
    assert tuple(after[30, at(1)[0]]) == (0x20, 0x40, 0xC0)
    assert tuple(before[30, at(1)[0]]) == (0xC8, 0xC8, 0xC8)


def test_keys_text_and_symbols_that_the_keyboard_lacks(show, desktop):
    app = show()
    desktop.act(Action("key", keys=("ctrl", "a")))
    assert [app.stdout.readline().split()[1:] for _ in range(2)] == [["0xffe3", "0"], ["0x61", "4"]]
    desktop.act(Action("type", text="aB\n"))
    heard = [app.stdout.readline().split()[1:] for _ in range(4)]
    assert heard == [["0x61", "0"], ["0xffe1", "0"], ["0x42", "1"], ["0xff0d", "0"]]
    desktop.act(Action("type", text="ж"))
    assert app.stdout.readline().split()[1] == "0x1000436"


def test_nothing_stays_pressed_when_an_action_fails(show, desktop, monkeypatch):
    app = show()

    def fail(action):
        raise OSError("in the middle")

    monkeypatch.setattr(desktop, "_act", fail)
    with pytest.raises(AgentError, match="in the middle"):
        desktop.act(Action("click", *at(0), keys=("shift",)))
    monkeypatch.undo()
    app.stdout.readline()
    desktop.act(Action("key", keys=("a",)))
    assert app.stdout.readline().split()[1:] == ["0x61", "0"]  # without Shift


def test_a_run_a_replay_and_a_replay_that_recovers(show, desktop, tmp_path):
    from viscritic.agent.gui.run import GuiAgent

    class Model:
        asked = 0

        def __init__(self, *squares):
            clicks = [{"action": "click", "x": at(square)[0], "y": 80} for square in squares]
            self.answers = [*clicks, {"action": "done"}]

        def ask(self, prompt, screen):
            self.asked += 1
            return json.dumps(self.answers[self.asked - 1])

    store, policy = MacroStore(tmp_path / "macros.json"), GatePolicy(waits=(0.2,), patience=0.0)
    app = show()
    assert GuiAgent(desktop, Model(0, 1), CriticGate(SquareScorer(), policy), store).run("Both").saved
    app.kill()
    app = show()
    result = GuiAgent(desktop, None, CriticGate(SquareScorer(), policy), store).run("Both")
    assert (result.status, result.replayed, result.asked) == ("done", 2, 0)
    app.kill()
    show("--deaf")
    model = Model(2)
    result = GuiAgent(desktop, model, CriticGate(SquareScorer(), policy), store).run("Both")
    assert (result.status, result.replayed, result.asked, result.saved) == ("done", 2, 2, True)
    assert [step.action.x for step in store.get("Both").steps] == [at(0)[0], at(2)[0]]


def execute(*arguments, **more):
    return subprocess.run(
        [sys.executable, "-c", MAIN, "agent", *arguments], capture_output=True, text=True, check=False, **more
    )


def test_the_command_runs_saves_replays_and_verifies(show, tmp_path):
    (tmp_path / "model.py").write_text(MODEL)
    script, macros = tmp_path / "script.json", tmp_path / "macros.json"
    first = {"action": "click", "x": at(0)[0], "y": 80, "why": "Turn the first square blue"}
    script.write_text(json.dumps([first, {"action": "done"}, {"ok": True, "note": "it is blue"}]))
    model = ["--model", f"{sys.executable} {tmp_path / 'model.py'}"]
    app = show()
    done = execute("run", "Turn it blue", *model, "--macros", str(macros), "--log", str(tmp_path / "log"))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["saved"] is True
    assert app.stdout.readline() == "squares X..\n"
    assert "Turn it blue" in (tmp_path / "prompt.txt").read_text()
    assert (tmp_path / "log" / "steps.jsonl").read_text().count("\n") >= 1

    asked = execute("verify", "Is it blue?", *model)
    assert (asked.returncode, json.loads(asked.stdout)) == (0, {"ok": True, "note": "it is blue"})
    assert "Is it blue?" in (tmp_path / "prompt.txt").read_text()

    again = execute("macro", "replay", "turn it blue", "--macros", str(macros))
    assert app.stdout.readline() == "squares ...\n"  # the macro was played, whatever the critic thinks of it
    assert json.loads(again.stdout)["replayed"] == 1


def test_the_command_falls_back_to_the_model_where_a_replay_fails(show, tmp_path):
    """The window no longer hears clicks on the square that the macro knows; the shipped critic sees that."""
    (tmp_path / "model.py").write_text(MODEL)
    script, macros = tmp_path / "script.json", tmp_path / "macros.json"
    command = ["run", "Turn one blue", "--model", f"{sys.executable} {tmp_path / 'model.py'}", "--macros", str(macros)]
    clicks = [{"action": "click", "x": at(square)[0], "y": 80, "why": "Turn a square blue"} for square in (1, 0)]
    results = []
    for click, options in ((clicks[0], []), (clicks[1], ["--deaf"])):
        script.write_text(json.dumps([click, {"action": "done"}]))
        app = show(*options)
        done = execute(*command)
        assert done.returncode == 0, done.stderr
        results.append(json.loads(done.stdout.splitlines()[-1]))
        app.kill()
    assert [(r["replayed"], r["asked"], r["saved"]) for r in results] == [(0, 2, True), (1, 2, True)]
    assert [step.action.x for step in MacroStore(macros).get("Turn one blue").steps] == [at(0)[0]]


@pytest.mark.parametrize(("says", "told"), [("true", "empty"), ("echo I would click it", "one JSON object")])
def test_a_model_that_prints_nothing_or_garbage_ends_the_run_with_nothing_saved(show, tmp_path, says, told):
    show()
    done = execute("run", "x", "--model", says, "--macros", str(tmp_path / "macros.json"))
    assert done.returncode == 1, done.stderr
    result = json.loads(done.stdout.splitlines()[-1])
    assert (result["status"], result["steps"], result["saved"]) == ("stopped", 0, False)
    assert told in result["note"]
    assert not (tmp_path / "macros.json").exists()


def test_a_missing_bundle_is_named_before_anything_is_touched(tmp_path):
    done = execute("run", "x", "--model", "true", "--no-macro", "--bundle", str(tmp_path / "none"))
    assert done.returncode == 2
    assert str(tmp_path / "none") in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_display_that_dies_ends_the_run_with_a_whole_log(tmp_path):
    """An X server of its own is killed while the model thinks."""
    pytest.importorskip("Xlib", reason="needs: pip install 'viscritic[agent]'")
    if shutil.which("Xvfb") is None:
        pytest.skip("needs an X server: apt-get install xvfb")
    server, name = start_server()
    (tmp_path / "model.py").write_text(
        f"import os, time; os.kill({server.pid}, 9); time.sleep(1)\n"
        'print(\'{"action": "click", "x": 10, "y": 10}\')\n'
    )
    done = execute(
        "run", "x", "--model", f"{sys.executable} {tmp_path / 'model.py'}", "--log", str(tmp_path / "log"),
        "--macros", str(tmp_path / "macros.json"), env={**os.environ, "DISPLAY": name},
    )  # fmt: skip
    server.wait()
    assert done.returncode == 1, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["status"] == "stopped"
    assert "Traceback" not in done.stderr
    assert [row["move"] for row in read_log(tmp_path / "log")] == ["stop"]
    assert not (tmp_path / "macros.json").exists()


def test_a_run_that_is_terminated_leaves_nothing_pressed(show, tmp_path):
    (tmp_path / "model.py").write_text("import time; time.sleep(60)")
    app = show()
    running = subprocess.Popen(
        [sys.executable, "-c", MAIN, "agent", "run", "x", "--model", f"{sys.executable} {tmp_path / 'model.py'}",
         "--log", str(tmp_path / "log"), "--macros", str(tmp_path / "macros.json")], stderr=subprocess.PIPE,
    )  # fmt: skip
    while not (tmp_path / "log" / "steps.jsonl").exists():
        time.sleep(0.1)
    time.sleep(0.5)
    running.send_signal(signal.SIGTERM)
    _, said = running.communicate(timeout=60)
    assert running.returncode != 0
    assert b"Traceback" not in said
    assert not (tmp_path / "macros.json").exists()
    app.kill()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["run", "x"], "no model"),
        (["run", "x", "--model", "a", "--endpoint", "http://b"], "not both"),
        (["macro", "show", "x"], "no macro of 'x'"),
        (["macro", "delete", "x"], "no macro of 'x'"),
        (["verify", "--model", "true"], "display"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(arguments, told, tmp_path):
    pytest.importorskip("Xlib", reason="needs: pip install 'viscritic[agent]'")
    variables = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "VISCRITIC_AGENT_MODEL")}
    done = execute(*arguments, env={**variables, "XDG_DATA_HOME": str(tmp_path)})
    assert done.returncode == 2
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
