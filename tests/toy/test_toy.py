"""Toy samples are what they say: deterministic, balanced, and true to what is drawn."""

from __future__ import annotations

import itertools
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from data_prep.toy import SIZE, write_toy_samples
from viscritic.sample import Sample
from viscritic.sample_folder import SampleFolder
from viscritic.screen import load_screen
from viscritic.train.run import check_samples
from viscritic.trajectory import OUTCOMES


@pytest.fixture(scope="module")
def folder(toy_samples: Path) -> SampleFolder:
    return SampleFolder(toy_samples)


def screens(folder: SampleFolder, sample: Sample) -> tuple[np.ndarray, np.ndarray]:
    pre, post = (load_screen(folder.screen_path(name)) for name in (sample.pre, sample.post))
    return pre.astype(int), post.astype(int)


def switched(pre: np.ndarray, post: np.ndarray) -> set[int]:
    """The switches whose colour changed: rows of 45 px from 30 px on."""
    changed = (np.abs(pre - post).max(axis=2) > 24)[:200, 20:64]
    return {row for row in range(4) if changed[30 + 45 * row : 54 + 45 * row].any()}


def test_the_same_seed_gives_the_same_folder(toy_samples: Path, tmp_path: Path) -> None:
    write_toy_samples(tmp_path / "again", trajectories=8, seed=0, command="viscritic data toy")
    write_toy_samples(tmp_path / "other", trajectories=8, seed=1, command="viscritic data toy")
    rows = [(place / "samples.jsonl").read_bytes() for place in (toy_samples, tmp_path / "again", tmp_path / "other")]
    assert rows[0] == rows[1] != rows[2]


def test_splits_share_no_trajectory_and_hold_every_outcome(folder: SampleFolder) -> None:
    samples = list(folder)
    check_samples(samples)
    folder.check()
    assert Counter(s.split for s in samples) == {"train": 24, "val": 12, "test": 12}
    for split in ("train", "val", "test"):
        assert {s.outcome for s in samples if s.split == split} == set(OUTCOMES)
    assert {s.app for s in samples} == {"toy-train", "toy-val", "toy-test"}


def test_what_is_drawn_is_what_is_labelled(folder: SampleFolder) -> None:
    for sample in folder:
        pre, post = screens(folder, sample)
        assert pre.shape == (SIZE[1], SIZE[0], 3)
        (action,) = sample.action
        assert action.y is not None
        assert sample.target_box is not None
        wanted, hit = round((sample.target_box[1] - 30) / 45), int((action.y - 30) // 45)
        banner = np.abs(pre - post)[212:].max() > 24
        match sample.outcome:
            case "success":
                assert switched(pre, post) == {wanted} == {hit}
                assert not banner
            case "wrong_target":
                assert switched(pre, post) == {hit}
                assert hit != wanted
            case "no_op":
                assert np.array_equal(pre, post)
                assert hit == wanted
            case _:
                assert switched(pre, post) == set()
                assert banner
        assert (sample.success == 1) is (sample.outcome == "success")
        assert sample.instruction.startswith("Turn ")


def test_steps_follow_one_another(folder: SampleFolder) -> None:
    """Unless a banner covers it, the next step begins where the last one ended."""
    samples = list(folder)
    for last, following in itertools.pairwise(samples):
        if last.trajectory == following.trajectory and last.outcome not in ("page_error", "timeout"):
            assert following.pre == last.post
