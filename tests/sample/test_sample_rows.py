from __future__ import annotations

import json
import math

import pytest

from viscritic.actions import Action
from viscritic.errors import DataError
from viscritic.sample import Sample

SAMPLE = Sample(
    id="made/one/0/positive",
    app="editor",
    platform="desktop",
    source="made",
    trajectory="one",
    step=0,
    pre="0" * 32 + ".png",
    post="1" * 32 + ".png",
    action=(Action("click", x=3, y=4), Action("type", text="héllo")),
    success=1.0,
    progress=-0.5,
    outcome="success",
    cause="positive",
    origin="weak",
    split="train",
    idle=("2" * 32 + ".png",),
    instruction="Write 'héllo'",
    task="Greet",
    change="none",
    target_box=(1.0, 2.0, 3.5, 4.0),
)


def test_a_row_comes_back_through_json():
    assert Sample.from_dict(json.loads(json.dumps(SAMPLE.to_dict()))) == SAMPLE


def test_a_row_holds_every_field_of_the_contract():
    contract = (
        "id app platform source trajectory step pre post burst idle action instruction task success progress outcome"
        " cause origin change target_box noise split"
    )
    assert set(SAMPLE.to_dict()) == set(contract.split())


def test_optional_fields_may_be_absent_and_labels_unknown():
    row = SAMPLE.to_dict() | {"progress": None, "outcome": None}
    for name in ("burst", "idle", "instruction", "task", "change", "target_box", "noise"):
        del row[name]
    sample = Sample.from_dict(row)
    assert (sample.progress, sample.outcome, sample.idle, sample.target_box) == (None, None, (), None)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("success", 1.01),
        ("success", -0.1),
        ("success", math.nan),
        ("success", True),
        ("success", None),
        ("success", "1"),
        ("progress", -1.5),
        ("progress", math.inf),
        ("outcome", "fine"),
        ("outcome", []),
        ("platform", None),
        ("origin", "guessed"),
        ("split", "dev"),
        ("change", "loud"),
        ("step", -1),
        ("step", 1.0),
        ("step", True),
        ("app", ""),
        ("cause", None),
        ("task", 7),
        ("action", []),
        ("action", {"kind": "click"}),
        ("action", [{"kind": "clack"}]),
        ("action", ["click"]),
        ("burst", "a.png"),
        ("idle", [1]),
        ("target_box", [1, 2, 3]),
        ("target_box", [1, 2, -3, 4]),
        ("target_box", [1, 2, math.nan, 4]),
    ],
)
def test_a_bad_value_is_refused_by_id_and_field(field, value):
    with pytest.raises(DataError) as caught:
        Sample.from_dict(SAMPLE.to_dict() | {field: value})
    assert SAMPLE.id in str(caught.value)
    assert field in str(caught.value)


def test_an_unknown_field_is_refused():
    with pytest.raises(DataError, match=r"made/one/0/positive.*unknown field 'succes'"):
        Sample.from_dict(SAMPLE.to_dict() | {"succes": 1.0})


def test_a_missing_field_is_refused():
    row = SAMPLE.to_dict()
    del row["outcome"]
    with pytest.raises(DataError, match="'outcome' is missing"):
        Sample.from_dict(row)


@pytest.mark.parametrize("row", [None, [], "x", 3])
def test_what_is_no_object_is_refused(row):
    with pytest.raises(DataError, match="JSON object"):
        Sample.from_dict(row)
