"""Pickles from strangers, read without running anything of theirs.

Only plain containers, numbers, text, bytes and numpy arrays are built. A class that the pickle names (a data set's own
StepInfo, say) is never imported: its instances become `Record`s, inert bags of what was stored. A name of Python's own
library, of numpy or of a builtin that plain data does not need ends the reading: a harmless file has none.

The file is looked through once before anything is built, so that no few bytes ask for a huge memory.
"""

from __future__ import annotations

import gzip
import io
import pickle
import pickletools
import re
import sys
import zlib
from collections.abc import Callable
from math import prod
from pathlib import Path
from typing import IO, Any, Final, cast

import numpy as np

from viscritic.actions.shown import shown
from viscritic.errors import DataError

MOST_BYTES: Final = 4 * 2**30  # of an unpacked pickle: an episode's screens as arrays, 8 MB each
_MOST_ITEMS: Final = 50_000_000  # operations of a pickle, and elements that its calls build
_MOST_CLASSES: Final = 1000
_MOST_DEFLATED: Final = 1040  # deflate packs 1032 bytes into one at best
_DTYPE: Final = re.compile(r"[<>|=]?(?:[biufcSU][0-9]{0,9}|O8?|\?)")
_REFUSED: Final = frozenset({*sys.stdlib_module_names, "numpy", "__builtin__", "copy_reg", "exceptions", "commands"})
_INERT_ANYWAY: Final = frozenset(
    {
        ("datetime", "datetime"), ("datetime", "date"), ("datetime", "time"), ("datetime", "timedelta"),
        ("datetime", "timezone"), ("pathlib", "PosixPath"), ("pathlib", "WindowsPath"), ("pathlib", "PurePosixPath"),
        ("pathlib", "PureWindowsPath"), ("pathlib", "Path"), ("uuid", "UUID"), ("decimal", "Decimal"),
        ("fractions", "Fraction"), ("types", "SimpleNamespace"),
    }
)  # fmt: skip


class Record:
    """An instance of a foreign class: what was stored of it, and nothing that could run.

    Attributes:
        origin: the name of its class.
        fields: its attributes.
    """

    origin = ""
    fields: dict[str, Any]

    def __new__(cls, *args: Any, **keywords: Any) -> Record:  # noqa: D102
        record = super().__new__(cls)
        record.fields = dict(keywords)
        if args:
            record.fields["args"] = args
        return record

    def __init__(self, *args: Any, **keywords: Any) -> None:
        pass

    def __setstate__(self, state: Any) -> None:
        for part in state if isinstance(state, tuple) else (state,):  # the dict and the slots of an instance
            if isinstance(part, dict):
                self.fields.update({key: value for key, value in part.items() if isinstance(key, str)})

    def __setitem__(self, key: Any, value: Any) -> None:
        self.fields.setdefault("items", []).append((key, value))

    def append(self, value: Any) -> None:
        """An element of a class that is a list."""
        self.fields.setdefault("items", []).append(value)

    def __repr__(self) -> str:
        return f"<{self.origin}>"


def field_of(value: Any, name: str) -> Any:
    """The attribute of a Record or the entry of a dict, None where it is missing."""
    fields = value.fields if isinstance(value, Record) else value
    return fields.get(name) if isinstance(fields, dict) else None


def load_pickle(path: Path, *, most_bytes: int = MOST_BYTES) -> Any:
    """The value of a pickle, compressed by gzip or not.

    Raises:
        DataError: unreadable, damaged, larger than `most_bytes` when unpacked, or one that wants to run code.
    """
    try:
        with _open(path, most_bytes) as file:
            _look_through(file)
        with _open(path, most_bytes) as file:
            return _Unpickler(file).load()
    except DataError:
        raise
    except (OSError, EOFError, zlib.error) as error:
        raise DataError(f"the pickle cannot be read: {error}") from error
    except Exception as error:  # a hostile pickle can raise every kind of error
        raise DataError(f"the pickle is damaged: {error or type(error).__name__}") from error


def _open(path: Path, most_bytes: int) -> IO[bytes]:
    with path.open("rb") as file:
        compressed = file.read(2) == b"\x1f\x8b"
    most = min(most_bytes, path.stat().st_size * (_MOST_DEFLATED if compressed else 1))
    return _File(_Limited(cast(IO[bytes], gzip.open(path, "rb")) if compressed else path.open("rb"), most), 2**16)


class _File(io.BufferedReader):
    """Refuses to read what the file cannot hold, before memory is set aside for it."""

    raw: _Limited

    def read(self, size: int | None = -1, /) -> bytes:
        if size is not None and size > self.raw.most:
            raise DataError("the pickle announces more bytes than it may hold")
        return super().read(size)


class _Limited(io.RawIOBase):
    """A file that ends in an error where it is longer than allowed."""

    def __init__(self, file: IO[bytes], most: int) -> None:
        self.file, self.most, self.left = file, most, most

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self.file.read(min(len(buffer), self.left + 1))
        self.left -= len(data)
        if self.left < 0:
            raise DataError("the unpacked pickle is larger than allowed")
        buffer[: len(data)] = data
        return len(data)

    def tell(self) -> int:
        return self.most - self.left

    def close(self) -> None:
        self.file.close()
        super().close()


def _look_through(file: IO[bytes]) -> None:
    """Refuse what would make the unpickler take memory that the file's length does not account for."""
    for number, (operation, argument, _) in enumerate(pickletools.genops(file)):
        if number > _MOST_ITEMS:
            raise DataError(f"the pickle has more than {_MOST_ITEMS} operations")
        if operation.name in ("PUT", "BINPUT", "LONG_BINPUT") and cast(int, argument) > number:
            raise DataError("the pickle numbers its values in a way that no writer does")
        if operation.name.startswith(("EXT", "NEXT_BUFFER")) or "PERSID" in operation.name:
            raise DataError(f"the pickle holds {operation.name}, which data has no use for")


class _Unpickler(pickle.Unpickler):
    """Builds what `find_class` allows."""

    def __init__(self, file: IO[bytes]) -> None:
        super().__init__(file)
        self._classes: dict[str, type[Record]] = {}
        self._left = _MOST_ITEMS

    def find_class(self, module: str, name: str) -> Any:
        """The harmless builder of a name, or the class of its Records."""
        if (build := _BUILDERS.get((_MODULES.get(module, module), name))) is not None:
            return lambda *args: self._built(build, args)
        if module.partition(".")[0] in _REFUSED and (module, name) not in _INERT_ANYWAY:
            raise DataError(
                f"the pickle wants to call {shown(f'{module}.{name}')}, which data has no use for: it is not read"
            )
        origin = f"{module}.{name}"[:200]
        if origin not in self._classes:
            if len(self._classes) >= _MOST_CLASSES:
                raise DataError(f"the pickle names more than {_MOST_CLASSES} classes")
            self._classes[origin] = type("Record", (Record,), {"origin": origin})
        return self._classes[origin]

    def _built(self, build: Callable[..., Any], args: tuple[Any, ...]) -> Any:
        self._left -= 1 + sum(len(arg) for arg in args if isinstance(arg, list | tuple | dict | set | bytes | str))
        if self._left < 0:
            raise DataError("the pickle builds more than its length accounts for")
        return build(*args)


class _Type:
    """The type of an array; only plain numbers, text and references."""

    def __init__(self, spec: Any, *_: Any) -> None:
        if not isinstance(spec, str) or not _DTYPE.fullmatch(spec):
            raise DataError(f"the pickle holds an array of type {shown(spec)}, which is not read")
        self.value: np.dtype[Any] = np.dtype(spec)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        if any(part is not None for part in state[2:5]):
            raise DataError("the pickle holds an array of structures, which is not read")
        if state[1] in ("<", ">"):
            self.value = self.value.newbyteorder(state[1])


class _Array(np.ndarray[Any, Any]):
    """An array whose stored state is checked before numpy takes it."""

    def __setstate__(self, state: Any) -> None:
        _, shape, kind, by_columns, data = state
        dtype = kind.value
        count = prod(shape)
        if not all(isinstance(extent, int) and extent >= 0 for extent in shape) or (
            len(data) != count * (1 if dtype.hasobject else dtype.itemsize)
        ):
            raise DataError("the pickle holds an array whose data does not fit its shape")
        checked: Any = (1, shape, dtype, bool(by_columns), data)
        super().__setstate__(checked)


def _array(*_: Any) -> _Array:
    return np.ndarray.__new__(_Array, (0,), np.uint8)


def _scalar(kind: _Type, data: Any = b"") -> Any:
    return data if kind.value.hasobject else np.frombuffer(data, kind.value, 1)[0].item()


def _from_buffer(data: Any, kind: _Type, shape: tuple[int, ...], order: str = "C") -> Any:
    if kind.value.hasobject or order not in ("C", "F"):
        raise DataError("the pickle holds an array that is not read")
    return np.frombuffer(data, kind.value).reshape(shape, order=order)  # type: ignore[call-overload]


def _reconstruct(kind: type[Record], *_: Any) -> Record:
    return kind()


def _encode(text: str, encoding: str = "") -> bytes:
    if encoding not in ("latin1", "latin-1"):
        raise DataError(f"the pickle holds bytes encoded as {shown(encoding)}, which is not read")
    return text.encode("latin-1")


def _mapping(*args: Any) -> dict[Any, Any]:
    return dict(args[0]) if len(args) == 1 and isinstance(args[0], dict | list) else {}  # a default dict's factory


# What numpy 1 and 2 call the same.
_MODULES: Final = {
    "numpy._core.multiarray": "numpy.core.multiarray",
    "numpy._core.numeric": "numpy.core.numeric",
    "__builtin__": "builtins",
    "copy_reg": "copyreg",
}
_BUILDERS: Final[dict[tuple[str, str], Callable[..., Any]]] = {
    ("builtins", "list"): list,
    ("builtins", "dict"): _mapping,
    ("builtins", "set"): set,
    ("builtins", "frozenset"): frozenset,
    ("builtins", "bytes"): lambda data=b"", *_: data if isinstance(data, bytes) else b"",
    ("builtins", "bytearray"): lambda data=b"", *_: data if isinstance(data, bytes) else b"",
    ("builtins", "complex"): lambda real=0.0, imaginary=0.0: complex(float(real), float(imaginary)),
    ("collections", "OrderedDict"): _mapping,
    ("collections", "defaultdict"): _mapping,
    ("collections", "Counter"): _mapping,
    ("collections", "deque"): lambda items=(), *_: list(items),
    ("copyreg", "_reconstructor"): _reconstruct,
    ("_codecs", "encode"): _encode,
    ("numpy", "dtype"): _Type,
    ("numpy", "ndarray"): lambda *_: None,  # named, never called, where an array is built
    ("numpy.core.multiarray", "_reconstruct"): _array,
    ("numpy.core.multiarray", "scalar"): _scalar,
    ("numpy.core.numeric", "_frombuffer"): _from_buffer,
}
