"""The order of training: decided by seed and epoch, shared out among processes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from viscritic.train.data import EpochOrder

SIZES = st.integers(1, 200)
SEEDS = st.integers(0, 2**32 - 1)


def order(size: int, seed: int, epoch: int, rank: int = 0, replicas: int = 1) -> list[int]:
    sampler = EpochOrder(size, seed, rank, replicas)
    sampler.set_epoch(epoch)
    rows = list(sampler)
    assert len(rows) == len(sampler)
    return rows


@given(SIZES, SEEDS, st.integers(0, 1000))
def test_one_process_sees_every_row_once(size: int, seed: int, epoch: int) -> None:
    rows = order(size, seed, epoch)
    assert sorted(rows) == list(range(size))
    assert rows == order(size, seed, epoch)  # whatever came before, as in a resumed run


@given(SIZES, SEEDS, st.integers(0, 1000), st.integers(1, 8))
def test_processes_share_the_rows(size: int, seed: int, epoch: int, replicas: int) -> None:
    shares = [order(size, seed, epoch, rank, replicas) for rank in range(replicas)]
    assert len({len(share) for share in shares}) == 1  # equal steps, or a process would wait for ever
    together = [row for share in shares for row in share]
    assert len(set(together)) == len(together)
    assert len(together) == size - size % replicas
    step_by_step = [row for rows in zip(*shares, strict=True) for row in rows]
    assert step_by_step == order(size, seed, epoch)[: len(together)]


def test_epochs_and_seeds_differ() -> None:
    orders = [tuple(order(50, seed, epoch)) for seed in range(3) for epoch in range(3)]
    assert len(set(orders)) == 9


def test_an_epoch_is_what_it_is_called() -> None:
    sampler = EpochOrder(50, 0)
    first = list(sampler)
    assert first == list(sampler) == order(50, 0, 0)  # nothing moves on by itself
