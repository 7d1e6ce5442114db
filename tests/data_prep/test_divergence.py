from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest
from made_screens import SIZE, draw_state
from PIL import Image

from data_prep.config import BuildConfig, Divergence
from data_prep.divergence import References, action_distance, align, judge_run, task_of
from data_prep.perturb import candidates, perturb
from viscritic.actions import Action
from viscritic.errors import ConfigError
from viscritic.trajectory import Step, Trajectory

CONFIG = Divergence()


@pytest.fixture
def run(tmp_path):
    """Makes a run from the numbers of the states it passes; states 100 and above are foreign ground."""

    def make(name: str, *states: int, success: bool | None = None, known: bool | None = None, **changes) -> Trajectory:
        screens = {n: draw_state(tmp_path / f"{n}.png", "web", "x", n) for n in states}
        steps = [
            Step(
                index=index,
                pre=screens[before],
                post=screens[after],
                size=SIZE,
                actions=(Action("click", x=20 + 97 * after % 280, y=30 + 61 * after % 200),),
                instruction=f"Go to {after}",
                success=known,
            )
            for index, (before, after) in enumerate(pairwise(states))
        ]
        return replace(Trajectory(name, "made", "web", "web", "Book a flight", tuple(steps), success), **changes)

    return make


def told(found):
    return [(f.step.index, f.success) for f in found]


def test_a_run_diverges_after_its_last_step_on_the_reference_path(run):
    reference = run("r", 0, 1, 2, 3, 4, success=True)
    found = judge_run(run("f", 0, 1, 2, 100, 101, 102), [reference], CONFIG)
    assert told(found) == [(0, True), (1, True), (2, False), (3, False), (4, False)]
    assert [f.confidence for f in found[:2]] == [CONFIG.aligned] * 2
    assert found[2].confidence == CONFIG.diverged
    assert found[2].confidence > found[3].confidence > found[4].confidence > CONFIG.least
    assert [f.progress for f in found[:2]] == [0.25, 0.5]
    assert 0 > found[2].progress > found[3].progress > found[4].progress >= -1


def test_the_confidence_follows_its_formula(run):
    reference = run("r", 0, 1, 2, 3, success=True)
    wholly_different = [f.confidence for f in judge_run(run("f", 0, *range(100, 106)), [reference], CONFIG)]
    assert wholly_different == pytest.approx(
        [0.9, 0.9 * 2.718281828 ** (-1 / 3), 0.9 * 2.718281828 ** (-2 / 3), 0.9 / 2.718281828]
    )
    assert len(wholly_different) == 4, "the fifth is below `least`"


def test_a_step_that_stays_or_goes_back_does_not_stray(run):
    reference = run("r", 0, 1, 2, 3, success=True)
    found = judge_run(run("f", 0, 1, 0, 1, 0, 100), [reference], CONFIG)
    after = [f.confidence for f in found if not f.success]
    assert after == [CONFIG.diverged] * len(after)


def test_nothing_is_said_of_a_detour_from_which_the_run_came_back(run):
    reference = run("r", 0, 1, 2, 3, success=True)
    assert told(judge_run(run("f", 0, 1, 100, 1, 2), [reference], CONFIG)) == [(0, True), (3, True)]


def test_a_step_that_arrives_further_along_the_path_is_left_out(run):
    reference = run("r", 0, 1, 2, 3, 4, success=True)
    failed = run("f", 0, 1, 4, 100)
    by_other_means = replace(failed.steps[1], actions=(Action("key", keys=("enter",)),))
    found = judge_run(replace(failed, steps=(failed.steps[0], by_other_means, failed.steps[2])), [reference], CONFIG)
    assert told(found) == [(0, True), (2, False)]


def test_of_several_references_the_one_counts_that_the_run_follows_longest(run):
    short, long = run("a", 0, 1, 50, 51, success=True), run("b", 0, 1, 2, 3, success=True)
    for references in ([short, long], [long, short]):
        assert told(judge_run(run("f", 0, 1, 2, 100), references, CONFIG)) == [(0, True), (1, True), (2, False)]


def test_a_reference_that_begins_elsewhere_says_nothing(run, tmp_path):
    reference = run("r", 40, 41, 42, success=True)
    assert judge_run(run("f", 0, 1, 2), [reference], CONFIG) == []
    Image.new("RGB", (320, 200)).save(tmp_path / "other.png")
    turned = replace(reference, steps=(replace(reference.steps[0], pre=tmp_path / "other.png"),))
    assert judge_run(run("f", 0, 1, 2), [turned], CONFIG) == []
    assert judge_run(run("f", 0), [run("r", 0, 1, success=True)], CONFIG) == []
    assert judge_run(run("f", 0, 1), [run("r", 0, success=True)], CONFIG) == []


def test_the_same_screen_by_another_action_is_no_partner_and_neither_is_the_same_action_with_another_result(run):
    reference = run("r", 0, 1, 2, success=True)
    other_way = run("f", 0, 1, 2)
    typed = replace(other_way.steps[1], actions=(Action("type", text="wrong"),))
    assert align([other_way.steps[0], typed], reference.steps, CONFIG).pairs == ((0, 0),)
    elsewhere = replace(other_way.steps[1], post=run("x", 0, 100).steps[0].post)
    assert align([other_way.steps[0], elsewhere], reference.steps, CONFIG).pairs == ((0, 0),)
    whole = align(other_way.steps, reference.steps, CONFIG)
    assert (whole.pairs, whole.cost) == (((0, 0), (1, 1)), 0)


def test_actions_differ_by_their_parts():
    click, near, far = (Action("click", x=x, y=50) for x in (50, 60, 250))
    assert action_distance(click, click, SIZE) == 0
    assert action_distance(click, near, SIZE) == pytest.approx(0.5)
    assert action_distance(click, far, SIZE) == 1
    assert action_distance(click, Action("double_click", x=50, y=50), SIZE) == 1
    assert action_distance(click, Action("click"), SIZE) == 1
    words = Action("type", text="Paris")
    assert action_distance(words, Action("type", text=" paris "), SIZE) == 0
    assert action_distance(words, Action("type", text="Rome"), SIZE) == 1
    assert action_distance(Action("scroll", dy=100), Action("scroll", dy=300), SIZE) == 0
    assert action_distance(Action("scroll", dy=100), Action("scroll", dy=-100), SIZE) == 1
    assert action_distance(Action("back"), Action("back"), SIZE) == 0


def test_how_much_is_kept_is_configured(run):
    reference, failed = run("r", 0, 1, 2, 3, success=True), run("f", 0, 1, 100, 101, 102)
    for kept, number in ((0, 0), (0.3, 1), (0.5, 2), (1, 3)):
        found = judge_run(failed, [reference], replace(CONFIG, kept=kept))
        assert sum(not f.success for f in found) == number
    assert len(judge_run(failed, [reference], replace(CONFIG, decay=0.1))) == 2
    for values in ({"gap": -1}, {"kept": 2}, {"decay": 0}, {"far": float("nan")}):
        with pytest.raises(ConfigError, match="divergence"):
            Divergence(**values)


def test_references_are_successful_runs_of_the_same_task(run):
    good = run("r", 0, 1, success=True)
    references = References([good, run("f", 0, 100, success=False), run("u", 0, 1)])
    assert references.of(run("g", 0, 100, success=False, task=" book A\nflight")) == [good]
    for other in (
        run("g", 0, 100, success=False, task="Book a hotel"),
        run("g", 0, 100, success=False, task=""),
        run("g", 0, 100, success=False, platform="mobile"),
        run("g", 0, 100, success=True),
        run("g", 0, 100),
    ):
        assert references.of(other) == []
    assert task_of(run("n", 0, task=" ")) is None
    assert len(References([replace(good, id=str(n)) for n in range(9)]).of(run("f", 0, success=False))) == 4


def test_drafts_carry_confidence_progress_and_outcome(run):
    reference, failed = run("r", 0, 1, 2, 3, success=True), run("f", 0, 1, 100, 100, 101, success=False)
    config = BuildConfig()
    drafts = [d for d in perturb([reference, failed], config) if d.step in failed.steps and d.pre == d.step.pre]
    by_step = {d.step.index: d for d in drafts if d.cause in ("aligned", "diverged")}
    assert [(d.cause, d.outcome) for d in by_step.values()] == [
        ("aligned", "success"),
        ("diverged", "wrong_target"),
        ("diverged", "no_op"),
        ("diverged", "wrong_target"),
    ]
    assert [d.success for d in by_step.values()] == pytest.approx([0.9, 0.05, 0.1775, 0.2691], abs=1e-3)
    assert by_step[0].progress == pytest.approx(1 / 3, abs=1e-4)
    assert (by_step[2].progress, by_step[2].change) == (0, "none")
    assert by_step[3].progress < by_step[1].progress < 0
    positives = [d for d in perturb([reference, failed], config) if d.cause == "positive"]
    assert [d.success for d in positives] == [0.95] * 3, "of a step alone nothing is said"


def test_what_the_data_set_says_of_a_step_outranks_the_comparison(run):
    reference, failed = run("r", 0, 1, 2, success=True), run("f", 0, 1, 100, success=False, known=True)
    drafts = candidates(failed, BuildConfig(), [reference])
    assert {d.cause for d in drafts} & {"positive", "failed", "aligned", "diverged"} == {"positive"}
    assert candidates(run("f", 0, 1, 100, success=False), BuildConfig()) == []


def test_the_ratio_holds_with_diverged_steps(run):
    runs = [run(f"r{n}", 0, 1, 2, 3, success=True, task=f"t{n}") for n in range(4)]
    runs += [run(f"f{n}", 0, 1, *range(100, 104), success=False, task=f"t{n}") for n in range(4)]
    for ratio in (0.5, 1.6):
        drafts = perturb(runs, BuildConfig(ratio=ratio))
        positives = sum(d.success > 0.5 for d in drafts)
        assert len(drafts) - positives == round(ratio * positives)


def test_a_step_that_is_tried_again_on_the_same_screen_is_left_out(run):
    retried = run("r", 0, 0, 1, 2, success=True)
    click = retried.steps[1].actions
    steps = (replace(retried.steps[0], actions=click), *retried.steps[1:])
    blinking = replace(steps[0], post=retried.steps[2].pre)
    for first, kept in ((blinking, {1, 2}), (replace(blinking, success=True), {0, 1, 2})):
        drafts = candidates(replace(retried, steps=(first, *steps[1:])), BuildConfig())
        assert {d.step.index for d in drafts if d.cause == "positive"} == kept
    other = replace(blinking, actions=(Action("key", keys=("enter",)),))
    drafts = candidates(replace(retried, steps=(other, *steps[1:])), BuildConfig())
    assert {d.step.index for d in drafts if d.cause == "positive"} == {0, 1, 2}
