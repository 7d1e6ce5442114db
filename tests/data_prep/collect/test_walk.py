"""Walks: deterministic replays, labels on real applications, MiniWoB++ without leaks."""

from collections import Counter
from random import Random

import numpy as np
import pytest

from data_prep.collect.application import Element, Intent, State, Traffic
from data_prep.collect.driver import settle
from data_prep.collect.judge import Facts
from data_prep.collect.observe import is_observable
from data_prep.collect.play import Seen
from data_prep.collect.samples import walk_samples
from data_prep.collect.walk import take_walk
from viscritic.actions import Action
from viscritic.sample import Sample
from viscritic.sample_writer import screen_name


def described(walk):
    return [(x.instruction, x.seen.actions, x.outcome, x.seen.cause, x.change, x.seen.noise) for x in walk.labelled]


@pytest.mark.browser
def test_a_walk_is_the_same_again(site):
    first, second = (take_walk(site, 3, most_steps=1) for _ in range(2))
    assert described(first) == described(second)
    assert first.labelled
    quiet = [(a, b) for a, b in zip(first.labelled, second.labelled, strict=True) if not a.seen.noise]
    assert all(np.array_equal(a.seen.pre, b.seen.pre) for a, b in quiet)


@pytest.mark.browser
def test_walks_hold_right_and_wrong_steps(site):
    walks = [take_walk(site, seed, most_steps=2) for seed in range(2)]
    causes = Counter(x.seen.cause for walk in walks for x in walk.labelled)
    assert causes["clean"] >= 2
    assert len(causes) >= 3
    samples = walk_samples(site, walks[0], "site-0", screen_name)
    assert all(Sample.from_dict(sample.to_dict()) == sample for sample in samples)
    assert all(sample.success == (sample.outcome == "success") for sample in samples)
    told = [sample for sample in samples if not sample.cause.startswith("retold")]  # of others progress is not known
    assert {sample.progress for sample in told if sample.outcome == "success"} <= {0.5, 1.0}


@pytest.mark.browser
def test_a_step_told_as_another_is_labelled_the_other_way(site):
    walks = [take_walk(site, seed, most_steps=1) for seed in range(2)]
    retold = [(walk, x) for walk in walks for x in walk.labelled if x.retold]
    assert retold
    for walk, told in retold:
        (first,) = (x for x in walk.labelled if x.seen.post is told.seen.post and not x.retold)
        assert {first.outcome, told.outcome} == {"success", "wrong_target"}
        assert told.instruction
        assert told.instruction != first.instruction
        assert told.seen.actions == first.seen.actions
    samples = walk_samples(site, retold[0][0], "site-0", screen_name)
    assert {s.progress for s in samples if s.cause.startswith("retold")} == {None}


def test_applications_are_of_one_split_and_families_too():
    from data_prep.collect.apps import APPLICATIONS

    splits = {}
    for name, make in APPLICATIONS.items():
        app = make()
        assert app.name == name
        assert splits.setdefault(app.family, app.split) == app.split
    assert len([n for n in APPLICATIONS if n.startswith("miniwob-")]) >= 100
    assert len([n for n, make in APPLICATIONS.items() if n.startswith("miniwob-") and make().split == "test"]) >= 10


@pytest.mark.browser
@pytest.mark.parametrize("task", ["click-button", "click-checkboxes", "enter-text"])
def test_miniwob_shows_no_label(miniwob, task):
    app = miniwob(task)
    app.reset(1)
    hidden = (
        "['reward-display','click-canvas','sync-task-cover'].map(id => document.getElementById(id).checkVisibility())"
    )
    assert app.run(hidden) == [False, False, False]
    before = settle(app.driver).screens[-1]
    width, height = app.driver.size
    app.driver.act((Action("click", x=width - 3, y=height - 3), Action("move", x=0, y=0)))
    app.run("core.endEpisode(-1, false, 'x')")
    after = settle(app.driver).screens[-1]
    assert np.array_equal(before, after)  # neither reward, nor click, nor end shows
    assert app.state().truth["extra"] == {"done": True, "reward": -1}
    assert app.run(hidden) == [False, False, False]
    assert app.intents(app.elements(), Random(0)) == []


@pytest.mark.browser
def test_miniwob_replays(miniwob):
    app = miniwob("click-checkboxes")
    seen = []
    for seed in (5, 5, 6):
        app.reset(seed)
        seen.append((app.state(), app.driver.screen(), app.run("core.getUtterance()")))
    assert seen[0][0] == seen[1][0]
    assert np.array_equal(seen[0][1], seen[1][1])
    assert seen[0][2] != seen[2][2]


@pytest.mark.browser
def test_the_reward_says_what_is_right(miniwob):
    app = miniwob("click-checkboxes")
    app.reset(4)
    names = app.run("core.getUtterance()").removeprefix("Select ").removesuffix(" and click Submit.").split(", ")
    for element in app.elements():
        if element.name in names or element.name == "Submit":
            app.driver.act((Action("click", x=element.centre[0], y=element.centre[1]),))
    assert app.state().truth["extra"] == {"done": True, "reward": 1}


def seen_of(pre, post, noise="", boxes=(), shows=True):
    facts = Facts(State([0]), State([1] if shows else [0]), "", Traffic())
    return Seen((), pre, (), post, facts, (Action("wait"),), "x", noise, tuple(boxes))


def painted(*boxes):
    screen = np.zeros((60, 80, 3), np.uint8)
    for x, y, width, height in boxes:
        screen[y : y + height, x : x + width] = 200
    return screen


TARGET = Element("t", "button", "Save", (10, 10, 20, 10))
STEP = Intent("click", TARGET, (Action("click", x=20, y=15),))
HOVERED, EFFECT, NOISE = (10, 10, 20, 10), (50, 40, 6, 6), (60, 5, 10, 10)


class TestObservable:
    clean = seen_of(painted(), painted(HOVERED, EFFECT))

    def test_a_success_must_show_what_the_clean_replay_shows(self):
        assert is_observable("success", seen_of(painted(), painted(HOVERED, EFFECT)), self.clean, STEP)
        covered = seen_of(painted(), painted(HOVERED))  # something lies over the effect
        assert not is_observable("success", covered, self.clean, STEP)

    def test_a_failure_must_differ_from_the_clean_replay(self):
        assert is_observable("no_op", seen_of(painted(), painted(HOVERED), shows=False), self.clean, STEP)
        assert not is_observable("page_error", seen_of(painted(), painted(HOVERED, EFFECT)), self.clean, STEP)
        assert not is_observable("wrong_target", seen_of(painted(), painted(), shows=False), self.clean, STEP)

    def test_noise_is_no_difference(self):
        same = seen_of(painted(), painted(HOVERED, EFFECT, NOISE), "gif", [NOISE], shows=False)
        assert not is_observable("no_op", same, self.clean, STEP)
        noisy_clean = seen_of(painted(), painted(HOVERED, EFFECT, NOISE), "gif", [NOISE])
        covered = seen_of(painted(), painted(HOVERED, NOISE), "gif", [NOISE])
        assert not is_observable("success", covered, noisy_clean, STEP)
        caret = seen_of(painted(), painted(HOVERED, EFFECT, (2, 2, 1, 12)), "caret", shows=False)
        assert not is_observable("no_op", caret, self.clean, STEP)
