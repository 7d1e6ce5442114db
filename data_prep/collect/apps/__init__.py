"""The applications, one file each; `APPLICATIONS` has them all by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from data_prep.collect.application import Application
from data_prep.collect.apps.miniwob import MINIWOB

APPLICATIONS: Final[dict[str, Callable[[], Application]]] = {**MINIWOB}
