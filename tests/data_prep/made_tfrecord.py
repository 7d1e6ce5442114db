"""TFRecord files of tf.train.Example.

The messages are serialised by Google's protobuf, from the definition in TensorFlow's example.proto and feature.proto;
the frame around them is written here as record_writer.cc describes it.
"""

from __future__ import annotations

import gzip
import struct
from functools import cache
from pathlib import Path
from typing import Any

import google_crc32c
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory


@cache
def example_class() -> Any:
    """The class tensorflow.Example."""
    file = descriptor_pb2.FileDescriptorProto(name="example.proto", package="tensorflow", syntax="proto3")
    kinds = {"BytesList": "TYPE_BYTES", "FloatList": "TYPE_FLOAT", "Int64List": "TYPE_INT64"}
    for name, kind in kinds.items():
        add_field(file.message_type.add(name=name), "value", 1, kind, repeated=True)
    feature = file.message_type.add(name="Feature")
    feature.oneof_decl.add(name="kind")
    for number, (name, kind) in enumerate(
        {"bytes_list": "BytesList", "float_list": "FloatList", "int64_list": "Int64List"}.items()
    ):
        add_field(feature, name, number + 1, "TYPE_MESSAGE", of=f".tensorflow.{kind}").oneof_index = 0
    features = file.message_type.add(name="Features")
    entry = features.nested_type.add(name="FeatureEntry")
    entry.options.map_entry = True
    add_field(entry, "key", 1, "TYPE_STRING")
    add_field(entry, "value", 2, "TYPE_MESSAGE", of=".tensorflow.Feature")
    add_field(features, "feature", 1, "TYPE_MESSAGE", of=".tensorflow.Features.FeatureEntry", repeated=True)
    add_field(file.message_type.add(name="Example"), "features", 1, "TYPE_MESSAGE", of=".tensorflow.Features")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("tensorflow.Example"))


def add_field(message: Any, name: str, number: int, kind: str, *, of: str = "", repeated: bool = False) -> Any:
    field = descriptor_pb2.FieldDescriptorProto
    added = message.field.add(name=name, number=number, type=field.Type.Value(kind))
    added.label = field.LABEL_REPEATED if repeated else field.LABEL_OPTIONAL
    if of:
        added.type_name = of
    return added


def example(**features: Any) -> bytes:
    """A serialised Example; `image__height` stands for "image/height", lists for lists."""
    message = example_class()()
    for name, value in features.items():
        values = value if isinstance(value, list) else [value]
        feature = message.features.feature[name.replace("__", "/")]
        if any(isinstance(item, float) for item in values):
            feature.float_list.value.extend(values)
        elif all(isinstance(item, int) for item in values):
            feature.int64_list.value.extend(values)
        else:
            feature.bytes_list.value.extend(item.encode() if isinstance(item, str) else item for item in values)
    return bytes(message.SerializeToString())


def framed(data: bytes) -> bytes:
    length = struct.pack("<Q", len(data))
    return length + checksum(length) + data + checksum(data)


def checksum(data: bytes) -> bytes:
    crc = google_crc32c.value(data)
    return struct.pack("<I", (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF)


def write_tfrecord(path: Path, examples: list[bytes], *, compressed: bool = True) -> Path:
    data = b"".join(map(framed, examples))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(data) if compressed else data)
    return path
