"""What the order of the steps tells."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from audit_runs import StubCritic, click, draw_screen, write_run

from data_prep.readers.numbered import read_numbered
from viscritic.audit import Auditor
from viscritic.audit.places import Places
from viscritic.preprocess import PreprocessConfig


def findings(folder: Path, pages: list[str], actions: list[Any]) -> list[list[str]]:
    """The kinds of each step's findings."""
    [trajectory] = read_numbered(write_run(folder, pages, actions), strict=True)
    audited = Auditor(StubCritic()).audit(trajectory)
    return [[finding.kind for finding in step.findings] for step in audited.steps]


def test_a_straight_run_has_none(tmp_path: Path) -> None:
    assert findings(tmp_path, ["a", "b", "c", "d"], [click(10, 10), click(10, 10), click(90, 50)]) == [[], [], []]


def test_nothing_changed(tmp_path: Path) -> None:
    assert findings(tmp_path, ["a", "a", "b"], [click(10, 10), click(200, 90)]) == [["no_op"], []]


@pytest.mark.parametrize("action", [{"action": "wait", "ms": 1000}, {"action": "key", "keys": "ctrl+c"}])
def test_nothing_needed_to_change(tmp_path: Path, action: dict[str, Any]) -> None:
    assert findings(tmp_path, ["a", "a"], [action]) == [[]]


def test_a_click_repeated_in_vain_is_a_loop(tmp_path: Path) -> None:
    kinds = findings(tmp_path, ["a", "a", "a", "a"], [click(10, 10), click(11, 10), click(200, 90)])
    assert kinds == [["no_op"], ["no_op", "loop"], ["no_op"]]


def test_the_same_click_on_other_screens_is_none(tmp_path: Path) -> None:
    assert findings(tmp_path, ["1", "2", "3", "4"], [click(10, 10)] * 3) == [[], [], []]


def test_round_and_round(tmp_path: Path) -> None:
    there, back = click(10, 10), click(200, 90)
    kinds = findings(tmp_path, ["a", "b", "a", "b", "c"], [there, back, there, click(50, 50)])
    assert kinds == [["redundant"], ["redundant"], ["loop"], []]


def test_a_detour_names_its_steps(tmp_path: Path) -> None:
    folder = write_run(tmp_path, ["a", "b", "c", "a", "d"], [click(x, x) for x in (10, 60, 110, 160)])
    [trajectory] = read_numbered(folder, strict=True)
    steps = Auditor(StubCritic()).audit(trajectory).steps
    assert [[f.message for f in step.findings] for step in steps[:3]] == [
        ["Steps 1 to 3 end on the screen on which they began."]
    ] * 3
    assert steps[1].findings[0].steps == (0, 2)
    assert steps[3].findings == ()


def test_waiting_twice_is_no_loop(tmp_path: Path) -> None:
    assert findings(tmp_path, ["a", "a", "a"], [{"action": "wait", "ms": 1000}] * 2) == [[], []]


class TestPlaces:
    def screen(self, name: str = "a") -> Any:
        return np.array(draw_screen(name))

    def test_noise_is_the_same_place_and_a_digit_another(self) -> None:
        places = Places(PreprocessConfig())
        first = self.screen()
        noisy = np.clip(first.astype(int) + np.random.default_rng(0).integers(-2, 3, first.shape), 0, 255)
        assert places.number(first, first) == 0
        assert places.number(noisy.astype(np.uint8), noisy.astype(np.uint8)) == 0
        assert places.number(self.screen("b"), self.screen("b")) == 1
        assert places.number(first.copy(), first) == 0

    def test_another_size_is_another_place(self) -> None:
        places = Places(PreprocessConfig())
        small = self.screen()[:100]
        assert places.number(self.screen(), self.screen()) != places.number(small, small)
