"""A build that is killed at any point and started again ends with the same bytes."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from made_screens import make_trajectories

from data_prep.build import build_samples
from data_prep.config import BuildConfig
from data_prep.looking import look as LOOK
from viscritic.errors import DataError
from viscritic.sample_folder import SampleFolder

NAMES = ("samples.jsonl", "manifest.json", "CARD.md")
# Builds from the trajectories whose screens lie in argv[2]; kills itself at the argv[3]-th call of the functions below.
SCRIPT = """
import os, pathlib, signal, sys
sys.path.insert(0, sys.argv[1])
import data_prep.builder, data_prep.build, data_prep.spool, data_prep.feature_store
from data_prep.build import build_samples
from data_prep.config import BuildConfig
from made_screens import make_trajectories

left = int(sys.argv[3])
def deadly(function):
    def call(*args, **kwargs):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*args, **kwargs)
    return call

for owner, name in [
    (data_prep.spool.Path, "write_bytes"), (data_prep.spool.Path, "replace"), (data_prep.spool.Path, "unlink"),
    (data_prep.spool.Path, "rename"), (data_prep.spool.Spool, "add"), (data_prep.feature_store.FeatureStore, "add"),
    (data_prep.feature_store.FeatureStore, "flush"), (data_prep.builder, "write_row"),
    (data_prep.builder, "write_json"), (data_prep.build, "take_place"), (data_prep.build.shutil, "rmtree"),
]:
    setattr(owner, name, deadly(getattr(owner, name)))
folder = pathlib.Path(sys.argv[2])
build_samples(make_trajectories(folder), folder.parent / "s", BuildConfig(), progress=False)
print(left)
"""


def build(folder: Path, kill_at: int) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", SCRIPT, str(Path(__file__).parent), str(folder), str(kill_at)]
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def read(folder: Path) -> dict[str, bytes]:
    SampleFolder(folder).check()
    screens = sorted(path.name for path in (folder / "screens").iterdir())
    return {name: (folder / name).read_bytes() for name in NAMES} | {"screens": "\n".join(screens).encode()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("whole")
    (folder / "screens").mkdir()
    build_samples(make_trajectories(folder / "screens"), folder / "s", BuildConfig(), progress=False)
    return read(folder / "s")


def test_a_build_killed_again_and_again_ends_with_the_same_bytes(whole, tmp_path):
    (tmp_path / "screens").mkdir()
    rng = random.Random(0)
    points = [1, 2, 5, *(rng.randrange(20, 150) for _ in range(4))]
    for point in points:
        result = build(tmp_path / "screens", point)
        assert result.returncode == -signal.SIGKILL, result.stderr
        assert not (tmp_path / "s").exists() or read(tmp_path / "s") == whole
    result = build(tmp_path / "screens", 10**9)
    assert result.returncode == 0, result.stderr
    assert read(tmp_path / "s") == whole
    assert sorted(path.name for path in tmp_path.iterdir()) == ["s", "screens"]


def test_an_interrupted_reader_is_not_read_again_from_the_screens(whole, trajectories, tmp_path, monkeypatch):
    """After an interrupt the trajectories that were looked at are not looked at again."""

    def interrupted():
        yield from trajectories[:5]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_samples(interrupted(), tmp_path / "s", BuildConfig(), progress=False)
    assert not (tmp_path / "s").exists()
    from data_prep import builder

    looked = []
    monkeypatch.setattr(builder, "look", lambda job, config: looked.append(job.trajectory.id) or LOOK(job, config))
    build_samples(trajectories, tmp_path / "s", BuildConfig(), progress=False)
    assert looked == [trajectory.id for trajectory in trajectories[5:]]
    assert read(tmp_path / "s") == whole


def leave_unfinished(trajectories, out, seed=0) -> None:
    def interrupted():
        yield from trajectories
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_samples(interrupted(), out, BuildConfig(seed=seed), progress=False)


def test_other_settings_begin_anew(whole, trajectories, tmp_path):
    leave_unfinished(trajectories[:3], tmp_path / "s", seed=5)
    build_samples(trajectories, tmp_path / "s", BuildConfig(), progress=False)
    assert read(tmp_path / "s") == whole


def test_other_data_is_refused_once(whole, trajectories, tmp_path):
    leave_unfinished(trajectories[3:6], tmp_path / "s")
    with pytest.raises(DataError, match="start again"):
        build_samples(trajectories, tmp_path / "s", BuildConfig(), progress=False)
    build_samples(trajectories, tmp_path / "s", BuildConfig(), progress=False)
    assert read(tmp_path / "s") == whole
    leave_unfinished(trajectories, tmp_path / "t")
    with pytest.raises(DataError, match="start again"):
        build_samples(trajectories[:2], tmp_path / "t", BuildConfig(), progress=False)


def test_two_builds_of_one_folder_do_not_meet(trajectories, tmp_path):
    def second():
        with pytest.raises(DataError, match="another process builds there"):
            build_samples(trajectories, tmp_path / "s", BuildConfig(), progress=False)
        yield from trajectories

    build_samples(second(), tmp_path / "s", BuildConfig(), progress=False)


def test_a_broken_screen_costs_the_steps_around_it_and_is_told_of(trajectories, tmp_path):
    broken = tmp_path / "broken.png"
    broken.write_bytes(trajectories[1].steps[2].pre.read_bytes()[:200])
    steps = tuple(replace(step, pre=broken) if step.index == 2 else step for step in trajectories[1].steps)
    given = [trajectories[0], replace(trajectories[1], steps=steps), *trajectories[2:]]
    manifest = build_samples(given, tmp_path / "s", BuildConfig(), progress=False)
    assert (manifest["skipped"], manifest["trajectories"], manifest["broken_rows"]) == (0, len(trajectories), 1)
    assert max(sample.step for sample in SampleFolder(tmp_path / "s") if sample.trajectory == trajectories[1].id) == 4
    [note] = manifest["notes"]
    assert trajectories[1].id in note
    assert "broken.png" in note
    assert note in (tmp_path / "s" / "CARD.md").read_text()
    with pytest.raises(DataError, match=r"broken\.png"):
        build_samples(given, tmp_path / "t", BuildConfig(), progress=False, strict=True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken.png", "s"]
