from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from data_prep.choice import apportion, rank


def test_rank_is_the_same_everywhere():
    assert rank(0, "a", 1) == 5134108193574538106
    assert rank(1, "a", 1) != rank(0, "a", 1) != rank(0, "a1")


def test_shares_decide_and_full_names_pass_on():
    assert apportion(10, {"a": 1, "b": 1, "c": 2}, {"a": 9, "b": 9, "c": 9}) == {"a": 3, "b": 2, "c": 5}
    assert apportion(10, {"a": 1, "b": 1, "c": 2}, {"a": 9, "b": 9, "c": 1}) == {"a": 5, "b": 4, "c": 1}
    assert apportion(10, {"a": 0, "b": 1}, {"a": 9, "b": 4}) == {"a": 0, "b": 4}


@given(
    total=st.integers(0, 500),
    parts=st.lists(st.tuples(st.floats(0, 5), st.integers(0, 100)), min_size=1, max_size=6),
)
def test_no_name_is_overfull_and_nothing_is_lost(total, parts):
    shares = {str(i): share for i, (share, _) in enumerate(parts)}
    capacity = {str(i): room for i, (_, room) in enumerate(parts)}
    result = apportion(total, shares, capacity)
    usable = sum(capacity[name] for name in shares if shares[name] > 0)
    assert sum(result.values()) == min(total, usable)
    assert all(0 <= result[name] <= capacity[name] for name in shares)
