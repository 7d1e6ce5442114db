from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from made_screenagent import BAD, CLICK, GOOD, PLAN, write_session
from PIL import Image
from typer.testing import CliRunner

from viscritic.cli.data import app
from viscritic.errors import ConfigError, DataError
from viscritic.sample_folder import SampleFolder


@pytest.fixture
def source(tmp_path) -> Path:
    for number in range(4):
        write_session(tmp_path / "data", [[PLAN], [CLICK], [GOOD], [CLICK, CLICK], [BAD]], f"s{number}")
    return tmp_path / "data"


def run(*arguments: object):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_build_card_and_parquet_follow_each_other(source, tmp_path):
    out = tmp_path / "samples"
    result = run("build", source, "--format", "screenagent", "--out", out, "--seed", 3, "--ratio", 1, "--quiet")
    assert result.exit_code == 0, result.output
    assert "positive" in result.output
    folder = SampleFolder(out)
    assert folder.manifest["seed"] == 3
    assert folder.manifest["configuration"]["ratio"] == 1
    assert run("card", out).output == (out / "CARD.md").read_text()
    pytest.importorskip("datasets")
    result = run("parquet", out, tmp_path / "s.parquet")
    assert result.exit_code == 0, result.output
    assert f"{len(folder)} rows" in result.output


def test_a_configuration_file_is_read_and_options_win(source, tmp_path):
    (tmp_path / "c.json").write_text(json.dumps({"seed": 1, "val": 0.0, "test": 0.0}))
    result = run("build", source, "--out", tmp_path / "s", "--config", tmp_path / "c.json", "--seed", 2, "--quiet")
    assert result.exit_code == 0, result.output
    configuration = SampleFolder(tmp_path / "s").manifest["configuration"]
    assert (configuration["seed"], configuration["val"]) == (2, 0.0)


@pytest.mark.parametrize("text", ["{", "[1]", '{"sead": 1}', '{"ratio": 99}'])
def test_a_bad_configuration_file_is_refused(source, tmp_path, text):
    (tmp_path / "c.json").write_text(text)
    result = run("build", source, "--out", tmp_path / "s", "--config", tmp_path / "c.json", "--quiet")
    assert isinstance(result.exception, ConfigError)
    assert not (tmp_path / "s").exists()


def test_bad_folders_are_refused(tmp_path):
    assert isinstance(run("build", tmp_path, "--out", tmp_path / "s", "--quiet").exception, DataError)
    assert isinstance(run("card", tmp_path).exception, DataError)
    assert isinstance(run("parquet", tmp_path, tmp_path / "x").exception, DataError)
    assert run("build", tmp_path, "--out", tmp_path / "s", "--format", "none").exit_code == 2


@pytest.mark.parametrize("command", ["build", "card", "parquet"])
def test_help_shows_an_example(command):
    result = run(command, "--help")
    assert result.exit_code == 0
    assert "Example: viscritic data" in result.output


def test_help_needs_none_of_the_extra():
    script = (
        "import sys\n"
        "for name in ('skimage', 'datasets', 'pyarrow', 'torch', 'data_prep'): sys.modules[name] = None\n"
        "from viscritic.cli.data import app\n"
        "app(['build', '--help'])\n"
    )
    environment = {"PYTHONPATH": str(Path(__file__).parents[2]), "PATH": ""}
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, env=environment
    )
    assert result.returncode == 0, result.stderr
    assert "--ratio" in result.stdout


def test_a_build_that_can_make_no_sample_says_why(tmp_path):
    run_folder = tmp_path / "run"
    run_folder.mkdir()
    for number in range(3):
        Image.new("RGB", (64, 48), (80 * number, 0, 0)).save(run_folder / f"{number}.png")
    clicks = [{"action": "click", "x": 9, "y": 9}, {"action": "click", "x": 30, "y": 9}]
    (run_folder / "actions.json").write_text(json.dumps(clicks))
    result = run("build", run_folder, "--out", tmp_path / "samples", "--quiet")
    assert isinstance(result.exception, DataError)
    told = str(result.exception)
    assert "no sample can be made of 1 trajectories with 2 steps (2 of which nobody says how they ended" in told
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run"]


def test_places_that_cannot_be_written_are_named_before_the_work(source, tmp_path, monkeypatch):
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setattr("data_prep.builder.Builder.look", lambda *_: pytest.fail("it was looked at"))
    for place in (file / "samples", Path("/dev/null/samples")):
        told = run("build", source, "--out", place, "--quiet").exception
        assert isinstance(told, DataError)
        assert str(place.parent) in str(told)
        assert ".building" not in str(told)
    for option, name in (("--sheet", "s.png"), ("--sheet", "d.png")):
        (tmp_path / "d.png").mkdir(exist_ok=True)
        place = tmp_path / "none" / name if name == "s.png" else tmp_path / name
        told = run("inspect", source, option, place).exception
        assert isinstance(told, OSError)
        assert str(place) in str(told)
    told = run("build", source, "--out", tmp_path / "s", "--parquet", tmp_path / "none" / "s.parquet").exception
    assert "there is no folder" in str(told)
