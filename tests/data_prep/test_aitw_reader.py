"""AITW: the fixtures are written from its documented fields (README of android_in_the_wild)."""

from __future__ import annotations

import gzip

import pytest

pytest.importorskip("google_crc32c")
pytest.importorskip("google.protobuf")
from made_images import SIZE, is_shown, pixels
from made_tfrecord import example, write_tfrecord

from data_prep.readers.aitw import read_aitw
from viscritic.actions import Action
from viscritic.errors import DataError

WIDTH, HEIGHT = SIZE


def row(
    step: int,
    *,
    episode: str = "e1",
    length: int = 5,
    kind: int = 4,
    touch=(-1.0, -1.0),
    lift=(-1.0, -1.0),
    text="",
    **more,
):
    """A step; points are (y, x)."""
    fields = {
        "episode_id": episode,
        "episode_length": length,
        "step_id": step,
        "goal_info": "turn on wifi",
        "image__encoded": pixels(step).tobytes(),
        "image__height": HEIGHT,
        "image__width": WIDTH,
        "image__channels": 3,
        "image__ui_annotations_positions": [0.0, 0.0, 1.0, 1.0, 0.4, 0.1, 0.2, 0.3],
        "image__ui_annotations_text": ["", "Wi-Fi"],
        "image__ui_annotations_ui_types": ["ICON_SUN", "TEXT"],
        "results__action_type": kind,
        "results__type_action": text,
        "results__yx_touch": [float(value) for value in touch],
        "results__yx_lift": [float(value) for value in lift],
        "current_activity": "com.android.settings/.Settings" if step else "com.google.android.apps.nexuslauncher/.Main",
        "device_type": "pixel_4",
        "android_api_level": 30,
    }
    return example(**(fields | more))


TAP = {"touch": (0.5, 0.25), "lift": (0.5, 0.28)}  # 0.03 apart
SWIPE = {"touch": (0.75, 0.5), "lift": (0.25, 0.5)}
EPISODE = [row(0, **SWIPE), row(1, **TAP), row(2, kind=3, text="home net"), row(3, kind=5), row(4, kind=10)]


@pytest.fixture
def folder(tmp_path):
    write_tfrecord(tmp_path / "general" / "general-00000-of-00001", EPISODE)
    return tmp_path


def test_an_episode_is_read_in_pixels(folder):
    [trajectory] = read_aitw(folder, strict=True)
    assert (trajectory.id, trajectory.task, trajectory.platform) == ("e1", "turn on wifi", "mobile")
    assert trajectory.app == "com.android.settings"
    assert [step.actions for step in trajectory.steps] == [
        (Action("swipe", 48, 48, 48, 16),),
        (Action("click", 24, 32),),
        (Action("type", text="home net"),),
        (Action("back"),),
        (Action("done"),),
    ]
    for step in trajectory.steps:
        assert step.size == SIZE
        assert is_shown(step.pre, step.index), "the bytes of image/encoded are pixels, not a PNG"
    assert all(is_shown(step.post, step.index + 1) for step in trajectory.steps[:-1])
    assert trajectory.steps[-1].post is None
    assert trajectory.notes == ()


def test_the_target_is_the_smallest_element_under_a_tap(folder):
    [trajectory] = read_aitw(folder)
    assert trajectory.steps[1].target_box == pytest.approx((0.1 * WIDTH, 0.4 * HEIGHT, 0.3 * WIDTH, 0.2 * HEIGHT))
    assert trajectory.steps[0].target_box is None
    assert [element.name for element in trajectory.steps[1].elements] == ["", "Wi-Fi"]
    assert trajectory.steps[1].elements[1].box == trajectory.steps[1].target_box
    assert trajectory.steps[0].elements == (), "they serve to find what lies beside the target"


@pytest.mark.parametrize("positions", [[0.1], [float("nan")] * 4, ["a", "b", "c", "d"]])
def test_elements_that_make_no_sense_are_left_out(tmp_path, positions):
    tap = row(0, **TAP, image__ui_annotations_positions=positions)
    write_tfrecord(tmp_path / "general-00000-of-00001", [tap])
    [trajectory] = read_aitw(tmp_path, strict=True)
    assert (trajectory.steps[0].target_box, trajectory.steps[0].elements) == (None, ())


@pytest.mark.parametrize(
    ("touch", "lift", "kind"), [((0.5, 0.5), (0.5, 0.539), "click"), ((0.5, 0.5), (0.5, 0.541), "swipe")]
)
def test_a_tap_ends_where_a_swipe_begins(tmp_path, touch, lift, kind):
    write_tfrecord(tmp_path / "x", [row(0, touch=touch, lift=lift)])
    [trajectory] = read_aitw(tmp_path)
    assert trajectory.steps[0].actions[0].kind == kind


@pytest.mark.parametrize(("kind", "success", "of_steps"), [(10, True, True), (11, False, None), (5, None, None)])
def test_the_last_action_tells_how_it_ended(tmp_path, kind, success, of_steps):
    write_tfrecord(tmp_path / "x", [row(0, **TAP), row(1, kind=kind)])
    [trajectory] = read_aitw(tmp_path)
    assert trajectory.success is success
    assert [step.success for step in trajectory.steps] == [of_steps, None]


def test_steps_are_ordered_and_gaps_have_no_screen_after(tmp_path):
    write_tfrecord(tmp_path / "x", [row(3, kind=5), row(0, **TAP), row(1, **TAP)])
    [trajectory] = read_aitw(tmp_path)
    assert [is_shown(step.pre, number) for step, number in zip(trajectory.steps, (0, 1, 3), strict=True)] == [True] * 3
    assert [step.post is None for step in trajectory.steps] == [False, True, True]
    assert "3 of 5 steps" in trajectory.notes[0]


def test_an_episode_may_go_on_in_the_next_file(tmp_path):
    write_tfrecord(tmp_path / "general-00000-of-00002", [*EPISODE[:2]])
    write_tfrecord(
        tmp_path / "general-00001-of-00002", [*EPISODE[2:], row(0, episode="e2", length=1, kind=10)], compressed=False
    )
    first, second = read_aitw(tmp_path, strict=True)
    assert (first.id, len(first.steps), second.id, len(second.steps)) == ("e1", 5, "e2", 1)


@pytest.mark.parametrize(
    ("broken", "told"),
    [
        (row(2, image__encoded=b"\x89PNG"), "is no 64x96x3 bytes of pixels"),
        (row(2, image__height=-1), "pixels"),
        (row(2, kind=9), "action_type"),
        (row(2, touch=(0.5, 1.5)), "0..1"),
        (row(2, results__yx_touch=[0.5]), "yx_touch"),
        (row(2, goal_info=[]), "goal_info is missing"),
        (row(2, step_id=[]), "step_id is missing"),
        (b"\x0b", "no tf.train.Example"),
    ],
)
def test_a_broken_row_is_left_out_and_told_of(tmp_path, broken, told):
    write_tfrecord(tmp_path / "x", [*EPISODE[:2], broken, *EPISODE[3:]])
    [trajectory] = read_aitw(tmp_path)
    assert [step.actions[0].kind for step in trajectory.steps] == ["swipe", "click", "back", "done"]
    assert any(told in note for note in trajectory.notes)
    has_screen = told in ("action_type", "0..1", "yx_touch")
    assert (trajectory.steps[1].post is not None) == has_screen, "a row without an action still shows what came before"
    with pytest.raises(DataError, match=r"^x"):
        list(read_aitw(tmp_path, strict=True))


def test_a_file_that_breaks_off_keeps_what_was_read(tmp_path):
    data = write_tfrecord(tmp_path / "x", EPISODE).read_bytes()
    (tmp_path / "x").write_bytes(gzip.compress(gzip.decompress(data)[:-9]))
    [trajectory] = read_aitw(tmp_path)
    assert len(trajectory.steps) == 4
    assert any("ends within it" in note for note in trajectory.notes)
    (tmp_path / "x").write_bytes(gzip.compress(gzip.decompress(data)[:20]))
    [unread] = read_aitw(tmp_path)
    assert unread.steps == ()
    assert "ends within it" in unread.notes[0]


def test_other_folders_are_refused(tmp_path):
    (tmp_path / "a.png").touch()
    with pytest.raises(DataError, match="no TFRecord file"):
        list(read_aitw(tmp_path))
