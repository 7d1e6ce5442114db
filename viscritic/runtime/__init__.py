"""Scoring without torch: bundle, graphs, critic."""

from viscritic.runtime.critic import Critic, Transition

__all__ = ["Critic", "Transition"]
