from __future__ import annotations

import gzip
import struct

import pytest

pytest.importorskip("google_crc32c")
pytest.importorskip("google.protobuf")
from made_tfrecord import checksum, example, framed, write_tfrecord

from data_prep.readers.tfrecord import LONGEST, first_example, is_tfrecord, parse_example, read_examples
from viscritic.errors import DataError, MissingExtraError

WHOLE = {"a": ["one", "two"], "b": [1.5, -2.0], "c": [3, -4, 2**40], "d": b"\x00\xff", "e__f": 7}


@pytest.mark.parametrize("compressed", [True, False])
def test_examples_of_protobuf_are_read_back(tmp_path, compressed):
    path = write_tfrecord(tmp_path / "x", [example(**WHOLE), example(g="h")], compressed=compressed)
    assert is_tfrecord(path)
    problems: list[str] = []
    assert list(read_examples(path, problems.append)) == [
        {"a": [b"one", b"two"], "b": [1.5, -2.0], "c": [3, -4, 2**40], "d": [b"\x00\xff"], "e/f": [7]},
        {"g": [b"h"]},
    ]
    assert problems == []
    assert first_example(path)["e/f"] == [7]


def test_unpacked_numbers_are_read_as_well():
    """Old writers did not pack numbers: one field for each."""
    floats = b"".join(b"\x0d" + struct.pack("<f", value) for value in (0.5, 2.0))
    integers = b"\x08\x05\x08" + b"\xff" * 9 + b"\x01"  # 5 and -1
    data = b""
    for name, number, content in ((b"f", 2, floats), (b"i", 3, integers)):
        feature = bytes([number << 3 | 2, len(content)]) + content
        entry = b"\x0a\x01" + name + b"\x12" + bytes([len(feature)]) + feature
        data += b"\x0a" + bytes([len(entry)]) + entry
    assert parse_example(b"\x0a" + bytes([len(data)]) + data) == {"f": [0.5, 2.0], "i": [5, -1]}


def test_a_damaged_record_is_left_out_and_the_next_one_read(tmp_path):
    first, second, third = framed(example(n=1)), bytearray(framed(example(n=2))), framed(example(n=3))
    second[14] ^= 1
    (tmp_path / "x").write_bytes(first + bytes(second) + third)
    problems: list[str] = []
    assert [e["n"] for e in read_examples(tmp_path / "x", problems.append)] == [[1], [3]]
    assert problems == ["record 1: its checksum is wrong"]


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda data: data[:-1], "the file ends within it"),
        (lambda data: data[: len(data) // 2 + 5], "its length is damaged"),
        (lambda data: data[: len(data) // 2] + b"\x01" + data[len(data) // 2 + 1 :], "its length is damaged"),
        (
            lambda data: data + (length := struct.pack("<Q", LONGEST + 1)) + checksum(length),
            "more than a record may have",
        ),
        (lambda data: data + framed(b"\x0b"), "no tf.train.Example"),
        (lambda data: data + framed(b"\x0a\xff\xff\xff\xff\x0f"), "ends behind its message"),
    ],
)
def test_what_cannot_be_read_is_told_of(tmp_path, damage, told):
    (tmp_path / "x").write_bytes(damage(framed(example(n=1)) + framed(example(n=1))))
    problems: list[str] = []
    assert [e["n"] for e in read_examples(tmp_path / "x", problems.append)] in ([[1]], [[1], [1]])
    assert len(problems) == 1
    assert told in problems[0]


def test_a_truncated_archive_is_told_of(tmp_path):
    data = gzip.compress(b"".join(framed(example(n=n, noise=bytes(range(256)) * 9)) for n in range(300)))
    (tmp_path / "x").write_bytes(data[: len(data) // 2])
    problems: list[str] = []
    assert 0 < len(list(read_examples(tmp_path / "x", problems.append))) < 300
    assert "the rest of the file cannot be read" in problems[0]


@pytest.mark.parametrize("data", [b"", b"\x1f\x8b", b"hello, this is no record", gzip.compress(b"neither is this one")])
def test_other_files_are_none(tmp_path, data):
    (tmp_path / "x").write_bytes(data)
    assert not is_tfrecord(tmp_path / "x")


def test_garbage_never_ends_in_another_error():
    good = example(**WHOLE)
    for at in range(len(good)):
        for flip in (1, 0x80, 0xFF):
            data = bytearray(good)
            data[at] ^= flip
            try:
                parse_example(bytes(data))
            except DataError:
                continue


def test_the_missing_extra_is_named(tmp_path, monkeypatch):
    path = write_tfrecord(tmp_path / "x", [example(n=1)])
    monkeypatch.setitem(__import__("sys").modules, "google_crc32c", None)
    with pytest.raises(MissingExtraError, match=r"viscritic\[data\]"):
        is_tfrecord(path)
