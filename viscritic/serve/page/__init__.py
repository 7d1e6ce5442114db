"""The page: plain files, and the style and script that it shares with the reports of audits."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Final

from fastapi import FastAPI
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from viscritic.audit.report import viewer_script, viewer_style

_TYPES: Final = {
    "page.css": "text/css",
    "page.js": "text/javascript",
    "icon.svg": "image/svg+xml",
    "example-pre.webp": "image/webp",
    "example-post.webp": "image/webp",
}


def add_routes(app: FastAPI) -> None:
    """The page at /, and what it loads below /assets/."""

    @app.get("/", include_in_schema=False)
    async def index() -> Response:
        return Response(_read("index.html"), media_type="text/html")

    @app.get("/assets/{name}", include_in_schema=False)
    async def asset(name: str) -> Response:
        if name == "viewer.css":
            return Response(viewer_style(), media_type="text/css")
        if name == "viewer.js":
            return Response(viewer_script(), media_type="text/javascript")
        if name not in _TYPES:
            raise HTTPException(404, "there is no such file")
        return Response(_read(name), media_type=_TYPES[name])


@cache
def _read(name: str) -> bytes:
    return resources.files(__name__).joinpath(name).read_bytes()
