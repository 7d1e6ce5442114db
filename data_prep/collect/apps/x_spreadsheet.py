"""x-spreadsheet: a small spreadsheet on a canvas. npm package `x-data-spreadsheet`, version 1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from data_prep.collect.apps.grid import Grid


class XSpreadsheet(Grid):
    """A workbook of one to three sheets."""

    name = "x-spreadsheet"
    family = "x-spreadsheet"
    folder = "npm/node_modules/x-data-spreadsheet"
    page = "x_spreadsheet"


X_SPREADSHEET: Final[dict[str, Callable[[], XSpreadsheet]]] = {"x-spreadsheet": XSpreadsheet}
