"""Mind2Web: the fixtures are written from the documented fields of its task files and of the raw dump."""

from __future__ import annotations

import json

import pytest
from made_images import SIZE, as_base64, encoded

from data_prep.readers.mind2web import read_mind2web, words
from viscritic.actions import Action
from viscritic.errors import DataError


def candidate(rect: str, *, original: bool = True):
    attributes = {
        "backend_node_id": "136",
        "bounding_box_rect": rect,
        "class": "btn",
        "data_pw_testid_buckeye_candidate": "1",
    }
    return {
        "tag": "button",
        "is_original_target": original,
        "is_top_level_target": True,
        "backend_node_id": "136",
        "attributes": json.dumps(attributes),
    }


def action(uid: str, op: str, *, value: str = "", original: str | None = None, rect: str = "20,10,40,20"):
    return {
        "action_uid": uid,
        "raw_html": "<html/>",
        "cleaned_html": "<html/>",
        "operation": {"op": op, "original_op": original or op, "value": value},
        "pos_candidates": [candidate(rect)] if rect else [],
        "neg_candidates": [],
    }


ACTIONS = [
    action("u0", "CLICK"),
    action("u1", "TYPE", value="shoes"),
    action("u2", "SELECT", value="Red"),
    action("u3", "CLICK", original="HOVER"),
    action("u4", "CLICK", original="ENTER", rect="-1,-1,-1,-1"),
]
REPRS = [
    "[button]  Search all -> CLICK",
    "[textbox]  Search -> TYPE: shoes",
    "[combobox]  Colour -> SELECT: Red",
    "[link]  -> HOVER",
    "[textbox]  Search -> ENTER",
]
BOXES = [{"x": 30, "y": 20, "width": 10, "height": 10}, None, None, None, None]


def task(name: str = "t1", actions=ACTIONS, **more):
    return {
        "annotation_id": name,
        "website": "shop",
        "domain": "Shopping",
        "subdomain": "Speciality",
        "confirmed_task": "Buy red shoes",
        "action_reprs": REPRS,
        "actions": actions,
    } | more


def entry(number: int, **more):
    return {
        "action_uid": f"u{number}",
        "before": {"screenshot": as_base64(number, kind="JPEG")},
        "after": {"screenshot": as_base64(50 + number, kind="JPEG")},
        "action": {"bounding_box": BOXES[number]},
    } | more


def write(root, tasks, dumps):
    (root / "data" / "train").mkdir(parents=True)
    (root / "data" / "train" / "train_0.json").write_text(json.dumps(tasks))
    for name, entries in dumps.items():
        folder = root / "raw_dump" / "task" / name / "processed"
        folder.mkdir(parents=True)
        (folder / "screenshot.json").write_text(json.dumps(entries))
        (folder / "dom_content.json").write_text(json.dumps({"annotation_id": name}))


ENTRIES = [entry(number) for number in range(5)]


def shown(number: int) -> bytes:
    return encoded(number, kind="JPEG")


def test_a_task_is_read_in_pixels_of_the_page(tmp_path):
    write(tmp_path, [task()], {"t1": ENTRIES})
    [trajectory] = read_mind2web(tmp_path, strict=True)
    assert (trajectory.id, trajectory.app, trajectory.task, trajectory.success) == ("t1", "shop", "Buy red shoes", True)
    assert [step.actions[0] for step in trajectory.steps] == [
        Action("click", 35, 25),  # the box of the dump outranks the candidate's
        Action("type", 40, 20, text="shoes"),
        Action("select", 40, 20, text="Red"),
        Action("move", 40, 20),
        Action("key", keys=("enter",)),  # an invisible element has no point
    ]
    assert [step.target_box for step in trajectory.steps] == [(30, 20, 10, 10), *[(20, 10, 40, 20)] * 3, None]
    assert [(step.pre, step.post) for step in trajectory.steps[:4]] == [(shown(n), shown(n + 1)) for n in range(4)]
    assert trajectory.steps[4].post == shown(54), "the last action has its own screen after"
    assert all(step.success and step.size == SIZE for step in trajectory.steps)
    assert trajectory.steps[1].instruction == 'Type "shoes" into the textbox "Search"'


def test_entries_are_joined_by_the_action_they_name(tmp_path):
    dropped = entry(0, action_uid="not in the task")
    write(tmp_path, [task()], {"t1": [ENTRIES[1], dropped, *ENTRIES[2:], ENTRIES[0]]})
    [trajectory] = read_mind2web(tmp_path, strict=True)
    assert [step.pre for step in trajectory.steps] == [shown(number) for number in range(5)]


def test_a_gap_is_filled_by_the_screen_after(tmp_path):
    write(tmp_path, [task()], {"t1": [ENTRIES[0], *ENTRIES[2:]]})
    [trajectory] = read_mind2web(tmp_path)
    assert trajectory.steps[0].post == shown(50)


def test_the_visible_candidate_that_was_chosen_counts(tmp_path):
    chosen = ACTIONS[1] | {
        "pos_candidates": [candidate("-1,-1,-1,-1"), candidate("0,0,4,4", original=False), candidate("60,30,10,10")]
    }
    write(tmp_path, [task(actions=[ACTIONS[0], chosen])], {"t1": ENTRIES})
    [trajectory] = read_mind2web(tmp_path, strict=True)
    assert trajectory.steps[1].actions[0].point == (65, 35)
    assert trajectory.steps[1].target_box == (60, 30, 10, 10)


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda t, e: e[2].update(before={"screenshot": "!!"}), "base64"),
        (lambda t, e: e[2].update(before={"screenshot": as_base64(1)[:40]}), "cannot be read|base64"),
        (lambda t, e: e[2].update(before=None), "base64 text"),
        (lambda t, e: t["actions"][2].update(operation={"op": "JUMP", "value": ""}), "must be one of"),
        (lambda t, e: t["actions"][2]["pos_candidates"][0].update(attributes="{"), "not JSON"),
        (
            lambda t, e: t["actions"][2]["pos_candidates"][0].update(attributes='{"bounding_box_rect": "a,b"}'),
            "bounding_box_rect",
        ),
    ],
)
def test_a_broken_action_is_left_out_and_told_of(tmp_path, change, told):
    tasks, entries = json.loads(json.dumps([task()])), json.loads(json.dumps(ENTRIES))
    change(tasks[0], entries)
    write(tmp_path, tasks, {"t1": entries})
    [trajectory] = read_mind2web(tmp_path)
    assert len(trajectory.steps) == 4
    assert len(trajectory.notes) == 1
    with pytest.raises(DataError, match=told):
        list(read_mind2web(tmp_path, strict=True))


def test_tasks_and_dumps_that_miss_each_other_are_told_of(tmp_path):
    write(tmp_path, [task("t0"), task(), 5, task("t2", actions="none")], {"t1": ENTRIES, "t2": ENTRIES, "t9": ENTRIES})
    trajectories = list(read_mind2web(tmp_path))
    assert [len(t.steps) for t in trajectories] == [0, 5, 0, 0]
    assert [bool(t.notes) for t in trajectories] == [True, False, True, True]
    assert "no screens in the raw dump" in trajectories[0].notes[0]
    assert len({t.id for t in trajectories}) == 4


def test_a_task_file_that_breaks_off_keeps_what_was_read(tmp_path):
    write(tmp_path, [task()], {"t1": ENTRIES})
    path = tmp_path / "data" / "train" / "train_0.json"
    path.write_text(path.read_text()[:-1] + ', {"annotation_id": "t')
    whole, rest = read_mind2web(tmp_path)
    assert (len(whole.steps), rest.steps) == (5, ())
    assert "JSON" in rest.notes[0]


@pytest.mark.parametrize(
    ("representation", "sentence"),
    [
        ("[button]  Search all -> CLICK", 'Click the button "Search all"'),
        ("[span]  -> CLICK", "Click the span"),
        ("[combobox]  Time -> SELECT: 5:00 PM", 'Select "5:00 PM" in the combobox "Time"'),
        ("[a] x -> y -> HOVER", 'Point at the a "x -> y"'),
        ("[textbox]  Search -> ENTER", 'Press Enter in the textbox "Search"'),
        ("something else", "something else"),
        (None, ""),
    ],
)
def test_representations_become_sentences(representation, sentence):
    assert words(representation) == sentence


def test_other_folders_are_refused(tmp_path):
    with pytest.raises(DataError, match="no screens of Mind2Web"):
        list(read_mind2web(tmp_path))
    write(tmp_path, [], {"t1": ENTRIES})
    with pytest.raises(DataError, match="no task file"):
        list(read_mind2web(tmp_path))
