"""`viscritic doctor`, the help and Tab completion."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from viscritic.cli import main

MAIN = "from viscritic.cli import main; main()"  # what the console script runs


def run(
    arguments: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, str, str]:
    monkeypatch.setattr(sys, "argv", ["viscritic", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    said = capsys.readouterr()
    code = ended.value.code
    assert code is None or isinstance(code, int)
    return code or 0, said.out, said.err


def test_all_is_well(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(["doctor", "--json"], monkeypatch, capsys)
    findings = {finding["name"]: finding for finding in json.loads(out)}
    assert (code, err) == (0, "")
    assert {"viscritic", "packages", "extra serve", "providers", "bundle", "golden pairs", "speed"} <= set(findings)
    assert findings["golden pairs"]["ok"] is True
    assert "onnxruntime" in findings["packages"]["found"]
    assert "CPUExecutionProvider" in findings["providers"]["found"]


def test_what_is_wrong_is_told_with_the_way_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, out, _ = run(["doctor", "--bundle", str(tmp_path)], monkeypatch, capsys)
    assert code == 1
    assert "config.json" in out.replace("\n", "")
    assert "export or fetch this bundle again" in out
    assert "1 thing to mend" in out


def test_a_missing_extra_is_told_with_its_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("viscritic.cli.doctor.find_spec", lambda name: None)
    code, out, _ = run(["doctor"], monkeypatch, capsys)
    assert code == 0  # the runtime needs none of them
    assert "pip install 'viscritic[serve]'" in out


def test_every_extra_is_told_of(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    _, out, _ = run(["doctor", "--json"], monkeypatch, capsys)
    told = {finding["name"].removeprefix("extra ") for finding in json.loads(out)}
    assert set(project["optional-dependencies"]) - {"all", "dev"} <= told


def test_help_has_examples_by_task(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    _, out, _ = run(["--help"], monkeypatch, capsys)
    for example in ("viscritic score pre.png", "viscritic audit", "viscritic serve", "viscritic doctor"):
        assert example in out
    for command in ("score", "audit", "serve", "check", "doctor"):
        code, out, _ = run([command, "--help"], monkeypatch, capsys)
        assert code == 0
        assert f"viscritic {command}" in out.split("Options")[0]


@pytest.mark.parametrize(
    ("words", "place", "expected"), [("viscritic au", 1, "audit"), ("viscritic audit --format play", 3, "playwright")]
)
def test_tab_completes(words: str, place: int, expected: str) -> None:
    asked = {"_VISCRITIC_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(place)}
    done = subprocess.run(
        [sys.executable, "-c", MAIN], env={**os.environ, **asked}, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == [expected]
