from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from made_screenagent import BAD, CLICK, GOOD, PLAN, write_session

from data_prep.readers.screenagent import read_screenagent, read_subtask
from viscritic.actions import Action
from viscritic.errors import DataError


def test_the_real_sample_is_read_whole(screenagent_dir):
    trajectories = list(read_screenagent(screenagent_dir, strict=True))
    steps = [step for trajectory in trajectories for step in trajectory.steps]
    assert len(trajectories) == 59
    assert Counter(step.success for step in steps) == {True: 248, False: 4, None: 1}
    assert all(step.instruction and step.size == (1024, 768) and step.pre.is_file() for step in steps)
    assert all(step.post != step.pre and len(step.idle) <= 1 for step in steps)
    assert [step.index for step in trajectories[0].steps] == [0, 1, 2]
    assert trajectories == list(read_screenagent(screenagent_dir / "train"))
    apps = Counter(trajectory.app for trajectory in trajectories)
    assert apps["libreoffice-calc"] == 7
    assert not {t.id for t in trajectories} & set(apps), "every session of the sample has a known application"


def test_a_real_step_is_what_its_records_say(screenagent_dir):
    [trajectory] = [t for t in read_screenagent(screenagent_dir) if t.id.startswith("04b0ccaf")]
    step = trajectory.steps[0]
    assert trajectory.task == "Calculate the total sales of Category A"
    assert step.instruction == "Find the storage location of the total sales of Category A"
    assert step.actions == (Action("click", x=848, y=204),)
    times = [path.stem[11:19] for path in (*step.idle, step.pre, step.post)]
    assert times == sorted(times)


@pytest.mark.parametrize(
    ("prompt", "subtask"),
    [
        ('The current subtask is "Enter summation formula".\nYou can', "Enter summation formula"),
        ('Now the subtask is "click the search button".\nYou can', "click the search button"),
        ("The current subtask is Insert Table.\nYou can", "Insert Table"),
        ('x```The current sub task is "Open it". Please give detailed next steps', "Open it"),
        ('The current sub task is "Input [Angel] (a. b)", please give the detailed', "Input [Angel] (a. b)"),
        ('The current subtask is "input" python "in the terminal.\nYou', 'input "python" in the terminal'),
        ('The current subtask is "input" python "in the terminal".\nYou', 'input "python" in the terminal'),
        ('The current subtask is "Select" TOP 10 ".\nYou', 'Select "TOP 10"'),
        ('The current subtask is "the" Basic "of the" Shape ".\nYou', 'the "Basic" of the "Shape"'),
        ('The current subtask is "Enter in the bar“ https://a.b/ ”.\nYou', 'Enter in the bar "https://a.b/"'),
        ('The current sub task is to "press Enter".\nYou', "press Enter"),
        ("Make a plan.", ""),
        ("", ""),
    ],
)
def test_the_subtask_is_found_in_every_wording(prompt, subtask):
    assert read_subtask(prompt) == subtask


def test_steps_follow_the_records(tmp_path):
    write_session(tmp_path, [[PLAN], [CLICK], [GOOD], [CLICK, CLICK], [BAD], [CLICK], [CLICK], [GOOD, PLAN]])
    [trajectory] = read_screenagent(tmp_path)
    told = [(s.index, s.pre.stem, s.post.stem, [i.stem for i in s.idle], s.success) for s in trajectory.steps]
    assert told == [
        (0, "1", "2", ["0"], True),
        (1, "3", "4", ["2"], False),
        (2, "5", "6", ["4"], None),
        (3, "6", "7", [], True),
    ]
    assert (trajectory.app, trajectory.task, trajectory.steps[1].instruction) == ("one", "Write", "step 3")
    assert len(trajectory.steps[1].actions) == 2


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda s: (s / "3.json").write_text('{"saved_image_name": "3.j'), "3.json"),
        (lambda s: (s / "3.json").write_text("[]"), "saved_image_name"),
        (lambda s: (s / "3.json").write_bytes(b"\xff\xfe"), "3.json"),
        (lambda s: (s / "images" / "3.jpg").unlink(), "3.jpg"),
        (lambda s: (s / "images" / "3.jpg").write_bytes(b"JFIF"), "3.jpg"),
        (lambda s: change(s / "3.json", actions="click"), "actions"),
        (lambda s: change(s / "3.json", saved_image_name="../../../etc/passwd"), "not a file name"),
        (lambda s: change(s / "3.json", send_prompt_en=None), "send_prompt_en"),
        (lambda s: (s / "3.json").write_text("[" * 100_000), "recursion"),
        (lambda s: change(s / "3.json", actions=[CLICK | {"mouse_position": {"width": "left"}}]), "width"),
        (lambda s: change(s / "3.json", actions=[CLICK | {"mouse_action_type": "tickle"}]), "tickle"),
    ],
)
def test_a_broken_record_is_skipped_and_told_of(tmp_path, damage, told):
    session = write_session(tmp_path, [[PLAN], [CLICK], [GOOD], [CLICK], [GOOD], [CLICK], [GOOD]])
    damage(session)
    [trajectory] = read_screenagent(tmp_path)
    assert [step.instruction for step in trajectory.steps] == ["step 1", "step 5"]
    assert len(trajectory.notes) == 1
    assert told in trajectory.notes[0]
    with pytest.raises(DataError, match=r"one/3"):
        list(read_screenagent(tmp_path, strict=True))


def change(path: Path, **values) -> None:
    path.write_text(json.dumps(json.loads(path.read_text()) | values))


def test_a_step_without_its_next_record_is_not_given_another_screen(tmp_path):
    session = write_session(tmp_path, [[CLICK], [GOOD], [CLICK]])
    (session / "1.json").write_text("{")
    assert list(read_screenagent(tmp_path)) == []
    write_session(tmp_path, [[CLICK], [GOOD], [CLICK]], "two")
    [trajectory] = read_screenagent(tmp_path)
    assert len(trajectory.steps) == 1
    assert "no readable record follows" in trajectory.notes[0]


def test_a_folder_without_sessions_is_refused(tmp_path):
    for folder in (tmp_path, tmp_path / "absent"):
        with pytest.raises(DataError, match="no ScreenAgent session"):
            list(read_screenagent(folder))
