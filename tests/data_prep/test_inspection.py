from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from made_images import encoded, write_image
from PIL import Image
from typer.testing import CliRunner

from data_prep.contact_sheet import draw_sheet
from data_prep.inspection import MOST_NOTES, inspect
from viscritic.actions import Action
from viscritic.cli.data import app
from viscritic.errors import DataError
from viscritic.trajectory import Step

ENTRIES = [
    {
        "action": {"kind": "click", "x": 30, "y": 20},
        "instruction": "Open it",
        "success": True,
        "target_box": [20, 10, 20, 20],
    },
    {"action": {"kind": "click"}, "success": False},
    {"action": {"kind": "drag", "x": 5, "y": 5, "x2": 500, "y2": 5}},
    {"action": "fly"},
    {"action": {"kind": "type", "text": "hello"}},
]


@pytest.fixture
def folder(tmp_path) -> Path:
    for name, size in (("a", (96, 64)), ("b", (64, 160))):
        for number in range(5):
            write_image(tmp_path / "data" / name / f"{number}.png", number, size)
        (tmp_path / "data" / name / "actions.json").write_text(json.dumps({"success": name == "a", "steps": ENTRIES}))
    (tmp_path / "data" / "c").mkdir()
    (tmp_path / "data" / "c" / "actions.json").write_text("{")
    return tmp_path / "data"


def run(*arguments: object):
    return CliRunner().invoke(app, ["inspect", *map(str, arguments)], env={"COLUMNS": "200"})


def test_everything_is_counted(folder):
    found = inspect(folder)
    assert (found.format, found.trajectories, found.empty, found.steps, found.broken) == ("folder", 3, 1, 8, 3)
    assert found.actions == {"click": 4, "drag": 2, "type": 2}
    assert found.sizes == {"96x64": 4, "64x160": 4}
    assert found.steps_by_result == {"success": 2, "failure": 2, "unknown": 4}
    assert found.trajectories_by_result == {"success": 1, "failure": 1, "unknown": 1}
    assert found.apps == {"a": 1, "b": 1, "c": 1}
    assert (found.without_after, found.without_point, found.outside, found.with_instruction) == (2, 2, 2, 2)
    assert len(found.samples) == 8
    assert json.loads(json.dumps(found.to_dict()))["actions"] == {"click": 4, "drag": 2, "type": 2}


def test_a_limit_ends_the_reading(folder):
    found = inspect(folder, limit=1, samples=2)
    assert (found.trajectories, len(found.samples)) == (1, 2)
    assert found.samples == inspect(folder, limit=1, samples=2).samples


def test_samples_are_drawn_evenly(tmp_path):
    for number in range(41):
        write_image(tmp_path / f"{number}.png", number)
    (tmp_path / "actions.json").write_text(json.dumps([{"kind": "click", "x": n, "y": 1} for n in range(40)]))
    chosen = [step.index for _, step in inspect(tmp_path, samples=8).samples]
    assert chosen == sorted(set(chosen))
    assert len(chosen) == 8
    assert max(chosen) > 20


def test_notes_are_kept_within_bounds(tmp_path):
    for number in range(5):
        folder = tmp_path / str(number)
        for screen in range(81):
            write_image(folder / f"{screen}.png", 1)
        (folder / "actions.json").write_text(json.dumps([{"action": "fly"}] * 80))
    found = inspect(tmp_path)
    assert (found.broken, len(found.notes)) == (400, MOST_NOTES)


def test_the_command_prints_what_is_there(folder, tmp_path):
    sheet = tmp_path / "sheet.png"
    result = run(folder, "--sheet", sheet)
    assert result.exit_code == 0, result.output
    for told in (
        "folder",
        "3, 1 without steps",
        "click 4, drag 2, type 2",
        "96x64 4",
        "broken rows",
        "entry 3",
        "8 steps are drawn",
    ):
        assert told in result.output
    with Image.open(sheet) as image:
        assert image.format == "PNG"
        assert image.width > 1000


def test_the_command_prints_json(folder):
    result = run(folder, "--json", "--format", "folder", "--limit", 2)
    told = json.loads(result.output)
    assert (told["format"], told["trajectories"], told["broken"]) == ("folder", 2, 2)
    assert "samples" not in told


def test_strict_ends_at_the_first_broken_row(folder):
    assert isinstance(run(folder, "--strict").exception, DataError)
    (folder / "c" / "actions.json").unlink()
    for name in "ab":
        (folder / name / "actions.json").write_text(json.dumps([ENTRIES[0]] * 4))
    assert run(folder, "--strict").exit_code == 0


def test_bad_input_is_refused(tmp_path, folder):
    assert isinstance(run(tmp_path / "absent").exception, DataError)
    assert isinstance(run(folder, "--sheet", tmp_path / "x.jpg").exception, DataError)
    assert run(folder, "--format", "none").exit_code == 2
    assert run(folder, "--limit", 0).exit_code == 2
    with pytest.raises(DataError, match="unknown format"):
        inspect(folder, "none")


def test_bad_input_ends_without_a_traceback(tmp_path):
    script = "from viscritic.cli import main; main()"
    result = subprocess.run(
        [sys.executable, "-c", script, "data", "inspect", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert result.returncode == 2
    assert result.stderr.startswith("error: ")
    assert "Known are" in result.stderr
    assert "Traceback" not in result.stderr


STEP = Step(0, encoded(1), encoded(2), (96, 64), (Action("click", 30, 20),), "Open it", True, (20, 10, 20, 20))


def test_a_sheet_shows_both_screens_and_where_the_action_went():
    plain = np.asarray(draw_sheet([("t", replace(STEP, actions=(Action("wait"),), target_box=None))], "title"))
    drawn = np.asarray(draw_sheet([("t", STEP)], "title"))
    assert plain.shape == drawn.shape
    differs = (plain != drawn).any(axis=2)
    half = drawn.shape[1] // 4
    assert differs[100:, :half].any(), "on the screen before"
    assert differs[100:, half : 2 * half].any(), "and on the screen after"
    assert not differs[:, 2 * half + 20 :].any()


@pytest.mark.parametrize(
    "step",
    [
        replace(STEP, post=None),
        replace(STEP, pre=b"no image"),
        replace(STEP, pre=Path("absent.png")),
        replace(STEP, actions=(Action("click", -500, 9000),)),
        replace(
            STEP,
            pre=encoded(1, (64, 900)),
            size=(64, 900),
            actions=(Action("click", 30, 800),),
            target_box=(1, 790, 9, 9),
        ),
        replace(
            STEP,
            actions=tuple(Action("drag", n, n, n + 20, n) for n in range(30)),
            instruction="words " * 500,
            marked=True,
        ),
        replace(STEP, target_box=(90, 60, 500, 500), outcome="no_op", success=False),
    ],
)
def test_any_step_can_be_drawn(step):
    assert draw_sheet([("t" * 300, step)] * 3, "title " * 300).height > 500


def test_an_empty_sheet_is_a_title():
    assert draw_sheet([], "nothing").height < 100
