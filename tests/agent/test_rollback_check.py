"""Whether a screen came back."""

from __future__ import annotations

import numpy as np
import pytest

from viscritic.agent import ReplayRollback
from viscritic.agent.rollback.ladder import is_restored
from viscritic.errors import RollbackError


def screen(word=False, clock=False):
    pixels = np.full((400, 640, 3), 255, np.uint8)
    pixels[100:110, 50:110] = 0 if word else 255  # 0.2 % of the screen
    pixels[5:15, 600:630] = 128 if clock else 255
    return pixels


@pytest.mark.parametrize(
    ("now", "restored"),
    [
        (screen(), True),
        (screen(clock=True), True),
        (screen(word=True), False),  # hardly a pixel differs, but it is the word that was to go
        (np.zeros((400, 640, 3), np.uint8), False),
        (screen()[:300], False),
    ],
)
def test_what_was_done_must_be_gone_and_little_else_may_differ(now, restored):
    assert is_restored(screen(), screen(word=True), now, 0.005) is restored


def test_a_replay_that_leaves_a_word_is_told():
    shown = [screen(), screen(word=True), screen(word=True)]
    rollback = ReplayRollback(lambda: None, lambda action: None, lambda: shown.pop(0))
    mark = rollback.mark()
    rollback.note(["type"])
    with pytest.raises(RollbackError, match="differ from before"):
        rollback.undo(mark)
