"""Servers to ask: with the shipped critic, or with one of known opinions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from audit_runs import StubCritic
from served import Started, running

from viscritic import Critic


@pytest.fixture
def start() -> Iterator[Callable[..., Started]]:
    """Start a server with a critic and settings; it ends with the test."""
    with ExitStack() as opened:
        yield lambda critic=None, **settings: opened.enter_context(running(critic or StubCritic(), **settings))


@pytest.fixture(scope="session")
def shipped() -> Critic:
    return Critic.load(threads=1)


@pytest.fixture(scope="session")
def real_server(shipped: Critic) -> Iterator[str]:
    """The URL of a server with the shipped critic."""
    with running(shipped) as (url, _):
        yield url
