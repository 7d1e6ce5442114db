"""A whole transition as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from preprocess_screens import Pixels, as_pixels, draw_form, noise

from viscritic.actions import KINDS, Action
from viscritic.errors import ScreenError, TextError
from viscritic.preprocess import GEOMETRY_SIZE, Arrays, PreprocessConfig, facts_size, prepare
from viscritic.preprocess.facts import STATE_FACTS

CONFIG = PreprocessConfig()
CLICK = Action("click", 125.0, 205.0)


def run(
    pre: Pixels, post: Pixels, *actions: Action, config: PreprocessConfig = CONFIG, instruction: str = "Tick the box",
    task: str = "", burst: Sequence[Pixels] = (), idle: Sequence[Pixels] = (),
) -> Arrays:  # fmt: skip
    return prepare(pre, post, actions or (CLICK,), instruction, task, config, burst, idle)


def assert_equal(first: Any, second: Any, but: str = "") -> None:
    """Two Arrays (or parts of them) hold the same, but for one field perhaps."""
    for f in fields(first):
        if f.name == but:
            continue
        a, b = getattr(first, f.name), getattr(second, f.name)
        if isinstance(a, np.ndarray):
            np.testing.assert_array_equal(a, b)
        elif hasattr(a, "pre"):
            assert_equal(a, b)
        else:
            assert a == b


def test_a_ticked_box_under_the_pointer() -> None:
    arrays = run(as_pixels(draw_form()), as_pixels(draw_form(ticked=True)))
    evidence = arrays.evidence
    assert 0 < evidence.changed < 0.002
    assert evidence.changed_at_target == pytest.approx(evidence.changed * 43 * 58 / 35)
    assert evidence.changed_elsewhere == 0
    assert not (evidence.identical or evidence.off_screen or evidence.resized)
    assert len(arrays.detail.pre) == 35  # the window holds what changed
    assert arrays.size == (800, 600)
    assert arrays.region == (70.0, 168.0, 98.0, 70.0)


def test_a_change_far_from_the_pointer() -> None:
    evidence = run(as_pixels(draw_form()), as_pixels(draw_form(ticked=True)), Action("click", 700.0, 500.0)).evidence
    assert evidence.changed_at_target == 0
    assert evidence.changed_elsewhere > 0


def test_identical_screens() -> None:
    form = as_pixels(draw_form())
    arrays = run(form, form.copy())
    assert arrays.evidence.identical
    assert arrays.evidence.changed == arrays.evidence.changed_elsewhere == arrays.evidence.changed_at_target == 0
    for view in (arrays.detail, arrays.thumbnail):
        np.testing.assert_array_equal(view.pre, view.post)
    waiting = run(form, form, Action("wait", seconds=1.0))
    assert len(waiting.detail.pre) == 0
    assert waiting.region is None
    assert waiting.evidence.changed_at_target is None


@settings(max_examples=40)
@given(
    st.integers(16, 700),
    st.integers(16, 700),
    st.floats(-1e6, 1e6, allow_nan=False),
    st.floats(-1e6, 1e6, allow_nan=False),
    st.booleans(),
)
def test_any_size_and_any_point(width: int, height: int, x: float, y: float, inside: bool) -> None:
    if inside:
        x, y = abs(x) % width, abs(y) % height
    pre, post = noise(width, height), noise(width, height, seed=1)
    arrays = run(pre, post, Action("click", x, y))
    on_screen = 0 <= x < width and 0 <= y < height
    assert arrays.evidence.off_screen is not on_screen
    assert (arrays.region is not None) is on_screen
    assert (arrays.evidence.changed_at_target is not None) is on_screen
    assert arrays.facts.shape == (facts_size(PreprocessConfig()),)
    assert np.isfinite(arrays.facts).all()
    assert np.abs(arrays.facts).max() <= 1
    assert len(arrays.detail.pre) <= CONFIG.changed_tokens + 35
    assert len(arrays.thumbnail.pre) <= CONFIG.thumbnail_tokens
    for view in (arrays.detail, arrays.thumbnail):
        count = len(view.boxes)
        assert view.pre.shape == view.post.shape == (count, 588)
        assert view.geometry.shape == (count, GEOMETRY_SIZE)
        assert np.isfinite(view.geometry).all()
        assert ((view.place[:, :2] > 0) & (view.place[:, :2] < 1)).all()
        for array, kind in ((view.pre, np.uint8), (view.place, np.float32), (view.geometry, np.float32)):
            assert array.dtype == kind


def test_a_point_off_the_screen_is_no_point() -> None:
    form, ticked = as_pixels(draw_form()), as_pixels(draw_form(ticked=True))
    for point in ((800.0, 10.0), (-0.5, 10.0), (10.0, 600.0), (1e6, -1e6)):
        arrays = run(form, ticked, Action("click", *point))
        assert arrays.evidence.off_screen
        assert arrays.evidence.changed_at_target is None
        assert arrays.region is None
        assert len(arrays.detail.pre) < 35
    dragged = run(form, ticked, Action("drag", 125.0, 205.0, 900.0, 205.0))
    assert dragged.evidence.off_screen
    assert dragged.evidence.changed_at_target is not None  # its start is on the screen


def test_a_drag_is_looked_at_where_it_ends() -> None:
    form = as_pixels(draw_form())
    arrays = run(form, form, Action("drag", 10.0, 10.0, 700.0, 500.0))
    assert arrays.region is not None
    left, top, width, height = arrays.region
    assert left <= 700 < left + width
    assert top <= 500 < top + height


def test_screens_of_differing_size() -> None:
    pre = as_pixels(draw_form())
    post = np.asarray(Image.fromarray(pre).resize((1200, 900), Image.Resampling.BICUBIC))
    arrays = run(pre, post)
    assert arrays.evidence.resized
    assert not arrays.evidence.identical
    assert arrays.size == (800, 600)
    assert arrays.detail.pre.shape == arrays.detail.post.shape
    turned = run(pre, np.ascontiguousarray(pre.transpose(1, 0, 2)))
    assert turned.evidence.resized


def test_blank_screens_of_differing_size_are_not_identical() -> None:
    white = np.full((300, 400, 3), 255, np.uint8)
    evidence = run(white, np.full((400, 300, 3), 255, np.uint8)).evidence
    assert evidence.resized
    assert not evidence.identical
    assert evidence.changed == 0


def test_what_changed_while_nothing_was_done_does_not_count() -> None:
    pre, post = as_pixels(draw_form(3)), as_pixels(draw_form(4, ticked=True))
    earlier = as_pixels(draw_form(8))  # the number runs by itself
    both, tick = run(pre, post), run(pre, post, idle=[earlier])
    assert 0 < tick.evidence.changed < both.evidence.changed
    assert tick.evidence.changed_elsewhere == 0 < both.evidence.changed_elsewhere
    assert tick.evidence.changed_at_target == both.evidence.changed_at_target
    nothing = run(pre, as_pixels(draw_form(4)), idle=[as_pixels(draw_form(3)), earlier])
    assert nothing.evidence.changed == 0
    assert not nothing.evidence.identical
    scaled = np.asarray(Image.fromarray(earlier).resize((1600, 1200), Image.Resampling.NEAREST))
    assert run(pre, post, idle=[scaled]).evidence.changed_elsewhere == 0


def test_a_message_that_came_and_went_is_seen_in_the_burst() -> None:
    form, ticked = as_pixels(draw_form()), as_pixels(draw_form(ticked=True))
    assert_equal(run(form, form, burst=[form, ticked, form]), run(form, ticked), but="facts")
    assert_equal(run(form, form, burst=[form, form]), run(form, form))
    other = as_pixels(draw_form(4))
    assert_equal(run(form, ticked, burst=[other]), run(form, ticked), but="facts")  # post shows a change of its own


MOTION = STATE_FACTS - len(KINDS) - 5  # still moving, the same at the target, kept, gone again


def test_what_went_on_after_the_action_is_told_by_how_it_ended() -> None:
    form, ticked, other = (
        as_pixels(draw_form()),
        as_pixels(draw_form(ticked=True)),
        as_pixels(draw_form(4, ticked=True)),
    )

    def motion(post: Pixels, *burst: Pixels, idle: Sequence[Pixels] = ()) -> list[bool]:
        return [bool(fact) for fact in run(form, post, burst=burst, idle=idle).facts[MOTION : MOTION + 4]]

    assert motion(ticked) == motion(ticked, ticked, ticked) == [False] * 4
    assert motion(ticked, form, ticked) == [False, False, True, False]  # came late, and rests
    assert motion(ticked, form) == [True, True, True, False]  # has only just come
    assert motion(form, ticked, form) == [False, False, False, True]  # passed
    assert motion(form, ticked) == [True, True, False, True]  # passes
    assert motion(ticked, other, ticked)[2:] == [False, True]  # elsewhere, for a moment
    assert motion(form, ticked, form, idle=[ticked]) == [False] * 4  # does so by itself


def test_a_thumbnail_depends_on_its_screen_alone() -> None:
    form, ticked, other = as_pixels(draw_form()), as_pixels(draw_form(ticked=True)), noise(800, 600)
    first, second = run(form, ticked), run(ticked, other, Action("click", 3.0, 3.0), instruction="")
    np.testing.assert_array_equal(first.thumbnail.post, second.thumbnail.pre)
    np.testing.assert_array_equal(first.thumbnail.place, second.thumbnail.place)


def test_the_same_arrays_every_time() -> None:
    pre, post = as_pixels(draw_form()), as_pixels(draw_form(ticked=True))
    first = run(pre, post)
    run(noise(800, 600), noise(800, 600, seed=3))
    assert_equal(first, run(pre.copy(), post.copy()))


def test_a_screen_smaller_than_a_patch_is_refused() -> None:
    small = noise(20, 31)
    with pytest.raises(ScreenError, match="20x31 pixels is too small: each side needs 32"):
        run(small, small, config=PreprocessConfig(patch=32))


def test_text_that_is_none_is_refused() -> None:
    form = as_pixels(draw_form())
    for wrong in (None, 5, b"Tick the box", ["Tick"]):
        with pytest.raises(TextError, match="instruction must be text"):
            run(form, form, instruction=wrong)  # type: ignore[arg-type]
        with pytest.raises(TextError, match="task must be text"):
            run(form, form, task=wrong)  # type: ignore[arg-type]
