"""TFRecord files of `tf.train.Example`, without TensorFlow.

A file is a chain of records: length (8 bytes), its checksum (4), the data, its checksum (4); little-endian, the whole
compressed by gzip or not. The data is a message of protocol buffers: Example{1: Features{1: map<text, Feature>}},
Feature{1: BytesList{1: bytes*} or 2: FloatList{1: float*} or 3: Int64List{1: int64*}}. Sources: record_writer.cc and
example.proto of TensorFlow.
"""

from __future__ import annotations

import gzip
import struct
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, cast

import numpy as np

from viscritic.errors import DataError, MissingExtraError

Example = dict[str, list[Any]]  # bytes, float or int
LONGEST: Final = 2**30  # bytes of a record: an episode with all its screens
_GZIP: Final = b"\x1f\x8b"
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5  # wire types
_MASK: Final = 0xA282EAD8
# Files that need not be opened to know that they are something else.
_OTHERS: Final = (
    ".png", ".jpg", ".jpeg", ".webp", ".json", ".jsonl", ".html", ".zip", ".parquet", ".pkl", ".csv", ".txt", ".log",
    ".md", ".mp4", ".py",
)  # fmt: skip


def read_examples(path: Path, report: Callable[[str], None]) -> Iterator[Example]:
    """The examples of a file, one at a time.

    Args:
        report: is told of each record that is left out, and of the rest of a file that is broken.

    Raises:
        MissingExtraError: google-crc32c is not installed.
    """
    try:
        with _open(path) as file:
            for number, data in enumerate(_records(file, report)):
                try:
                    if data is not None:
                        yield parse_example(data)
                except DataError as error:
                    report(f"record {number}: {error}")
    except (OSError, EOFError, zlib.error) as error:
        report(f"the rest of the file cannot be read: {error}")


def is_tfrecord(path: Path) -> bool:
    """Whether a file begins like a TFRecord file: with a length whose checksum is right.

    Raises:
        MissingExtraError: google-crc32c is not installed.
    """
    if path.suffix.lower() in _OTHERS:
        return False
    try:
        with _open(path) as file:
            head = file.read(12)
    except (OSError, EOFError, zlib.error):
        return False
    return len(head) == 12 and _checksum(head[:8]) == struct.unpack("<I", head[8:])[0]


def first_example(path: Path) -> Example:
    """The first example of a file, {} where there is none."""
    return next(read_examples(path, lambda message: None), {})


def _open(path: Path) -> BinaryIO:
    with path.open("rb") as file:
        compressed = file.read(2) == _GZIP
    return cast(BinaryIO, gzip.open(path, "rb")) if compressed else path.open("rb")


def _records(file: BinaryIO, report: Callable[[str], None]) -> Iterator[bytes | None]:
    """The data of each record, None for one whose checksum is wrong."""
    number = 0
    while head := file.read(12):
        if len(head) < 12 or _checksum(head[:8]) != struct.unpack("<I", head[8:])[0]:
            report(f"record {number}: its length is damaged, so the rest of the file cannot be read")
            return
        (length,) = struct.unpack("<Q", head[:8])
        if length > LONGEST:
            report(f"record {number}: {length} bytes are more than a record may have; the rest of the file is left out")
            return
        data, tail = file.read(length), file.read(4)
        if len(data) < length or len(tail) < 4:
            report(f"record {number}: the file ends within it")
            return
        if _checksum(data) != struct.unpack("<I", tail)[0]:
            report(f"record {number}: its checksum is wrong")
            yield None
        else:
            yield data
        number += 1


def _checksum(data: bytes) -> int:
    """The masked CRC-32C of the format."""
    try:
        import google_crc32c  # noqa: PLC0415  # an extra
    except ImportError as error:
        raise MissingExtraError("reading TFRecord files", "data", "google_crc32c") from error
    crc = int(google_crc32c.value(data))
    return (((crc >> 15) | (crc << 17)) + _MASK) & 0xFFFFFFFF


def parse_example(data: bytes) -> Example:
    """The features of a serialised Example by name.

    Raises:
        DataError: no such message.
    """
    example: Example = {}
    try:
        for features in _fields(data, 1):
            for entry in _fields(features, 1):
                name = b"".join(_fields(entry, 1)).decode()
                values: list[Any] = []
                for feature in _fields(entry, 2):
                    values += _values(feature)
                example[name] = values
    except (IndexError, ValueError, struct.error, UnicodeDecodeError) as error:
        raise DataError(f"no tf.train.Example: {error}") from error
    return example


def _values(feature: memoryview) -> list[Any]:
    for number, wire, value in _message(feature):
        if wire != _BYTES or not isinstance(value, memoryview):
            raise ValueError("a feature must hold a list")
        if number == 1:
            return [bytes(item) for item in _fields(value, 1)]
        if number == 2:
            return _floats(value)
        if number == 3:
            return _integers(value)
    return []


def _floats(listed: memoryview) -> list[float]:
    values: list[float] = []
    for number, wire, value in _message(listed):
        if number == 1 and wire == _BYTES:  # packed
            values += np.frombuffer(cast(memoryview, value), "<f4").tolist()
        elif number == 1 and wire == _FIXED32:
            values += struct.unpack("<f", cast(memoryview, value))
    return values


def _integers(listed: memoryview) -> list[int]:
    values: list[int] = []
    for number, wire, value in _message(listed):
        if number == 1 and wire == _BYTES:  # packed
            packed, at = cast(memoryview, value), 0
            while at < len(packed):
                integer, at = _varint(packed, at)
                values.append(_signed(integer))
        elif number == 1 and wire == _VARINT:
            values.append(_signed(cast(int, value)))
    return values


def _fields(message: memoryview | bytes, wanted: int) -> Iterator[memoryview]:
    """The fields of bytes with the number `wanted`."""
    for number, wire, value in _message(memoryview(message)):
        if number == wanted:
            if wire != _BYTES:
                raise ValueError(f"field {number} must hold bytes")
            yield cast(memoryview, value)


def _message(data: memoryview) -> Iterator[tuple[int, int, int | memoryview]]:
    """Number, wire type and value of each field of a message."""
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        number, wire = key >> 3, key & 7
        if wire == _VARINT:
            integer, at = _varint(data, at)
            yield number, wire, integer
            continue
        if wire == _BYTES:
            length, at = _varint(data, at)
        elif wire in (_FIXED64, _FIXED32):
            length = 8 if wire == _FIXED64 else 4
        else:
            raise ValueError(f"wire type {wire} does not exist here")
        if at + length > len(data):
            raise ValueError("a field ends behind its message")
        yield number, wire, data[at : at + length]
        at += length


def _varint(data: memoryview, at: int) -> tuple[int, int]:
    """A number of seven bits a byte, and where it ends."""
    value = 0
    for shift in range(0, 70, 7):
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise ValueError("a number is longer than 64 bits")


def _signed(value: int) -> int:
    value &= 2**64 - 1
    return value - 2**64 if value >= 2**63 else value
