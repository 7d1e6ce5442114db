"""The shipped example pairs: complete, small, and labelled by what the page itself said."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from viscritic.actions import Action
from viscritic.errors import VisCriticError
from viscritic.screen import load_screen
from viscritic.trajectory import OUTCOMES, PLATFORMS

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
SCRIPT = ROOT / "scripts" / "make_examples.py"
NAMES = sorted(folder.parent.name for folder in EXAMPLES.glob("*/transition.json"))

# What a person sees on the screens; the script reads its outcomes from the pages.
SEEN = {
    "delete-dialog-opened": "success",
    "figures-still-loading": "timeout",
    "guests-counted": "success",
    "intranet-server-error": "page_error",
    "login-rejected": "page_error",
    "mobile-digest-on": "success",
    "mobile-location-missed": "wrong_target",
    "shop-added": "success",
    "shop-dead-button": "no_op",
    "todo-neighbour-ticked": "wrong_target",
    "todo-text-typed": "success",
    "todo-ticked": "success",
}


@pytest.fixture(scope="module")
def script():
    spec = importlib.util.spec_from_file_location("make_examples", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.modules["make_examples"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    yield module
    del sys.modules["make_examples"]


def read(folder):
    return json.loads((folder / "transition.json").read_text("utf-8"))


def test_the_set_is_whole():
    assert {name: read(EXAMPLES / name)["outcome"] for name in NAMES} == SEEN
    assert set(SEEN.values()) == set(OUTCOMES)
    assert {scene["name"] for scene in json.loads((EXAMPLES / "scenes.json").read_text("utf-8"))} == set(SEEN)
    ours = [file for file in EXAMPLES.rglob("*") if file.is_file() and "node_modules" not in file.parts]
    assert sum(file.stat().st_size for file in ours) < 1_000_000
    index = (EXAMPLES / "README.md").read_text("utf-8")
    assert all(f"[{name}]({name}/README.md)" in index for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_example_is_complete(name):
    folder = EXAMPLES / name
    record = read(folder)
    assert record["id"] == name
    assert record["platform"] in PLATFORMS
    assert record["success"] is (record["outcome"] == "success")
    assert record["instruction"]
    assert record["task"]
    assert {file.name for file in folder.iterdir()} == {"pre.webp", "post.webp", "transition.json", "README.md"}
    pre, post = (load_screen(folder / record[key], name=key) for key in ("pre", "post"))
    assert list(pre.shape[1::-1]) == list(post.shape[1::-1]) == record["size"]
    assert not np.array_equal(pre, post)
    assert max((folder / record[key]).stat().st_size for key in ("pre", "post")) < 150_000


@pytest.mark.parametrize("name", NAMES)
def test_action_is_canonical_and_on_the_screen(name):
    record = read(EXAMPLES / name)
    action = Action.from_dict(record["action"])
    assert action.to_dict() == record["action"]
    assert Action.parse(record["action"]) == action
    x, y, width, height = record["target_box"]
    assert 0 <= x < x + width <= record["size"][0]
    assert 0 <= y < y + height <= record["size"][1]
    if action.point is not None:
        inside = x <= action.x < x + width and y <= action.y < y + height
        assert inside is record["truth"]["target_hit"]


@pytest.mark.parametrize("name", NAMES)
def test_outcome_follows_from_the_recorded_truth(script, name):
    record = read(EXAMPLES / name)
    scene = next(row for row in json.loads((EXAMPLES / "scenes.json").read_text("utf-8")) if row["name"] == name)
    assert script.judge(script.Example(**scene), record["truth"]) == record["outcome"]


SCENE = {
    "name": "a",
    "page": "p",
    "app": "b",
    "task": "t",
    "instruction": "i",
    "target": "#x",
    "wanted": {"n.1.on": True},
}
BEFORE = {"n": [{"on": False}, {"on": False}]}


class TestJudge:
    def judge(self, script, state_after, **observed):
        truth = {"target_hit": True, "responses": {}, "in_flight": [], "spinner_visible": False} | observed
        scene = script.Example(**SCENE)
        return script.judge(scene, truth | {"state_before": BEFORE, "state_after": state_after})

    def test_every_outcome(self, script):
        wanted, other = {"n": [{"on": False}, {"on": True}]}, {"n": [{"on": True}, {"on": False}]}
        assert self.judge(script, wanted) == "success"
        assert self.judge(script, BEFORE) == "no_op"
        assert self.judge(script, other, target_hit=False) == "wrong_target"
        assert self.judge(script, None, responses={"/": 500}) == "page_error"
        assert self.judge(script, BEFORE, responses={"/": 0}) == "page_error"  # no answer at all
        assert self.judge(script, BEFORE, in_flight=["/"], spinner_visible=True) == "timeout"
        assert BEFORE == {"n": [{"on": False}, {"on": False}]}

    def test_more_than_wanted_is_no_success(self, script):
        assert self.judge(script, {"n": [{"on": True}, {"on": True}]}, target_hit=False) == "wrong_target"

    @pytest.mark.parametrize(
        ("after", "observed"),
        [
            ({"n": [{"on": True}, {"on": False}]}, {}),  # the right target led somewhere unexpected
            (BEFORE, {"in_flight": ["/"]}),  # loading, and nothing on the screen says so
        ],
    )
    def test_what_cannot_be_labelled_is_refused(self, script, after, observed):
        with pytest.raises(VisCriticError, match="fits no outcome"):
            self.judge(script, after, **observed)


def run_script(*arguments):
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, SCRIPT, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=400)


def test_unknown_name_is_refused(tmp_path):
    run = run_script("--out", tmp_path, "--only", "nothing")
    assert run.returncode == 2
    assert "no example is called nothing" in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.browser
@pytest.mark.slow
def test_real_browser_gives_the_same_outcomes(tmp_path):
    pytest.importorskip("playwright", reason="needs the extra collect: pip install 'viscritic[collect]'")
    if shutil.which("chromium") is None:
        pytest.skip("needs a Chromium: apt-get install chromium fonts-liberation fonts-dejavu")
    run = run_script("--out", tmp_path)
    assert run.returncode == 0, run.stderr
    assert {folder.parent.name: read(folder.parent)["outcome"] for folder in tmp_path.glob("*/transition.json")} == SEEN
    for name in NAMES:
        fresh, kept = read(tmp_path / name), read(EXAMPLES / name)
        assert fresh["truth"] == kept["truth"]
        assert load_screen(tmp_path / name / "post.webp").shape == load_screen(EXAMPLES / name / "post.webp").shape


@pytest.mark.browser
def test_missing_browser_is_named(tmp_path):
    pytest.importorskip("playwright", reason="needs the extra collect: pip install 'viscritic[collect]'")
    run = run_script("--out", tmp_path, "--chromium", tmp_path / "no-browser")
    assert run.returncode == 2
    assert "name a Chromium with --chromium" in run.stderr
    assert "Traceback" not in run.stderr
