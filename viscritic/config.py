"""Configurations as frozen dataclasses, read strictly: an unknown key or a value of a wrong type is an error."""

from __future__ import annotations

import sys
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, Literal, TypeVar, Union

from viscritic.errors import ConfigError

T = TypeVar("T")


def read_config(cls: type[T], values: Any, where: str) -> T:
    """Build the dataclass `cls` from plain mappings, lists and numbers (of JSON, YAML or OmegaConf).

    Args:
        where: what an error calls this part ("train.optimizer").

    Raises:
        ConfigError: an unknown or missing key, or a value that is not of its field's type.
    """
    if not isinstance(values, Mapping):
        raise ConfigError(f"{where} must be a mapping, got {values!r}")
    known = {f.name: f for f in fields(typing.cast(Any, cls))}
    unknown = sorted(str(key) for key in values if key not in known)
    if unknown:
        raise ConfigError(f"unknown key in {where}: {', '.join(unknown)}; known: {', '.join(known)}")
    missing = [
        name
        for name, f in known.items()
        if name not in values and f.default is MISSING and f.default_factory is MISSING
    ]
    if missing:
        raise ConfigError(f"missing key in {where}: {', '.join(missing)}")
    hints = typing.get_type_hints(cls)
    return cls(**{name: _convert(hints[name], value, f"{where}.{name}") for name, value in values.items()})


def _convert(hint: Any, value: Any, where: str) -> Any:
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (Union, types.UnionType):
        return _convert_union(arguments, value, where)
    if origin is Literal:
        if value not in arguments:
            raise ConfigError(f"{where} must be one of {', '.join(map(str, arguments))}, got {value!r}")
        return value
    if origin is tuple:
        return _convert_tuple(arguments, value, where)
    if origin is Mapping:
        if not isinstance(value, Mapping):
            raise ConfigError(f"{where} must be a mapping, got {value!r}")
        return {key: _convert(arguments[1], item, f"{where}.{key}") for key, item in value.items()}
    if is_dataclass(hint):
        return read_config(typing.cast(type, hint), value, where)
    if hint is float and isinstance(value, int) and not isinstance(value, bool) and abs(value) <= sys.float_info.max:
        return float(value)
    if not isinstance(value, hint) or (isinstance(value, bool) and hint is not bool):
        raise ConfigError(f"{where} must be {hint.__name__}, got {value!r}")
    return value


def _convert_union(options: tuple[Any, ...], value: Any, where: str) -> Any:
    if value is None and type(None) in options:
        return None
    problems = []
    for option in options:
        if option is not type(None):
            try:
                return _convert(option, value, where)
            except ConfigError as error:
                problems.append(str(error))
    raise ConfigError("; or ".join(problems))


def _convert_tuple(arguments: tuple[Any, ...], value: Any, where: str) -> tuple[Any, ...]:
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ConfigError(f"{where} must be a list, got {value!r}")
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        arguments = (arguments[0],) * len(value)
    if len(arguments) != len(value):
        raise ConfigError(f"{where} must have {len(arguments)} entries, got {list(value)!r}")
    return tuple(_convert(a, v, f"{where}[{i}]") for i, (a, v) in enumerate(zip(arguments, value, strict=True)))
