"""What every request passes first: host, token, limits. And what is told of it afterwards: headers, metrics, log."""

from __future__ import annotations

import asyncio
import hmac
import logging
import time
import traceback
from typing import Any, Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from viscritic.serve.config import LOOPBACK_NAMES, ServeConfig
from viscritic.serve.metrics import Metrics

LOG: Final = logging.getLogger("viscritic.serve")
AUDIT_PATH: Final = "/v1/audit"
_OPEN_PREFIXES: Final = ("/assets/", "/healthz")  # what needs no token: the page asks for one, probes have none
_HEADERS: Final = {
    # The page loads nothing from any other host, and no other page may frame it.
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    "cross-origin-resource-policy": "same-origin",
}


def error_response(status: int, kind: str, message: str, field: str | None = None, **headers: str) -> JSONResponse:
    """The form of every error: {"error": {"type", "message", "field"}}."""
    described = {"error": {"type": kind, "message": message, "field": field}}
    return JSONResponse(described, status, headers={name.replace("_", "-"): value for name, value in headers.items()})


class Guard:
    """Wraps the application.

    A log line holds method, route, status and time, and of a defect the places in the code: nothing of what a request
    contains, neither screens nor texts nor the words of an error, which may quote them.
    """

    def __init__(self, app: ASGIApp, config: ServeConfig, metrics: Metrics) -> None:
        self._app, self._config, self._metrics = app, config, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        start = time.perf_counter()
        status = 500

        async def told(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                MutableHeaders(scope=message).update(_HEADERS)
            await send(message)

        try:
            refusal = self._refuse(scope)
            if refusal is None:
                await self._app(scope, self._limited(scope, receive), told)
            else:
                await refusal(scope, receive, told)
        except Exception as error:  # a defect of ours, which the client was told of by `refuse_defect`
            places = "".join(traceback.format_tb(error.__traceback__)[-6:])
            LOG.error("%s in the server\n%s", type(error).__name__, places)
        finally:
            seconds = time.perf_counter() - start
            route = getattr(scope.get("route"), "path", "-")
            self._metrics.answered(route, status, seconds)
            LOG.info("%s %s %d %.0f ms", scope["method"], route, status, 1000 * seconds)

    def _refuse(self, scope: Scope) -> JSONResponse | None:
        headers = Headers(scope=scope)
        # A page of another host whose name was made to point here (DNS rebinding) sends that host's name.
        if self._config.is_local and _host_name(headers.get("host", "")) not in LOOPBACK_NAMES:
            return error_response(403, "HostError", "this server answers to localhost and 127.0.0.1 only", "host")
        if not self._may_pass(scope["path"], headers.get("authorization", "")):
            return error_response(
                401, "TokenError", "a token is needed: send  Authorization: Bearer TOKEN", "authorization",
                www_authenticate="Bearer",
            )  # fmt: skip
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self._limit(scope["path"]):
            return _too_large(self._limit(scope["path"]))
        return None

    def _may_pass(self, path: str, authorization: str) -> bool:
        if self._config.token is None or path == "/" or path.startswith(_OPEN_PREFIXES):
            return True
        scheme, _, given = authorization.partition(" ")
        return scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode(), self._config.token.encode())

    def _limit(self, path: str) -> int:
        return self._config.max_archive if path == AUDIT_PATH else self._config.max_body

    def _limited(self, scope: Scope, receive: Receive) -> Receive:
        """Counts the body as it comes, since its stated length may be missing, and waits for it no longer than told."""
        left = self._limit(scope["path"])
        deadline = time.monotonic() + self._config.body_seconds
        whole = False

        async def counted() -> Message:
            nonlocal left, whole
            if whole:  # what comes now is the news that the client has gone, some time or never
                return await receive()
            try:
                message = await asyncio.wait_for(receive(), max(0.001, deadline - time.monotonic()))
            except TimeoutError:
                raise HTTPException(408, "the request's body took too long to arrive") from None
            left -= len(message.get("body", b""))
            whole = not message.get("more_body", False)
            if left < 0:
                raise HTTPException(413, _large_message(self._limit(scope["path"])))
            return message

        return counted


def _too_large(limit: int) -> JSONResponse:
    return error_response(413, "BodyError", _large_message(limit), "body", connection="close")


def _large_message(limit: int) -> str:
    return f"the body may have {limit} bytes at most; send smaller screens, or fewer"


def _host_name(host: str) -> str:
    """The name of a Host header, without its port."""
    if host.startswith("["):
        return host[1:].partition("]")[0]
    return host.partition(":")[0].lower()


def refuse_defect() -> JSONResponse:
    """What a client is told of a defect of the server."""
    return error_response(500, "InternalError", "the server made a mistake; its log says where")


def describe(error: HTTPException) -> JSONResponse:
    """The form of errors for what the framework itself refuses."""
    kinds: dict[int, str] = {404: "NotFoundError", 405: "MethodError", 408: "BodyError", 413: "BodyError"}
    headers: dict[str, Any] = dict(error.headers or {})
    return error_response(error.status_code, kinds.get(error.status_code, "RequestError"), str(error.detail), **headers)
