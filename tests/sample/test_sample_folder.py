from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from viscritic.actions import Action
from viscritic.errors import DataError
from viscritic.sample import Sample
from viscritic.sample_folder import SampleFolder
from viscritic.sample_writer import SampleWriter


def encoded(colour: str, form: str = "PNG") -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (32, 24), colour).save(buffer, form)
    return buffer.getvalue()


def make_sample(number: int, pre: str, post: str, split: str = "train", cause: str = "positive") -> Sample:
    return Sample(
        id=f"made/t/{number}",
        app="editor",
        platform="desktop",
        source="made",
        trajectory="t",
        step=number,
        pre=pre,
        post=post,
        action=(Action("click", x=1, y=2),),
        success=1.0,
        progress=0.5,
        outcome=None,
        cause=cause,
        origin="weak",
        split=split,
    )


def write_folder(path: Path, number: int = 3, colour: str = "red") -> dict:
    with SampleWriter(path, command="test", configuration={"a": 1}, seed=5, card=lambda m: f"{m['samples']}") as writer:
        pre = writer.add_screen(encoded(colour))
        for i in range(number):
            post = writer.add_screen(encoded(f"#0000{60 * i:02x}", "JPEG"))
            writer.append(make_sample(i, pre, post, "val" if i == 1 else "train"))
    return writer.manifest


def test_what_was_written_is_read(tmp_path):
    write_folder(tmp_path / "s")
    folder = SampleFolder(tmp_path / "s")
    rows = list(folder)
    assert len(folder) == 3
    assert [row.step for row in rows] == [0, 1, 2]
    assert folder[1] == rows[1]
    assert folder[-1] == rows[2]
    assert folder.by_split("val") == [rows[1]]
    with pytest.raises(IndexError):
        folder[3]
    with pytest.raises(DataError, match="unknown split"):
        folder.by_split("dev")
    folder.check()


def test_screens_keep_their_bytes_and_are_stored_once(tmp_path):
    write_folder(tmp_path / "s")
    folder = SampleFolder(tmp_path / "s")
    assert folder.screen_path(folder[0].pre).read_bytes() == encoded("red")
    assert folder[0].pre == folder[2].pre
    assert folder[0].pre.endswith(".png")
    assert folder[0].post.endswith(".jpg")
    assert len(list((tmp_path / "s" / "screens").iterdir())) == folder.manifest["screens"] == 4


def test_the_manifest_tells_how_the_folder_came_about(tmp_path):
    manifest = write_folder(tmp_path / "s")
    assert manifest == SampleFolder(tmp_path / "s").manifest
    assert manifest["counts"] == {
        "split": {"train": 2, "val": 1},
        "cause": {"positive": 3},
        "outcome": {"None": 3},
        "origin": {"weak": 3},
        "app": {"editor": 3},
    }
    assert (manifest["command"], manifest["configuration"], manifest["seed"]) == ("test", {"a": 1}, 5)
    assert (tmp_path / "s" / "CARD.md").read_text() == "3"


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", "/etc/passwd", "..", "", "a.png", "0" * 32 + ".png/../x", "\0.png"]
)
def test_names_cannot_lead_out_of_the_folder(tmp_path, name):
    write_folder(tmp_path / "s")
    with pytest.raises(DataError, match="not the name of a screen"):
        SampleFolder(tmp_path / "s").screen_path(name)


def test_a_missing_screen_is_named(tmp_path):
    write_folder(tmp_path / "s")
    folder = SampleFolder(tmp_path / "s")
    folder.screen_path(folder[0].pre).unlink()
    with pytest.raises(DataError, match=folder[0].pre):
        folder.check()


def test_a_changed_screen_and_a_changed_row_are_noticed(tmp_path):
    write_folder(tmp_path / "s")
    folder = SampleFolder(tmp_path / "s")
    path = folder.screen_path(folder[0].pre)
    path.write_bytes(encoded("green"))
    with pytest.raises(DataError, match="has changed"):
        folder.check()
    path.write_bytes(encoded("red"))
    rows = tmp_path / "s" / "samples.jsonl"
    rows.write_text(rows.read_text().replace('"success": 1.0', '"success": 0.0'))
    with pytest.raises(DataError, match=r"samples\.jsonl is not the file"):
        folder.check()


def test_a_damaged_row_is_named_by_its_number(tmp_path):
    write_folder(tmp_path / "s")
    rows = tmp_path / "s" / "samples.jsonl"
    rows.write_text(rows.read_text()[:-20])
    with pytest.raises(DataError, match="row 3"):
        list(SampleFolder(tmp_path / "s"))


def test_what_is_no_sample_folder_or_of_a_newer_schema_is_refused(tmp_path):
    with pytest.raises(DataError, match="not a sample folder"):
        SampleFolder(tmp_path)
    write_folder(tmp_path / "s")
    path = tmp_path / "s" / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"schema_version": 99}))
    with pytest.raises(DataError, match="upgrade"):
        SampleFolder(tmp_path / "s").manifest  # noqa: B018
    path.write_text("{")
    with pytest.raises(DataError, match="not JSON"):
        SampleFolder(tmp_path / "s").manifest  # noqa: B018


def test_only_a_sample_folder_is_replaced(tmp_path):
    write_folder(tmp_path / "s", 3)
    write_folder(tmp_path / "s", 1)
    assert len(SampleFolder(tmp_path / "s")) == 1
    other = tmp_path / "thesis"
    other.mkdir()
    (other / "chapter1.txt").write_text("years of work")
    with pytest.raises(DataError, match="not a sample folder"):
        write_folder(other)
    assert (other / "chapter1.txt").read_text() == "years of work"
    assert {path.name for path in tmp_path.iterdir()} == {"s", "thesis"}


def test_an_error_leaves_the_old_folder_whole_and_nothing_else(tmp_path):
    write_folder(tmp_path / "s", 3)
    with (
        pytest.raises(DataError, match="two samples"),
        SampleWriter(tmp_path / "s", command="test", configuration={}, seed=0) as writer,
    ):
        name = writer.add_screen(encoded("blue"))
        writer.append(make_sample(0, name, name))
        writer.append(make_sample(0, name, name))
    SampleFolder(tmp_path / "s").check()
    assert len(SampleFolder(tmp_path / "s")) == 3
    assert [path.name for path in tmp_path.iterdir()] == ["s"]


def test_a_row_must_be_valid_and_its_screens_added(tmp_path):
    with SampleWriter(tmp_path / "s", command="test", configuration={}, seed=0) as writer:
        name = writer.add_screen(encoded("blue"))
        with pytest.raises(DataError, match="not added"):
            writer.append(make_sample(0, name, "f" * 32 + ".png"))
        with pytest.raises(DataError, match="success"):
            writer.append(replace(make_sample(0, name, name), success=2.0))
        with pytest.raises(DataError, match="image"):
            writer.add_screen(b"no image at all")
        with pytest.raises(DataError, match="cannot be read"):
            writer.add_screen(tmp_path / "absent.png")
    assert len(SampleFolder(tmp_path / "s")) == 0


KILLED = """
import os, signal, sys
sys.path.insert(0, sys.argv[2])
from test_sample_folder import encoded, make_sample
from viscritic.sample_writer import SampleWriter
with SampleWriter(sys.argv[1], command="test", configuration={}, seed=0) as writer:
    for i in range(100):
        name = writer.add_screen(encoded(f"#00{i:02x}00"))
        writer.append(make_sample(i, name, name))
        if i == 50:
            os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("before", [0, 2])
def test_a_kill_leaves_no_torn_folder(tmp_path, before):
    place = tmp_path / "s"
    if before:
        write_folder(place, before)
    command = [sys.executable, "-c", KILLED, str(place), str(Path(__file__).parent)]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    result = subprocess.run(command, env=environment, check=False, capture_output=True)
    assert result.returncode == -signal.SIGKILL, result.stderr
    assert place.exists() == bool(before)
    if before:
        SampleFolder(place).check()
        assert len(SampleFolder(place)) == before
    write_folder(place, 1)  # what is left over is in nobody's way
    assert len(SampleFolder(place)) == 1
