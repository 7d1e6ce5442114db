from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from data_prep.build import build_samples
from data_prep.config import BuildConfig
from data_prep.engines import EngineConfig, open_engine
from viscritic.errors import ConfigError, DataError, MissingExtraError
from viscritic.sample_folder import SampleFolder


def square(number: int) -> int:
    return number * number


def refuse_seven(number: int) -> int:
    if number == 7:
        raise DataError("seven is not wanted")
    return number


def end_at_seven(number: int) -> int:
    if number == 7:
        os._exit(9)
    return number


@pytest.mark.parametrize("workers", [1, 2])
def test_engines_keep_the_order_and_raise_errors(workers):
    with open_engine(EngineConfig(workers=workers)) as run:
        assert list(run(square, range(30))) == [(n, n * n) for n in range(30)]
        assert list(run(square, ())) == []
        with pytest.raises(DataError, match="seven is not wanted"):
            list(run(refuse_seven, range(30)))


@pytest.fixture(scope="module")
def whole(trajectories, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("whole") / "s"
    build_samples(trajectories, out, BuildConfig(), progress=False)
    return out


def check_same(a: Path, b: Path) -> None:
    for name in ("samples.jsonl", "manifest.json", "CARD.md"):
        assert (a / name).read_bytes() == (b / name).read_bytes()
    SampleFolder(b).check()


def test_two_processes_build_the_same_bytes(whole, trajectories, tmp_path):
    build_samples(trajectories, tmp_path / "s", BuildConfig(), progress=False, engine=EngineConfig(workers=2))
    check_same(whole, tmp_path / "s")


@pytest.mark.slow
def test_a_ray_cluster_of_two_workers_builds_the_same_bytes(whole, tmp_path):
    """Not in the extra "all", since Ray takes 240 MB:  pip install 'viscritic[ray]'  and run this file."""
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'viscritic[ray]' to run this")
    (tmp_path / "screens").mkdir()
    here = Path(__file__).parent
    environment = os.environ | {"PYTHONPATH": f"{here.parents[1]}{os.pathsep}{here}"}
    command = [sys.executable, str(here / "ray_run.py"), str(tmp_path / "screens")]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert "told: seven is not wanted" in result.stdout
    check_same(whole, tmp_path / "many")


def test_pieces_are_taken_only_as_far_as_workers_are_kept_busy():
    taken = []

    def pieces():
        for number in range(50):
            taken.append(number)
            yield number

    with open_engine(EngineConfig(workers=2)) as run:
        results = run(square, pieces())
        assert next(results) == (0, 0)
        assert len(taken) < 10
        with pytest.raises(ChildProcessError, match="fewer --workers"):
            list(run(end_at_seven, range(20)))


def test_what_makes_no_sense_is_refused():
    with pytest.raises(ConfigError, match="at least 1"):
        EngineConfig(workers=0)
    with pytest.raises(ConfigError, match="for the engine ray"):
        EngineConfig(address="auto")


def test_a_missing_ray_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"viscritic\[ray\]"), open_engine(EngineConfig("ray")):
        pass
