"""How far a step brings a walk."""

from types import SimpleNamespace

import pytest

from data_prep.collect.samples import progress_of


@pytest.mark.parametrize(
    ("step", "outcome", "steps", "progress"),
    [
        (0, "success", 2, 0.5),
        (1, "success", 2, 1.0),
        (2, "success", 2, 1.0),  # after the last right step something else was made to work
        (1, "wrong_target", 2, -0.5),
        (1, "no_op", 2, 0.0),
        (0, "success", 0, None),
    ],
)
def test_progress_is_the_share_of_the_walk_and_never_beyond(step, outcome, steps, progress):
    assert progress_of(SimpleNamespace(step=step, outcome=outcome, retold=False), steps) == progress


def test_a_step_told_as_another_is_no_step_of_the_walk():
    assert progress_of(SimpleNamespace(step=0, outcome="success", retold=True), 2) is None
