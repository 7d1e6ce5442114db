"""Our own sample folders, written by `build_samples`."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from data_prep.build import build_samples
from data_prep.config import BuildConfig
from data_prep.readers.samples import read_samples
from viscritic.errors import DataError
from viscritic.sample_folder import ROWS, SampleFolder
from viscritic.sample_writer import SampleWriter


@pytest.fixture(scope="module")
def folder(trajectories, tmp_path_factory):
    out = tmp_path_factory.mktemp("samples") / "made"
    build_samples(trajectories[:4], out, BuildConfig(), progress=False)
    return out


def test_the_steps_that_happened_come_back(folder, trajectories):
    read = {trajectory.id: trajectory for trajectory in read_samples(folder, strict=True)}
    for original in trajectories[:4]:
        trajectory = read[original.id]
        assert (trajectory.source, trajectory.app, trajectory.task) == (original.source, original.app, original.task)
        kept = {step.instruction: step for step in trajectory.steps}
        for step in original.steps:
            if (back := kept.pop(step.instruction, None)) is not None:
                assert (back.actions, back.success, back.size) == (step.actions, step.success, step.size)
                assert (back.pre.read_bytes(), back.post.read_bytes()) == (
                    step.pre.read_bytes(),
                    step.post.read_bytes(),
                )
        assert kept == {}, "no made sample is a step"
        assert [step.outcome for step in trajectory.steps] == ["success"] * 5 + [None]


def test_observed_samples_keep_their_outcome(folder, tmp_path):
    first = SampleFolder(folder)[0]
    with SampleWriter(tmp_path / "seen", command="x", configuration={}, seed=0) as writer:
        for name in (first.pre, first.post):
            writer.add_screen(SampleFolder(folder).screen_path(name))
        for number, outcome in enumerate(("timeout", "success")):
            writer.append(
                replace(
                    first,
                    id=f"s{number}",
                    step=1 - number,
                    origin="observed",
                    cause="slow",
                    outcome=outcome,
                    success=float(number),
                )
            )
    [trajectory] = read_samples(tmp_path, strict=True)
    assert [(step.index, step.success, step.outcome) for step in trajectory.steps] == [
        (0, True, "success"),
        (1, False, "timeout"),
    ]


def test_a_broken_row_ends_its_folder_with_a_note(folder, tmp_path):
    whole = list(read_samples(folder))
    copy = tmp_path / "copy"
    copy.mkdir()
    (copy / "manifest.json").write_bytes((folder / "manifest.json").read_bytes())
    (copy / "screens").symlink_to(folder / "screens")
    lines = (folder / ROWS).read_text().splitlines()
    (copy / ROWS).write_text("\n".join([*lines, '{"id": 1}']))
    *read, rest = read_samples(copy)
    assert len(read) <= len(whole)
    assert (rest.steps, rest.broken) == ((), 1)
    with pytest.raises(DataError, match="row"):
        list(read_samples(copy, strict=True))


def test_a_missing_screen_is_told_of(folder, tmp_path):
    copy = tmp_path / "copy"
    (copy / "screens").mkdir(parents=True)
    for name in (ROWS, "manifest.json"):
        (copy / name).write_bytes((folder / name).read_bytes())
    row = json.loads((folder / ROWS).read_text().splitlines()[0])
    for trajectory in read_samples(copy):
        assert trajectory.steps == ()
        assert "is missing" in trajectory.notes[0]
    assert row["pre"] in next(read_samples(copy)).notes[0]


def test_other_folders_are_refused(tmp_path):
    (tmp_path / ROWS).touch()  # without a manifest
    with pytest.raises(DataError, match="no sample folder"):
        list(read_samples(tmp_path))
