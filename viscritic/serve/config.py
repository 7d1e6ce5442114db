"""What a server allows."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from viscritic.errors import ConfigError

LOOPBACK_NAMES: Final = ("localhost", "127.0.0.1", "::1")
_SHORTEST_TOKEN: Final = 16


@dataclass(frozen=True, slots=True)
class ServeConfig:
    """Where to listen, and how much to take.

    Attributes:
        host, port: the address; port 0 takes a free one.
        token: must come with every request (`Authorization: Bearer ...`); needed on any address but this machine's.
        workers: threads that judge.
        queue: transitions that may wait or be judged at once; what comes on top is refused with 429.
        max_body: bytes of a request's body.
        max_archive: bytes of the zip of an audit; unpacked, it may have eight times as many.
        max_pixels: of one screen.
        max_many: transitions of one request to /v1/score_many.
        max_steps: steps of one audit.
        body_seconds: a request's body must have arrived after so long.
        grace_seconds: when the server was asked to stop and nothing is left to judge, answers that are not read and
            bodies that do not arrive have so long.
    """

    host: str = "127.0.0.1"
    port: int = 8765
    token: str | None = field(default=None, repr=False)
    workers: int = 2
    queue: int = 64
    max_body: int = 32 << 20
    max_archive: int = 256 << 20
    max_pixels: int = 16_000_000
    max_many: int = 32
    max_steps: int = 2000
    body_seconds: float = 60.0
    grace_seconds: float = 30.0

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise ConfigError(f"port must be between 0 and 65535, got {self.port}")
        for name in ("workers", "queue", "max_body", "max_archive", "max_pixels", "max_many", "max_steps"):
            if getattr(self, name) < 1:
                raise ConfigError(f"{name} must be 1 or more, got {getattr(self, name)}")
        if self.max_many > self.queue:
            raise ConfigError(f"queue must hold one request of max_many transitions: {self.queue} < {self.max_many}")
        if self.token is None and not self.is_local:
            raise ConfigError(
                f"{self.host} can be reached from other machines: give a token with --token-file, "
                f"or listen on 127.0.0.1"
            )

    @property
    def is_local(self) -> bool:
        """Only this machine can reach the address."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False


def read_token(path: Path) -> str:
    """The token that stands alone in a file.

    Raises:
        ConfigError: the file cannot be read, or holds no token of at least 16 printable characters.
    """
    try:
        token = path.read_text("utf-8").strip()
    except (OSError, ValueError) as error:
        raise ConfigError(f"the token's file {path} cannot be read: {error}") from error
    if len(token) < _SHORTEST_TOKEN or not token.isascii() or not token.isprintable() or " " in token:
        raise ConfigError(
            f"{path} must hold one token of at least {_SHORTEST_TOKEN} ASCII characters without blanks; "
            f"make one with  openssl rand -hex 32"
        )
    return token
