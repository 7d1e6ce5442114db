"""A sheet for the eye shows the label, a blind one nothing that tells it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from data_prep.collect.sheet import draw_sheet
from viscritic.sample_folder import SampleFolder

FOLDER = Path(__file__).parents[3] / "benchmarks" / "outcomebench"
TARGET, LABEL = (0, 160, 0), (176, 0, 32)


def has(picture: np.ndarray, colour: tuple[int, int, int]) -> bool:
    return bool((np.abs(picture.astype(np.int16) - colour).max(axis=2) < 12).any())


def test_a_blind_sheet_shows_neither_label_nor_target() -> None:
    folder = SampleFolder(FOLDER)
    samples = [s for s in folder if s.app == "thunar" and s.target_box is not None][:2]
    told, blind = (np.asarray(draw_sheet(folder, samples, blind=b)) for b in (False, True))
    assert has(told, TARGET)
    assert has(told, LABEL)
    assert not has(blind, TARGET)
    assert not has(blind, LABEL)
    assert told.shape == blind.shape
