from __future__ import annotations

import collections
import gzip
import os
import pathlib
import pickle
import subprocess
import sys
import types

import numpy as np
import pytest
from made_foreign import Poison

from data_prep.readers.inert_pickle import Record, field_of, load_pickle
from viscritic.errors import DataError

PLAIN = {
    "text": "é", "bytes": b"\x00\xff", "numbers": [1, -2.5, 10**30, True, None], "tuple": (1, (2,)), "set": {1, 2},
    "frozen": frozenset({3}), "complex": 1 + 2j, "nan": float("nan"), 5: "five",
}  # fmt: skip
ARRAYS = {
    "rows": np.arange(12, dtype=np.uint8).reshape(3, 4),
    "columns": np.asfortranarray(np.arange(6.0).reshape(2, 3)),
    "big endian": np.arange(3, dtype=">i4"),
    "text": np.array(["a", "bcd"]),
    "objects": np.array([{"a": 1}, None], dtype=object),
    "empty": np.zeros((0, 3), np.float32),
    "flags": np.array([True, False]),
}


def stored(path, value, protocol=4):
    path.write_bytes(gzip.compress(pickle.dumps(value, protocol)))
    return path


@pytest.mark.parametrize("protocol", range(6))
def test_plain_data_and_arrays_are_read_as_they_were(tmp_path, protocol):
    value = load_pickle(stored(tmp_path / "x", PLAIN | {"arrays": ARRAYS, "scalar": np.float64(2.5)}, protocol))
    assert np.isnan(value.pop("nan"))
    arrays = value.pop("arrays")
    assert value.pop("scalar") == 2.5
    assert value == {key: item for key, item in PLAIN.items() if key != "nan"}
    for name, array in ARRAYS.items():
        assert arrays[name].dtype.str[1:] == array.dtype.str[1:]
        assert arrays[name].tolist() == array.tolist()


def test_containers_of_the_standard_library_become_plain_ones(tmp_path):
    kept = {
        "ordered": collections.OrderedDict(a=1),
        "default": collections.defaultdict(list, b=[2]),
        "counter": collections.Counter("aab"),
        "deque": collections.deque([3, 4], 5),
        "bytearray": bytearray(b"x"),
    }
    value = load_pickle(stored(tmp_path / "x", kept))
    assert value == {
        "ordered": {"a": 1},
        "default": {"b": [2]},
        "counter": {"a": 2, "b": 1},
        "deque": [3, 4],
        "bytearray": b"x",
    }


def test_an_uncompressed_pickle_is_read(tmp_path):
    (tmp_path / "x").write_bytes(pickle.dumps([1]))
    assert load_pickle(tmp_path / "x") == [1]


def test_foreign_classes_become_inert_records_and_are_never_imported(tmp_path, monkeypatch):
    module = types.ModuleType("foreign_agent")
    exec(  # a module that would tell if it were used
        "class Info:\n"
        "    def __init__(self): self.step, self.obs = 3, {'url': 'x'}\n"
        "    def __setstate__(self, state): raise RuntimeError('it ran')\n"
        "class Slotted:\n"
        "    __slots__ = ('a',)\n"
        "class Listed(list): pass\n",
        module.__dict__,
    )
    for name in ("Info", "Slotted", "Listed"):
        getattr(module, name).__module__ = "foreign_agent"
    monkeypatch.setitem(sys.modules, "foreign_agent", module)
    slotted = module.Slotted()
    slotted.a = 1
    path = stored(tmp_path / "x", [module.Info(), slotted, module.Listed([5]), pathlib.PurePosixPath("/a")])
    monkeypatch.delitem(sys.modules, "foreign_agent")
    info, slotted, listed, place = load_pickle(path)
    assert "foreign_agent" not in sys.modules
    assert isinstance(info, Record)
    assert info.origin == "foreign_agent.Info"
    assert (field_of(info, "step"), field_of(info, "obs"), field_of(info, "absent")) == (3, {"url": "x"}, None)
    assert field_of(slotted, "a") == 1
    assert field_of(listed, "items") == [5]
    assert field_of(place, "args") == ("/", "a")
    assert field_of("text", "a") is None


@pytest.mark.parametrize("protocol", [0, 2, 4, 5])
@pytest.mark.parametrize(
    "call", [os.system, eval, exec, subprocess.Popen, getattr, __import__, np.load, open, pickle.loads, print]
)
def test_a_pickle_that_wants_to_run_code_does_nothing_and_is_refused(tmp_path, protocol, call):
    marker = tmp_path / "ran"
    path = stored(tmp_path / "x", {"episode": Poison(call, (f"touch {marker}",))}, protocol)
    with pytest.raises(DataError, match="wants to call"):
        load_pickle(path)
    assert not marker.exists()


def test_a_poisoned_builder_builds_nothing_large(tmp_path):
    for call, args in ((bytearray, (10**12,)), (np.ndarray, ((10**12,),))):
        path = stored(tmp_path / "x", Poison(call, args))
        assert load_pickle(path) in (None, b"")


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"\x80\x02]r\xff\xff\xff\xff.", "numbers its values"),  # memory for four billion values
        (b"\x80\x04\x8e" + (2**40).to_bytes(8, "little") + b".", "announces more bytes"),
        (b"\x80\x05\x97.", "NEXT_BUFFER"),
        (b"\x82\x01.", "EXT1"),
        (b"Pname\n.", "PERSID"),
        (b"\x80\x04.", "damaged"),
        (b"\x80\x04]", "damaged"),
        (b"", "announces more bytes"),
        (b"not a pickle", "damaged"),
        (b"\x80\x04N" + b"0" * 5, "damaged"),
    ],
)
def test_hostile_bytes_end_in_a_data_error(tmp_path, data, told):
    (tmp_path / "x").write_bytes(data)
    with pytest.raises(DataError, match=told):
        load_pickle(tmp_path / "x")


def test_an_archive_that_unpacks_to_too_much_is_refused(tmp_path):
    path = stored(tmp_path / "x", [bytes(10**6)] * 1 + [bytes(10**6 - 1)])
    assert len(load_pickle(path)) == 2
    with pytest.raises(DataError, match=r"larger than allowed|announces more bytes"):
        load_pickle(path, most_bytes=10**6 + 10**5)


def test_a_truncated_archive_is_told_of(tmp_path):
    data = stored(tmp_path / "x", list(range(9999))).read_bytes()
    (tmp_path / "x").write_bytes(data[:-20])
    with pytest.raises(DataError, match="cannot be read"):
        load_pickle(tmp_path / "x")
    with pytest.raises(DataError, match="cannot be read"):
        load_pickle(tmp_path / "absent")


def test_arrays_whose_data_does_not_fit_are_refused(tmp_path):
    whole = pickle.dumps(np.zeros((4, 5), np.uint8), 2)
    for change in ((b"K\x04K\x05", b"K\x04K\x06"), (b"\x87", b"\x86")):
        assert change[0] in whole
        (tmp_path / "x").write_bytes(whole.replace(*change, 1))
        with pytest.raises(DataError):
            load_pickle(tmp_path / "x")
    structured = np.zeros(2, dtype=[("a", "i4")])
    with pytest.raises(DataError, match="not read"):
        load_pickle(stored(tmp_path / "x", structured))


def test_damaged_bytes_never_end_in_another_error(tmp_path):
    good = pickle.dumps({"a": [1, "b", np.arange(3)], "c": collections.OrderedDict(d=2.5)}, 4)
    for at in range(len(good)):
        for flip in (1, 0x20, 0xFF):
            data = bytearray(good)
            data[at] ^= flip
            (tmp_path / "x").write_bytes(bytes(data))
            try:
                load_pickle(tmp_path / "x")
            except DataError:
                continue
