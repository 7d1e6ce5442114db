"""scripts/export.py, scripts/evaluate.py and scripts/demo.py as a person runs them."""

from __future__ import annotations

import json
import re
import runpy
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from toy_run import EXAMPLES, ROOT, ToyRun, foreign_warnings_ignored, graphs_copied

from viscritic import Critic
from viscritic.runtime.bundle import Bundle

BENCH = ROOT / "benchmarks" / "outcomebench"


@dataclass(frozen=True)
class Ended:
    code: Any
    out: str
    err: str


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Callable[..., Ended]:
    """A script in an empty working folder."""

    def script(name: str, *arguments: str) -> Ended:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setattr(sys, "argv", [f"{name}.py", *arguments])
        code: Any = 0
        try:
            with foreign_warnings_ignored():
                runpy.run_path(str(ROOT / "scripts" / f"{name}.py"), run_name="__main__")
        except SystemExit as ended:
            code = ended.code
        said = capsys.readouterr()
        return Ended(code, said.out, said.err + (code if isinstance(code, str) else ""))

    return script


def test_export_makes_a_bundle(run: Callable[..., Ended], toy_run: ToyRun, fp32_bundle: Path, tmp_path: Path) -> None:
    with graphs_copied(fp32_bundle):
        ended = run(
            "export", f"checkpoint={toy_run.checkpoint}", f"samples={toy_run.samples}", f"examples={EXAMPLES}",
            "out=bundle", f"cache={toy_run.cache}", "name=mine",
        )  # fmt: skip
    assert ended.code in (0, None), ended
    bundle = Bundle(tmp_path / "bundle")
    assert (bundle.config.name, bundle.config.precision) == ("mine", "int8")
    assert [path.name for path in tmp_path.iterdir()] == ["bundle"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["samples=a", "out=b"], "checkpoint"),
        (["checkpoint=a", "samples=b", "out=c"], "a is no checkpoint"),
        (["checkpoint=a", "samples=b", "out=c", "precision=int3"], "precision must be one of fp32, int8"),
        (["checkpoint=a", "samples=b", "out=c", "+x=1"], "unknown key in export: x"),
    ],
)
def test_export_says_what_is_wrong(run: Callable[..., Ended], arguments: list[str], words: str, tmp_path: Path) -> None:
    ended = run("export", *arguments)
    assert ended.code not in (0, None)
    assert words in ended.err
    assert "Traceback" not in ended.err
    assert list(tmp_path.iterdir()) == []


def test_evaluate_gives_one_report_for_bundle_checkpoint_and_baselines(
    run: Callable[..., Ended], toy_run: ToyRun, int8_bundle: Path, tmp_path: Path
) -> None:
    ended = run(
        "evaluate", f"samples={toy_run.samples}", "~bundles.viscritic", f"+bundles.mine={int8_bundle}",
        f"+checkpoints.torch={toy_run.checkpoint}", f"cache={toy_run.cache}", "out=report", "resamples=50",
    )  # fmt: skip
    assert ended.code in (0, None), ended
    report = next(iter((tmp_path / "report").glob("*.json")))
    text = report.read_text()
    assert "mine" in text
    assert "torch" in text
    json.loads(text)
    for system in ("mine", "torch", "majority"):
        assert system in ended.out
    assert list((tmp_path / "report").rglob("*.png"))


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "samples"),
        (["samples=absent"], "absent is not a sample folder"),
        (["samples={samples}", "split=holdout"], "split must be one of train, val, test"),
        (["samples={bench}", "split=val", "baselines=false"], "has no split val: it has test (841 samples)"),
        (["samples={bench}"], "has no split train and no split val, on which baselines are fitted: it has test (841 "),
        (["samples={bench}"], "fit=DIR; or leave them out: baselines=false"),
        (["samples={bench}", "fit={bench}"], "fit=DIR; or leave them out: baselines=false"),
        (["samples={bench}", "+checkpoints.mine=absent", "baselines=false"], "on which checkpoints are calibrated"),
        (["samples={samples}", "bundles.viscritic=absent", "baselines=false"], "there is no bundle at absent"),
        (
            ["samples={samples}", "~bundles.viscritic", "+checkpoints.mine=absent", "baselines=false"],
            "absent is no checkpoint",
        ),
    ],
)
def test_evaluate_says_what_is_wrong(
    run: Callable[..., Ended], arguments: list[str], words: str, toy_samples: Path, tmp_path: Path
) -> None:
    ended = run("evaluate", *(argument.format(samples=toy_samples, bench=BENCH) for argument in arguments))
    assert ended.code not in (0, None)
    assert words in ended.err
    assert "Traceback" not in ended.err
    assert list(tmp_path.iterdir()) == []


def test_the_demo_judges_every_example(
    run: Callable[..., Ended], int8_bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load = Critic.load
    monkeypatch.setattr(Critic, "load", lambda: load(int8_bundle))
    ended = run("demo", "--out", "cards")
    assert ended.code in (0, None), ended
    names = {folder.parent.name for folder in EXAMPLES.glob("*/transition.json")}
    assert {path.stem for path in (tmp_path / "cards").glob("*.png")} == names
    page = (tmp_path / "cards" / "index.html").read_text()
    assert all(f"{name}.png" in page for name in names)
    counts = re.search(
        r"(\d+) pairs: sure of (\d+), of which (\d+) right; unsure of (\d+)", " ".join(ended.out.split())
    )
    assert counts, ended.out
    pairs, sure, right, unsure = map(int, counts.groups())
    assert pairs == sure + unsure == len(names)
    assert right <= sure
