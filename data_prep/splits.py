"""Splits that leak nothing: trajectories that share a screen share a split.

Some ScreenAgent sessions continue from the desktop that another left, and several start from one and the same desktop,
empty document or browser tab. A step from there ("double-click the Firefox icon") is then nearly the same sample in two
sessions. So every screen is compared with every other by thumbnail, bare desktops included, and trajectories that share
a near-duplicate are joined (union-find); the groups are dealt out whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from data_prep.choice import rank
from data_prep.config import BuildConfig
from data_prep.progress import Watch
from data_prep.similarity import Source, near_duplicates
from viscritic.sample import SPLITS, Split
from viscritic.trajectory import Trajectory


def group_trajectories(trajectories: Sequence[Trajectory], near: float, watch: Watch = iter) -> list[list[Trajectory]]:
    """Join trajectories that share a near-duplicate screen; groups and members keep the order of the input.

    Args:
        near: screens with a thumbnail distance below this are near-duplicates.
        watch: passes on the screens, for a progress bar.
    """
    sources: list[Source] = []
    owners: list[int] = []
    for number, trajectory in enumerate(trajectories):
        for source in dict.fromkeys(_screens(trajectory)):
            sources.append(source)
            owners.append(number)
    parents = list(range(len(trajectories)))
    for i, j in near_duplicates(sources, near, watch):
        a, b = _root(parents, owners[i]), _root(parents, owners[j])
        parents[max(a, b)] = min(a, b)
    groups: dict[int, list[Trajectory]] = {}
    for number, trajectory in enumerate(trajectories):
        groups.setdefault(_root(parents, number), []).append(trajectory)
    return list(groups.values())


def assign_splits(groups: Sequence[Sequence[Trajectory]], config: BuildConfig) -> dict[tuple[str, str], Split]:
    """Deal groups to splits, largest first, each to the split that is furthest from its part of the steps.

    Returns:
        Each trajectory's split, by `key_of`. Groups of one size are dealt in an order that the seed decides.
    """
    parts: Mapping[Split, float] = {"train": 1 - config.val - config.test, "val": config.val, "test": config.test}
    sizes = [sum(len(trajectory.steps) for trajectory in group) for group in groups]
    order = sorted(range(len(groups)), key=lambda n: (-sizes[n], rank(config.seed, "split", *key_of(groups[n][0]))))
    filled: dict[Split, int] = dict.fromkeys(SPLITS, 0)
    result: dict[tuple[str, str], Split] = {}
    for number in order:
        split = max(SPLITS, key=lambda name: parts[name] * sum(sizes) - filled[name])
        filled[split] += sizes[number]
        result.update({key_of(trajectory): split for trajectory in groups[number]})
    return result


def key_of(trajectory: Trajectory) -> tuple[str, str]:
    """What names a trajectory among those of all data sets."""
    return trajectory.source, trajectory.id


def _screens(trajectory: Trajectory) -> list[Source]:
    return [screen for step in trajectory.steps for screen in (*step.idle, step.pre, step.post) if screen is not None]


def _root(parents: list[int], number: int) -> int:
    while parents[number] != number:
        parents[number] = parents[parents[number]]
        number = parents[number]
    return number
