"""What a harness, a pointer or a page drew is no effect of the action."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from data_prep.drawn import ON_NOTHING, ON_SUCCESS, draw_samples
from viscritic.cli import app
from viscritic.errors import DataError
from viscritic.sample_folder import SampleFolder
from viscritic.screen import load_screen


def test_the_drawn_is_all_that_changed_and_labels_say_so(toy_samples: Path, tmp_path: Path) -> None:
    source = {sample.id: sample for sample in SampleFolder(toy_samples)}
    draw_samples(toy_samples, tmp_path / "drawn", number=20, seed=1, command="-", progress=False)
    folder = SampleFolder(tmp_path / "drawn")
    folder.check()
    assert len(folder) == 20
    assert {sample.cause for sample in folder} <= {ON_NOTHING, ON_SUCCESS}
    for sample in folder:
        base = source[sample.id.removesuffix("-drawn")]
        nothing = sample.cause == ON_NOTHING
        assert (sample.outcome, sample.success) == (("no_op", 0.0) if nothing else (base.outcome, base.success))
        assert (sample.split, sample.action, sample.instruction) == (base.split, base.action, base.instruction)
        before = load_screen(SampleFolder(toy_samples).screen_path(base.pre if nothing else base.post))
        drawn = (load_screen(folder.screen_path(sample.post)) != before).any(axis=2)
        assert 0 < drawn.mean() < 0.2


def test_a_seed_decides_every_choice(toy_samples: Path, tmp_path: Path) -> None:
    rows = []
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        draw_samples(toy_samples, tmp_path / name, number=8, seed=seed, command="-", progress=False)
        rows.append((tmp_path / name / "samples.jsonl").read_bytes())
    assert rows[0] == rows[1] != rows[2]


def test_more_than_there_is_to_draw_on_is_refused(toy_samples: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="ask for fewer"):
        draw_samples(toy_samples, tmp_path / "drawn", number=100_000, seed=0, command="-", progress=False)
    assert not (tmp_path / "drawn").exists()


def test_the_command(toy_samples: Path, tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["data", "draw", str(toy_samples), "--out", str(tmp_path / "out"), "--number", "5"])
    assert done.exit_code == 0, done.output
    assert "5 samples" in done.output
    assert len({tuple(np.shape(load_screen(path))) for path in (tmp_path / "out" / "screens").iterdir()}) == 1
