"""A policy's text as an action, done and judged: the reward that the training libraries ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from viscritic.actions import Action
from viscritic.agent.environment import Judgement, Scorer
from viscritic.errors import ActionError
from viscritic.screen import ScreenSource

# (actions, the example's columns) -> the screens before and after; None where they cannot be known.
Execute = Callable[[tuple[Action, ...], Mapping[str, Any]], tuple[ScreenSource, ScreenSource] | None]


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """What came of one completion.

    Attributes:
        actions: what it means; () where it means nothing.
        judgement: None where it means nothing, or what it led to is not known.
        problem: why there is no judgement; "" where there is one.
    """

    actions: tuple[Action, ...]
    judgement: Judgement | None
    problem: str = ""


class StepReward:
    """Judges completions.

    Args:
        critic: a scorer.
        execute: does the actions in the example's environment. `recorded` serves data sets of finished steps.
        dialect: of the policy's actions; None guesses.
    """

    def __init__(self, critic: Scorer, execute: Execute, dialect: str | None = None) -> None:
        self._critic, self._execute, self._dialect = critic, execute, dialect

    def judge(self, text: str, row: Mapping[str, Any]) -> Judged:
        """Judge one completion; of the example's columns, `instruction` and `task` are read here.

        An action that cannot be understood has no judgement and is the policy's fault; a step that cannot be executed
        has none either, and is nobody's.
        """
        try:
            actions = Action.parse_batch(text.strip(), self._dialect, row.get("size"))
        except ActionError as error:
            return Judged((), None, str(error))
        screens = self._execute(actions, row)
        if screens is None:
            return Judged(actions, None, "what this action leads to is not known")
        instruction, task = (str(row.get(name) or "") for name in ("instruction", "task"))
        return Judged(actions, self._critic.score(*screens, actions, instruction, task))


def recorded(actions: tuple[Action, ...], row: Mapping[str, Any]) -> tuple[ScreenSource, ScreenSource] | None:
    """The example's own screens (columns `pre`, `post`), if the policy chose the action that was done (`action`)."""
    if actions != Action.parse_batch(row["action"], size=row.get("size")):
        return None
    return row["pre"], row["post"]


def grade(judged: Judged) -> float | None:
    """The reward in [0, 1]: probability of success; 0 for what is no action; None where the critic is not sure."""
    if not judged.actions:
        return 0.0
    if judged.judgement is None or judged.judgement.state in ("unsure", "pending"):
        return None
    return float(judged.judgement.success)
