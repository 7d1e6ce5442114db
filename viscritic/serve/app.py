"""The routes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from concurrent.futures import Future
from contextlib import aclosing
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response, StreamingResponse
from starlette.exceptions import HTTPException

import viscritic
from viscritic.errors import ActionError, VisCriticError
from viscritic.runtime import Critic
from viscritic.serve import page
from viscritic.serve.audits import AuditQuery, Audits
from viscritic.serve.config import ServeConfig
from viscritic.serve.guard import Guard, describe, error_response, refuse_defect
from viscritic.serve.metrics import CONTENT_TYPE, Metrics
from viscritic.serve.openapi import add_schemas, published, refusals
from viscritic.serve.pool import BusyError, Pool
from viscritic.serve.wire import ManyBody, TransitionBody
from viscritic.verdict import Verdict

_LINES = "application/x-ndjson"
# A page of another site may send other kinds without asking first; these it may not.
_ZIPPED = ("application/zip", "application/x-zip-compressed", "application/octet-stream")


class Server:
    """The application with what it holds: critic, queue, counters.

    Attributes:
        app: the ASGI application, guarded.
        stopping: set when the server was asked to stop: it is no longer ready, and finishes what it accepted.
    """

    def __init__(self, critic: Critic, config: ServeConfig) -> None:
        self.critic, self.config = critic, config
        self.stopping = False
        self.metrics = Metrics(critic.config.name)
        self.pool = Pool(
            critic, workers=config.workers, queue=config.queue, max_pixels=config.max_pixels, metrics=self.metrics
        )
        self.metrics.watch_queue(lambda: self.pool.open)
        self.audits = Audits(critic, config)
        self.inner = self._application()
        self.app = Guard(self.inner, config, self.metrics)

    @property
    def working(self) -> bool:
        """Something that was accepted is not judged yet."""
        return self.pool.open > 0 or self.audits.busy

    def close(self) -> None:
        """Finish what was accepted."""
        self.pool.close()

    def _application(self) -> FastAPI:
        app = FastAPI(
            title="VisCritic", version=viscritic.__version__, docs_url=None, redoc_url=None,
            summary="Did the GUI action work? Judged from the screens before and after.",
        )  # fmt: skip
        app.add_exception_handler(RequestValidationError, _refuse_body)
        app.add_exception_handler(HTTPException, _refuse_request)
        app.add_exception_handler(VisCriticError, _refuse_input)
        app.add_exception_handler(Exception, _refuse_defect)
        self._add_judging(app)
        self._add_watching(app)
        page.add_routes(app)
        describe_plainly = app.openapi

        def openapi() -> dict[str, Any]:
            return app.openapi_schema if app.openapi_schema else add_schemas(describe_plainly())

        app.openapi = openapi  # type: ignore[method-assign]  # the way FastAPI documents
        return app

    def _add_judging(self, app: FastAPI) -> None:
        verdict = refusals() | {200: {"description": "The verdict."} | published("Verdict")}

        @app.post("/v1/score", responses=verdict, tags=["judge"])
        async def score(body: TransitionBody) -> JSONResponse:
            """Judge one transition."""
            (future,) = self.pool.submit([body])
            return JSONResponse((await asyncio.wrap_future(future)).to_dict())

        many = {"type": "object", "required": ["verdicts"], "properties": {
            "verdicts": {"type": "array", "items": {"$ref": "#/components/schemas/Verdict"}}}}  # fmt: skip
        listed: dict[int | str, dict[str, Any]] = {
            200: {"description": "The verdicts, in order.", "content": {"application/json": {"schema": many}}}
        }

        @app.post("/v1/score_many", responses=refusals() | listed, tags=["judge"])
        async def score_many(body: ManyBody) -> JSONResponse:
            """Judge several transitions; the answers are those of /v1/score. One that cannot be read refuses all."""
            if len(body.transitions) > self.config.max_many:
                message = f"{len(body.transitions)} transitions are more than {self.config.max_many} in one request"
                return error_response(422, "RequestError", message, "transitions")
            futures = self.pool.submit(body.transitions)
            return JSONResponse({"verdicts": [verdict.to_dict() for verdict in await _all(futures)]})

        audit = refusals() | {200: {"description": "The audit, or lines of progress and then it."} | published("Audit")}
        zipped = {"requestBody": {"required": True, "content": {
            "application/zip": {"schema": {"type": "string", "format": "binary"}}}}}  # fmt: skip

        @app.post("/v1/audit", responses=audit, openapi_extra=zipped, tags=["judge"])
        async def audit_zip(
            request: Request,
            name: Annotated[str, Query(max_length=200, description="What to call it.")] = "trajectory.zip",
            format: Annotated[str | None, Query(description="The layout; found out if none.")] = None,  # noqa: A002
            screens: Annotated[bool, Query(description="Put the screens, made small, into the answer.")] = False,
        ) -> Response:
            """Judge every step of a trajectory, sent as a zip of its folder (or as a trace of Playwright).

            With `Accept: application/x-ndjson` the answer comes as lines: {"done", "steps"} after each step, and in the
            end {"audit"} or {"error"}.
            """
            if request.headers.get("content-type", "").partition(";")[0].strip().lower() not in _ZIPPED:
                return error_response(
                    415, "RequestError", "send the zip as Content-Type: application/zip", "content-type"
                )
            told = self.audits.run(request, AuditQuery(name, format, screens))
            if _LINES in request.headers.get("accept", ""):
                first = await anext(told)  # what is wrong with the zip is told by the status
                return StreamingResponse(_lines(first, told), media_type=_LINES)
            async with aclosing(told) as news:  # type: ignore[type-var]
                async for one in news:
                    if await request.is_disconnected():
                        break
                    if "audit" in one:
                        return JSONResponse(one["audit"])
            return error_response(499, "RequestError", "the client has gone")

    def _add_watching(self, app: FastAPI) -> None:
        @app.get("/healthz", tags=["watch"])
        @app.get("/healthz/ready", tags=["watch"])
        async def ready() -> JSONResponse:
            """Whether requests are accepted now; 503 while the queue is full or the server is stopping."""
            accepting = not self.stopping and not self.pool.full
            state = {"ready": accepting, "model": self.critic.config.name, "version": viscritic.__version__}
            return JSONResponse(state, 200 if accepting else 503)

        @app.get("/healthz/live", tags=["watch"])
        async def live() -> dict[str, bool]:
            """Whether the process answers."""
            return {"live": True}

        @app.get("/metrics", tags=["watch"], response_class=Response)
        async def metrics() -> Response:
            """Counters in the text form of Prometheus."""
            return Response(self.metrics.text(), media_type=CONTENT_TYPE)


async def _all(futures: list[Future[Verdict]]) -> list[Verdict]:
    """Every verdict; the first error, with its place, once those that have not begun were called off."""
    verdicts = []
    for place, future in enumerate(futures):
        try:
            verdicts.append(await asyncio.wrap_future(future))
        except VisCriticError as error:
            for other in futures[place + 1 :]:
                other.cancel()
            raise _placed(error, place) from error
    return verdicts


def _placed(error: VisCriticError, place: int) -> VisCriticError:
    message = f"transitions[{place}]: {error}"
    return ActionError(message, field=error.field) if isinstance(error, ActionError) else type(error)(message)


async def _lines(first: dict[str, Any], told: AsyncIterator[dict[str, Any]]) -> AsyncIterator[bytes]:
    yield json.dumps(first).encode() + b"\n"
    try:
        async with aclosing(told) as news:  # type: ignore[type-var]
            async for one in news:
                yield json.dumps(one).encode() + b"\n"
    except VisCriticError as error:
        described = {"type": type(error).__name__, "message": str(error), "field": None}
        yield json.dumps({"error": described}).encode() + b"\n"


async def _refuse_body(_: Request, error: Exception) -> JSONResponse:
    """A body that is no such JSON: the first thing that is wrong with it, without the body's own words."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    place = () if first["type"] == "json_invalid" else first["loc"]  # there it is an offset
    field = ".".join(str(part) for part in place if part != "body") or "body"
    return error_response(422, "RequestError", f"{field}: {first['msg']}", field)


async def _refuse_request(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return describe(error)


async def _refuse_defect(_: Request, __: Exception) -> JSONResponse:
    return refuse_defect()


async def _refuse_input(_: Request, error: Exception) -> JSONResponse:
    """The package's own errors: bad input, but for a full queue."""
    if isinstance(error, BusyError):
        return error_response(429, "BusyError", str(error), retry_after=str(error.retry_after))
    return error_response(422, type(error).__name__, str(error), getattr(error, "field", None))
