"""Runs of one task in a build: failed ones are compared with successful ones, wherever they stand in the stream."""

from __future__ import annotations

from dataclasses import replace

import pytest

pytest.importorskip("skimage")
from made_screens import make_trajectory

from data_prep.build import build_samples
from data_prep.config import BuildConfig
from viscritic.sample_folder import SampleFolder


@pytest.mark.parametrize("failed_first", [False, True])
def test_failed_runs_are_cut_at_the_divergence(tmp_path, failed_first):
    good = make_trajectory(tmp_path, "web", "good", size=5)
    other = make_trajectory(tmp_path, "web", "other", size=5)
    silent = [tuple(replace(step, success=None) for step in t.steps) for t in (good, other)]
    away = tuple(replace(step, index=index) for index, step in enumerate((*silent[0][:2], *silent[1][2:])))
    runs = [
        replace(good, task="Book", steps=silent[0], success=True),
        replace(good, id="bad", task="book ", steps=away, success=False),
    ]
    out = tmp_path / "out"
    build_samples(runs[::-1] if failed_first else runs, out, BuildConfig(val=0, test=0), progress=False)
    told = {(row.trajectory, row.step, row.cause): row for row in SampleFolder(out)}
    assert {key[1:] for key in told if key[0] == "bad" and key[2] == "aligned"} == {(0, "aligned"), (1, "aligned")}
    diverged = [row for key, row in told.items() if key[2] == "diverged"]
    assert diverged
    assert all(row.trajectory == "bad" and row.step >= 2 and 0 < row.success < 0.5 for row in diverged)
    assert {row.success for row in told.values() if row.cause == "positive"} == {0.95}
