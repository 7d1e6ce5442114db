"""Dataclasses read strictly from plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest

from viscritic.config import read_config
from viscritic.errors import ConfigError


@dataclass(frozen=True)
class Inner:
    side: int = 14
    window: tuple[int, int] = (7, 5)


@dataclass(frozen=True)
class Outer:
    name: str
    rate: float = 0.1
    kind: Literal["a", "b"] = "a"
    depth: int | None = None
    quiet: bool = False
    names: tuple[str, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)
    places: Mapping[str, str | None] = field(default_factory=dict)
    inner: Inner = field(default_factory=Inner)


def test_defaults_fill_what_is_missing() -> None:
    assert read_config(Outer, {"name": "x"}, "run") == Outer("x")


def test_everything() -> None:
    values = {
        "name": "x", "rate": 2, "kind": "b", "depth": 3, "quiet": True, "names": ["p", "q"], "weights": {"w": 1},
        "places": {"shipped": None, "mine": "here"}, "inner": {"side": 16, "window": [3, 3]},
    }  # fmt: skip
    read = read_config(Outer, values, "run")
    assert read == Outer(
        "x", 2.0, "b", 3, True, ("p", "q"), {"w": 1.0}, {"shipped": None, "mine": "here"}, Inner(16, (3, 3))
    )
    assert isinstance(read.rate, float)
    assert isinstance(read.weights["w"], float)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({}, "missing key in run: name"),
        ({"name": "x", "speed": 1, "b": 2}, "unknown key in run: b, speed; known: name, rate, kind"),
        ({"name": 5}, "run.name must be str, got 5"),
        ({"name": None}, "run.name must be str, got None"),
        ({"name": "x", "rate": "fast"}, "run.rate must be float, got 'fast'"),
        ({"name": "x", "rate": True}, "run.rate must be float, got True"),
        ({"name": "x", "kind": "c"}, "run.kind must be one of a, b, got 'c'"),
        ({"name": "x", "kind": []}, r"run.kind must be one of a, b, got \[\]"),
        ({"name": "x", "depth": 1.5}, "run.depth must be int, got 1.5"),
        ({"name": "x", "depth": True}, "run.depth must be int, got True"),
        ({"name": "x", "quiet": 1}, "run.quiet must be bool, got 1"),
        ({"name": "x", "names": "pq"}, "run.names must be a list, got 'pq'"),
        ({"name": "x", "names": ["p", 1]}, r"run.names\[1\] must be str, got 1"),
        ({"name": "x", "weights": [1]}, "run.weights must be a mapping"),
        ({"name": "x", "weights": {"w": "much"}}, "run.weights.w must be float"),
        ({"name": "x", "inner": {"window": [1]}}, r"run.inner.window must have 2 entries, got \[1\]"),
        ({"name": "x", "inner": {"size": 1}}, "unknown key in run.inner: size; known: side, window"),
        ({"name": "x", "inner": 5}, "run.inner must be a mapping, got 5"),
        ([], r"run must be a mapping, got \[\]"),
        (None, "run must be a mapping, got None"),
        ({1: 2, "name": "x"}, "unknown key in run: 1"),
    ],
)
def test_what_is_wrong_is_named(values: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        read_config(Outer, values, "run")


def test_a_number_too_large_for_a_float_is_named() -> None:
    with pytest.raises(ConfigError, match=r"run\.rate must be float"):
        read_config(Outer, {"name": "x", "rate": 10**400}, "run")
