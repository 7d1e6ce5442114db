"""OSWorld: the fixtures are written as lib_run_single.py writes its runs."""

from __future__ import annotations

import json

import pytest
from made_images import SIZE, write_image

from data_prep.readers.osworld import read_osworld
from viscritic.actions import Action
from viscritic.errors import DataError

RUN = "pyautogui/screenshot/gpt-4o/chrome/030eeff7"


def line(number: int, action, screen: int | str, **more):
    name = screen if isinstance(screen, str) else f"step_{number}_20240501@12000{screen}.png"
    return {
        "step_num": number,
        "action_timestamp": "20240501@120000",
        "action": action,
        "response": "I will click.",
        "reward": 0,
        "done": False,
        "info": {},
        "screenshot_file": name,
    } | more


LINES = [
    line(1, "import pyautogui\npyautogui.click(30, 20)", 1),
    line(2, "pyautogui.moveTo(10, 10)", 2),
    line(2, "pyautogui.dragTo(50, 40)", 2),  # within the same second: one screen
    line(2, "pyautogui.write('hi')", 3),
    line(3, {"action_type": "SCROLL", "clicks": -3}, 4),
    line(4, "WAIT", 5),
    line(5, "DONE", 6, done=True),
]


def write_run(root, lines=LINES, *, result: str | None = "1.0\n", first: bool = True, task: bool = True):
    run = root / "results" / RUN
    if first:
        write_image(run / "step_0.png", 0)
    run.mkdir(parents=True, exist_ok=True)
    for entry in lines:
        name = entry.get("screenshot_file") if isinstance(entry, dict) else None
        if isinstance(name, str) and name.startswith("step_"):
            write_image(run / name, len(list(run.iterdir())))
    (run / "traj.jsonl").write_text(
        "\n".join(entry if isinstance(entry, str) else json.dumps(entry) for entry in lines) + "\n"
    )
    (run / "runtime.log").write_text("log")
    if result is not None:
        (run / "result.txt").write_text(result)
    if task:
        example = root / "evaluation_examples" / "examples" / "chrome" / "030eeff7.json"
        example.parent.mkdir(parents=True, exist_ok=True)
        example.write_text(json.dumps({"id": "030eeff7", "instruction": "Turn on Do Not Track.", "snapshot": "chrome"}))
    return run


def test_screens_are_taken_after_the_action(tmp_path):
    run = write_run(tmp_path)
    [trajectory] = read_osworld(tmp_path, strict=True)
    assert (trajectory.id, trajectory.app, trajectory.success) == (f"results/{RUN}", "chrome", True)
    assert trajectory.task == "Turn on Do Not Track."
    assert [step.actions for step in trajectory.steps] == [
        (Action("click", 30, 20),),
        (Action("drag", 10, 10, 50, 40),),  # of two lines
        (Action("type", text="hi"),),
        (Action("scroll", dy=300),),
        (Action("wait"),),
        (Action("done"),),
    ]
    names = ["step_0.png", *dict.fromkeys(entry["screenshot_file"] for entry in LINES)]
    assert [step.pre for step in trajectory.steps] == [run / name for name in names[:-1]]
    assert [step.post for step in trajectory.steps] == [run / name for name in names[1:]]
    assert all(step.size == SIZE and step.success is None for step in trajectory.steps)


def test_lines_that_share_a_screen_are_one_step(tmp_path):
    """Both were taken within one second, so the second screen has overwritten the first."""
    write_run(tmp_path, [LINES[0], line(2, "pyautogui.press('a')", 2), line(2, "pyautogui.press('b')", 2), *LINES[5:]])
    [trajectory] = read_osworld(tmp_path)
    assert [len(step.actions) for step in trajectory.steps] == [1, 2, 1, 1]


def test_the_first_screen_is_mostly_missing(tmp_path):
    write_run(tmp_path, first=False)
    [trajectory] = read_osworld(tmp_path, strict=True)
    assert len(trajectory.steps) == 5
    assert trajectory.steps[0].pre.name == LINES[0]["screenshot_file"]
    assert "before the first action was not stored" in trajectory.notes[0]


@pytest.mark.parametrize(
    ("result", "success"),
    [("1.0\n", True), ("0.0", False), ("0.5\n", None), (None, None), ("nan", None), ("yes", None)],
)
def test_the_result_is_a_number(tmp_path, result, success):
    write_run(tmp_path, result=result)
    [trajectory] = read_osworld(tmp_path)
    assert trajectory.success is success
    assert bool(trajectory.notes) == (result in ("0.5\n", "yes"))


def test_the_line_of_a_time_limit_is_no_step(tmp_path):
    write_run(tmp_path, [*LINES[:2], json.dumps({"Error": "Time limit exceeded in chrome/030eeff7"})], result=None)
    [trajectory] = read_osworld(tmp_path, strict=True)
    assert len(trajectory.steps) == 2
    assert "Time limit exceeded" in trajectory.notes[0]


def test_an_answer_without_an_action_is_no_step(tmp_path):
    write_run(tmp_path, [LINES[0], line(2, None, 2, screenshot_file=None)])
    [trajectory] = read_osworld(tmp_path, strict=True)
    assert len(trajectory.steps) == 1


def test_the_text_of_the_task_may_be_missing_or_lie_in_the_run(tmp_path):
    run = write_run(tmp_path, task=False)
    [trajectory] = read_osworld(tmp_path, strict=True)
    assert trajectory.task == ""
    assert "evaluation_examples/examples/chrome/" in trajectory.notes[0]
    (run / "instruction.txt").write_text("Do it.\n")
    [trajectory] = read_osworld(run, strict=True)
    assert (trajectory.id, trajectory.task, trajectory.app) == ("030eeff7", "Do it.", "chrome")


def test_a_run_may_start_with_a_stamped_screen_and_tell_its_task_in_each_line(tmp_path):
    start = line(0, "__init__", "step_0_20250901@120000123456.png", instruction="Turn it on.")
    run = write_run(tmp_path, [start, *(entry | {"instruction": "Turn it on."} for entry in LINES)], first=False)
    [trajectory] = read_osworld(run, strict=True)
    assert (trajectory.task, trajectory.notes, len(trajectory.steps)) == ("Turn it on.", (), 6)
    assert trajectory.steps[0].pre.name == start["screenshot_file"]


def test_a_script_may_hold_a_comment_in_a_string_and_fractions_of_pixels(tmp_path):
    script = "import pyautogui\nimport time\n'''\nOpen it.\n'''\npyautogui.rightClick(30.4, 20.25)\ntime.sleep(0.5)"
    write_run(tmp_path, [line(1, script, 1)])
    [trajectory] = read_osworld(tmp_path, strict=True)
    assert [action.kind for action in trajectory.steps[0].actions] == ["right_click", "wait"]
    assert (trajectory.steps[0].actions[0].x, trajectory.steps[0].actions[0].y) == (30.4, 20.25)


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        ("{not json", "not JSON"),
        ("[1]", "a line must be an object"),
        (line(2, "pyautogui.click(x, y)", 2), "needs numbers"),
        (line(2, "__import__('os').system('x')", 2), "cannot read|no plain name"),
        (line(2, 5, 2), "osworld|pyautogui|text"),
        (line(2, "WAIT", "../../../../../../etc/passwd"), "missing"),
        (line(2, "WAIT", "absent.png"), "missing"),
        (line(2, "WAIT", None, screenshot_file=None), "not the name of a file"),
    ],
)
def test_a_broken_line_is_left_out_and_told_of(tmp_path, broken, told):
    write_run(tmp_path, [LINES[0], broken, *LINES[4:]])
    [trajectory] = read_osworld(tmp_path)
    kinds = [step.actions[0].kind for step in trajectory.steps]
    assert kinds[0] == "click"
    assert kinds[-2:] == ["wait", "done"]
    assert trajectory.notes
    with pytest.raises(DataError, match=told):
        list(read_osworld(tmp_path, strict=True))


def test_other_folders_are_refused(tmp_path):
    with pytest.raises(DataError, match="no run of OSWorld"):
        list(read_osworld(tmp_path))
