"""Ways back, and both drivers, on real desktop programs under Xvfb."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest

from viscritic.actions import Action
from viscritic.agent import DesktopRollback
from viscritic.agent.environment import changed_share
from viscritic.errors import RollbackError

pytestmark = pytest.mark.desktop
SEED = 4


@pytest.fixture(scope="module")
def started():
    """Starts a program in a desktop of its own, by name."""
    from data_prep.collect.apps import APPLICATIONS, missing_programs_of

    for module in ("Xlib", "mss"):
        pytest.importorskip(module, reason="needs: pip install 'viscritic[agent]'")
    running = {}

    def start(name):
        if missing := missing_programs_of([name]):
            pytest.skip(f"needs {missing[0]}: bash scripts/install_desktop.sh")
        if name not in running:
            running[name] = APPLICATIONS[name]()
            running[name].start(Path())
        running[name].reset(SEED)
        return running[name]

    yield start
    for app in running.values():
        app.stop()


@pytest.fixture
def hands(monkeypatch):
    """The agent's desktop on a program's display."""
    from viscritic.agent.gui.desktop import open_desktop

    opened = []

    def take(app):
        for name in ("DISPLAY", "XAUTHORITY"):
            if value := app.driver.session.environment.get(name):
                monkeypatch.setenv(name, value)
            else:
                monkeypatch.delenv(name, raising=False)
        opened.append(open_desktop("xtest"))
        return opened[-1]

    yield take
    for desktop in opened:
        desktop.close()


def send(app, desktop, rollback, action):
    """One step as the gate sends it; the mark from before it."""
    app.driver.rest(2.0)
    mark = rollback.mark()
    desktop.act(action)
    rollback.note([action])
    app.driver.rest(2.0)
    return mark


def place_of(app, name):
    return next(element.centre for element in app.elements() if element.name == name)


def shown_by(app):
    """The calculator's display, told to assistive technology."""
    app.state()
    return app.display().text


def text_of(app):
    """All that the program's texts hold."""
    app.state()
    return " ".join(node.text for node in app.nodes if node.text)


def test_escape_closes_the_menu_that_a_click_has_opened(started, hands):
    app = started("galculator")
    desktop = hands(app)
    rollback = DesktopRollback(desktop, undo_keys=())
    mark = send(app, desktop, rollback, Action("click", *place_of(app, "View")))
    assert changed_share(mark, desktop.screen()) > 0.005
    rollback.undo(mark)
    assert changed_share(mark, desktop.screen()) <= 0.005


def test_a_program_is_started_anew_and_what_was_done_before_is_done_again(started, hands):
    app = started("galculator")
    desktop = hands(app)
    begin = Action("type", text="*1=")  # what a macro would do first
    desktop.act(begin)

    def replay():
        app.driver.rest(2.0)
        desktop.act(begin)
        app.driver.rest(2.0)

    rollback = DesktopRollback(desktop, undo_keys=(), restart=lambda: app.reset(SEED), replay=replay, tolerance=0.0)
    send(app, desktop, rollback, Action("type", text="12"))
    mark = send(app, desktop, rollback, Action("type", text="+5="))
    assert shown_by(app) == "17"
    rollback.undo(mark)
    assert shown_by(app) == "12"
    assert changed_share(mark, desktop.screen()) == 0


def test_the_undo_key_takes_back_what_was_typed(started, hands):
    app = started("gedit")
    desktop = hands(app)
    rollback = DesktopRollback(desktop)
    typed = Action("type", text="hello there ")
    mark = send(app, desktop, rollback, typed)
    assert "hello there" in text_of(app)
    keyless = DesktopRollback(desktop, undo_keys=(), tolerance=0.0)
    keyless.note([typed])
    with pytest.raises(RollbackError, match="tried: Escape"):
        keyless.undo(mark)
    rollback.undo(mark)
    assert "hello there" not in text_of(app)


def test_pyautogui_works_on_the_same_program(started):
    if importlib.util.find_spec("pyautogui") is None:  # to import it takes a display
        pytest.skip("needs: pip install pyautogui")
    app = started("galculator")
    x, y = place_of(app, "7")
    app.driver.act((Action("move", x, y),))  # pyautogui stops where the pointer is in a corner
    script = f"""
import time
from viscritic.actions import Action
from viscritic.agent.gui.desktop import open_desktop
from viscritic.errors import ActionError
desktop = open_desktop("pyautogui")
assert desktop.screen().shape[2] == 3
desktop.act(Action("key", keys=("esc",)))
desktop.act(Action("click", {x}, {y}))
desktop.act(Action("type", text="*6="))
for action in (Action("type", text="\\u0436"), Action("key", keys=("nosuchkey",))):
    try:
        desktop.act(action)
    except ActionError as error:
        print(error)
desktop.close()
"""
    environment = {
        **os.environ,
        **{k: v for k, v in app.driver.session.environment.items() if k in ("DISPLAY", "XAUTHORITY")},
    }
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("pyautogui") == 2
    app.driver.rest(2.0)
    assert shown_by(app) == "42"
