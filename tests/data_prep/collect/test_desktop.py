"""Desktops: real windows, real input, the application's own word, every fault, and nothing left behind."""

import shutil
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import numpy as np
import pytest

from data_prep.collect.application import Intent
from data_prep.collect.desktop_gestures import moving, position, scroll_bars, scrolling
from data_prep.collect.desktop_tree import read_nodes
from data_prep.collect.judge import has_strayed, judge_clean, judge_faulted
from data_prep.collect.play import PLAIN, play
from data_prep.collect.processes import descendants, end_tree
from viscritic.actions import Action
from viscritic.errors import DataError

pytestmark = pytest.mark.desktop
ROOT = Path(__file__).parents[3]
SYSTEM_GTK = "import gi; gi.require_version('Gtk', '3.0'); from gi.repository import Gtk"


def need(*programs):
    pytest.importorskip("Xlib", reason="needs the extra collect: pip install 'viscritic[collect]'")
    pytest.importorskip("mss", reason="needs the extra collect: pip install 'viscritic[collect]'")
    for program in ("Xvfb", "openbox", "dbus-daemon", "/usr/bin/python3", *programs):
        if shutil.which(program) is None:
            pytest.skip(f"needs {program}: run  bash scripts/install_desktop.sh")
    if subprocess.run(["/usr/bin/python3", "-c", SYSTEM_GTK], capture_output=True, check=False).returncode:
        pytest.skip("needs PyGObject and GTK 3 in /usr/bin/python3: run  bash scripts/install_desktop.sh")


def started(name, *programs):
    need(name, *programs)
    from data_prep.collect.apps import APPLICATIONS

    app = APPLICATIONS[name]()
    app.start(Path("/nowhere"))
    return app


@pytest.fixture(scope="module")
def galculator():
    app = started("galculator")
    yield app
    app.stop()


def meant(app, name, verb="click"):
    """A step on an element, in the state of seed 0."""
    app.reset(0)
    elements = app.elements()
    for seed in range(20):
        for intent in app.intents(elements, Random(seed)):
            if intent.verb == verb and name in (intent.target.name, intent.target.role):
                return intent, elements
    raise AssertionError(f"no step on {name}")


@pytest.fixture(scope="module")
def clean(galculator):
    """The clean replay of a step, played once."""
    known = {}

    def get(name, verb):
        if (name, verb) not in known:
            intent, elements = meant(galculator, name, verb)
            known[name, verb] = intent, elements, play(galculator, intent, elements, PLAIN, Random(1))
        return known[name, verb]

    return get


# cause -> (the element that is meant, verb, outcomes that are true)
EXPECTED = {
    "neighbour": ("5", "click", {"wrong_target"}),
    "blank": ("5", "click", {"no_op"}),
    "offset": ("5", "click", {"wrong_target", "no_op"}),
    "off_screen": ("5", "click", {"no_op"}),
    "typed_wrong": ("calculator", "type", {"wrong_target", "no_op"}),
    "swallowed": ("5", "click", {"no_op"}),
    "hung": ("5", "click", {"timeout"}),
    "slow": ("5", "click", {"success"}),
    "crashed": ("5", "click", {"page_error"}),
    "overlay": ("5", "click", {"no_op", "wrong_target"}),
    "late_overlay": ("5", "click", {"no_op", "wrong_target"}),
    "overlay_beside": ("5", "click", {"success"}),
    "focus_stolen": ("calculator", "type", {"no_op", "wrong_target"}),
    "modal": ("5", "click", {"no_op"}),
}


SHOWN = ("neighbour", "hung", "slow", "crashed", "late_overlay", "focus_stolen")


@pytest.mark.parametrize("name, verb", [("5", "click"), ("calculator", "type")])
def test_right_steps_succeed(clean, name, verb):
    intent, _, seen = clean(name, verb)
    assert judge_clean(intent, seen.facts) == "success"
    assert not np.array_equal(seen.pre, seen.post)


@pytest.mark.parametrize("cause", EXPECTED)
def test_cause(galculator, clean, cause):
    name, verb, outcomes = EXPECTED[cause]
    intent, elements, right = clean(name, verb)
    fault = next(fault for fault in galculator.faults() if fault.cause == cause)
    for seed in range(4):  # some windows do not fit
        galculator.reset(0)
        galculator.elements()
        if (seen := play(galculator, intent, elements, PLAIN, Random(seed), fault)) is not None:
            break
    assert judge_faulted(intent, seen.facts, right.facts) in outcomes
    assert seen.cause == cause
    assert cause not in SHOWN or not np.array_equal(seen.pre, seen.post)


def test_a_fault_leaves_nothing_behind(galculator, clean):
    intent, _, right = clean("5", "click")
    hung = next(fault for fault in galculator.faults() if fault.cause == "hung")
    galculator.reset(0)
    play(galculator, intent, galculator.elements(), PLAIN, Random(3), hung)
    galculator.reset(0)
    again = play(galculator, intent, galculator.elements(), PLAIN, Random(1))
    assert again.facts.after == right.facts.after
    assert np.array_equal(again.post, right.post)


def test_an_open_menu_has_the_input(galculator):
    intent, elements = meant(galculator, "Edit")
    assert judge_clean(intent, play(galculator, intent, elements, PLAIN, Random(0)).facts) == "success"
    listed = galculator.elements()
    assert any(e.role == "menu item" for e in listed)
    assert {i.target.role for i in galculator.intents(listed, Random(0)) if i.verb == "click"} <= {"menu item", "menu"}
    last = next(e for e in listed if e.name.startswith("Preferences"))
    assert galculator.hit(last.centre) == last.key


def test_an_effect_that_does_not_show_is_truth(galculator):
    galculator.reset(0)
    plus = next(e for e in galculator.elements() if e.name == "+")
    before = galculator.state()
    galculator.driver.act((Action("click", x=plus.centre[0], y=plus.centre[1]),))
    after = galculator.state()
    assert before.truth != after.truth


@pytest.mark.parametrize("kind", ["caret", "clock", "progress", "toast"])
def test_noise_shows_and_is_no_change(galculator, kind):
    galculator.reset(0)
    before = galculator.state()
    boxes = galculator.make_noise(kind, 4)
    assert boxes
    first = galculator.driver.screen()
    if kind == "toast":
        galculator.driver.act((Action("key", keys=("shift",)),))
    for _ in range(20):
        galculator.driver.wait(0.2)
        if (first != galculator.driver.screen()).any():
            break
    else:
        pytest.fail(f"{kind} does not show")
    assert galculator.state().shown == before.shown


def test_the_keyboard_knows_other_letters(galculator):
    galculator.reset(0)
    prop = {"kind": "normal", "title": "Note", "box": [20, 40, 200, 80], "parts": [{"part": "entry"}]}
    galculator.show("note", prop)
    galculator.driver.rest(2)
    galculator.driver.act((Action("type", text="Grüße, 5 € & ½?"),))
    galculator.driver.rest(2)
    galculator.driver.wait(0.1)
    assert ["note", "typed: Grüße, 5 € & ½?"] in galculator.state().truth["touched"]


def test_looks_differ_and_sizes_are_those_of_the_screen(galculator):
    sizes = set()
    for seed in (0, 9):
        galculator.reset(seed)
        screen = galculator.driver.screen()
        assert screen.shape == (*galculator.driver.size[::-1], 3)
        sizes.add(screen.shape)
        assert galculator.elements()
    assert len(sizes) == 2


def test_an_unknown_action_is_refused(galculator):
    with pytest.raises(DataError, match="cannot send 'home'"):
        galculator.driver.act((Action("home"),))


def test_saving_is_denied_in_the_applications_own_words():
    app = started("pcmanfm")
    try:
        app.reset(0)
        app.driver.act((Action("key", keys=("ctrl", "shift", "n")),))
        app.driver.rest(3)
        app.driver.act((Action("type", text="Holidays"),))
        app.driver.rest(2)
        elements = app.elements()
        ok = next(e for e in elements if e.name == "OK")
        intent = Intent("click", ok, (Action("click", x=ok.centre[0], y=ok.centre[1]),))
        denied = next(fault for fault in app.faults() if fault.cause == "denied")
        seen = play(app, intent, elements, PLAIN, Random(0), denied)
        assert judge_faulted(intent, seen.facts, None) == "page_error"
        assert "denied" in " ".join(seen.facts.traffic.errors)
    finally:
        app.stop()


def played(app, seed, intent, cause=""):
    """A step from the state of a seed, without a fault or with one."""
    fault = next((fault for fault in app.faults() if fault.cause == cause), None)
    app.reset(seed)
    return play(app, intent, app.elements(), PLAIN, Random(2), fault)


def outcome(app, seed, intent, right, cause):
    seen = played(app, seed, intent, cause)
    strayed = has_strayed(intent.actions, seen.actions)
    return judge_faulted(intent, seen.facts, right.facts, strayed=strayed)


def test_a_text_is_scrolled_by_wheel_and_bar():
    app, long = started("gedit"), 11  # a seed whose text is longer than its window
    try:
        app.reset(long)
        [bar] = scroll_bars(app)
        steps = {step.verb: step for step in scrolling(app, app.elements(), Random(0))}
        assert set(steps) == {"scroll", "drag"}
        assert steps["scroll"].target.name == "document"
        for step in steps.values():
            right = played(app, long, step)
            assert judge_clean(step, right.facts) == "success"
            assert position(right.facts.before, bar.key)[0] == 0
            assert position(right.facts.after, bar.key)[0] > 100
            assert not np.array_equal(right.pre, right.post)
        assert outcome(app, long, steps["drag"], right, "drag_elsewhere") == "no_op"
        seen = played(app, long, steps["scroll"], "scroll_elsewhere")
        assert position(seen.facts.after, bar.key)[0] == 0
    finally:
        app.stop()


def test_a_file_is_dragged_into_a_folder():
    app, many = started("pcmanfm"), 0  # a seed with files and folders in view
    try:
        app.reset(many)
        elements = app.elements()
        [step, *_] = moving(elements, [name for name, _ in app.extra()], Random(0))
        right = played(app, many, step)
        assert judge_clean(step, right.facts) == "success"
        before, after = (
            {name for name, _ in state.truth["extra"]} for state in (right.facts.before, right.facts.after)
        )
        [gone], [come] = before - after, after - before
        assert come.endswith(f"/{gone.rpartition('/')[2]}")
        short = played(app, many, step, "drag_short")
        assert short.facts.before.truth["extra"] == short.facts.after.truth["extra"]  # it does not drop
        assert outcome(app, many, step, right, "drag_elsewhere") in ("wrong_target", "no_op")
    finally:
        app.stop()


def test_a_tab_that_does_not_show_hides_nothing():
    rows = [
        ["0/0", "frame", "Window", None, None, [1 << 25, 0], [0, 0, 400, 300]],
        ["0/0/0", "page tab", "", None, None, [1 << 25, 0], [-1, -1, -1, -1]],
        ["0/0/0/0", "text", "", ["words", 0, 0, 0], None, [1 << 25, 0], [10, 10, 380, 280]],
    ]
    [*_, text] = read_nodes(rows, (800, 600))
    assert text.seen == (10, 10, 380, 280)


def test_a_program_that_is_missing_is_named():
    from data_prep.collect.desktop import DesktopDriver

    need()
    with pytest.raises(DataError, match=r"no-such-program is not installed: run  bash scripts/install_desktop\.sh"):
        DesktopDriver(programs=["no-such-program"])


HOLD = """
import sys
from data_prep.collect.desktop import DesktopDriver
driver = DesktopDriver()
pid = driver.run(["galculator"], {})
print(driver.session.display.removeprefix(":"), flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("end", ["close", "kill", "tree"])
def test_nothing_is_left_behind(end):
    need("galculator")
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD], cwd=ROOT, stdout=subprocess.PIPE, stdin=subprocess.PIPE, text=True
    )
    try:
        number = holder.stdout.readline().strip()
        assert number.isdigit()
        below = descendants(holder.pid)
        traces = [Path(f"/tmp/.X11-unix/X{number}"), Path(f"/tmp/desk{number}")]
        assert len(below) > 6
        assert all(path.exists() for path in traces)
        if end == "tree":  # as a collection ends a worker
            end_tree(holder.pid)
        elif end == "kill":
            holder.kill()
        else:
            holder.stdin.close()
        holder.wait()
        deadline = time.monotonic() + 30
        while any(path.exists() for path in traces) or any(is_alive(pid) for pid in below):
            assert time.monotonic() < deadline, "something was left behind"
            time.sleep(0.1)
        assert not Path(f"/tmp/.X{number}-lock").exists()
    finally:
        end_tree(holder.pid)
        holder.stdout.close()
        holder.stdin.close()
        holder.wait()


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
