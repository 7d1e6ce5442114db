"""Choices that look random and depend on nothing but a seed and names: no state, no order, the same on any machine."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping


def rank(seed: int, *names: object) -> int:
    """A 64-bit number that the seed and the names decide; sort by it to shuffle."""
    text = "\x1f".join(map(str, (seed, *names)))
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "big")


def apportion(total: int, shares: Mapping[str, float], capacity: Mapping[str, int]) -> dict[str, int]:
    """Divide `total` by shares in whole numbers (largest remainders), none above its capacity.

    What a full name cannot take goes to the others by their shares; if all are full the sum is less than `total`.
    """
    result = dict.fromkeys(shares, 0)
    open_names = [name for name in shares if shares[name] > 0 and capacity[name] > 0]
    while (left := total - sum(result.values())) > 0 and open_names:
        weight = sum(shares[name] for name in open_names)
        exact = {name: left * shares[name] / weight for name in open_names}
        whole = {name: int(exact[name]) for name in open_names}
        # sorted() is stable: equal remainders go by the order of `shares`
        by_remainder = sorted(open_names, key=lambda name: whole[name] - exact[name])
        for name in by_remainder[: left - sum(whole.values())]:
            whole[name] += 1
        for name in open_names:
            result[name] = min(result[name] + whole[name], capacity[name])
        open_names = [name for name in open_names if result[name] < capacity[name]]
    return result
