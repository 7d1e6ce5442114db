"""`viscritic bench speed`: its figures, its bars, and the ratios that must not grow."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from viscritic.bench.speed import footprint
from viscritic.bench.speed import scores as scores_module
from viscritic.bench.speed.clock import Times, summarise, take_turns
from viscritic.bench.speed.curves import draw_curves
from viscritic.bench.speed.footprint import measure_sizes
from viscritic.bench.speed.report import Figures, find_regressions, list_bars, list_ratios
from viscritic.bench.speed.rivals import SIAMESE, SSIM, YARDSTICK
from viscritic.bench.speed.scores import FOLLOWING, MAIN, measure_many
from viscritic.bench.speed.screens import Scene
from viscritic.bench.speed.stages import STAGES, measure_stages
from viscritic.cli import app
from viscritic.errors import ConfigError

RECORDED = Path(__file__).with_name("speed.json")
SCORES = {
    MAIN: 50, "score, nothing, 1920x1080": 20, FOLLOWING: 25, "score, a dialog, 3840x2160": 70,
    "score, a dialog, 412x915": 40, SSIM: 100, SIAMESE: 1000,
    YARDSTICK: 100,
}  # fmt: skip


def figures(**changes: float) -> Figures:
    times = {name: Times(changes.get(name, ms), 1.2 * ms, 5) for name, ms in SCORES.items()}
    return Figures({"clock": "wall"}, times, {}, {}, {"peak memory, MB": 700.0}, {})


def test_turns_are_taken_and_the_first_round_does_not_count() -> None:
    calls: list[tuple[str, int]] = []
    contestants = {name: lambda turn, name=name: lambda: calls.append((name, turn)) for name in "ab"}  # type: ignore[misc]
    times = take_turns(contestants, 2, "processor")  # type: ignore[arg-type]
    assert calls == [("a", 0), ("b", 0), ("a", 1), ("b", 1), ("a", 2), ("b", 2)]
    assert {name: t.rounds for name, t in times.items()} == {"a": 2, "b": 2}


def test_median_and_95th_percentile() -> None:
    assert summarise([float(n) for n in range(101)]) == Times(50, 95, 101)


def test_scenes_change_where_they_say() -> None:
    scene = Scene(640, 480)
    same = scene.pair("nothing", 0)
    assert np.array_equal(same.pre, same.post)
    assert not np.array_equal(same.pre, scene.pair("nothing", 1).pre)  # no cache knows the next round's
    shares = [(pair.pre != pair.post).any(axis=2).mean() for pair in (scene.pair(c, 0) for c in ("a word", "a dialog"))]
    assert 0 < shares[0] < 0.01 < shares[1] < 0.2
    first, second = scene.walk(3)
    assert np.array_equal(first.post, second.pre)
    assert not np.array_equal(second.pre, second.post)
    assert not np.array_equal(first.pre, second.post)  # whose features a cache would know


def test_bars_say_what_is_met_and_what_is_missed() -> None:
    bars = {bar.name: bar for bar in list_bars(figures())}
    assert (bars["a verdict to SSIM"].value, bars["a verdict to SSIM"].met) == (0.5, True)
    assert bars["a verdict to the dense Siamese"].value == 0.05
    assert bars["pre was the last post to cold"].met
    assert not bars["no change to a dialog"].met  # 0.4 of it
    assert not bars["peak memory, MB"].met
    assert "a verdict, median, ms" in bars
    processor = replace(figures(), settings={"clock": "processor"})
    assert "a verdict, median, ms" not in {bar.name for bar in list_bars(processor)}


def test_a_ratio_that_grew_is_a_regression(tmp_path: Path) -> None:
    former = tmp_path / "former.json"
    former.write_text(json.dumps(figures().to_dict()))
    assert find_regressions(list_ratios(figures(**{MAIN: 74}).scores), former) == []
    assert find_regressions(list_ratios(figures(**{MAIN: 76}).scores), former) == [
        f"{MAIN} / {YARDSTICK} is 0.76, it was 0.50"
    ]


@pytest.mark.parametrize(
    ("text", "words"), [("", "no result"), ("[]", "no result"), ('{"ratios": {"a": 1}}', "no ratio in common")]
)
def test_what_is_no_former_run_is_refused(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "former.json").write_text(text)
    with pytest.raises(ConfigError, match=words):
        find_regressions(list_ratios(figures().scores), tmp_path / "former.json")


def test_stages_sum_up_to_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(scores_module.SIZES, "1920x1080", (480, 360))  # type: ignore[misc]
    found = measure_stages(None, 1, 1, "processor")
    for shares in found.values():
        assert set(shares.stages) == {*STAGES, "rest"}
        assert sum(shares.stages.values()) == pytest.approx(shares.whole)
        assert all(shares.stages[name] > 0 for name in STAGES)  # each of them was met
        assert shares.sessions > 0
        assert shares.reader > 0
    monkeypatch.setattr(scores_module, "BATCHES", (1, 2))
    many = measure_many(None, 1, 1)
    assert list(many) == ["score_many, 1 at once", "score_many, 2 at once"]
    assert min(many.values()) > 0


def test_the_runtime_needs_what_it_says() -> None:
    sizes = measure_sizes()
    assert {"viscritic", "numpy", "pillow", "onnxruntime", "typer", "rich"} <= set(sizes)
    assert not {"torch", "scipy", "scikit-image", "tokenizers", "huggingface-hub"} & set(sizes)
    assert all(size > 0 for size in sizes.values())


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read as Linux tells it")
def test_the_peak_is_that_of_the_process_alone() -> None:
    held = bytearray(400 << 20)
    held[:: 1 << 12] = bytes([1]) * len(held[:: 1 << 12])  # every page is there
    assert 5 < float(footprint._run(footprint._MEMORY)) < 100


def test_curves_are_drawn() -> None:
    times = Times(10, 12, 3)
    picture = draw_curves({"size": {"412x915": times, "1920x1080": times}, "changed": {"0.0": times, "1.0": times}})
    with Image.open(io.BytesIO(picture)) as image:
        assert image.format == "PNG"
        assert image.size == (1100, 440)


def test_a_verdict_costs_no_more_than_it_did(tmp_path: Path) -> None:
    """Ratios of the processor's time within one run, half as much again being allowed: no time is held to anything."""
    out = tmp_path / "speed.json"
    options = ["--part", "scores", "--rounds", "2", "--threads", "1", "--clock", "processor", "--no-dense"]
    options += ["--markdown", str(tmp_path / "speed.md")]
    ran = CliRunner().invoke(app, ["bench", "speed", *options, "--out", str(out), "--check", str(RECORDED)])
    assert ran.exit_code == 0, ran.output
    assert set(json.loads(out.read_text())["ratios"]) == set(json.loads(RECORDED.read_text())["ratios"])
    assert "a verdict to SSIM" in ran.output
    lines = (tmp_path / "speed.md").read_text().splitlines()
    assert lines[0].startswith("clock processor, threads 1, rounds 2, ")
    assert "| a whole call, processor time | median ms | p95 ms |" in lines
    assert "| bar | measured | at most |  |" in lines


def test_options_that_contradict_each_other_are_refused() -> None:
    for options, words in ((["--picture", "a.png"], "--picture draws"), (["--check", "a.json"], "--check compares")):
        ran = CliRunner().invoke(app, ["bench", "speed", "--part", "many", *options])
        assert isinstance(ran.exception, ConfigError)
        assert words in str(ran.exception)
