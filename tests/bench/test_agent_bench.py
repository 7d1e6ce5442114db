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

from viscritic import Critic
from viscritic.actions import Action
from viscritic.bench.config import MINIWOB, BenchConfig, Faults
from viscritic.bench.episode import Row
from viscritic.bench.report import compare, draw_picture, summarise, write_report, write_table
from viscritic.bench.verifiers import PixelScorer
from viscritic.errors import AgentError, ConfigError, RollbackError

MAIN = "from viscritic.cli import main; main()"  # what the console script runs


def row(verifier, task, seed, won):
    return Row("noisy", verifier, task, seed, f"group {task}", won, 2, 1.0, 0.1)


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


def test_the_critic_is_compared_on_the_same_episodes_by_group():
    found = {(d.group, d.other): (d.mean, d.episodes) for d in compare(ROWS)}
    assert found == {("all", "none"): (0.25, 4), ("group a", "none"): (0.0, 2), ("group b", "none"): (0.5, 2)}


def test_the_report_names_command_and_picture():
    page = write_report(ROWS, "agents.png", "viscritic bench agents")
    assert "2 tasks, 2 seeds" in page
    assert "(agents.png)" in page
    assert "| noisy | all | no verifier | +0.250 [+0.00, +0.50] | 4 |" in page
    pytest.importorskip("matplotlib", reason="needs: pip install 'viscritic[train]'")
    assert draw_picture(summarise(ROWS)).startswith(b"\x89PNG")


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


def test_tasks_are_named_or_matched():
    assert BenchConfig(tasks=("sqlite-web", "todomvc-*")).chosen == (
        "todomvc-react", "todomvc-vue", "todomvc-backbone", "sqlite-web",
    )  # fmt: skip
    assert len(MINIWOB) >= 40


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
def started(installed):
    """Starts applications by name, each once."""
    from data_prep.collect.apps import APPLICATIONS

    running = {}

    def start(name):
        if name not in running:
            running[name] = APPLICATIONS[name]()
            running[name].start(installed)
        return running[name]

    yield start
    for app in running.values():
        app.stop()


@pytest.fixture(scope="module")
def reader():
    """What the shipped bundle reads with."""
    from viscritic.bench.run import reader_of

    return reader_of(Critic.load(threads=1))


def play_wob(started, task, seed, verifier="none", scorer=None, faults=None):
    from viscritic.bench.agents import PlanAgent
    from viscritic.bench.dom_agent import make_plan
    from viscritic.bench.episode import play
    from viscritic.bench.goals import WobGoal
    from viscritic.bench.world import World

    world = World(started(f"miniwob-{task}"), seed, faults)
    goal = WobGoal(world)
    agent = PlanAgent(world, make_plan(world, goal.words), tries=2)
    return play(world, goal, agent, verifier, scorer, BenchConfig())


@pytest.mark.browser
@pytest.mark.parametrize("task", ["enter-text", "click-checkboxes", "choose-list"])
def test_the_heuristic_agent_wins_what_its_rules_read(started, task):
    played = play_wob(started, task, 0)
    assert (played.won, played.steps, played.moves) == (True, 2, {})


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
def test_the_truth_knows_each_fault(started, faults, state, outcome):
    from viscritic.bench.goals import WobGoal
    from viscritic.bench.verifiers import TrueOutcome
    from viscritic.bench.world import World

    world = World(started("miniwob-enter-text"), 0, faults)
    truth = TrueOutcome(WobGoal(world))
    field = next(element for element in world.app.elements() if element.role == "text field")
    world.act(Action("type", *field.centre, text="x"))
    said = truth.score(None, None, None)
    assert (said.state, said.outcome) == (state, outcome)
    world.screen()  # what was slow is done when its time has come
    if outcome == "timeout":
        assert truth.score(None, None, None).state == "confirmed"
    assert world.close_banner() is (faults.popup == 1)


@pytest.mark.browser
def test_a_world_comes_back_by_replay_until_the_task_is_over(started):
    from viscritic.bench.goals import WobGoal
    from viscritic.bench.world import World

    world = World(started("miniwob-click-checkboxes"), 0)
    goal = WobGoal(world)
    boxes = [element for element in world.app.elements() if element.role == "checkbox"]
    world.act(Action("click", *boxes[0].centre))
    mark = world.mark()
    world.act(Action("click", *boxes[1].centre))
    assert world.app.state().shown != mark.state.shown
    world.undo(mark)
    assert world.app.state().shown == mark.state.shown
    submit = next(element for element in world.app.elements() if element.name == "Submit")
    world.act(Action("click", *submit.centre))
    world.flush()
    assert goal.done
    with pytest.raises(RollbackError, match="over"):
        world.undo(mark)


@pytest.mark.browser
def test_amid_faults_the_truth_helps_and_the_same_seed_meets_the_same_faults(started):
    faults = Faults(drop=0.4, miss=0, slow=0, popup=0)
    results = {
        name: [play_wob(started, "enter-text", seed, name.split()[0], None, faults).won for seed in range(3)]
        for name in ("none", "truth", "none again")
    }
    assert results["none"] == results["none again"]
    assert sum(results["truth"]) > sum(results["none"])


@pytest.mark.browser
def test_a_course_through_an_application_is_won_by_its_steps_and_lost_without_one(started):
    from viscritic.bench.agents import PlanAgent
    from viscritic.bench.course_agent import CourseStep
    from viscritic.bench.episode import play
    from viscritic.bench.goals import CourseGoal, plan_course
    from viscritic.bench.world import World

    app = started("kit-plain")
    course = plan_course(app, 90_000)
    assert course is not None
    assert course.words.count("; then ") == len(course.stages) - 1
    for stages, won in ((course.stages, True), (course.stages[:-1], False)):
        world = World(app, course.seed)
        goal = CourseGoal(world, course)
        agent = PlanAgent(world, [CourseStep(stage) for stage in stages], tries=2)
        assert play(world, goal, agent, "truth", None, BenchConfig()).won is won


@pytest.mark.browser
def test_before_the_act_another_name_at_the_place_is_doubted(started, reader):
    from viscritic.bench.agents import Proposal
    from viscritic.bench.verifiers import Foresight
    from viscritic.bench.world import World

    world = World(started("miniwob-click-checkboxes"), 0)
    submit = next(element for element in world.app.elements() if element.name == "Submit")
    foresight, click = Foresight(reader), (Action("click", *submit.centre),)
    assert not foresight.doubts(world.screen(), Proposal(click, "Click 'Submit'"))
    assert foresight.doubts(world.screen(), Proposal(click, "Click 'Newsletter'"))
    assert not foresight.doubts(world.screen(), Proposal(click, "Click the button"))


@pytest.mark.browser
def test_the_cloned_policy_sees_the_button_that_the_utterance_names(started, reader):
    from viscritic.bench.cloned_agent import ClonedAgent
    from viscritic.bench.episode import play
    from viscritic.bench.goals import WobGoal
    from viscritic.bench.world import World

    won = 0
    for seed in range(3):
        world = World(started("miniwob-click-test-2"), seed)
        goal = WobGoal(world)
        won += play(world, goal, ClonedAgent(world, goal.words, reader), "none", None, BenchConfig()).won
    assert won >= 2


def execute(*options):
    command = [sys.executable, "-c", MAIN, "bench", "agents", *map(str, options)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.mark.browser
def test_the_command_writes_the_table_and_goes_on_where_it_was_broken_off(installed, tmp_path):
    settings = {
        "tasks": ["miniwob-click-test"],
        "seeds": 1,
        "agents": ["dom"],
        "verifiers": ["none", "pixels", "critic"],
    }
    (tmp_path / "settings.json").write_text(json.dumps(settings))
    options = ["--out", tmp_path / "out", "--config", tmp_path / "settings.json", "--cache", installed]
    rows, kept = tmp_path / "out" / "episodes.jsonl", []
    for more in ([], ["--report", tmp_path / "page.md"]):
        done = execute(*options, *more)
        assert done.returncode == 0, done.stderr
        kept.append(rows.read_text())
        with rows.open("a") as file:
            file.write('{"agent": "dom", "ver')  # as a power cut leaves it
    assert kept[0] == kept[1]
    assert kept[0].count("\n") == 3
    assert "| dom | critic |" in (tmp_path / "out" / "table.md").read_text()
    assert len(json.loads((tmp_path / "out" / "summary.json").read_text())) == 3
    assert "| dom | all | pixel difference |" in (tmp_path / "page.md").read_text()
    assert (tmp_path / "agents.png").exists()


def test_missing_pages_damaged_rows_and_a_strange_part_are_named(tmp_path):
    from viscritic.bench.run import read_part, read_rows

    missing = execute("--out", tmp_path / "out", "--cache", tmp_path, "--task", "miniwob-click-test", "--agent", "dom")
    assert missing.returncode == 2
    assert "collect --install" in missing.stderr
    (tmp_path / "episodes.jsonl").write_text(json.dumps({"agent": "dom"}) + "\n")
    with pytest.raises(AgentError, match="line 1"):
        read_rows(tmp_path)
    assert read_part("2/3") == (2, 3)
    with pytest.raises(ConfigError, match="K/N"):
        read_part("3/2")


@pytest.mark.browser
def test_an_application_that_stops_to_answer_costs_its_episode_alone(installed, tmp_path, monkeypatch):
    from data_prep.collect.driver import HungError
    from viscritic.bench import run

    played, real = [], run.play

    def play(world, goal, agent, verifier, scorer, config):
        played.append(verifier)
        if verifier == "pixels":
            raise HungError("no answer in 20 s")
        return real(world, goal, agent, verifier, scorer, config)

    monkeypatch.setattr(run, "play", play)
    config = BenchConfig(tasks=("miniwob-click-test",), seeds=1, agents=("dom",), verifiers=("none", "pixels", "truth"))
    rows, failed = run.run_bench(config, Critic.load(threads=1), installed, tmp_path, lambda number, total: None)
    assert [row.verifier for row in rows] == ["none", "truth"]
    assert played == ["none", "pixels", "pixels", "pixels", "truth"]
    assert failed == ["miniwob-click-test, seed 90000, dom with pixels: no answer in 20 s"]
