"""What the pages of a browser ask for: watched, and made to fail."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any, Final

from data_prep.collect.application import Traffic

_COUNTED: Final = ("document", "xhr", "fetch")  # the requests whose failure is an application's failure


class BrowserNetwork:
    """The requests of one browser. Coroutines run in the browser's loop, where its events arrive too."""

    def __init__(self) -> None:
        self._open: list[Any] = []  # requests without an answer
        self._errors: list[str] = []
        self._gate = asyncio.Event()  # set when what is held may go

    async def release(self) -> None:
        """Let go what is held, and hold what comes from now on."""
        self._gate.set()
        self._gate = asyncio.Event()

    def watch(self, context: Any) -> None:
        """Follow the requests of a Playwright context."""
        context.on("request", self._on_request)
        context.on("response", lambda answer: self._on_answer(answer.request, answer.status))
        context.on("requestfinished", lambda request: self._on_answer(request, None))
        context.on("requestfailed", lambda request: self._on_answer(request, 0))

    async def forget(self) -> None:
        """Forget the traffic so far."""
        self._open.clear()
        self._errors.clear()

    def traffic(self) -> Traffic:
        """Failed and open requests since `forget`."""
        return Traffic(tuple(self._errors), tuple(_path(request) for request in list(self._open)))

    async def answer_documents(self, context: Any, status: int | None, body: str) -> None:
        """From now on every document that a context asks for fails: with a status and a page, refused (status 0), or it
        is never answered (None)."""

        async def answer(route: Any) -> None:
            if route.request.resource_type != "document":
                await route.continue_()
            elif status is None:
                await self._gate.wait()
                with suppress(Exception):  # its page is gone
                    await route.abort()
            elif status:
                await route.fulfill(status=status, content_type="text/html; charset=utf-8", body=body)
            else:
                await route.abort("connectionrefused")

        await context.route("**/*", answer)

    def _on_request(self, request: Any) -> None:
        if request.resource_type in _COUNTED:
            self._open.append(request)

    def _on_answer(self, request: Any, status: int | None) -> None:
        if request not in self._open:
            return
        if status is None or status == 0 or status >= 400 or status in (204, 205):
            self._open.remove(request)
        if status == 0:
            self._errors.append(f"{request.failure} {_path(request)}")
        elif status is not None and status >= 400:
            self._errors.append(f"{status} {_path(request)}")


def _path(request: Any) -> str:
    return str(request.url).split("?")[0]
