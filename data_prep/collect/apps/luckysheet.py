"""Luckysheet: a spreadsheet on a canvas, as large office suites have them. npm package `luckysheet`, version 2."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from data_prep.collect.apps.grid import Grid


class Luckysheet(Grid):
    """A workbook of one to three sheets."""

    name = "luckysheet"
    family = "luckysheet"
    folder = "npm/node_modules/luckysheet"
    page = "luckysheet"


LUCKYSHEET: Final[dict[str, Callable[[], Luckysheet]]] = {"luckysheet": Luckysheet}
