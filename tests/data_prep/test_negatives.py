"""The harder negatives: beside the target, near in looks, one scroll away."""

from __future__ import annotations

from dataclasses import replace

import pytest
from made_screens import SIZE, draw_state

from data_prep.config import BuildConfig
from data_prep.draft import Case
from data_prep.negatives import go_near, hit_neighbour, mismatch_action, scroll_away
from data_prep.similarity import distance
from viscritic.actions import Action
from viscritic.trajectory import Element, Step, Trajectory

CONFIG = BuildConfig()
SAVE, CANCEL = Element((40, 50, 40, 20), "Save"), Element((100, 50, 40, 20), "Cancel")
FAR, HUGE = Element((240, 200, 40, 20), "Help"), Element((0, 80, 320, 160), "Page")


def make_case(*steps: Step, at: int = 0) -> Case:
    numbered = tuple(replace(step, index=index) for index, step in enumerate(steps))
    return Case(Trajectory("t", "made", "web", "web", "", numbered), numbered[at])


@pytest.fixture
def step(tmp_path):
    def make(pre: int, post: int, action: Action, instruction: str = "Do it", **changes) -> Step:
        screens = [draw_state(tmp_path / f"{n}.png", "web", "x", n) for n in (pre, post)]
        return replace(Step(0, *screens, SIZE, (action,), instruction, True), **changes)

    return make


def click(x: float, y: float) -> Action:
    return Action("click", x=x, y=y)


def test_the_neighbour_is_hit_and_its_name_is_said(step):
    elements = (HUGE, FAR, CANCEL, SAVE)
    save = step(0, 1, click(60, 60), 'Click the "save" button', target_box=SAVE.box, elements=elements)
    draft = hit_neighbour(make_case(save), CONFIG)
    assert draft is not None
    assert (draft.pre, draft.post) == (save.pre, save.post)
    assert draft.actions == (click(120, 60),)
    assert draft.instruction == 'Click the "Cancel" button'
    assert draft.target_box == CANCEL.box
    assert (draft.cause, draft.success, draft.outcome) == ("neighbour", 0, "wrong_target")


def test_without_names_only_steps_without_words_hit_their_neighbour(step):
    bare = tuple(Element(element.box) for element in (SAVE, FAR, CANCEL))
    silent = step(0, 1, click(60, 60), "", target_box=SAVE.box, elements=bare)
    draft = hit_neighbour(make_case(silent), CONFIG)
    assert draft is not None
    assert (draft.actions, draft.instruction) == ((click(120, 60),), "")
    for changed in (
        replace(silent, instruction="Click Save"),
        replace(silent, instruction="Click it", elements=(SAVE, CANCEL)),
        replace(silent, instruction="Save what Save saves: Save", elements=(SAVE, CANCEL)),
        replace(silent, instruction="Click Saved games", elements=(SAVE, CANCEL)),
        replace(silent, target_box=None),
        replace(silent, elements=(SAVE, HUGE)),
        replace(silent, elements=(SAVE, Element((50, 40, 30, 20), "over it"), Element((330, 50, 40, 20), "outside"))),
        replace(silent, actions=(Action("type", text="x"),)),
        replace(silent, actions=(click(60, 60), Action("type", text="x"))),
    ):
        assert hit_neighbour(make_case(changed), CONFIG) is None


def test_another_step_on_the_same_screen_serves_with_its_own_words(step):
    first, second = step(0, 1, click(60, 60), "Tick the box"), step(0, 2, click(120, 60), "Open the list")
    third = step(0, 3, click(300, 200), "Ask for help")
    draft = hit_neighbour(make_case(first, third, second), CONFIG)
    assert draft is not None
    assert (draft.actions, draft.instruction, draft.post) == (second.actions, second.instruction, first.post)
    for other in (
        step(4, 2, click(120, 60), "Open the list"),
        step(0, 1, click(120, 60), "Open the list"),
        step(0, 2, click(70, 60), "Open the list"),
        step(0, 2, click(120, 60), "tick the BOX"),
        replace(second, marked=True),
        replace(second, post=None),
    ):
        assert hit_neighbour(make_case(first, other), CONFIG) is None


def test_the_earlier_screen_that_looks_most_like_the_true_one_is_taken(step):
    steps = [step(n, n + 1, click(60, 60), f"Step {n}") for n in range(6)]
    case = make_case(*steps, at=5)
    draft = go_near(case, CONFIG)
    assert draft is not None
    possible = [s.pre for s in steps[:5] if min(distance(s.pre, steps[5].pre), distance(s.pre, steps[5].post)) >= 0.03]
    assert len(possible) > 1
    assert distance(draft.post, case.post) == min(distance(screen, case.post) for screen in possible)
    assert -1 <= draft.progress < 0
    assert go_near(make_case(*steps), CONFIG) is None, "nothing is before the first step"
    assert go_near(make_case(*steps[:5], replace(steps[5], instruction="Close it"), at=5), CONFIG) is None


def test_a_screen_is_shown_one_scroll_away(step):
    down = step(0, 1, Action("scroll", dy=300), "Scroll down")
    opened = step(1, 2, click(60, 60), "Open the list")
    draft = scroll_away(make_case(down, opened, at=1), CONFIG)
    assert draft is not None
    assert (draft.pre, draft.post, draft.actions) == (opened.pre, down.pre, opened.actions)
    assert (draft.success, draft.progress, draft.outcome) == (0, 0, "wrong_target")
    stayed = step(0, 2, click(60, 60), "Open the list")
    draft = scroll_away(make_case(stayed, down), CONFIG)
    assert draft is not None
    assert (draft.pre, draft.post) == (stayed.pre, down.post)


def test_no_scrolled_screen_for_what_may_scroll_or_leave(step):
    down = step(0, 1, Action("scroll", dy=300), "Scroll down")
    for action, instruction in (
        (Action("scroll", dy=-300), "Go on"),
        (Action("key", keys=("pagedown",)), "Go on"),
        (click(60, 60), "Scroll to the end"),
        (click(60, 60), "Close the list"),
        (Action("wait", seconds=1), "Be patient"),
    ):
        assert scroll_away(make_case(down, step(1, 2, action, instruction), at=1), CONFIG) is None
    opened = step(1, 2, click(60, 60), "Open the list")
    for scroll in (replace(down, marked=True), replace(down, success=False), replace(down, post=None)):
        assert scroll_away(make_case(scroll, opened, at=1), CONFIG) is None
    assert scroll_away(make_case(step(5, 6, Action("scroll", dy=300)), opened, at=1), CONFIG) is None
    assert scroll_away(make_case(step(2, 1, Action("scroll", dy=300)), opened, at=1), CONFIG) is None, (
        "it shows what was meant"
    )


def test_a_second_deed_on_the_same_target_is_no_mismatch(step):
    box = (40.0, 50.0, 200.0, 20.0)
    first = step(0, 1, click(60, 60), "Open the section", target_box=box)
    again = step(2, 3, click(230, 60), "Go to it once more")
    for steps in ((first, again), (replace(first, target_box=None), replace(again, target_box=box))):
        assert mismatch_action(make_case(*steps), CONFIG) is None
    assert mismatch_action(make_case(replace(first, target_box=None), again), CONFIG) is not None
    assert mismatch_action(make_case(first, step(2, 3, click(60, 90), "Go elsewhere")), CONFIG) is not None
