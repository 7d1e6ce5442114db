"""Which places become tokens: a budget that holds for any screen, nothing twice, the finest level that fits."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from preprocess_screens import noise

from viscritic.preprocess import PreprocessConfig
from viscritic.preprocess.tokens import Places, choose_places, cut_patches, cut_thumbnail, window_bounds

SIDES = st.integers(16, 3000)


@st.composite
def screens(draw: st.DrawFn) -> tuple[np.ndarray, tuple[int, int], tuple[float, float] | None, PreprocessConfig]:
    """A changed grid, the screen's size, perhaps a point, and settings."""
    width, height = draw(SIDES), draw(SIDES)
    config = PreprocessConfig(
        patch=draw(st.sampled_from([8, 14, 16])),
        changed_tokens=draw(st.sampled_from([0, 1, 5, 24, 112])),
        window=draw(st.tuples(st.integers(0, 9), st.integers(0, 9))),
    )
    shape = (-(-height // config.patch), -(-width // config.patch))
    density = draw(st.sampled_from([0.0, 0.002, 0.1, 1.0]))
    changed = np.random.default_rng(draw(st.integers(0, 99))).random(shape) < density
    inside = st.tuples(
        st.floats(0, width, exclude_max=True, allow_nan=False), st.floats(0, height, exclude_max=True, allow_nan=False)
    )
    return changed, (width, height), draw(st.none() | inside), config


def cells_of(box: np.ndarray, patch: int) -> tuple[slice, slice]:
    """The native grid cells that a box touches."""
    x, y, width, height = box.astype(int).tolist()
    return slice(y // patch, -(-(y + height) // patch)), slice(x // patch, -(-(x + width) // patch))


@settings(max_examples=200)
@given(screens())
def test_places_keep_the_budget_and_the_screen(
    case: tuple[np.ndarray, tuple[int, int], tuple[float, float] | None, PreprocessConfig],
) -> None:
    changed, (width, height), point, config = case
    places = choose_places(changed, (width, height), point, config)
    boxes = places.boxes
    assert len(boxes) == len(places.changed) == len(places.window)
    assert boxes.dtype == np.float32
    assert places.changed.sum() <= config.changed_tokens
    assert (~places.changed).sum() <= config.window[0] * config.window[1]
    assert len({tuple(box) for box in boxes.tolist()}) == len(boxes)
    assert (boxes[:, 2] == boxes[:, 3]).all()
    levels = np.log2(boxes[:, 2] / config.patch)
    assert (levels == levels.round()).all()
    assert (boxes[:, :2] >= 0).all()
    assert (boxes[:, :2] + boxes[:, 2:] <= (width, height)).all()
    if point is None:
        assert places.changed.all()
        assert not places.window.any()


@settings(max_examples=200)
@given(screens())
def test_the_level_is_the_finest_that_fits(
    case: tuple[np.ndarray, tuple[int, int], tuple[float, float] | None, PreprocessConfig],
) -> None:
    changed, size, point, config = case
    places = choose_places(changed, size, point, config)
    sides = np.unique(places.boxes[places.changed, 2])
    if config.changed_tokens == 0 or not changed.any():
        assert len(sides) == 0
        return
    (side,) = sides.tolist()
    factor = int(side) // config.patch
    y, x = np.nonzero(changed)

    def count(factor: int) -> int:
        return len(set(zip((y // factor).tolist(), (x // factor).tolist(), strict=True)))

    if factor > 1:
        assert count(factor // 2) > config.changed_tokens
    if count(factor) <= config.changed_tokens:  # then every changed patch is covered, and nothing beside them
        covered = np.zeros_like(changed)
        for box in places.boxes[places.changed]:
            covered[cells_of(box, config.patch)] = True
            assert changed[cells_of(box, config.patch)].any()
        assert covered[changed].all()
    else:  # a screen too thin for a coarser level
        assert 2 * side > min(size)
        assert places.changed.sum() == config.changed_tokens


def test_a_whole_new_page_of_any_common_screen_fits() -> None:
    config = PreprocessConfig()
    for size in ((1280, 720), (1920, 1080), (1080, 2400), (3840, 2160), (7680, 4320), (8000, 8000)):
        changed = np.ones((-(-size[1] // 14), -(-size[0] // 14)), np.bool_)
        boxes = choose_places(changed, size, None, config).boxes
        covered = np.zeros_like(changed)
        for box in boxes:
            covered[cells_of(box, 14)] = True
        assert covered.all(), size


def test_one_changed_patch_is_seen_at_native_resolution() -> None:
    changed = np.zeros((78, 138), np.bool_)
    changed[40, 70] = True
    places = choose_places(changed, (1920, 1080), None, PreprocessConfig())
    assert places.boxes.tolist() == [[980.0, 560.0, 14.0, 14.0]]


def test_the_last_row_and_column_move_inside() -> None:
    changed = np.zeros((2, 2), np.bool_)
    changed[1, 1] = True
    places = choose_places(changed, (20, 17), None, PreprocessConfig())
    assert places.boxes.tolist() == [[6.0, 3.0, 14.0, 14.0]]


def test_a_changed_patch_in_the_window_is_one_place() -> None:
    changed = np.zeros((20, 20), np.bool_)
    changed[10, 10] = changed[0, 0] = True
    places = choose_places(changed, (280, 280), (145.0, 145.0), PreprocessConfig())
    assert len(places.boxes) == 7 * 5 + 1
    both = places.boxes[places.changed & places.window]
    assert both.tolist() == [[140.0, 140.0, 14.0, 14.0]]


def inside_window(size: tuple[int, int], point: tuple[float, float]) -> Places:
    return choose_places(np.zeros((-(-size[1] // 14), -(-size[0] // 14)), np.bool_), size, point, PreprocessConfig())


@pytest.mark.parametrize(
    ("point", "expected"),
    [
        ((700.0, 420.0), (47, 28, 54, 33)),  # patch 50, 30 in the middle
        ((0.0, 0.0), (0, 0, 7, 5)),
        ((1919.9, 1079.9), (131, 73, 138, 78)),
        ((0.0, 1079.0), (0, 73, 7, 78)),
        ((1919.0, 3.0), (131, 0, 138, 5)),
    ],
)
def test_the_window_stays_whole_at_the_borders(point: tuple[float, float], expected: tuple[int, int, int, int]) -> None:
    assert window_bounds((1920, 1080), point, PreprocessConfig()) == expected
    places = inside_window((1920, 1080), point)
    assert len(places.boxes) == 35
    assert places.window.all()
    holds = (places.boxes[:, :2] <= point) & (point < places.boxes[:, :2] + places.boxes[:, 2:])
    assert holds.all(axis=1).any()


def test_a_window_larger_than_the_screen_is_the_screen() -> None:
    places = inside_window((40, 30), (20.0, 15.0))
    assert len(places.boxes) == 3 * 3
    assert places.window.all()


@pytest.mark.parametrize("window", [(0, 5), (7, 0), (0, 0)])
def test_no_window(window: tuple[int, int]) -> None:
    assert window_bounds((200, 200), (50.0, 50.0), PreprocessConfig(window=window)) is None
    assert window_bounds((200, 200), None, PreprocessConfig()) is None


def shrink_slowly(screen: np.ndarray, box: np.ndarray, patch: int) -> np.ndarray:
    """(3, patch, patch): each output pixel is the rounded mean of a block, computed one by one."""
    x, y, side, _ = box.astype(int).tolist()
    factor = side // patch
    out = np.empty((3, patch, patch), np.uint8)
    for row in range(patch):
        for column in range(patch):
            top, left = y + row * factor, x + column * factor
            block = screen[top : top + factor, left : left + factor].astype(np.float64)
            out[:, row, column] = np.floor(block.mean(axis=(0, 1)) + 0.5)
    return out


@pytest.mark.parametrize("patch", [8, 14])
def test_patches_are_means_of_their_pixels(patch: int) -> None:
    screen = noise(230, 170)
    boxes = np.array(
        [[x, y, patch << level, patch << level] for level, (x, y) in enumerate([(3, 5), (17, 0), (101, 41), (0, 2)])]
        + [[230 - patch, 170 - patch, patch, patch]],
        np.float32,
    )
    cut = cut_patches(screen, boxes, patch)
    assert cut.shape == (5, 3 * patch * patch)
    for row, box in zip(cut, boxes, strict=True):
        np.testing.assert_array_equal(row.reshape(3, patch, patch), shrink_slowly(screen, box, patch))


def test_no_box_no_patch() -> None:
    assert cut_patches(noise(40, 40), np.zeros((0, 4), np.float32), 14).shape == (0, 588)


@settings(max_examples=60)
@given(SIDES, SIDES, st.sampled_from([1, 12, 48, 256]))
def test_thumbnails_cover_the_screen_evenly(width: int, height: int, budget: int) -> None:
    config = PreprocessConfig(patch=4, thumbnail_tokens=budget)
    screen = np.zeros((height, width, 3), np.uint8)
    patches, boxes = cut_thumbnail(screen, config)
    assert 1 <= len(patches) == len(boxes) <= budget
    assert patches.shape[1] == 3 * 4 * 4
    assert boxes[:, 2].max() - boxes[:, 2].min() < 1e-3
    np.testing.assert_allclose(boxes[:, 2].astype(float) @ boxes[:, 3], width * height, rtol=1e-4)
    assert (boxes[:, :2] + boxes[:, 2:] <= np.array([width, height]) * (1 + 1e-6)).all()


@pytest.mark.parametrize(
    ("size", "budget", "grid"),
    [((1000, 1000), 256, (16, 16)), ((1920, 1080), 48, (9, 5)), ((1080, 1920), 48, (5, 9)), ((3000, 16), 48, (48, 1))],
)
def test_a_thumbnails_cells_are_nearly_square(size: tuple[int, int], budget: int, grid: tuple[int, int]) -> None:
    _, boxes = cut_thumbnail(np.zeros((size[1], size[0], 3), np.uint8), PreprocessConfig(thumbnail_tokens=budget))
    assert (len(np.unique(boxes[:, 0])), len(np.unique(boxes[:, 1]))) == grid


def test_a_thumbnail_shows_what_its_boxes_cover() -> None:
    screen = np.zeros((240, 240, 3), np.uint8)
    screen[60:120, 120:180] = (200, 100, 50)  # one cell of a 4 x 4 grid
    config = PreprocessConfig(patch=4, thumbnail_tokens=16)
    patches, boxes = cut_thumbnail(screen, config)
    means = patches.reshape(16, 3, 16).mean(axis=2)
    bright = np.flatnonzero(means[:, 0] > 100)
    assert boxes[bright].tolist() == [[120.0, 60.0, 60.0, 60.0]]
    np.testing.assert_allclose(means[bright[0]], (200, 100, 50), atol=12)  # pixels at its border mix
    assert means.sum() == pytest.approx(350, abs=3)
