from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from made_screenagent import CLICK, GOOD, PLAN, write_session
from typer.testing import CliRunner

from data_prep import scoring
from data_prep.engines import EngineConfig
from data_prep.scoring import score_stored
from viscritic.cli.data import app
from viscritic.errors import BundleError, DataError
from viscritic.evaluate.predictions import Predictions
from viscritic.evaluate.systems import judge_with_bundle
from viscritic.sample_folder import SampleFolder


@pytest.fixture(scope="module")
def expected(toy_samples) -> Predictions:
    folder = SampleFolder(toy_samples)
    return judge_with_bundle(None, list(folder), folder)[0]


def check(found: Predictions, expected: Predictions) -> None:
    assert found.ids == expected.ids
    np.testing.assert_allclose(found.success, expected.success, atol=1e-6)
    np.testing.assert_allclose(found.outcome_probs, expected.outcome_probs, atol=1e-6)


def test_predictions_are_those_of_evaluation_and_go_on_after_a_kill(toy_samples, expected, tmp_path, monkeypatch):
    out = tmp_path / "p.jsonl"
    judged = []

    def interrupted(part, **options):
        if len(judged) == 2:
            raise KeyboardInterrupt
        judged.append(len(part))
        return judge(part, **options)

    judge = scoring.judge_part
    monkeypatch.setattr(scoring, "judge_part", interrupted)
    with pytest.raises(KeyboardInterrupt):
        score_stored(toy_samples, out, progress=False)
    assert not out.exists()
    part = tmp_path / ".p.jsonl.part"
    with part.open("ab") as file:  # a line that a kill cut short
        file.write(b'{"id": "toy-')
    monkeypatch.setattr(scoring, "judge_part", lambda part, **o: judged.append(len(part)) or judge(part, **o))
    found = score_stored(toy_samples, out, progress=False)
    assert sum(judged) == found.judged == len(expected)
    assert found.left_out == []
    check(Predictions.load(out), expected)
    assert [path.name for path in tmp_path.iterdir()] == ["p.jsonl"]


def test_the_progress_has_a_total(toy_samples, expected, tmp_path, capsys):
    score_stored(toy_samples, tmp_path / "p.jsonl")
    assert f"{len(expected)}/{len(expected)}" in capsys.readouterr().err


def test_a_place_that_cannot_be_written_is_refused_before_the_work(toy_samples, tmp_path, monkeypatch):
    monkeypatch.setattr(scoring, "judge_part", lambda *_, **__: pytest.fail("it was judged"))
    with pytest.raises(OSError, match="is not a regular file but a folder"):
        score_stored(toy_samples, tmp_path, progress=False)
    with pytest.raises(OSError, match="there is no folder"):
        score_stored(toy_samples, tmp_path / "none" / "p.jsonl", progress=False)
    assert list(tmp_path.iterdir()) == []


def test_two_processes_say_the_same(toy_samples, expected, tmp_path):
    score_stored(toy_samples, tmp_path / "p.jsonl", progress=False, engine=EngineConfig(workers=2))
    check(Predictions.load(tmp_path / "p.jsonl"), expected)


def test_what_an_earlier_run_left_of_something_else_is_not_used(toy_samples, expected, tmp_path):
    (tmp_path / ".p.jsonl.part").write_text('{"source": "other", "bundle": "other"}\n{"id": "x"}\n')
    score_stored(toy_samples, tmp_path / "p.jsonl", progress=False)
    check(Predictions.load(tmp_path / "p.jsonl"), expected)


def test_steps_of_trajectories_are_judged_from_the_command_line(tmp_path):
    write_session(tmp_path / "data", [[PLAN], [CLICK], [GOOD, CLICK], [GOOD]])
    out = tmp_path / "p.jsonl"
    arguments = ["score", str(tmp_path / "data"), "--out", str(out), "--quiet"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    assert "2 predictions" in result.output
    assert [json.loads(line)["id"] for line in out.read_text().splitlines()] == [
        "screenagent/one/0",
        "screenagent/one/1",
    ]


def test_a_screen_that_cannot_be_decoded_is_left_out_and_told_of(toy_samples, expected, tmp_path, monkeypatch):
    def broken(samples):
        for number, stored in enumerate(read(samples)):
            yield replace(stored, post=b"\x89PNG\r\n\x1a\nrubbish") if number == 3 else stored

    read = scoring._read_samples
    monkeypatch.setattr(scoring, "_read_samples", broken)
    found = score_stored(toy_samples, tmp_path / "p.jsonl", progress=False)
    assert found.judged == len(expected) - 1
    assert found.left_out[0].startswith(expected.ids[3])
    assert expected.ids[3] not in Predictions.load(tmp_path / "p.jsonl").ids
    with pytest.raises(DataError, match=expected.ids[3]):
        score_stored(toy_samples, tmp_path / "q.jsonl", progress=False, strict=True)


def test_bad_places_are_refused(toy_samples, tmp_path):
    with pytest.raises(DataError):
        score_stored(tmp_path / "nothing", tmp_path / "p.jsonl", progress=False)
    with pytest.raises(BundleError):
        score_stored(toy_samples, tmp_path / "p.jsonl", bundle=str(tmp_path / "none"), progress=False)
    assert list(tmp_path.iterdir()) == []
