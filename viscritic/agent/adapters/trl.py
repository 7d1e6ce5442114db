"""TRL (GRPO and kin): the critic as a reward function.

    trainer = GRPOTrainer(model, reward_funcs=trl_reward(Critic.load(), execute), train_dataset=dataset, ...)

The data set's columns reach `execute`. TRL calls with keyword arguments, and takes None for "cannot be scored".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from viscritic.agent.environment import Scorer
from viscritic.agent.reward import Execute, StepReward, grade, recorded


def trl_reward(
    critic: Scorer, execute: Execute = recorded, dialect: str | None = None
) -> Callable[..., list[float | None]]:
    """A reward function for `reward_funcs`; its name in the logs is "viscritic".

    Args:
        critic: a scorer.
        execute: does an action in an example's environment, and returns the screens before and after.
        dialect: of the policy's actions; None guesses.
    """
    step = StepReward(critic, execute, dialect)

    def viscritic(
        prompts: Sequence[Any],
        completions: Sequence[Any],
        *,
        log_metric: Callable[[str, float], None] | None = None,
        environments: Sequence[Any] | None = None,
        **columns: Any,
    ) -> list[float | None]:
        rows = [
            {name: values[i] for name, values in columns.items() if isinstance(values, list | tuple)}
            | ({} if environments is None else {"environment": environments[i]})
            for i in range(len(completions))
        ]
        judged = [step.judge(_text(completion), row) for completion, row in zip(completions, rows, strict=True)]
        rewards = [grade(one) for one in judged]
        if log_metric is not None and judged:
            log_metric("viscritic/unreadable", sum(not one.actions for one in judged) / len(judged))
            log_metric("viscritic/unscored", sum(reward is None for reward in rewards) / len(rewards))
        return rewards

    return viscritic


def _text(completion: Any) -> str:
    """A completion is text, or a conversation whose last message holds it."""
    return completion if isinstance(completion, str) else str(completion[-1]["content"])
