"""Splits that leak nothing: trajectories that share a screen share a split.

Some ScreenAgent sessions continue from the desktop that another left, and several start from one and the same desktop,
empty document or browser tab. A step from there ("double-click the Firefox icon") is then nearly the same sample in two
sessions. So every screen is compared with every other by thumbnail, bare desktops included, and trajectories that share
a near-duplicate are joined (`data_prep.near`); the groups are dealt out whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from data_prep.choice import rank
from data_prep.config import BuildConfig
from viscritic.sample import SPLITS, Split


def assign_splits(
    groups: Sequence[Sequence[int]], steps: Sequence[int], names: Sequence[tuple[str, str]], config: BuildConfig
) -> dict[int, Split]:
    """Deal groups to splits, largest first, each to the split that is furthest from its part of the steps.

    Args:
        groups: numbers of trajectories.
        steps: how many steps each trajectory has, by its number.
        names: the source and id of each trajectory, by its number.

    Returns:
        Each trajectory's split. Groups of one size are dealt in an order that the seed decides.
    """
    parts: Mapping[Split, float] = {"train": 1 - config.val - config.test, "val": config.val, "test": config.test}
    sizes = [sum(steps[number] for number in group) for group in groups]
    order = sorted(range(len(groups)), key=lambda n: (-sizes[n], rank(config.seed, "split", *names[groups[n][0]])))
    filled: dict[Split, int] = dict.fromkeys(SPLITS, 0)
    result: dict[int, Split] = {}
    total = sum(sizes)
    for place in order:
        split = max(SPLITS, key=lambda name: parts[name] * total - filled[name])
        filled[split] += sizes[place]
        result.update(dict.fromkeys(groups[place], split))
    return result
