"""scripts/robustness.py: each disturbance does what it says, and the counts are right."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from viscritic import Action, Critic
from viscritic.sample_folder import SampleFolder

ROOT = Path(__file__).parents[2]


@pytest.fixture
def robustness(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    import robustness

    yield robustness
    sys.modules.pop("robustness", None)


@pytest.fixture
def step(robustness: Any) -> Any:
    chance = np.random.default_rng(0)
    pre, post = (chance.integers(0, 256, (100, 160, 3), np.uint8) for _ in range(2))
    return robustness.Step(pre, post, (Action("drag", 40, 50, x2=80, y2=60),))


def test_what_is_scaled_or_cut_keeps_its_points(robustness: Any, step: Any) -> None:
    half = robustness.DISTURBANCES["scaled by 0.5"](step)
    assert half.pre.shape == half.post.shape == (50, 80, 3)
    assert half.actions == (Action("drag", 20, 25, x2=40, y2=30),)
    cut = robustness.crop(step)
    assert np.array_equal(cut.post, step.post[3:])
    assert cut.actions == (Action("drag", 40, 47, x2=80, y2=57),)


def test_colours_and_places_change_as_they_say(robustness: Any, step: Any) -> None:
    assert np.array_equal(robustness.invert(robustness.invert(step)).post, step.post)
    assert np.array_equal(robustness.drift(step).post[1:, 1:], step.post[:-1, :-1])
    assert np.array_equal(robustness.drift(step).pre, step.pre)
    assert robustness.shrink_post(step).post.shape == (90, 144, 3)
    shift = robustness.tint(step).pre.astype(int) - step.pre
    assert (shift.max(), shift.min()) == (6, -8)
    assert 0 < np.abs(robustness.compress(60)(step).pre.astype(int) - step.pre).mean() < 80


def test_what_is_drawn_lies_where_it_says(robustness: Any, step: Any) -> None:
    for name, low, high in (("nothing", 0, 0), ("a ring", 20, 4000), ("a cursor", 50, 400), ("a banner", 4000, 6000)):
        drawn = robustness.DRAWN[name](step.pre, step.actions)
        assert low <= (drawn != step.pre).any(axis=2).sum() <= high


def test_counts_add_up_and_identical_screens_confirm_nothing(robustness: Any, toy_samples: Path) -> None:
    folder = SampleFolder(toy_samples)
    samples = folder.by_split("test")[:3]
    rows = robustness.measure(folder, samples, Critic.load(threads=1))
    assert all(rows[name]["judged"] == 3 for name in robustness.DISTURBANCES)
    assert rows["nothing"] == {"judged": 3, "confirmed": 0}, rows
    assert rows["a banner on a failure"].get("judged", 0) == sum(sample.success < 0.5 for sample in samples)
    judged = [row for row in rows.values() if row]
    assert len(robustness.show(rows).rows) == len(judged)
    lines = robustness.write_table(rows).splitlines()
    assert len(lines) == 2 + len(judged)
    assert "| drawn: nothing | 3 |  |  | 0 | met |" in lines


def test_a_flip_is_counted(robustness: Any, toy_samples: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = SampleFolder(toy_samples)
    critic = Critic.load(threads=1)
    plain = robustness.judge(
        critic,
        robustness.Step(*[np.full((64, 64, 3), n, np.uint8) for n in (0, 255)], (Action("click", 3, 4),)),
        folder[0],
    )
    from dataclasses import replace

    answers = iter([replace(plain, ok=True, state="confirmed"), *[replace(plain, ok=False, state="failed")] * 99])
    monkeypatch.setattr(robustness, "judge", lambda *_: next(answers))
    rows = robustness.measure(folder, [folder[0]], critic)
    assert rows["tinted"] == {"judged": 1, "flipped": 1, "reversed": 1}
