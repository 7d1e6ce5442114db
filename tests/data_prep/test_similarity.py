from __future__ import annotations

import builtins
import io

import pytest
from made_screens import draw_desktop, draw_state
from PIL import Image

from data_prep.similarity import changed_near, distance, import_ssim, is_equal, ssim
from viscritic.errors import DataError, MissingExtraError


def test_measures_order_screens_as_the_eye_does(tmp_path):
    a = draw_state(tmp_path / "a.png", "web", "x", 0)
    same = draw_state(tmp_path / "same.png", "web", "x", 0)
    ticked = draw_state(tmp_path / "ticked.png", "web", "x", 0, clock=4)
    other = draw_state(tmp_path / "other.png", "web", "x", 1)
    desktop = draw_desktop(tmp_path / "desktop.png")
    assert is_equal(a, same)
    assert not is_equal(a, ticked)
    assert 0 == distance(a, same) < distance(a, ticked) < 0.01
    assert 0.1 < distance(a, other) < distance(a, desktop)
    assert ssim(a, same) == 1 > ssim(a, ticked) > 0.98 > ssim(a, other)


def test_equal_pixels_in_another_encoding_are_equal(tmp_path):
    a = draw_state(tmp_path / "a.png", "web", "x", 0)
    buffer = io.BytesIO()
    Image.open(a).save(buffer, "BMP")
    assert is_equal(a, buffer.getvalue())
    assert distance(a, buffer.getvalue()) == 0


def test_screens_of_two_sizes_are_never_alike(tmp_path):
    for side in (100, 200):
        Image.new("RGB", (side, side), "white").save(tmp_path / f"{side}.png")
    a, b = tmp_path / "100.png", tmp_path / "200.png"
    assert distance(a, b) == 1
    assert ssim(a, b) == 0
    assert changed_near(a, b, [(5, 5)], 3)


def test_changes_count_near_the_points_only(tmp_path):
    a = draw_state(tmp_path / "a.png", "web", "x", 0)
    b = draw_state(tmp_path / "b.png", "web", "x", 0, clock=4)
    assert changed_near(a, b, [(10, 200), (300, 8)], 5)
    assert not changed_near(a, b, [(10, 200), (280, 8)], 5)
    assert not changed_near(a, b, [(-500, 9000)], 5)
    assert not changed_near(a, b, [], 5)


def test_a_broken_screen_is_named(tmp_path):
    (tmp_path / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\nrubbish")
    with pytest.raises(DataError, match=r"broken\.png"):
        distance(tmp_path / "broken.png", tmp_path / "broken.png")


def test_a_missing_extra_is_named(monkeypatch):
    real = builtins.__import__

    def without_skimage(name, *args, **kwargs):
        if name.startswith("skimage"):
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without_skimage)
    with pytest.raises(MissingExtraError, match=r"viscritic\[data\]"):
        import_ssim()
