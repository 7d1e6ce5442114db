"""`viscritic serve`: the critic for other programs and machines, with a page for people."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console

_MB: Final = 1 << 20


def serve(  # a command's options
    host: Annotated[str, typer.Option(help="Address to listen on; all but this machine's need a token.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port; 0 takes a free one.")] = 8765,
    token_file: Annotated[Path | None, typer.Option(help="A file with the token that requests must carry.")] = None,
    bundle: Annotated[
        str | None, typer.Option(help="A bundle's folder, zip or hub id; the shipped one if none.")
    ] = None,
    workers: Annotated[int, typer.Option(min=1, help="Threads that judge; they share the cores.")] = 2,
    queue: Annotated[int, typer.Option(min=1, help="Transitions that may wait; more are refused with 429.")] = 64,
    max_body: Annotated[int, typer.Option(min=1, help="Megabytes of a request.")] = 32,
    max_pixels: Annotated[int, typer.Option(min=1, help="Pixels of a screen.")] = 16_000_000,
) -> None:
    """Serve verdicts over HTTP, and a page to try them on. Ctrl+C finishes what was accepted, then stops.

    \b
    /                page: drop two screens, click the action's point, see the verdict; open an audit
    /v1/score        POST {"pre": base64, "post": base64, "action": {...}, "instruction": "..."}
    /v1/score_many   POST {"transitions": [...]}
    /v1/audit        POST a zip of a trajectory
    /healthz         also /healthz/live and /healthz/ready; /metrics for Prometheus; /openapi.json

    \b
    viscritic serve
    openssl rand -hex 32 > token && viscritic serve --host 0.0.0.0 --token-file token
    curl -s 127.0.0.1:8765/v1/score -H 'Content-Type: application/json' -d @transition.json
    """
    from viscritic.serve import require_extra  # noqa: PLC0415  # help must work without the extra
    from viscritic.serve.config import ServeConfig, read_token  # noqa: PLC0415

    require_extra()
    config = ServeConfig(
        host=host, port=port, token=None if token_file is None else read_token(token_file), workers=workers,
        queue=queue, max_body=max_body * _MB, max_pixels=max_pixels, max_many=min(32, queue),
    )  # fmt: skip
    from viscritic.serve.run import serve as run  # noqa: PLC0415  # heavy: settings are checked first

    console = Console(stderr=True, highlight=False, soft_wrap=True)
    run(config, bundle, lambda url: console.print(f"serving on {url} (Ctrl+C stops)", markup=False))
