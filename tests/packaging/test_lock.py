"""requirements/: everything pinned with its hashes, in line with pyproject.toml, whatever registry it was made with."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from toy_run import ROOT

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LOCKED = {"runtime": (), "serve": ("serve",), "everything": ("all", "dev")}
PINNED = re.compile(r"^([\w.-]+)==([\w.+!-]+)[^\n]*\\\n((?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+)", re.MULTILINE)


def wanted(extras: tuple[str, ...]) -> list[Requirement]:
    """What pyproject.toml asks for; an extra may name others."""
    lines = [Requirement(line) for line in PROJECT["dependencies"]]
    for extra in extras:
        for line in map(Requirement, PROJECT["optional-dependencies"][extra]):
            lines += wanted(tuple(line.extras)) if line.name == PROJECT["name"] else [line]
    return lines


@pytest.mark.parametrize("name", LOCKED)
def test_all_is_pinned_with_hashes(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text("utf-8")
    pinned = [line for line in text.splitlines() if line and line[0] not in " #"]
    found = PINNED.findall(text)
    assert len(found) == len(pinned) > 10
    versions: dict[str, list[str]] = {}
    for package, version, _ in found:
        versions.setdefault(canonicalize_name(package), []).append(version)
    for requirement in wanted(LOCKED[name]):
        given = versions.get(canonicalize_name(requirement.name), [])
        assert given, f"{requirement} is missing: make lock"
        assert all(requirement.specifier.contains(version) for version in given), f"{requirement}: make lock"


@pytest.mark.parametrize("name", LOCKED)
def test_no_registry_is_named(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text("utf-8")
    assert "://" not in text
    assert not re.search(r"^\s*--(?!hash=)", text, re.MULTILINE)


def test_the_runtime_is_small_and_opens_no_connection() -> None:
    text = (ROOT / "requirements" / "runtime.txt").read_text("utf-8")
    names = {canonicalize_name(name) for name, _, _ in PINNED.findall(text)}
    assert not names & {"torch", "tokenizers", "huggingface-hub", "httpx", "requests", "urllib3", "aiohttp", "scipy"}
