"""`Client`: asks a server as one would ask a `Critic`. Needs no extra.

>>> client = Client("http://127.0.0.1:8765")
>>> client.score("pre.png", "post.png", {"action": "click", "x": 960, "y": 540}, "Open the menu").state
"""

from __future__ import annotations

import base64
import http.client
import io
import json
import os
import ssl
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlencode, urlsplit

import numpy as np
from PIL import Image

from viscritic import errors
from viscritic.actions import Action
from viscritic.errors import ScreenError, ServerError
from viscritic.evidence import Attention, Evidence, TextChange
from viscritic.runtime import Transition
from viscritic.screen import ScreenSource, load_screen
from viscritic.verdict import Verdict

_BUSY: Final = (429, 503)
_SHORTEST_WAIT, _LONGEST_WAIT = 0.2, 60.0  # seconds
_READ_HERE: Final = ("ScreenError", "ActionError", "TextError", "DataError", "ConfigError")


class Client:
    """A server of verdicts, with the methods of `Critic`. Threads may share one.

    Args:
        url: of the server ("http://127.0.0.1:8765"), with a path before /v1 where a proxy adds one.
        token: that the server asks for.
        timeout: seconds that one answer may take.
        patience: seconds in all that a busy server is asked again, as it asks to (429 with Retry-After).

    Raises:
        ServerError: the URL is none.
    """

    def __init__(self, url: str, *, token: str | None = None, timeout: float = 120.0, patience: float = 120.0) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ServerError(f"{url!r} is no server's address; write http://127.0.0.1:8765")
        self._https, self._host, self._port = parts.scheme == "https", parts.hostname, parts.port
        self._path = parts.path.rstrip("/")
        self._headers = {"Authorization": f"Bearer {token}"} if token else {}
        self._timeout, self._patience = timeout, patience

    def score(
        self,
        pre: ScreenSource,
        post: ScreenSource,
        action: Any,
        instruction: str = "",
        task: str = "",
        burst: Sequence[ScreenSource] = (),
        idle: Sequence[ScreenSource] = (),
    ) -> Verdict:
        """Judge one transition; the arguments are those of `Critic.score`. Files are read here and sent as they are.

        Raises:
            ScreenError, ActionError, TextError: as `Critic.score` does.
            ServerError: no answer, or a refusal.
        """
        body = _body(Transition(pre, post, action, instruction, task, burst, idle))
        return read_verdict(self._post("/v1/score", body))

    def score_many(self, transitions: Iterable[Transition]) -> list[Verdict]:
        """Judge several transitions with one request; the server says how many it takes."""
        answer = self._post("/v1/score_many", {"transitions": [_body(t) for t in transitions]})
        try:
            return [read_verdict(verdict) for verdict in answer["verdicts"]]
        except (KeyError, TypeError) as error:
            raise ServerError("the answer holds no verdicts: is this a server of viscritic?") from error

    def audit(
        self,
        archive: str | os.PathLike[str],
        *,
        format: str | None = None,  # noqa: A002
        screens: bool = False,
    ) -> dict[str, Any]:
        """Judge every step of a trajectory that lies in a zip.

        Args:
            format: its layout; None finds it out.
            screens: whether the answer holds the screens, made small.

        Returns:
            What `viscritic.audit.document.audit_schema` describes.
        """
        file = Path(archive)
        query = {"name": file.name, "screens": str(screens).lower()} | ({"format": format} if format else {})
        answer: dict[str, Any] = self._ask(
            "POST", f"/v1/audit?{urlencode(query)}", file.read_bytes(), "application/zip"
        )
        return answer

    def ready(self) -> bool:
        """Whether the server accepts requests now; False, too, where it cannot be reached."""
        try:
            return self._send("GET", "/healthz/ready", b"", "")[0] == 200
        except ServerError:
            return False

    def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        try:
            data = json.dumps(body, allow_nan=False).encode()
        except (TypeError, ValueError) as error:
            raise errors.ActionError(f"the action cannot be sent as JSON: {error}", field="action") from error
        return self._ask("POST", path, data, "application/json")

    def _ask(self, method: str, path: str, body: bytes, kind: str) -> Any:
        deadline = time.monotonic() + self._patience
        while True:
            status, headers, data = self._send(method, path, body, kind)
            if status not in _BUSY:
                break
            wait = _seconds(headers.get("retry-after"))
            if time.monotonic() + wait > deadline:
                break
            time.sleep(wait)
        if status != 200:
            raise _refusal(status, data)
        try:
            return json.loads(data)
        except ValueError as error:
            raise ServerError(f"{self._host} answered with no JSON: is this a server of viscritic?") from error

    def _send(self, method: str, path: str, body: bytes, kind: str) -> tuple[int, dict[str, str], bytes]:
        headers = {"Content-Type": kind, **self._headers} if body else self._headers
        connection = self._connect()
        try:
            # A server that refuses a body does not wait for all of it; its answer says why.
            with suppress(BrokenPipeError, ConnectionResetError):
                connection.request(method, quote(self._path) + path, body, headers)
            answer = connection.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise ServerError(
                f"no answer from {self._host}:{connection.port} ({error or type(error).__name__}): "
                f"is  viscritic serve  running there?"
            ) from error
        finally:
            connection.close()

    def _connect(self) -> http.client.HTTPConnection:
        if self._https:
            return http.client.HTTPSConnection(
                self._host, self._port, timeout=self._timeout, context=ssl.create_default_context()
            )
        return http.client.HTTPConnection(self._host, self._port, timeout=self._timeout)


def read_verdict(values: Any) -> Verdict:
    """The verdict that `Verdict.to_dict` wrote.

    Raises:
        ServerError: it is none.
    """
    try:
        evidence, attention = dict(values["evidence"]), values["attention"]
        texts = tuple(TextChange(t["before"], t["after"], tuple(t["box"])) for t in evidence.pop("texts"))
        boxes = attention["boxes"]
        return Verdict(
            **{name: value for name, value in values.items() if name not in ("evidence", "attention")},
            evidence=Evidence(**evidence, texts=texts),
            attention=Attention(
                weights=np.array(attention["weights"], np.float32).reshape(attention["shape"]),
                boxes=np.array([box["box"] for box in boxes], np.float32).reshape(-1, 4),
                box_weights=np.array([box["weight"] for box in boxes], np.float32),
            ),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ServerError(f"the answer is no verdict ({error!r}): do client and server have one version?") from error


def _body(transition: Transition) -> dict[str, Any]:
    t = transition
    return {
        "pre": _encode(t.pre, "pre"),
        "post": _encode(t.post, "post"),
        "action": _plain(t.action),
        "instruction": t.instruction,
        "task": t.task,
        "burst": [_encode(screen, f"burst[{i}]") for i, screen in enumerate(t.burst)],
        "idle": [_encode(screen, f"idle[{i}]") for i, screen in enumerate(t.idle)],
    }


def _plain(action: Any) -> Any:
    """Actions as JSON has them; everything else as it is."""
    if isinstance(action, Action):
        return action.to_dict()
    return [_plain(one) for one in action] if isinstance(action, list | tuple) else action


def _encode(screen: ScreenSource, name: str) -> str:
    """Base64 of an encoded image: files and bytes as they are, pixels as PNG."""
    if isinstance(screen, str) and screen[:5].lower() == "data:":
        return screen
    if isinstance(screen, bytes | bytearray | memoryview):
        return base64.b64encode(screen).decode()
    if isinstance(screen, str | os.PathLike):
        try:
            return base64.b64encode(Path(screen).read_bytes()).decode()
        except (OSError, ValueError) as error:
            raise ScreenError(f"{name}: {str(screen)[:120]!r} cannot be read ({error})") from error
    buffer = io.BytesIO()
    Image.fromarray(load_screen(screen, name=name)).save(buffer, "PNG", compress_level=1)
    return base64.b64encode(buffer.getvalue()).decode()


def _seconds(text: str | None) -> float:
    try:
        return min(_LONGEST_WAIT, max(_SHORTEST_WAIT, float(text or 1)))
    except ValueError:
        return 1.0


def _refusal(status: int, data: bytes) -> errors.VisCriticError:
    """The server's error as the exception that the critic itself would have raised, where there is one."""
    try:
        told = json.loads(data)["error"]
        kind, message, field = str(told["type"]), str(told["message"]), told["field"]
    except (ValueError, KeyError, TypeError):
        return ServerError(f"the server answered with status {status}", status=status)
    if kind == "ActionError":
        return errors.ActionError(message, field=field)
    if kind in _READ_HERE:
        raised: errors.VisCriticError = getattr(errors, kind)(message)
        return raised
    return ServerError(f"the server refused ({status}): {message}", status=status)
