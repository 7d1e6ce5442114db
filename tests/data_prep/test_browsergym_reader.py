"""BrowserGym: a run that browsergym-experiments itself wrote (recorded/README.md), and pickles of stand-ins of its
classes with the fields of its loop.py for what that run does not have."""

from __future__ import annotations

import gzip
import json
import os
import shutil
from pathlib import Path

import pytest
from made_foreign import Poison, foreign, pickled
from made_images import SIZE, is_shown, pixels, write_image

from data_prep.readers.browsergym import read_browsergym
from data_prep.readers.elements import box_of, elements_of, place
from viscritic.actions import Action
from viscritic.errors import DataError

RECORDED = Path(__file__).parent / "recorded" / "browsergym"
StepInfo = foreign(
    "browsergym.experiments.loop",
    "StepInfo",
    *(
        "step",
        "obs",
        "reward",
        "raw_reward",
        "terminated",
        "truncated",
        "action",
        "agent_info",
        "stats",
        "profiling",
        "task_info",
    ),
)
AgentInfo = foreign("browsergym.experiments.agent", "AgentInfo", "think", "chat_messages", "stats", "extra_info")
ExpArgs = foreign("browsergym.experiments.loop", "ExpArgs", "agent_args", "env_args", "exp_dir", "exp_name")
EnvArgs = foreign("browsergym.experiments.loop", "EnvArgs", "task_name", "task_seed")
BOXES = {
    "a51": {"visibility": 1.0, "bbox": [20, 10, 40, 20], "clickable": True},
    "b": {"visibility": 0.0, "bbox": None},
}


def observed(**more):
    return {
        "goal": "Buy shoes",
        "goal_object": None,
        "url": "http://shop",
        "last_action_error": "",
        "extra_element_properties": BOXES,
    } | more


def step(number: int, action, obs=None, **more):
    return StepInfo(
        number,
        observed() if obs is None else obs,
        0,
        None,
        False,
        False,
        action,
        AgentInfo(f"thought  {number}"),
        **more,
    )


def write_run(run: Path, steps, *, task="webarena.310", reward: object = 1.0, screens=True, suffix=".png"):
    run.mkdir(parents=True, exist_ok=True)
    for info in steps:
        (run / f"step_{info.step}.pkl.gz").write_bytes(gzip.compress(pickled(info)))
        if screens:
            write_image(run / f"screenshot_step_{info.step}{suffix}", info.step)
            write_image(run / f"screenshot_som_step_{info.step}{suffix}", 90 + info.step)
    (run / "exp_args.pkl").write_bytes(pickled(ExpArgs(None, EnvArgs(task, 5), run, "x")))
    goal = (
        {"type": "text", "text": "Buy shoes"},
        {"type": "image_url", "image_url": {"url": "data:"}},
        {"type": "text", "text": "red"},
    )
    (run / "goal_object.pkl.gz").write_bytes(gzip.compress(pickled(goal)))
    (run / "summary_info.json").write_text(
        json.dumps({"n_steps": len(steps) - 1, "cum_reward": reward, "err_msg": None})
    )


STEPS = [step(0, "click('a51')"), step(1, "fill('b', 'shoes')"), step(2, "mouse_click(30, 40)"), step(3, None)]


def test_a_run_that_browsergym_wrote_is_read():
    [trajectory] = read_browsergym(RECORDED, strict=True)
    assert (trajectory.id, trajectory.app, trajectory.task) == ("run", "openended", "Put the shoes into the cart")
    assert (trajectory.success, trajectory.notes) == (False, ())
    assert [step.actions[0] for step in trajectory.steps] == [
        Action("click", 80, 42),
        Action("type", 100, 90.5, text="shoes"),
        Action("click"),
        Action("click", 80, 42),
        Action("done", text="done"),
    ]
    assert [step.success for step in trajectory.steps] == [None, None, False, None, None]
    assert trajectory.steps[0].target_box == (40, 30, 80, 24)
    assert trajectory.steps[0].instruction == "turn 1"
    for number, recorded in enumerate(trajectory.steps):
        assert recorded.size == (320, 240)
        assert recorded.pre == RECORDED / "run" / f"screenshot_step_{number}.png"
        assert recorded.post == RECORDED / "run" / f"screenshot_step_{number + 1}.png"


def test_a_run_of_an_agent_is_read(tmp_path):
    steps = [
        *STEPS[:2],
        step(2, "mouse_click(30, 40)", observed(last_action_error="TimeoutError: Locator.fill")),
        STEPS[3],
    ]
    write_run(tmp_path / "study" / "run", steps, suffix=".jpg")
    write_run(tmp_path / "study" / "_run", steps)  # was run again
    [trajectory] = read_browsergym(tmp_path, strict=True)
    assert (trajectory.id, trajectory.app) == ("study/run", "webarena")
    assert (trajectory.task, trajectory.success) == ("Buy shoes\nred", True)
    assert [s.actions[0] for s in trajectory.steps] == [
        Action("click", 40, 20),
        Action("type", text="shoes"),
        Action("click", 30, 40),
    ]
    assert [s.success for s in trajectory.steps] == [None, False, None], "the next step tells how an action went"
    assert trajectory.steps[0].pre.name == "screenshot_step_0.jpg"
    assert trajectory.steps[0].instruction == "thought 0"


def test_screens_of_older_releases_lie_in_the_pickles(tmp_path):
    old = [
        StepInfo(n, observed(screenshot=pixels(n)), action="noop()" if n < 2 else None, agent_info={"think": "x"})
        for n in range(3)
    ]
    write_run(tmp_path / "run", old, screens=False)
    [trajectory] = read_browsergym(tmp_path, strict=True)
    assert all(is_shown(s.pre, s.index) and is_shown(s.post, s.index + 1) for s in trajectory.steps)
    assert (len(trajectory.steps), trajectory.steps[0].size, trajectory.steps[0].instruction) == (2, SIZE, "x")


@pytest.mark.parametrize(
    ("reward", "success"),
    [(1.0, True), (0, False), (0.5, None), (None, None), ("much", None), (float("nan"), None), (10**400, None)],
)
def test_the_reward_tells_how_a_run_ended(tmp_path, reward, success):
    write_run(tmp_path / "run", STEPS, reward=reward)
    [trajectory] = read_browsergym(tmp_path)
    assert trajectory.success is success


def test_a_run_that_broke_off_keeps_its_steps(tmp_path):
    write_run(tmp_path / "run", STEPS[:2])
    (tmp_path / "run" / "step_2.pkl.gz").write_bytes(gzip.compress(pickled(StepInfo(2))))  # obs is None after a crash
    for name in ("exp_args.pkl", "goal_object.pkl.gz", "summary_info.json"):
        (tmp_path / "run" / name).unlink()
    [trajectory] = read_browsergym(tmp_path)
    assert (trajectory.task, trajectory.success, len(trajectory.steps)) == ("Buy shoes", None, 2)
    assert trajectory.steps[1].post is None
    assert "screenshot_step_2.png is missing" in trajectory.notes[0]


@pytest.mark.parametrize(
    ("name", "told"),
    [("step_1.pkl.gz", "wants to call"), ("exp_args.pkl", "wants to call"), ("goal_object.pkl.gz", "wants to call")],
)
def test_a_poisoned_pickle_does_nothing(tmp_path, name, told):
    marker = tmp_path / "ran"
    write_run(tmp_path / "run", STEPS)
    (tmp_path / "run" / name).write_bytes(gzip.compress(pickled(Poison(os.system, (f"touch {marker}",)))))
    [trajectory] = read_browsergym(tmp_path)
    assert told in trajectory.notes[0]
    assert len(trajectory.steps) == (2 if name.startswith("step") else 3)
    with pytest.raises(DataError, match=told):
        list(read_browsergym(tmp_path, strict=True))
    assert not marker.exists()


def test_a_broken_action_still_shows_the_step_before(tmp_path):
    write_run(tmp_path / "run", [STEPS[0], step(1, "jump('a51')"), *STEPS[2:]])
    [trajectory] = read_browsergym(tmp_path)
    assert [s.index for s in trajectory.steps] == [0, 1]
    assert trajectory.steps[0].post.name == "screenshot_step_1.png"
    assert "has no action jump" in trajectory.notes[0]


@pytest.mark.parametrize(
    ("call", "point", "end", "box"),
    [
        ("click('a51')", (40, 20), None, (20, 10, 40, 20)),
        ("click(bid='a51', button='right')", (40, 20), None, (20, 10, 40, 20)),
        ("drag_and_drop('a51', to_bid='a51')", (40, 20), (40, 20), (20, 10, 40, 20)),
        ("drag_and_drop('b', 'a51')", None, None, None),
        ("click('b')", None, None, None),
        ("click('unknown')", None, None, None),
        ("mouse_click(1, 2)", (1, 2), None, None),
        ("keyboard_type('a51')", None, None, None),
        ("goto('a51')", None, None, None),
        ("send_msg_to_user('a51')", None, None, None),
    ],
)
def test_elements_are_placed_by_their_bid(call, point, end, box):
    (action,) = Action.parse_batch(call, dialect="browsergym")
    placed, found = place(action, BOXES)
    assert placed.point == point
    assert found == box
    if point is not None:
        assert placed.end == end


def test_boxes_of_invisible_elements_are_none():
    for bbox in (None, [1, 2, 3], [0, 0, 0, 5], [float("nan"), 0, 1, 1], "0,0,1,1", [1e9, 0, 1, 1]):
        assert box_of({"bbox": bbox}) is None
    assert place(Action("click", raw="click('a51')"), None)[1] is None


def test_elements_that_can_be_clicked_are_told_of():
    listed = {
        "a": {"bbox": [1, 2, 3, 4], "clickable": True},
        "b": {"bbox": [5, 6, 7, 8]},
        "c": {"bbox": [5, 6, 7, 8], "clickable": False},
        "d": {"bbox": None, "clickable": True},
        "e": "no properties",
    }
    assert [element.box for element in elements_of(listed)] == [(1, 2, 3, 4), (5, 6, 7, 8)]
    assert elements_of(None) == elements_of([listed]) == ()


def test_other_folders_are_refused(tmp_path):
    shutil.copy(RECORDED / "run" / "step_1.pkl.gz", tmp_path)
    with pytest.raises(DataError, match="no run of BrowserGym"):
        list(read_browsergym(tmp_path))
