"""How often which cause is drawn."""

from collections import Counter
from random import Random

from data_prep.collect.mixture import KINDS, draw_faults
from data_prep.collect.web_faults import WEB_FAULTS

FAULTS = [fault for fault in WEB_FAULTS if not fault.revives]


def test_every_fault_is_drawn_once():
    slots = draw_faults(FAULTS, 3, Random(0))
    assert len(slots) == 3
    assert Counter(fault.cause for slot in slots for fault in slot) == Counter(fault.cause for fault in FAULTS)


def test_kinds_come_as_often_as_they_should():
    first = Counter()
    for seed in range(2000):
        for slot in draw_faults(FAULTS, 2, Random(seed)):
            first.update(kind for kind, (_, causes) in KINDS.items() if slot[0].cause in causes)
    for kind, (share, _) in KINDS.items():
        assert abs(first[kind] / first.total() - share) < 0.04


def test_a_kind_of_one_cause_is_not_lost_to_the_other_step():
    """Of all that waits, only `asked_held` applies in a page without a window."""
    drawn = [draw_faults(FAULTS, 2, Random(seed)) for seed in range(2000)]
    first = [
        next((f.cause for f in slot if f.cause not in ("hung", "page_held")), "") for pair in drawn for slot in pair
    ]
    assert first.count("asked_held") / len(first) > 0.9 * KINDS["waiting"][0]


def test_shares_are_a_whole_and_no_cause_is_of_two_kinds():
    assert abs(sum(share for share, _ in KINDS.values()) - 1) < 1e-9
    causes = [cause for _, causes in KINDS.values() for cause in causes]
    assert len(causes) == len(set(causes))


def test_causes_of_no_kind_have_their_turn():
    class Own:
        cause = "sold_out"

    slots = [draw_faults([*FAULTS, Own()], 1, Random(seed))[0] for seed in range(400)]
    assert 0 < sum(slot[0].cause == "sold_out" for slot in slots) < 100
