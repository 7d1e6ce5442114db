"""The critic as a server, with a page for people and a client for programs. All but the client needs the extra `serve`.

config.py     what a server allows
wire.py       what comes in: transitions as JSON, screens as base64
pool.py       a bounded queue that feeds worker threads of one critic
audits.py     whole trajectories that come as a zip
guard.py      what every request passes first: host, token, limits; log and metrics
metrics.py    counters for Prometheus
openapi.py    the description of the interface; verdicts are those of verdict.schema.json
app.py        the routes
run.py        the process: opens the port, ends without dropping what it accepted
client.py     `Client`, which answers as `Critic` does, from another machine
page/         the page: plain HTML, CSS and JavaScript
"""

from __future__ import annotations

from importlib.util import find_spec

from viscritic.errors import MissingExtraError


def require_extra() -> None:
    """Check that what a server is built on is installed.

    Raises:
        MissingExtraError: it is not.
    """
    for module in ("fastapi", "uvicorn", "prometheus_client"):
        if find_spec(module) is None:
            raise MissingExtraError("viscritic serve", "serve", module)
