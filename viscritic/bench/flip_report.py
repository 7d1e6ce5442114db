"""The game for Cradle's loop, played with each kind of reflection; what its paper reports."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Final

import numpy as np

from data_prep.collect.desktop import DesktopDriver
from viscritic.agent import Scorer
from viscritic.agent.cradle import Reflector
from viscritic.bench.config import Faults
from viscritic.bench.flip import PROGRAM, FlipGame, NoReflector, play_flip
from viscritic.bench.verifiers import PixelScorer, TrueOutcome

REFLECTIONS: Final = ("none", "pixels", "critic", "truth")
_FIRST: Final = 9_000  # the first game's seed
_DRAWS: Final = 2000


@dataclass(frozen=True, slots=True)
class FlipRow:
    """One game.

    Attributes:
        expected: the fewest clicks that solve it.
    """

    reflection: str
    seed: int
    won: bool
    steps: int
    expected: int

    @property
    def efficiency(self) -> float:
        """Expected steps by taken steps; 0 for a game that was lost."""
        return self.expected / max(self.steps, 1) if self.won else 0.0


def play_games(critic: Scorer, games: int, faults: Faults, tell: Callable[[int, int], None]) -> list[FlipRow]:
    """Every game with every kind of reflection, amid the same faults.

    Raises:
        DataError: the game, or what a desktop needs, is not installed.
    """
    driver = DesktopDriver(programs=(PROGRAM,))
    rows = []
    try:
        for seed in range(_FIRST, _FIRST + games):
            for reflection in REFLECTIONS:
                game = FlipGame(driver, seed, faults)
                scorer = {"critic": critic, "pixels": PixelScorer(), "truth": TrueOutcome(game)}.get(reflection, critic)
                reflector = NoReflector(scorer) if reflection == "none" else Reflector(scorer)
                rows.append(FlipRow(reflection, seed, *play_flip(game, reflector)))
                tell(len(rows), games * len(REFLECTIONS))
    finally:
        driver.close()
    return rows


def write_flip_table(rows: Sequence[FlipRow]) -> str:
    """Success with 95 % intervals (games are resampled), steps and efficiency, in Markdown."""
    lines = ["| reflection | success | steps | efficiency |", "|---|---|---|---|"]
    for reflection in dict.fromkeys(row.reflection for row in rows):
        mine = [row for row in rows if row.reflection == reflection]
        won = np.array([row.won for row in mine], float)
        drawn = np.random.default_rng(0).integers(0, len(won), (_DRAWS, len(won)))
        low, high = np.quantile(won[drawn].mean(axis=1), (0.025, 0.975))
        steps, efficiency = (
            float(np.mean(values)) for values in zip(*((r.steps, r.efficiency) for r in mine), strict=True)
        )
        lines.append(f"| {reflection} | {won.mean():.2f} [{low:.2f}, {high:.2f}] | {steps:.1f} | {efficiency:.2f} |")
    games = len({row.seed for row in rows})
    expected = float(np.mean([row.expected for row in rows]))
    return "\n".join([*lines, "", f"{games} games a row; the fewest clicks are {expected:.1f} on average."]) + "\n"


def to_json(rows: Sequence[FlipRow]) -> str:
    """One row a line."""
    return "".join(json.dumps(asdict(row)) + "\n" for row in rows)
