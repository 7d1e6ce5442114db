"""Playwright's event loop in a thread of its own, so that every call has a bound.

A page or a browser that no longer answers ends in `HungError` and not in a wait without end.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Coroutine
from typing import Any, Final, TypeVar

from data_prep.collect.driver import HungError

BOUND: Final = 20.0  # seconds that a call may take
T = TypeVar("T")


class BrowserLoop:
    """A running event loop.

    Args:
        failure: the exception that Playwright raises.
    """

    def __init__(self, failure: type[Exception]) -> None:
        self._failure = failure
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def call(self, work: Coroutine[Any, Any, T] | Awaitable[T], bound: float = BOUND) -> T:
        """Run a coroutine in the loop and wait for it.

        Raises:
            HungError: it fails, or takes more than `bound` seconds.
        """

        async def run() -> T:
            return await work

        future = asyncio.run_coroutine_threadsafe(asyncio.wait_for(run(), bound), self._loop)
        try:
            return future.result(bound + 2)
        except TimeoutError as error:
            raise HungError(f"no answer in {bound:g} s") from error
        except self._failure as error:
            raise HungError(str(error).strip().splitlines()[0]) from error

    def close(self) -> None:
        """End the loop and its thread; more than once does no harm."""
        if self._loop.is_running():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(5)
            self._loop.close()
