"""AgentRewardBench: a run that its own converter wrote (recorded/README.md)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from data_prep.readers.agentrewardbench import read_agentrewardbench
from viscritic.actions import Action
from viscritic.errors import DataError

RECORDED = Path(__file__).parent / "recorded" / "agentrewardbench"
RUN = Path("cleaned/openended/GenericAgent-scripted/GenericAgent-scripted_on_openended/openended.1.json")
HEADER = (RECORDED / "data" / "annotations.csv").read_text().splitlines(keepends=True)[0]


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(RECORDED, tmp_path / "data_set")
    return tmp_path / "data_set"


def change(folder, edit):
    run = json.loads((folder / RUN).read_text())
    edit(run)
    (folder / RUN).write_text(json.dumps(run))


def test_a_run_that_the_benchmark_wrote_is_read():
    [trajectory] = read_agentrewardbench(RECORDED, strict=True)
    assert trajectory.id == RUN.as_posix().removesuffix(".json")
    assert (trajectory.app, trajectory.task) == ("openended", "Put the shoes into the cart")
    assert [step.actions[0] for step in trajectory.steps] == [
        Action("click", 80, 42),
        Action("type", 100, 90.5, text="shoes"),
        Action("click"),
        Action("click", 80, 42),
        Action("done", text="done"),
    ]
    assert [step.success for step in trajectory.steps] == [None, None, False, None, None]
    screens = RECORDED / "screenshots" / "openended" / "GenericAgent-scripted" / "openended.1"
    assert [step.pre for step in trajectory.steps] == [screens / f"screenshot_step_{n}.png" for n in range(5)]
    assert trajectory.steps[-1].post == screens / "screenshot_step_5.png"
    assert trajectory.steps[0].target_box == (40, 30, 80, 24)
    assert trajectory.steps[0].instruction == "turn 1"


def test_the_first_expert_decides_and_the_rest_is_told(folder):
    [trajectory] = read_agentrewardbench(folder)
    assert trajectory.success is True
    assert "side effect No, optimality 3. Somewhat Optimal, looping No" in trajectory.notes[0]


@pytest.mark.parametrize(
    ("word", "success"), [("Successful", True), ("Unsuccessful", False), ("Unsure", None), ("", None)]
)
def test_an_experts_word_outranks_the_reward(folder, word, success):
    row = f"A,openended,openended.1,GenericAgent-scripted,x,{word},No,1,No\n"
    (folder / "data" / "annotations.csv").write_text(HEADER + row)
    change(folder, lambda run: run["summary_info"].update(cum_reward=0.0 if success else 1.0))
    [trajectory] = read_agentrewardbench(folder)
    assert trajectory.success is success


@pytest.mark.parametrize(("reward", "success"), [(1.0, True), (0.0, False), (None, None)])
def test_without_an_annotation_the_reward_decides(folder, reward, success):
    (folder / "data" / "annotations.csv").write_text(HEADER + "A,webarena,webarena.1,Other,x,Successful,No,1,No\n")
    change(folder, lambda run: run["summary_info"].update(cum_reward=reward))
    [trajectory] = read_agentrewardbench(folder)
    assert trajectory.success is success


def test_screens_and_annotations_are_found_from_a_folder_below(folder):
    [whole] = read_agentrewardbench(folder, strict=True)
    [part] = read_agentrewardbench(folder / "cleaned" / "openended", strict=True)
    [single] = read_agentrewardbench(folder / RUN, strict=True)
    assert part.success is single.success is whole.success is True
    assert (
        [s.pre.resolve() for s in part.steps]
        == [s.pre.resolve() for s in single.steps]
        == [s.pre.resolve() for s in whole.steps]
    )


def test_a_run_that_is_not_valid_is_told_of(folder):
    change(folder, lambda run: run.update(valid=False))
    [trajectory] = read_agentrewardbench(folder, strict=True)
    assert any("not valid" in note for note in trajectory.notes)


@pytest.mark.parametrize(
    ("edit", "told"),
    [
        (lambda step: step.update(screenshot_path="../../../etc/passwd"), "leads out"),
        (lambda step: step.update(screenshot_path="/etc/passwd"), "leads out"),
        (lambda step: step.update(screenshot_path="trajectories/screenshots/absent.png"), "missing"),
        (lambda step: step.update(screenshot_path=None), "not a path"),
        (lambda step: step.update(action="jump('4')"), "has no action jump"),
        (lambda step: step.update(action=["click"]), "browsergym"),
    ],
)
def test_a_broken_step_is_left_out_and_told_of(folder, edit, told):
    change(folder, lambda run: edit(run["steps"][1]))
    [trajectory] = read_agentrewardbench(folder)
    assert len(trajectory.steps) == 4
    assert told in trajectory.notes[0]
    with pytest.raises(DataError, match=told):
        list(read_agentrewardbench(folder, strict=True))


@pytest.mark.parametrize(
    "edit",
    [lambda run: run.update(steps=5), lambda run: run.update(summary_info=[1]), lambda run: run.update(steps=[1])],
)
def test_a_broken_run_is_told_of(folder, edit):
    (folder / "data" / "annotations.csv").unlink()
    change(folder, edit)
    [trajectory] = read_agentrewardbench(folder)
    assert trajectory.notes
    with pytest.raises(DataError):
        list(read_agentrewardbench(folder, strict=True))


def test_other_folders_are_refused(tmp_path):
    with pytest.raises(DataError, match="no run of AgentRewardBench"):
        list(read_agentrewardbench(tmp_path))
