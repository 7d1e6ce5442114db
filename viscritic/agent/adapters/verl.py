"""verl: the critic as `custom_reward_function`.

    # reward.py, named by reward.custom_reward_function.path
    compute_score = verl_reward(Critic.load(), execute)

verl's naive manager gives the score to the last token of a response: train on single steps, or use a manager that
rewards turns. The example's columns stand in `extra_info`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from viscritic.agent.environment import Scorer
from viscritic.agent.reward import Execute, StepReward, grade, recorded


def verl_reward(
    critic: Scorer, execute: Execute = recorded, dialect: str | None = None, unsure: float = 0.5
) -> Callable[..., dict[str, float]]:
    """A `compute_score`. Each answer has the same keys, as verl needs it: score, scored, readable.

    Args:
        critic: a scorer.
        execute: does an action in an example's environment, and returns the screens before and after.
        dialect: of the policy's actions; None guesses.
        unsure: the score of what the critic cannot tell; verl has no "cannot be scored".
    """
    step = StepReward(critic, execute, dialect)

    def compute_score(
        data_source: str, solution_str: str, ground_truth: Any, extra_info: Mapping[str, Any] | None = None, **more: Any
    ) -> dict[str, float]:
        judged = step.judge(solution_str, extra_info or {})
        reward = grade(judged)
        scored = reward is not None
        return {
            "score": reward if reward is not None else unsure,
            "scored": float(scored),
            "readable": float(bool(judged.actions)),
        }

    return compute_score
