"""The game for Cradle's loop."""

from __future__ import annotations

import itertools
import json
import shutil
import subprocess
import sys

import numpy as np
import pytest

from viscritic.bench.flip import PROGRAM, SIDE, FlipPlanner, reach, read_board, solve
from viscritic.bench.flip_report import FlipRow, write_flip_table

MAIN = "from viscritic.cli import main; main()"  # what the console script runs


def draw(dark):
    """A window as the game draws it."""
    screen = np.full((340, 300, 3), 229, np.uint8)
    for cell, (row, column) in enumerate(itertools.product(range(SIDE), repeat=2)):
        screen[60 + 68 * row : 126 + 68 * row, 48 + 68 * column : 114 + 68 * column] = 0x4C if dark[cell] else 255
    return screen


@pytest.mark.parametrize("clicks", [[], [4], [0, 1, 8]])
def test_every_board_is_solved_by_the_clicks_that_made_it(clicks):
    board = [sum(cell in reach(click) for click in clicks) % 2 == 1 for cell in range(SIDE * SIDE)]
    assert read_board(draw(board)) == board
    assert solve(board) == clicks


def test_the_planner_clicks_blindly_until_it_is_told_of_a_failure():
    planner, told = FlipPlanner(), "What happened so far, the latest last:\nClick at (1, 2) -> "
    first = draw([cell in reach(0) for cell in range(9)])
    assert "row 1, column 1" in planner.ask("Task", first)
    assert "row 1, column 1" in planner.ask(f"{told}it was not executed: nothing reacted.", first)
    second = draw([cell in reach(8) for cell in range(9)])
    assert planner.ask(f"{told}it took effect.", second) == "done()"
    assert "row 3, column 3" in planner.ask(f"{told}it failed: something else.", second)


def test_efficiency_is_expected_by_taken_and_nothing_for_a_loss():
    rows = [FlipRow("critic", 1, True, 4, 3), FlipRow("critic", 2, False, 3, 3)]
    assert [row.efficiency for row in rows] == [0.75, 0.0]
    assert "| critic | 0.50 [0.00, 1.00] | 3.5 | 0.38 |" in write_flip_table(rows)


@pytest.mark.desktop
def test_the_command_plays_the_real_game_and_reflection_wins_it(tmp_path):
    pytest.importorskip("Xlib", reason="needs: pip install 'viscritic[agent]'")
    if shutil.which(PROGRAM) is None or shutil.which("Xvfb") is None:
        pytest.skip("needs: bash scripts/install_desktop.sh")
    command = ["bench", "game", "--out", str(tmp_path), "--games", "1", "--drop", "0.4", "--miss", "0"]
    done = subprocess.run([sys.executable, "-c", MAIN, *command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    rows = {row["reflection"]: row for row in map(json.loads, (tmp_path / "games.jsonl").read_text().splitlines())}
    assert not rows["none"]["won"]
    assert rows["truth"]["won"]
    assert rows["critic"]["won"]  # a lost click changes nothing, which the reflection sees by itself
    assert rows["truth"]["steps"] > rows["truth"]["expected"]
    assert "| truth | 1.00" in (tmp_path / "table.md").read_text()
