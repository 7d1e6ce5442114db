from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from made_screens import draw_state

from data_prep.config import BuildConfig, Outcomes, Shares
from data_prep.perturb import perturb
from data_prep.similarity import is_equal, ssim
from viscritic.actions import Action, may_be_invisible
from viscritic.trajectory import Step, Trajectory

ONLY = {
    name: BuildConfig(ratio=10, shares=Shares(**(dict.fromkeys(Shares.__slots__, 0.0) | {name: 1.0})))
    for name in Shares.__slots__
}


def made(trajectories, cause):
    return [draft for draft in perturb(trajectories, ONLY[cause]) if draft.cause == cause]


def test_every_success_is_a_positive_and_every_failure_a_negative(trajectories):
    drafts = perturb(trajectories, BuildConfig(ratio=0))
    assert Counter(d.cause for d in drafts) == {"positive": 45, "failed": 9}
    for draft in drafts:
        assert (draft.pre, draft.post) == (draft.step.pre, draft.step.post)
        assert (draft.actions, draft.instruction) == (draft.step.actions, draft.step.instruction)
        if draft.cause == "positive":
            assert (draft.success, draft.outcome, draft.change) == (1, "success", None)
            assert draft.progress == pytest.approx((draft.step.index + 1) / 6, abs=1e-4)
        else:
            assert (draft.success, draft.progress, draft.outcome) == (0, 0, None)


def test_the_ratio_holds(trajectories):
    for ratio in (0.5, 1.0, 1.6, 2.5):
        counts = Counter(d.success for d in perturb(trajectories, BuildConfig(ratio=ratio)))
        assert counts[0.0] == round(ratio * counts[1.0])
    made = {d.cause for d in perturb(trajectories, BuildConfig())} - {"positive", "failed"}
    assert made == set(Shares.__slots__) - {"neighbour", "state_scrolled"}, "no two of their steps share a screen"


def test_action_mismatch_borrows_an_action_that_really_differs(trajectories):
    drafts = made(trajectories, "action_mismatch")
    assert len(drafts) == 45
    for draft in drafts:
        assert (draft.pre, draft.post) == (draft.step.pre, draft.step.post)
        assert draft.actions != draft.step.actions
        assert draft.instruction != draft.step.instruction
        assert (draft.actions, draft.instruction) in [(s.actions, s.instruction) for s in draft.trajectory.steps]
        assert draft.actions[0].kind != "wait"
        assert (draft.success, draft.progress, draft.outcome) == (0, 0, "wrong_target")


def test_the_same_deed_in_other_words_is_no_mismatch(trajectories):
    base = trajectories[0].steps
    twin = replace(base[0], index=1, actions=(Action("click", x=70, y=50),), instruction="Click on the list")
    assert made([replace(trajectories[0], steps=(base[0], twin))], "action_mismatch") == []
    same_words = replace(base[1], instruction=base[0].instruction.upper())
    assert made([replace(trajectories[0], steps=(base[0], same_words))], "action_mismatch") == []


def test_no_op_does_not_swallow_waiting_saving_and_copying(trajectories):
    copying = replace(trajectories[0].steps[0], index=6, instruction="Copy the first line")
    changed = [replace(trajectories[0], steps=(*trajectories[0].steps, copying)), *trajectories[1:]]
    drafts = made(changed, "no_op")
    assert {draft.step.index for draft in drafts} == {0, 1, 4}
    assert not any(may_be_invisible(draft.actions, draft.instruction) for draft in drafts)
    positives = [d for d in perturb(changed, BuildConfig()) if d.cause == "positive"]
    assert {2, 3, 6} <= {draft.step.index for draft in positives}


def test_no_op_shows_no_change_but_the_clock(trajectories):
    drafts = made(trajectories, "no_op")
    natural = [d for d in drafts if d.pre != d.post]
    assert 0 < len(natural) < len(drafts)
    for draft in drafts:
        assert (draft.success, draft.progress, draft.outcome) == (0, 0, "no_op")
        assert draft.actions == draft.step.actions
        assert ssim(draft.pre, draft.post) > 0.98
        assert draft.change == ("none" if is_equal(draft.pre, draft.post) else None)
    for draft in natural:
        assert (draft.pre, draft.post) == (draft.step.idle[-1], draft.step.pre)


def test_an_idle_pair_that_changed_at_the_target_is_not_used(trajectories):
    step = trajectories[3].steps[0]
    at_clock = replace(step, actions=(Action("click", x=305, y=10),))
    config = replace(ONLY["no_op"], idle=1.0)
    for chosen, natural in ((step, True), (at_clock, False)):
        [draft] = [d for d in perturb([replace(trajectories[3], steps=(chosen,))], config) if d.cause == "no_op"]
        assert (draft.pre != draft.post) == natural


def test_an_idle_pair_in_which_much_happened_is_not_used(trajectories, tmp_path):
    step = trajectories[3].steps[0]
    busy = replace(step, idle=(draw_state(tmp_path / "busy.png", "paint", "busy", 9),))
    config = replace(ONLY["no_op"], idle=1.0)
    [draft] = [d for d in perturb([replace(trajectories[3], steps=(busy,))], config) if d.cause == "no_op"]
    assert draft.pre == draft.post


def test_state_mismatch_takes_a_foreign_screen_of_another_application(trajectories):
    drafts = made(trajectories, "state_mismatch")
    assert len(drafts) == 45
    owner = {step.post: t for t in trajectories for step in t.steps}
    for draft in drafts:
        assert owner[draft.post].app != draft.trajectory.app
        assert draft.progress == pytest.approx(-draft.step.index / 6, abs=1e-4)
    assert made([t for t in trajectories if t.app == "web"], "state_mismatch") == []


def test_a_family_of_applications_counts_as_one(trajectories):
    renamed = [replace(t, app=f"office-{t.app}") for t in trajectories]
    assert made(renamed, "state_mismatch") == []


def test_state_back_takes_an_earlier_screen_that_looks_different(trajectories):
    drafts = made(trajectories, "state_back")
    assert drafts
    for draft in drafts:
        earlier = [step.pre for step in draft.trajectory.steps[: draft.step.index]]
        assert draft.post in earlier
        assert ssim(draft.post, draft.step.pre) < 0.98
        assert ssim(draft.post, draft.step.post) < 0.98
        lost = draft.step.index - earlier.index(draft.post)
        assert draft.progress == pytest.approx(-lost / 6, abs=1e-4)


def test_a_step_that_means_to_leave_gets_no_foreign_or_earlier_screen(trajectories):
    leaving = [
        replace(t, steps=tuple(replace(s, instruction=f"Close it {s.index}") for s in t.steps)) for t in trajectories
    ]
    assert made(leaving, "state_back") == made(leaving, "state_mismatch") == []


def make_step(pre, post, action, success=True) -> Step:
    return Step(0, pre, post, (320, 240), (action,), "Do it", success)


def test_equal_screens_of_a_visible_success_are_left_out_and_of_a_failure_are_a_no_op(tmp_path):
    a, b = draw_state(tmp_path / "a.png", "web", "x", 0), draw_state(tmp_path / "b.png", "web", "x", 0)
    click, wait = Action("click", x=9, y=9), Action("wait", seconds=1)
    found = {}
    for name, step in {
        "success": make_step(a, b, click),
        "wait": make_step(a, b, wait),
        "failure": make_step(a, b, click, success=False),
        "unknown": make_step(a, b, click, success=None),
    }.items():
        trajectory = Trajectory(name, "made", "web", "web", "", (step,))
        found[name] = [(d.cause, d.outcome, d.change) for d in perturb([trajectory], BuildConfig())]
    assert found == {
        "success": [],
        "wait": [("positive", "success", "none")],
        "failure": [("failed", "no_op", "none")],
        "unknown": [],
    }


def test_outcomes_follow_the_configuration(trajectories):
    outcomes = Outcomes(action_mismatch=None, no_op="timeout", state_mismatch="page_error", state_back=None)
    drafts = perturb(trajectories, BuildConfig(outcomes=outcomes))
    found = {d.cause: d.outcome for d in drafts}
    assert found.pop("positive") == "success"
    assert found.pop("failed") is None
    assert found == {name: getattr(outcomes, name) for name in found}


def test_the_order_of_trajectories_does_not_change_what_is_made_within_them(trajectories):
    def told(drafts):
        return {
            (d.trajectory.id, d.step.index, d.cause, str(d.pre), str(d.post), d.instruction)
            for d in drafts
            if d.cause != "state_mismatch"
        }

    assert told(perturb(trajectories, BuildConfig())) == told(perturb(trajectories[::-1], BuildConfig()))
    assert told(perturb(trajectories, BuildConfig())) != told(perturb(trajectories, BuildConfig(seed=1)))
