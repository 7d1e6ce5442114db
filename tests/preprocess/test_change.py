"""What counts as a change, and what does not."""

from __future__ import annotations

import numpy as np
import pytest
from preprocess_screens import Pixels, as_pixels, draw_form, noise, through_jpeg

from viscritic.preprocess import PreprocessConfig
from viscritic.preprocess.change import change_amounts

CONFIG = PreprocessConfig()


def places(pre: Pixels, post: Pixels, config: PreprocessConfig = CONFIG) -> list[tuple[int, int]]:
    """(row, column) of the patches that changed."""
    return [tuple(place) for place in np.argwhere(change_amounts(pre, post, config) > 0).tolist()]


def test_identical_screens() -> None:
    form = as_pixels(draw_form())
    assert change_amounts(form, form.copy(), CONFIG).shape == (43, 58)
    assert places(form, form.copy()) == []


def test_a_three_that_became_a_four() -> None:
    found = places(as_pixels(draw_form(3)), as_pixels(draw_form(4)))
    assert found
    assert {(row, column) for row, column in found} <= {(r, c) for r in (6, 7) for c in (8, 9)}


def test_a_ticked_box() -> None:
    found = places(as_pixels(draw_form()), as_pixels(draw_form(ticked=True)))
    assert found
    assert set(found) <= {(r, c) for r in (14, 15) for c in (8, 9)}


def test_a_flat_hover_colour() -> None:
    """6 of 255 everywhere: no pixel differs sharply, but the button as a whole does."""
    found = places(as_pixels(draw_form()), as_pixels(draw_form(hover=True)))
    inside = {(r, c) for r in range(22, 24) for c in range(8, 15)}  # patches that lie in the button wholly
    assert inside <= set(found)
    assert set(found) <= {(r, c) for r in range(21, 25) for c in range(7, 16)}


def test_compression_noise_is_no_change() -> None:
    form = as_pixels(draw_form())
    lossy = through_jpeg(draw_form(), 95)
    assert np.abs(lossy.astype(int) - form).max() > 8
    assert places(form, lossy) == []


@pytest.mark.parametrize("quality", [60, 75, 90])
def test_a_tick_on_lossy_screens_is_found_and_nothing_beside_it(quality: int) -> None:
    found = places(through_jpeg(draw_form(), quality), through_jpeg(draw_form(ticked=True), quality))
    assert found
    assert set(found) <= {(r, c) for r in range(13, 17) for c in range(7, 11)}  # the codec's blocks of 16 px


@pytest.mark.parametrize(("width", "height"), [(16, 16), (17, 300), (300, 17), (29, 43), (56, 56)])
def test_every_pixel_belongs_to_a_patch(width: int, height: int) -> None:
    pre = np.full((height, width, 3), 100, np.uint8)
    for x, y, channel in ((0, 0, 0), (width - 1, height - 1, 2), (width - 1, 0, 1), (0, height - 1, 1)):
        post = pre.copy()
        post[y, x, channel] = 200
        assert places(pre, post) == [(y // CONFIG.patch, x // CONFIG.patch)]


def test_the_tolerance_is_a_difference_of_one_channel() -> None:
    pre = np.full((28, 28, 3), 100, np.uint8)
    for value, changed in ((124, False), (125, True), (76, False), (75, True)):
        post = pre.copy()
        post[3, 3, 1] = value
        assert bool(places(pre, post)) is changed, value


def test_the_mean_tolerance_is_one_of_the_patch() -> None:
    pre = np.full((14, 14, 3), 100, np.uint8)
    assert places(pre, pre + np.uint8(5)) == [(0, 0)]
    half = pre.copy()
    half[::2] += np.uint8(5)  # 2.5 on average
    assert places(pre, half) == []
    strict = PreprocessConfig(mean_tolerance=2.0)
    assert places(pre, half, strict) == [(0, 0)]


def test_order_does_not_matter() -> None:
    pre, post = noise(100, 60), noise(100, 60, seed=1)
    post[:30] = pre[:30]
    np.testing.assert_array_equal(change_amounts(pre, post, CONFIG), change_amounts(post, pre, CONFIG))


def test_read_only_and_strided_screens_are_read() -> None:
    pre, post = noise(60, 60), noise(60, 60, seed=1)
    expected = change_amounts(pre[::-1].copy(), post[::-1].copy(), CONFIG)
    pre.flags.writeable = False
    np.testing.assert_array_equal(change_amounts(pre[::-1], post[::-1], CONFIG), expected)


def test_the_share_of_a_patch_that_changed() -> None:
    pre = np.full((30, 30, 3), 90, np.uint8)
    post = pre.copy()
    post[0:7, 0:14] = 200  # half of the first patch, all channels
    post[14:28, 14:28, 0] = 200  # one channel of a whole patch
    post[28:30, 28:30] = 200  # all of the last patch, of which 2 x 2 pixels lie on the screen
    expected = np.zeros((3, 3), np.float32)
    expected[0, 0], expected[1, 1], expected[2, 2] = 0.5, 1 / 3, 1.0
    np.testing.assert_allclose(change_amounts(pre, post, CONFIG), expected, atol=1e-6)
