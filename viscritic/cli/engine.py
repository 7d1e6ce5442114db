"""The options that say where the work is done, of every command that can spread it."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from data_prep.engines import EngineConfig


class EngineName(StrEnum):
    """Where the work is done."""

    LOCAL = "local"
    RAY = "ray"


Engine = Annotated[EngineName, typer.Option(help="Work on this machine, or all over a Ray cluster (extra: ray).")]
Workers = Annotated[int, typer.Option(min=1, help="Processes side by side; of Ray, those of a cluster started here.")]
Address = Annotated[str, typer.Option(help="Of a running Ray cluster; without it one is started here.")]


def read_engine(engine: EngineName, workers: int, address: str) -> EngineConfig:
    """The options as the engines take them.

    Raises:
        ConfigError: an address for an engine that has none.
    """
    from data_prep.engines import EngineConfig  # noqa: PLC0415  # --help must work without the extra

    return EngineConfig(engine.value, workers, address)
