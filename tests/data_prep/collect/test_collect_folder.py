"""A collection on disk: whole walks only, readable as a sample folder, resumable after a kill."""

import json

import numpy as np
import pytest

from data_prep.collect.folder import APART, SHARDS, CollectFolder
from data_prep.collect.samples import encode_screen
from data_prep.collect.walk import UNOBSERVABLE
from viscritic.actions import Action
from viscritic.errors import DataError
from viscritic.sample import Sample
from viscritic.sample_folder import SampleFolder
from viscritic.screen import load_screen


def screen(shade):
    return np.full((20, 30, 3), shade, np.uint8)


def walk(folder, name, shade=0, app="shop", cause="clean"):
    pre, post = (folder.store(encode_screen(screen(s))) for s in (shade, shade + 1))
    sample = Sample(
        id=f"{name}-0", app=app, platform="web", source="collected", trajectory=name, step=0, pre=pre, post=post,
        action=(Action("click", x=1, y=2),), success=1.0, progress=1.0, outcome="success", cause=cause,
        origin="observed", split="train",
    )  # fmt: skip
    folder.add_walk(0, name, [sample], {"neighbour: no label": 1})


def test_is_a_sample_folder(tmp_path):
    folder = CollectFolder(tmp_path)
    for number in range(3):
        walk(folder, f"shop-{number}", shade=number)
    manifest = folder.publish({"command": "x"})
    samples = SampleFolder(tmp_path)
    samples.check()
    assert len(samples) == manifest["samples"] == manifest["trajectories"] == 3
    assert manifest["screens"] == 4  # each different one once
    assert samples[0].origin == "observed"
    assert np.array_equal(load_screen(samples.screen_path(samples[0].post)), screen(1))
    assert manifest["dropped"] == {"neighbour: no label": 3}
    assert "| clean | 3 | 0 | 0 | 3 |" in (tmp_path / "CARD.md").read_text("utf-8")


def test_what_nobody_can_see_lies_apart(tmp_path):
    folder = CollectFolder(tmp_path)
    walk(folder, "shop-0", shade=0)
    walk(folder, "shop-1", shade=50, cause=UNOBSERVABLE)
    manifest = folder.publish({}, clean=True)
    assert (manifest["samples"], manifest["unobservable"]) == (1, 1)
    samples = SampleFolder(tmp_path)
    samples.check()
    assert [sample.cause for sample in samples] == ["clean"]
    (line,) = (tmp_path / APART).read_text("utf-8").splitlines()
    apart = Sample.from_dict(json.loads(line))
    assert (tmp_path / "screens" / apart.post).is_file()


def test_torn_line_loses_its_walk_only(tmp_path):
    folder = CollectFolder(tmp_path)
    walk(folder, "shop-1", shade=1)
    walk(folder, "shop-2", shade=100)
    shard = next((tmp_path / SHARDS).iterdir())
    shard.write_bytes(shard.read_bytes()[:-40])
    assert folder.done() == {"shop-1"}
    walk(folder, "shop-3", shade=3)
    assert CollectFolder(tmp_path).done() == {"shop-1", "shop-3"}
    folder.publish({}, clean=True)
    SampleFolder(tmp_path).check()
    assert len(list((tmp_path / "screens").iterdir())) == 4  # what the torn walk had stored is gone


def test_a_walk_that_was_taken_twice_counts_once(tmp_path):
    folder = CollectFolder(tmp_path)
    for _ in range(2):
        walk(folder, "shop-1")
    assert folder.publish({})["samples"] == 1


def test_another_folder_is_refused(tmp_path):
    (tmp_path / "letter.txt").write_text("dear")
    with pytest.raises(DataError, match="not a collection"):
        CollectFolder(tmp_path)


def test_shard_lines_are_json_with_rows(tmp_path):
    folder = CollectFolder(tmp_path)
    walk(folder, "shop-1")
    line = json.loads(next((tmp_path / SHARDS).iterdir()).read_text())
    assert [row["id"] for row in line["rows"]] == ["shop-1-0"]
