"""The benchmark in the repository is whole, and holds nothing that anything is trained or tuned on."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from data_prep.collect.apps import APPLICATIONS
from viscritic.sample_folder import SampleFolder

FOLDER = Path(__file__).parents[2] / "benchmarks" / "outcomebench"


def test_it_is_whole_and_small_enough_for_a_repository() -> None:
    folder = SampleFolder(FOLDER)
    folder.check()
    assert len(folder) >= 600
    assert sum(path.stat().st_size for path in FOLDER.rglob("*") if path.is_file()) < 40e6


def test_its_applications_are_for_testing_only() -> None:
    samples = list(SampleFolder(FOLDER))
    assert {sample.split for sample in samples} == {"test"}
    assert {sample.origin for sample in samples} == {"observed"}
    assert {APPLICATIONS[sample.app]().split for sample in samples} == {"test"}


def test_every_platform_has_every_outcome() -> None:
    outcomes = Counter((sample.platform, sample.outcome) for sample in SampleFolder(FOLDER))
    assert len(outcomes) == 3 * 5
