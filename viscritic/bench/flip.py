"""A real game for Cradle's loop: Flip of Simon Tatham's Portable Puzzle Collection (Debian package `sgt-puzzles`).

A click turns a square and its neighbours; all nine must become light. The planner solves it from what it sees, and then
clicks without looking until its reflection says that something went wrong.
"""

from __future__ import annotations

import itertools
import re
import subprocess
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np

from data_prep.collect.desktop import DesktopDriver
from data_prep.collect.driver import HungError
from viscritic.actions import Action
from viscritic.agent.cradle import CradleAgent, EpisodicMemory, Reflection, Reflector
from viscritic.bench.config import Faults
from viscritic.bench.verifiers import Plain
from viscritic.errors import DataError
from viscritic.screen import Screen
from viscritic.trajectory import Box

PROGRAM: Final = "/usr/games/sgt-flip"
SIDE: Final = 3
WORDS: Final = "Make all squares light"
_WINDOW: Final = (400.0, 200.0, 300.0, 340.0)
_MENU: Final = 36  # pixels at the top of the window
_LIGHT: Final = 240  # of 255: at least so bright is a light square ...
_DARK: Final = (60, 90)  # ... and in between a dark one
_BUSY: Final = 30  # pixels of a row or column that the board covers
_START: Final = 20.0  # seconds

Cell = int  # row * SIDE + column


class FlipGame:
    """The game as an `Environment`: its window alone is the screen.

    Args:
        driver: of a desktop; `DesktopDriver(programs=(PROGRAM,))`.
        faults: the rates of lost and missed clicks that count; a miss hits the square beside.
    """

    def __init__(self, driver: DesktopDriver, seed: int, faults: Faults) -> None:
        self._driver, self._faults = driver, faults
        self._random = Random(f"flip {seed}")
        self.fault = ""
        self._box = self._open(seed)

    def _open(self, seed: int) -> Box:
        self._driver.session.end_programs()
        pid = self._driver.run((PROGRAM, _make_id(seed)), {})
        self._driver.follow(pid)
        deadline = time.monotonic() + _START
        while not (mine := [window for window in self._driver.windows() if window.pid == pid]):
            if time.monotonic() > deadline:
                raise HungError(f"{PROGRAM} shows no window")
            self._driver.wait(0.05)
        self._driver.place(mine[-1], _WINDOW)
        self._driver.park()
        while True:
            self._driver.rest(2.0)
            window = next(window for window in self._driver.windows() if window.pid == pid)
            if window.inner[2:] == _WINDOW[2:]:
                return window.inner
            if time.monotonic() > deadline:
                raise HungError(f"{PROGRAM} does not take its place")

    def screen(self) -> Screen:
        """The window's inside."""
        x, y, width, height = (int(value) for value in self._box)
        return np.ascontiguousarray(self._driver.screen()[y : y + height, x : x + width])

    def act(self, action: Action) -> None:
        """Click, unless the click is lost, or hits the square beside."""
        roll = self._random.random()
        self.fault = "drop" if roll < self._faults.drop else ""
        if self._faults.drop <= roll < self._faults.drop + self._faults.miss:
            self.fault = "miss"
            action = _beside(action, board_box(self.screen()), self._random)
        if self.fault != "drop" and action.point is not None:
            x, y = action.point
            self._driver.act((replace(action, x=x + self._box[0], y=y + self._box[1]),))
            self._driver.park()
        self._driver.rest(1.0)

    @property
    def won(self) -> bool:
        """All squares are light."""
        return not any(read_board(self.screen()))

    def judge(self) -> Plain:
        """The truth of the last click."""
        kinds = {"drop": Plain("failed", "no_op"), "miss": Plain("failed", "wrong_target")}
        return kinds.get(self.fault, Plain("confirmed"))


class FlipPlanner:
    """Solves the board once, then clicks; looks again only where its reflection tells of a failure."""

    def __init__(self) -> None:
        self._plan: list[Cell] | None = None
        self._last: Cell = 0

    def ask(self, prompt: str, screen: Screen) -> str:
        """The next call."""
        told = prompt.strip().splitlines()[-1]
        if self._plan is None or " -> it failed" in told:
            self._plan = solve(read_board(screen))
        elif " -> it was not executed" in told:
            self._plan.insert(0, self._last)
        if not self._plan:
            return "done()"
        self._last = self._plan.pop(0)
        row, column = divmod(self._last, SIDE)
        left, top, wide, high = board_box(screen)
        x = (left + (column + 0.3) * wide / SIDE) / screen.shape[1]
        y = (top + (row + 0.3) * high / SIDE) / screen.shape[0]
        return f"click_at_position(x={x:.4f}, y={y:.4f}) # Click the square in row {row + 1}, column {column + 1}"


class NoReflector(Reflector):
    """Takes everything for done: the loop without reflection."""

    def reflect(
        self, pre: Any, frames: Sequence[Any], action: Any, instruction: str = "", task: str = "", *, long: bool = False
    ) -> Reflection:
        """It took effect."""
        return Reflection(True, True, False, "", None, len(frames))


def play_flip(game: FlipGame, reflector: Reflector, most_steps: int = 30) -> tuple[bool, int, int]:
    """Play a game; whether it was won, the clicks that it took, and the fewest that it can take."""
    expected = len(solve(read_board(game.screen())))
    agent = CradleAgent(
        game, FlipPlanner(), reflector, memory=EpisodicMemory(), most_steps=most_steps, watch_seconds=0.6
    )
    steps = agent.run(WORDS).steps
    return game.won, steps, expected


def solve(board: Sequence[bool]) -> list[Cell]:
    """The fewest clicks that make every square light; none where there is no such set.

    Args:
        board: for each square whether it is dark.
    """
    for number in range(SIDE * SIDE + 1):
        for clicks in itertools.combinations(range(SIDE * SIDE), number):
            turned = [sum(cell in reach(click) for click in clicks) % 2 == 1 for cell in range(SIDE * SIDE)]
            if turned == list(board):
                return list(clicks)
    return []


def reach(click: Cell) -> set[Cell]:
    """What a click turns: the square and its neighbours."""
    row, column = divmod(click, SIDE)
    around = [(row, column), (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return {r * SIDE + c for r, c in around if 0 <= r < SIDE and 0 <= c < SIDE}


def board_box(screen: Screen) -> Box:
    """Where the board lies, by its colours."""
    low, high = screen.min(axis=2), screen.max(axis=2)
    board = (low >= _LIGHT) | ((low >= _DARK[0]) & (high <= _DARK[1]))
    board[:_MENU] = False
    rows, columns = (np.flatnonzero(board.sum(axis=axis) > _BUSY) for axis in (1, 0))
    if not len(rows) or not len(columns):
        raise HungError(f"{PROGRAM} shows no board")
    return float(columns[0]), float(rows[0]), float(np.ptp(columns) + 1), float(np.ptp(rows) + 1)


def read_board(screen: Screen) -> list[bool]:
    """For each square, row by row, whether it is dark."""
    left, top, wide, high = board_box(screen)
    dark = []
    for row, column in itertools.product(range(SIDE), repeat=2):
        pixel = screen[int(top + (row + 0.15) * high / SIDE), int(left + (column + 0.15) * wide / SIDE)]
        dark.append(bool(pixel.max() < _LIGHT))
    return dark


def _make_id(seed: int) -> str:
    """The game of a seed, in the program's own words."""
    if not Path(PROGRAM).exists():
        raise DataError(f"{PROGRAM} is not installed: apt-get install sgt-puzzles")
    command = [PROGRAM, "--generate", "1", f"{SIDE}x{SIDE}c#{seed}"]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    if not re.fullmatch(r"\S+", said):
        raise DataError(f"{PROGRAM} makes no game of {command[-1]}: {said!r}")
    return said


def _beside(action: Action, board: Box, random: Random) -> Action:
    """The click a square further, on the board."""
    if action.x is None or action.y is None:
        return action
    side = board[2] / SIDE
    ways = [(side, 0.0), (-side, 0.0), (0.0, side), (0.0, -side)]
    inside = [
        (action.x + dx, action.y + dy) for dx, dy in ways
        if board[0] < action.x + dx < board[0] + board[2] and board[1] < action.y + dy < board[1] + board[3]
    ]  # fmt: skip
    x, y = random.choice(inside)
    return replace(action, x=x, y=y)
