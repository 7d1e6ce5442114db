"""Multimodal-Mind2Web: the Parquet files are written by `datasets` with the features of the data set's card."""

from __future__ import annotations

import json

import pytest
from made_images import SIZE, encoded

from data_prep.readers.multimodal_mind2web import is_multimodal_mind2web, read_multimodal_mind2web
from viscritic.actions import Action
from viscritic.errors import DataError, MissingExtraError

datasets = pytest.importorskip("datasets")
pytest.importorskip("pyarrow")
TEXT = datasets.Value("string")
FEATURES = datasets.Features(
    {
        "action_uid": TEXT,
        "raw_html": TEXT,
        "cleaned_html": TEXT,
        "operation": TEXT,
        "pos_candidates": datasets.Sequence(TEXT),
        "neg_candidates": datasets.Sequence(TEXT),
        "website": TEXT,
        "domain": TEXT,
        "subdomain": TEXT,
        "annotation_id": TEXT,
        "confirmed_task": TEXT,
        "screenshot": datasets.Image(),
        "action_reprs": datasets.Sequence(TEXT),
        "target_action_index": TEXT,
        "target_action_reprs": TEXT,
    }
)


def row(name: str, index: int, *, op: str = "CLICK", value: str = "", rect: str = "20,10,40,20", **more):
    attributes = json.dumps({"bounding_box_rect": rect, "class": "btn"})
    return {
        "action_uid": f"{name}-{index}",
        "raw_html": "<html/>" * 50,
        "cleaned_html": "<html/>",
        "operation": json.dumps({"original_op": op, "value": value, "op": op}),
        "pos_candidates": [json.dumps({"tag": "button", "is_original_target": True, "attributes": attributes})],
        "neg_candidates": ["{}"],
        "website": "shop",
        "domain": "Shopping",
        "subdomain": "x",
        "annotation_id": name,
        "confirmed_task": f"Task {name}",
        "screenshot": {"bytes": shown(name, index), "path": None},
        "action_reprs": ["[button]  Go -> CLICK"] * 3,
        "target_action_index": str(index),
        "target_action_reprs": "[button]  Go -> CLICK",
    } | more


def shown(name: str, index: int) -> bytes:
    return encoded(ord(name) + 10 * index, kind="JPEG")


def write(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    datasets.Dataset.from_list(rows, features=FEATURES).to_parquet(path)


def test_rows_are_joined_by_task_and_index(tmp_path):
    rows = [row("a", 0), row("a", 1, op="TYPE", value="red"), row("b", 1), row("a", 2), row("b", 0)]
    write(tmp_path / "data" / "train-00000-of-00002.parquet", rows[:3])
    write(tmp_path / "data" / "train-00001-of-00002.parquet", rows[3:])
    first, second = read_multimodal_mind2web(tmp_path, strict=True)
    assert (first.id, first.app, first.task, first.success) == ("a", "shop", "Task a", True)
    assert [(step.pre, step.post) for step in first.steps] == [
        (shown("a", 0), shown("a", 1)),
        (shown("a", 1), shown("a", 2)),
        (shown("a", 2), None),
    ]
    assert [step.actions[0] for step in first.steps] == [
        Action("click", 40, 20),
        Action("type", 40, 20, text="red"),
        Action("click", 40, 20),
    ]
    assert (first.steps[0].target_box, first.steps[0].size) == ((20, 10, 40, 20), SIZE)
    assert first.steps[0].instruction == 'Click the button "Go"'
    assert [(step.pre, step.post) for step in second.steps] == [(shown("b", 0), shown("b", 1)), (shown("b", 1), None)]


def test_the_index_is_a_number_in_text(tmp_path):
    write(tmp_path / "x.parquet", [row("a", number) for number in (10, 9, 2)])
    [trajectory] = read_multimodal_mind2web(tmp_path / "x.parquet", strict=True)
    assert [step.pre for step in trajectory.steps] == [shown("a", 2), shown("a", 9), shown("a", 10)]
    assert [step.post for step in trajectory.steps] == [None, shown("a", 10), None], "a gap has no screen after"


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"target_action_index": "one"}, "target_action_index"),
        ({"screenshot": None}, "no screenshot"),
        ({"screenshot": {"bytes": b"JFIF", "path": None}}, "cannot be read"),
        ({"operation": "{"}, "JSON"),
        ({"operation": '{"op": "JUMP"}'}, "must be one of"),
        ({"pos_candidates": ["{"]}, "not JSON"),
    ],
)
def test_a_broken_row_is_left_out_and_told_of(tmp_path, change, told):
    write(tmp_path / "x.parquet", [row("a", 0), row("a", 1) | change, row("a", 2)])
    [trajectory] = read_multimodal_mind2web(tmp_path)
    assert len(trajectory.steps) == 2
    assert told in trajectory.notes[0]
    with pytest.raises(DataError, match="row 1"):
        list(read_multimodal_mind2web(tmp_path, strict=True))


def test_a_damaged_file_is_told_of_and_the_others_read(tmp_path):
    write(tmp_path / "a.parquet", [row("a", 0)])
    write(tmp_path / "b.parquet", [row("b", 0)])
    (tmp_path / "b.parquet").write_bytes((tmp_path / "b.parquet").read_bytes()[:-60])
    datasets.Dataset.from_list([{"other": 1}]).to_parquet(tmp_path / "c.parquet")
    read, unread = read_multimodal_mind2web(tmp_path)
    assert (read.id, len(read.steps)) == ("a", 1)
    assert (unread.steps, len(unread.notes)) == ((), 1)
    assert "b.parquet" in unread.notes[0]
    with pytest.raises(DataError, match=r"b\.parquet"):
        list(read_multimodal_mind2web(tmp_path, strict=True))


def test_other_folders_are_refused(tmp_path):
    with pytest.raises(DataError, match="no Parquet file"):
        list(read_multimodal_mind2web(tmp_path))
    datasets.Dataset.from_list([{"other": 1}]).to_parquet(tmp_path / "c.parquet")
    with pytest.raises(DataError, match="Multimodal-Mind2Web"):
        list(read_multimodal_mind2web(tmp_path))


def test_the_missing_extra_is_named(tmp_path, monkeypatch):
    write(tmp_path / "x.parquet", [row("a", 0)])
    monkeypatch.setitem(__import__("sys").modules, "pyarrow", None)
    with pytest.raises(MissingExtraError, match=r"viscritic\[data\]"):
        is_multimodal_mind2web(tmp_path / "x.parquet")
