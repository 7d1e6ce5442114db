from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from viscritic.errors import DataError
from viscritic.evaluate import Predictions


def nan(count: int) -> np.ndarray:
    return np.full(count, np.nan)


def test_saved_predictions_come_back_identical(tmp_path: Path) -> None:
    probs = np.random.default_rng(0).dirichlet(np.ones(5), size=3)
    first = Predictions(("a", "b\u2028é", "c"), np.array([0.1, 1 / 3, 1.0]), np.array([np.nan, -1.0, 0.25]), probs)
    first.save(tmp_path / "p.jsonl")
    second = Predictions.load(tmp_path / "p.jsonl")
    assert second.ids == first.ids
    np.testing.assert_array_equal(second.success, first.success)
    np.testing.assert_array_equal(second.progress, first.progress)
    np.testing.assert_array_equal(second.outcome_probs, probs)


def test_predictions_without_outcomes_come_back_without(tmp_path: Path) -> None:
    Predictions(("a",), np.array([0.5]), nan(1)).save(tmp_path / "p.jsonl")
    assert Predictions.load(tmp_path / "p.jsonl").outcome_probs is None


def test_arrays_are_copied_and_read_only() -> None:
    success = np.array([0.2])
    predictions = Predictions(("a",), success, nan(1))
    success[0] = 0.9
    assert predictions.success[0] == 0.2
    with pytest.raises(ValueError, match="read-only"):
        predictions.success[0] = 0.9


def test_float32_softmax_is_accepted() -> None:
    logits = np.random.default_rng(1).normal(size=(50, 5)).astype(np.float32)
    probs = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    ids = tuple(map(str, range(50)))
    assert Predictions(ids, probs[:, 0], nan(50), probs).outcome_probs is not None


@pytest.mark.parametrize(
    ("ids", "success", "progress", "probs", "message"),
    [
        (("a", "b"), [0.5], nan(2), None, r"success must have shape \(2,\)"),
        (("a",), [1.5], nan(1), None, "success of 'a' must be a number from 0 to 1, got 1.5"),
        (("a",), [np.nan], nan(1), None, "success of 'a' must be a number from 0 to 1, got nan"),
        (("a",), [0.5], [-2.0], None, "progress of 'a' must be a number from -1 to 1, got -2"),
        (("a",), [0.5], [np.inf], None, "progress of 'a'"),
        (("a",), [0.5], nan(1), np.ones((1, 4)) / 4, r"outcome_probs must have shape \(1, 5\)"),
        (("a",), [0.5], nan(1), np.full((1, 5), 0.5), "sum to 2.5, not 1: pass probabilities"),
        (("a",), [0.5], nan(1), [[-0.5, 1.5, 0, 0, 0]], "outcome_probs of 'a' must be a number from 0 to 1"),
        (("a", "a"), [0.5, 0.5], nan(2), None, "id 'a' more than once"),
        (("",), [0.5], nan(1), None, "non-empty text"),
        (("a",), ["much"], nan(1), None, "success must be numbers"),
    ],
)
def test_wrong_predictions_are_refused(ids, success, progress, probs, message) -> None:
    with pytest.raises(DataError, match=message):
        Predictions(ids, success, progress, probs)


def test_select_reorders_and_names_what_is_missing() -> None:
    predictions = Predictions(("a", "b", "c"), np.array([0.1, 0.2, 0.3]), nan(3))
    assert predictions.select(["c", "a"]).success.tolist() == [0.3, 0.1]
    with pytest.raises(DataError, match="1 of 2 samples have no prediction, the first is 'd'"):
        predictions.select(["a", "d"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "line 1: not JSON"),
        ("[1]\n", "line 1: expected an object with the keys"),
        ('{"id": "a", "success": 0.5}\n', "line 1: expected an object"),
        ('\n{"id": "a", "success": "0.5", "progress": null, "outcome_probs": null}\n', "line 2: success must be"),
        ('{"id": "a", "success": 0.5, "progress": true, "outcome_probs": null}\n', "progress must be a number or null"),
        ('{"id": "a", "success": 0.5, "progress": null, "outcome_probs": [1]}\n', "outcome_probs must be 5 numbers"),
        ('{"id": "a", "success": NaN, "progress": null, "outcome_probs": null}\n', "success of 'a'"),
        ('{"id": 3, "success": 0.5, "progress": null, "outcome_probs": null}\n', "non-empty text, got 3"),
        (
            '{"id": "a", "success": 0.5, "progress": null, "outcome_probs": [1, 0, 0, 0, 0]}\n'
            '{"id": "b", "success": 0.5, "progress": null, "outcome_probs": null}\n',
            "outcome_probs is null in line 2 but not in others",
        ),
    ],
)
def test_damaged_files_are_refused_by_line(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "p.jsonl").write_text(text)
    with pytest.raises(DataError, match=message):
        Predictions.load(tmp_path / "p.jsonl")


def test_a_missing_file_is_a_data_error(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"cannot read predictions from .*none\.jsonl"):
        Predictions.load(tmp_path / "none.jsonl")


@given(st.integers(0, 200), st.integers(0, 40), st.binary(max_size=20))
def test_a_damaged_file_is_read_or_refused_cleanly(
    tmp_path_factory: pytest.TempPathFactory, start: int, length: int, garbage: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "damaged.jsonl"
    Predictions(("a", "b"), np.array([0.1, 0.2]), nan(2), np.full((2, 5), 0.2)).save(path)
    data = path.read_bytes()
    path.write_bytes(data[:start] + garbage + data[start + length :])
    with contextlib.suppress(DataError):
        assert len(Predictions.load(path)) <= 2


@pytest.mark.parametrize("value", ["1" * 5000, "1e999", "[" * 100_000])
def test_numbers_and_nesting_without_measure_are_refused(tmp_path: Path, value: str) -> None:
    path = tmp_path / "p.jsonl"
    path.write_text(f'{{"id": "a", "success": {value}, "progress": null, "outcome_probs": null}}\n')
    with pytest.raises(DataError, match=r"success of 'a'|not JSON"):
        Predictions.load(path)
