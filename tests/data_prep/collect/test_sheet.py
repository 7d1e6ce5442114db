"""A sheet for the eye shows the label, a blind one nothing that tells it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from data_prep.collect.sheet import draw_sheet
from viscritic.cli import app, main
from viscritic.heatmap import fonts
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


def test_letters_of_other_scripts_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or the sheet says that they could not be."""
    folder = SampleFolder(FOLDER)
    sample = next(iter(folder))
    sheets = [np.asarray(draw_sheet(folder, [replace(sample, instruction=text)])) for text in ("点击保存", "打开文件")]
    if fonts.missing_letters("点击保存打开文件") == "":
        assert (sheets[0][:20] != sheets[1][:20]).any(), "each letter has a shape of its own"
    monkeypatch.setattr("data_prep.collect.sheet.tell_missing", lambda _: "")
    silent = np.asarray(draw_sheet(folder, [replace(sample, instruction="点击保存")]))
    told = fonts.missing_letters("点击保存") != ""
    assert (sheets[0][22:48] != silent[22:48]).any() == told


def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[object, str]:
    """Exit code and standard error of the command line."""
    monkeypatch.setattr("sys.argv", ["viscritic", "data", "sheet", str(FOLDER), *words])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code, capsys.readouterr().err


def test_what_cannot_be_drawn_is_refused_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "sheet.png"
    for number in ("0", "-1", "9999"):
        code, told = run(monkeypatch, capsys, str(out), "--number", number)
        assert (code, "Invalid value for '--number'" in told) == (2, True), told
    code, told = run(monkeypatch, capsys, str(tmp_path / "sheet.txt"))
    assert (code, told.count("\n"), "name it" in told) == (2, 1, True), told
    code, told = run(monkeypatch, capsys, str(tmp_path / "nowhere" / "sheet.png"))
    assert (code, told.count("\n"), "there is no folder" in told) == (2, 1, True), told
    assert not out.exists()
    drawn = CliRunner().invoke(app, ["data", "sheet", str(FOLDER), str(out), "--number", "1"])
    assert (drawn.exit_code, out.read_bytes()[:4]) == (0, b"\x89PNG")
