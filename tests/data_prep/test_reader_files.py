"""What the readers share: paths, JSON, images, notes."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
from made_images import as_base64, encoded, pixels
from PIL import Image

from data_prep.readers import json_files
from data_prep.readers.images import decode_base64, encode_png, image_size
from data_prep.readers.json_files import iterate_list, read_json, read_lines
from data_prep.readers.paths import file_name, find_inside, natural_key, need_any, walk
from data_prep.readers.problems import Problems
from viscritic.errors import DataError
from viscritic.trajectory import Trajectory


def test_walking_is_in_order_and_skips_what_is_hidden(tmp_path):
    for name in ("b/2.png", "b/10.png", "b/1.png", "a.png", ".hidden/x.png", "b/c/d.png"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "loop").symlink_to(tmp_path)
    names = [path.relative_to(tmp_path).as_posix() for path in walk(tmp_path)]
    assert names == ["a.png", "b/1.png", "b/2.png", "b/10.png", "b/c/d.png"]
    assert list(walk(tmp_path / "a.png")) == [tmp_path / "a.png"]
    assert list(walk(tmp_path / "a.png", lambda path: False)) == []
    with pytest.raises(DataError, match="does not exist"):
        list(walk(tmp_path / "absent"))
    with pytest.raises(DataError, match="holds no thing"):
        list(need_any(walk(tmp_path, lambda path: False), tmp_path, "thing"))
    assert sorted(["x10", "x9", "x"], key=natural_key) == ["x", "x9", "x10"]


@pytest.mark.parametrize(
    "path",
    ["../secret.txt", "/etc/passwd", "a/../../secret.txt", "", ".", None, 5, "a\\..\\b", "a\0b", 300 * "a", 99 * "a/"],
)
def test_no_path_leads_out_of_the_data_set(tmp_path, path):
    (tmp_path / "secret.txt").touch()
    root = tmp_path / "data"
    root.mkdir()
    with pytest.raises(DataError):
        find_inside(root, path)


def test_a_link_out_of_the_data_set_is_not_followed(tmp_path):
    (tmp_path / "secret.txt").touch()
    root = tmp_path / "data"
    root.mkdir()
    (root / "a.png").symlink_to(tmp_path / "secret.txt")
    with pytest.raises(DataError, match="leads out"):
        find_inside(root, "a.png")


def test_a_path_is_found_where_the_data_set_was_unpacked(tmp_path):
    (tmp_path / "shots").mkdir()
    (tmp_path / "shots" / "1.png").touch()
    assert find_inside(tmp_path, "trajectories/shots/1.png") == tmp_path / "shots" / "1.png"
    with pytest.raises(DataError, match="missing"):
        find_inside(tmp_path, "shots/2.png")
    assert file_name("C:\\runs\\1\\a.png") == file_name("/runs/1/a.png") == "a.png"
    for bad in ("", "..", "a/..", None, "a\0"):
        with pytest.raises(DataError):
            file_name(bad)


@pytest.mark.parametrize("chunk", [1, 3, 7, 10**6])
@pytest.mark.parametrize(
    "value",
    [[], [1, 22.5, -3], ["a]b", {"c": [1, "\u00e9"]}, None, [[]]], {"one": 1}, "text", 17, [{"long": "x" * 99}] * 5],
)
def test_a_list_is_read_element_by_element(tmp_path, monkeypatch, chunk, value):
    monkeypatch.setattr(json_files, "_CHUNK", chunk)
    (tmp_path / "x.json").write_text(json.dumps(value, indent=1) + "\n")
    assert list(iterate_list(tmp_path / "x.json")) == (value if isinstance(value, list) else [value])


@pytest.mark.parametrize("text", ["", "[1, 2", "[1 2]", "[1,]", "{", "[" * 5000, '["\udcff"]'])
def test_a_broken_list_gives_what_is_before_and_then_an_error(tmp_path, text):
    (tmp_path / "x.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(DataError, match="cannot be read as JSON"):
        list(iterate_list(tmp_path / "x.json"))
    with pytest.raises(DataError):
        read_json(tmp_path / "x.json")


def test_an_endless_element_or_file_is_refused(tmp_path, monkeypatch):
    (tmp_path / "x.json").write_text("[" + '"' + "x" * 5000 + '"]')
    monkeypatch.setattr(json_files, "_CHUNK", 10)
    monkeypatch.setattr(json_files, "_LONGEST_ELEMENT", 1000)
    with pytest.raises(DataError, match="longer than"):
        list(iterate_list(tmp_path / "x.json"))
    monkeypatch.setattr(json_files, "MOST_BYTES", 1000)
    with pytest.raises(DataError, match="more than a JSON file may have"):
        read_json(tmp_path / "x.json")


def test_broken_and_huge_lines_are_told_of_and_the_others_read(tmp_path, monkeypatch):
    monkeypatch.setattr(json_files, "LONGEST_LINE", 40)
    (tmp_path / "x.jsonl").write_text('{"a": 1}\n\n{"b"\n"' + "x" * 500 + '"\n{"c": 2}')
    lines = dict(read_lines(tmp_path / "x.jsonl"))
    assert (lines[1], lines[5]) == ({"a": 1}, {"c": 2})
    assert isinstance(lines[3], DataError)
    assert "longer than 40" in str(lines[4])
    assert set(lines) == {1, 3, 4, 5}


def test_sizes_are_read_from_headers():
    assert image_size(encoded(1, (70, 50))) == (70, 50)
    assert image_size(encoded(1, (70, 50), "JPEG")) == (70, 50)
    turned = io.BytesIO()
    exif = Image.Exif()
    exif[0x0112] = 6
    Image.fromarray(pixels(1, (70, 50))).save(turned, "JPEG", exif=exif)
    assert image_size(turned.getvalue()) == (50, 70)


def test_what_is_no_screen_is_refused(tmp_path):
    bomb = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + (60000).to_bytes(4, "big") * 2 + b"\x08\x02\x00\x00\x00"
    bomb += __import__("zlib").crc32(bomb[12:]).to_bytes(4, "big")
    empty = encoded(1)[:33] + encoded(1)[-12:]  # a PNG of no pixels at all: Pillow's verify() raises an IndexError
    for bad in (b"", b"no image", encoded(1)[:20], encoded(1, (15, 90)), bomb, empty, tmp_path / "absent.png"):
        with pytest.raises(DataError):
            image_size(bad)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "BMP"])
def test_a_screen_that_was_cut_off_is_refused(tmp_path, kind):
    data = encoded(1, kind=kind)
    assert image_size(data) == (96, 64)
    (tmp_path / "1.png").write_bytes(data[:-200])
    for source in (data[:-200], tmp_path / "1.png"):
        with pytest.raises(DataError, match="damaged"):
            image_size(source)


def test_a_screen_with_damaged_pixels_or_with_more_after_its_end():
    png = bytearray(encoded(1))
    png[-40] ^= 1
    with pytest.raises(DataError, match="damaged"):
        image_size(bytes(png))
    assert image_size(encoded(1, kind="JPEG") + b"made by a phone") == (96, 64)


def test_arrays_become_png():
    for array in (pixels(1), pixels(1)[..., 0], pixels(1)[..., :1], np.dstack([pixels(1), pixels(2)[..., 0]])):
        with Image.open(io.BytesIO(encode_png(array))) as image:
            assert np.array_equal(np.asarray(image).squeeze(), array.squeeze())
    for bad in (
        None,
        [1],
        pixels(1).astype(float),
        pixels(1)[0],
        np.zeros((8, 90, 3), np.uint8),
        np.zeros((90, 90, 2), np.uint8),
    ):
        with pytest.raises(DataError):
            encode_png(bad)


def test_base64_is_decoded_with_and_without_a_header():
    assert decode_base64(as_base64(1)) == decode_base64("data:image/png;base64," + as_base64(1)) == encoded(1)
    for bad in (None, "", "!!!!", "abc"):
        with pytest.raises(DataError):
            decode_base64(bad)


def test_notes_do_not_grow_without_end():
    problems = Problems(strict=False)
    for number in range(1000):
        problems.add("here", f"row {number} " + "x" * 10**4)
    bare = Trajectory("t", "made", "app", "web", "", ())
    told = problems.attach(bare)
    assert len(told.notes) == 101
    assert told.notes[-1] == "and 900 more"
    assert told.broken == 1000
    assert max(map(len, told.notes)) <= 500
    assert problems.attach(bare) == bare
    with pytest.raises(DataError, match="here: bad"):
        Problems(strict=True).add("here", "bad")
    problems = Problems(strict=True)
    problems.mention("all is well")
    assert (problems.attach(bare).notes, problems.broken) == (("all is well",), 0)
