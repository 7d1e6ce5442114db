"""The interactive benchmark: its figures on rows that are known, its episodes in a real browser."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from viscritic.actions import Action
from viscritic.bench.config import TASKS, BenchConfig, Faults
from viscritic.bench.episode import Row
from viscritic.bench.report import summarise, write_table
from viscritic.bench.verifiers import PixelScorer
from viscritic.errors import AgentError, ConfigError

MAIN = "from viscritic.cli import main; main()"  # what the console script runs


def row(verifier, task, seed, won):
    return Row("noisy", verifier, task, seed, won, 2, 1.0, {})


ROWS = [
    row("none", "a", 0, True), row("none", "a", 1, False), row("none", "b", 0, False), row("none", "b", 1, False),
    row("critic", "a", 0, False), row("critic", "a", 1, True), row("critic", "b", 0, True),
    row("critic", "b", 1, False),
    row("truth", "a", 0, True), row("truth", "a", 1, True), row("truth", "b", 0, True), row("truth", "b", 1, False),
]  # fmt: skip


def test_harm_gain_and_the_share_of_the_gap():
    none, critic, truth = summarise(ROWS)
    assert (none.success, critic.success, truth.success) == (0.25, 0.5, 0.75)
    assert (critic.harm, critic.gain, critic.closed) == (0.25, 0.5, 0.5)
    assert (none.harm, none.gain, none.closed, truth.closed) == (0, 0, 0, 1)
    assert critic.low <= critic.success <= critic.high
    assert "| noisy | critic | 0.500 [0.50, 0.50] | 2.0 | 1.0 | 25.0 % | 50.0 % | 50 % |" in write_table(
        summarise(ROWS)
    )


def test_without_a_gap_there_is_no_share_of_it():
    assert summarise(ROWS[:4])[0].closed is None


def test_pixels_tell_a_change_and_wait_before_they_deny_one():
    white = np.full((32, 32, 3), 255, np.uint8)
    black = np.zeros_like(white)
    scorer = PixelScorer()
    assert scorer.score(white, black, None).state == "confirmed"
    assert scorer.score(white, white, None).state == "pending"
    assert scorer.score(white, white, None, burst=[white]).outcome == "no_op"


@pytest.mark.parametrize("wrong", [{"tasks": ("fly",)}, {"agents": ("me",)}, {"verifiers": ("gut",)}, {"seeds": 0}])
def test_strange_settings_are_refused(wrong):
    with pytest.raises(ConfigError):
        BenchConfig(**wrong)
    with pytest.raises(ConfigError, match="more than 1 together"):
        Faults(drop=0.9, miss=0.9)
    assert len(TASKS) >= 40


@pytest.fixture(scope="module")
def installed():
    """The folder with MiniWoB++, and a browser."""
    from data_prep.collect.install import default_cache

    pytest.importorskip("playwright", reason="needs: pip install 'viscritic[agent]'")
    if shutil.which("chromium") is None:
        pytest.skip("needs a Chromium: apt-get install chromium fonts-liberation fonts-dejavu")
    cache = Path(os.environ.get("VISCRITIC_APPS") or default_cache())
    if not (cache / "miniwob").is_dir():
        pytest.skip(f"MiniWoB++ is not in {cache}: run  viscritic data collect --install")
    return cache


@pytest.fixture(scope="module")
def pages(installed):
    from viscritic.bench.run import _pages

    pages = _pages()
    yield pages
    pages.close()


def open_episode(pages, installed, task, seed=0, faults=None):
    from viscritic.bench.miniwob import Episode, find_tasks

    return Episode(next(pages), find_tasks(installed), task, seed, faults)


@pytest.mark.browser
@pytest.mark.parametrize("task", ["enter-text", "click-checkboxes", "choose-list"])
def test_the_heuristic_agent_wins_what_its_rules_read(pages, installed, task):
    from viscritic.bench.episode import play

    won, steps, _, moves = play(open_episode(pages, installed, task), "dom", "none", None, BenchConfig())
    assert won
    assert (steps, moves) == (2, {})


@pytest.mark.browser
@pytest.mark.parametrize(
    ("faults", "state", "outcome"),
    [
        (Faults(1, 0, 0, 0), "failed", "no_op"),
        (Faults(0, 1, 0, 0), "failed", "wrong_target"),
        (Faults(0, 0, 1, 0, delay=0.0), "pending", "timeout"),
        (Faults(0, 0, 0, 1), "failed", "no_op"),
    ],
)
def test_the_truth_knows_each_fault(pages, installed, faults, state, outcome):
    from viscritic.bench.miniwob import TrueOutcome

    episode = open_episode(pages, installed, "enter-text", faults=faults)
    before = episode.screen()
    episode.act(Action("type", 240, 240, text="x"))
    said = TrueOutcome(episode).score(None, None, None)
    assert (said.state, said.outcome) == (state, outcome)
    episode.screen()  # what was slow is done when its time has come
    if outcome == "timeout":
        assert TrueOutcome(episode).score(None, None, None).state == "confirmed"
    assert before.shape == (630, 480, 3)


@pytest.mark.browser
def test_amid_faults_the_truth_helps_and_the_same_seed_meets_the_same_faults(pages, installed):
    from viscritic.bench.episode import play

    faults = Faults(drop=0.4, miss=0, slow=0, popup=0)
    config = BenchConfig()
    results = {}
    for verifier in ("none", "truth", "none again"):
        name = verifier.split()[0]
        results[verifier] = [
            play(open_episode(pages, installed, "enter-text", seed, faults), "noisy", name, None, config)[0]
            for seed in range(3)
        ]
    assert results["none"] == results["none again"]
    assert sum(results["truth"]) > sum(results["none"])


@pytest.mark.browser
def test_the_command_writes_the_table_and_goes_on_where_it_was_broken_off(installed, tmp_path):
    settings = {"tasks": ["click-test"], "seeds": 1, "agents": ["dom"], "verifiers": ["none", "pixels", "critic"]}
    (tmp_path / "settings.json").write_text(json.dumps(settings))
    options = ["--out", tmp_path / "out", "--config", tmp_path / "settings.json", "--cache", installed]
    rows = tmp_path / "out" / "episodes.jsonl"
    kept = []
    for _ in range(2):
        command = [sys.executable, "-c", MAIN, "bench", "agents", *map(str, options)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        kept.append(rows.read_text())
        with rows.open("a") as file:
            file.write('{"agent": "dom", "ver')  # as a power cut leaves it
    assert kept[0] == kept[1]
    assert kept[0].count("\n") == 3
    assert "| dom | critic |" in (tmp_path / "out" / "table.md").read_text()
    assert len(json.loads((tmp_path / "out" / "summary.json").read_text())) == 3


def test_missing_pages_and_damaged_rows_are_named(tmp_path):
    from viscritic.bench.miniwob import find_tasks
    from viscritic.bench.run import read_rows

    with pytest.raises(AgentError, match="collect --install"):
        find_tasks(tmp_path)
    (tmp_path / "episodes.jsonl").write_text(json.dumps({"agent": "dom"}) + "\n")
    with pytest.raises(AgentError, match="line 1"):
        read_rows(tmp_path)
