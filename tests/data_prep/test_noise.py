"""Weak labels against the truth, on walks whose truth is drawn."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

pytest.importorskip("skimage")
from made_screens import draw_state
from PIL import Image
from typer.testing import CliRunner

from data_prep.collect.folder import CollectFolder
from data_prep.config import BuildConfig
from data_prep.noise import measure
from data_prep.noise_report import draw_disagreements, report_of
from viscritic.actions import Action
from viscritic.cli.data import app
from viscritic.errors import DataError
from viscritic.sample import Sample


def click(state: int) -> Action:
    return Action("click", x=20 + 97 * state % 280, y=30 + 61 * state % 200)


@pytest.fixture
def collection(tmp_path) -> Path:
    """Two walks of three right steps, each with steps that went wrong; a third walk without a right step."""
    folder = CollectFolder(tmp_path / "observed")

    def screen(walk: str, state: int, clock: int = 0) -> str:
        path = draw_state(tmp_path / "x.png", "web", walk, state, clock=clock)
        return folder.store(path.read_bytes())

    def row(walk: str, step: int, cause: str, outcome: str, pre: str, post: str, action: Action, number: int) -> Sample:
        return Sample(
            id=f"{walk}-{number}",
            app=walk,
            platform="web",
            source="collected",
            trajectory=walk,
            step=step,
            pre=pre,
            post=post,
            action=(action,),
            success=float(outcome == "success"),
            progress=0.0,
            outcome=outcome,
            cause=cause,
            origin="observed",
            split="train",
            instruction=f"Go to {step + 1}",
        )

    for walk in ("one", "two"):
        s = [screen(walk, state) for state in range(4)]
        away, ticking = screen(walk, 77), screen(walk, 1, clock=4)
        told = [
            (0, "clean", "success", s[0], s[1], click(1)),
            (1, "clean", "success", s[1], s[2], click(2)),
            (2, "clean", "success", s[2], s[3], click(3)),
            (1, "swallowed", "no_op", s[1], s[1], click(2)),
            (2, "neighbour", "wrong_target", s[2], away, click(9)),
            (1, "offset", "no_op", s[1], ticking, click(8)),
            (0, "overlay_beside", "success", s[0], s[1], click(1)),
        ]
        samples = [row(walk, *fields, number) for number, fields in enumerate(told)]
        folder.add_walk(0, walk, samples, {})
    only = row("three", 0, "swallowed", "no_op", screen("one", 0), screen("one", 0), click(1), 0)
    folder.add_walk(0, "three", [only], {})
    return folder.path


def test_runs_are_put_together_and_their_weak_labels_compared(collection):
    measured = measure(collection, BuildConfig())
    assert (measured.walks, measured.observed) == (2, 14)
    assert measured.runs["demonstration"] == measured.runs["lucky"] == 2
    assert measured.runs["failed"] + measured.runs["recovered"] == 6
    assert {item.walk for item in measured.judged} == {"one", "two"}
    by_cause = Counter((item.draft.cause, item.agrees) for item in measured.judged)
    assert by_cause["positive", True] == 6, "the lucky step is the right one once more, and counts once"
    assert by_cause["diverged", True] >= 2
    assert by_cause["diverged", False] == 0
    assert {item.truth for item in measured.judged if item.draft.cause == "diverged"} <= {"wrong_target", "no_op"}
    wrong = [item for item in measured.judged if not item.agrees]
    assert {(item.truth, item.happened) for item in wrong} <= {("no_op", "offset")}, "the clock moved, nothing else"
    assert all(item.draft.cause in ("positive", "aligned") for item in wrong)


def test_made_samples_are_judged_by_what_was_played_from_the_same_state(collection):
    judged = measure(collection, BuildConfig(ratio=9)).judged
    made = [item for item in judged if item.draft.cause not in ("positive", "aligned", "diverged")]
    assert all(item.agrees for item in made)
    evidence = Counter((item.draft.cause, item.evidence, item.truth) for item in made)
    assert evidence["no_op", "observed", "no_op"] == 2, "it was played: the swallowed click"
    assert evidence["no_op", "replay", "no_op"] >= 4
    assert not any(cause == "action_mismatch" and told == "replay" for cause, told, _ in evidence)


def test_a_weak_label_that_is_wrong_is_found(collection, tmp_path):
    """A foreign screen that is what the step led to would be no failure."""
    measured = measure(collection, BuildConfig(ratio=9))
    report = report_of(measured)
    assert report.made["positive"] == 6 + sum(
        not item.agrees for item in measured.judged if item.draft.cause == "positive"
    )
    positive = next(item for item in measured.judged if item.draft.cause == "positive" and item.truth == "success")
    lying = replace(positive, truth="timeout")
    spoiled = report_of(replace(measured, judged=[*measured.judged, lying]))
    assert spoiled.overall[0].agreement < report.overall[0].agreement
    assert spoiled.confusion["success", "timeout"] == 1
    sheet = draw_disagreements([lying], "wrong")
    assert sheet.size != draw_disagreements([], "wrong").size


def test_figures_have_intervals_and_say_what_they_claim(collection):
    report = report_of(measure(collection, BuildConfig()))
    for rate in (*report.overall, *report.classes):
        assert rate.judged > 0
        assert 0 <= rate.low <= rate.agreement <= rate.high <= 1
        assert rate.low < rate.high, "no figure of two walks is certain"
        assert 0.5 <= rate.claimed <= 1
    assert sum(rate.judged for rate in report.classes) == report.overall[0].judged
    assert sum(report.confusion.values()) == report.overall[1].judged
    assert json.loads(json.dumps(report.to_dict()))["paper"] == 0.814


def test_the_command_prints_tables_and_draws_a_sheet(collection, tmp_path):
    def run(*arguments: object):
        return CliRunner().invoke(app, ["noise", *map(str, arguments)], env={"COLUMNS": "160"})

    result = run(collection, "--sheet", tmp_path / "wrong.png")
    assert result.exit_code == 0, result.output
    for told in ("14 observed samples of 2 walks", "positive", "diverged", "81.4 %", "neighbour", "truth"):
        assert told in result.output
    with Image.open(tmp_path / "wrong.png") as image:
        assert image.format == "PNG"
    assert json.loads(run(collection, "--json", "--limit", 1).output)["walks"] == 1
    assert isinstance(run(collection, "--sheet", "x.jpg").exception, DataError)
    assert isinstance(run(tmp_path).exception, DataError)


def test_the_next_command_is_the_right_one(tmp_path):
    for place, words in ((tmp_path / "absent", "does not exist"), (tmp_path, "is no collection")):
        with pytest.raises(DataError, match=f"{words}: make one with  viscritic data collect"):
            measure(place, BuildConfig())


def test_samples_that_nobody_observed_are_refused(tmp_path, trajectories):
    from data_prep.build import build_samples

    build_samples(trajectories[:2], tmp_path / "weak", BuildConfig(val=0, test=0), progress=False)
    with pytest.raises(DataError, match=r"nobody observed.*viscritic data collect"):
        measure(tmp_path / "weak", BuildConfig())
    empty = CollectFolder(tmp_path / "empty")
    with pytest.raises(DataError, match="no walk with a right step"):
        measure(empty.path, BuildConfig())
