from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PIL import Image

from data_prep.readers.screenagent import read_screenagent
from data_prep.spool import screens_in

ROOT = Path(__file__).parents[2]


@pytest.fixture
def benchmark(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / "scripts")
    import benchmark_build

    yield benchmark_build
    sys.modules.pop("benchmark_build", None)


@pytest.fixture
def source(tmp_path) -> Path:
    monkeypatch = pytest.MonkeyPatch()
    monkeypatch.syspath_prepend(ROOT / "tests" / "data_prep")
    from made_screenagent import CLICK, GOOD, PLAN, write_session

    monkeypatch.undo()
    for number in range(3):
        write_session(tmp_path / "data", [[PLAN], *[[GOOD, CLICK]] * 6, [GOOD]], f"s{number}")
    return tmp_path / "data"


def test_made_up_trajectories_are_real_steps_on_screens_that_are_there(benchmark, source, tmp_path):
    benchmark.cut_screens(source, tmp_path / "screens")
    made = list(benchmark.make_trajectories(source, tmp_path / "screens", 100))
    assert sum(step.success is True for trajectory in made for step in trajectory.steps) >= 100 / 2.4
    assert len({trajectory.id for trajectory in made}) == len(made)
    known = {step.instruction for trajectory in read_screenagent(source) for step in trajectory.steps}
    for trajectory in made:
        assert [step.index for step in trajectory.steps] == list(range(len(trajectory.steps)))
        assert {step.instruction for step in trajectory.steps} <= known
        for screen in screens_in(trajectory):
            with Image.open(screen) as image:
                assert image.size == benchmark.SIZE == trajectory.steps[0].size
    assert made == list(benchmark.make_trajectories(source, tmp_path / "screens", 100))
