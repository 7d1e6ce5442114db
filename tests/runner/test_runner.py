"""How graphs are opened and run, and what is kept of their answers."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper

from viscritic.errors import BundleError, ConfigError
from viscritic.latest import Latest, fingerprint
from viscritic.runner import Runner


def negation() -> bytes:
    x, y = (helper.make_tensor_value_info(name, TensorProto.FLOAT, [None]) for name in "xy")
    graph = helper.make_graph([helper.make_node("Neg", ["x"], ["y"])], "negation", [x], [y])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    data: bytes = onnx.ModelProto.SerializeToString(model)
    return data


def test_a_graph_is_opened_and_run() -> None:
    session = Runner(threads=1).open(negation(), "negation")
    assert session.run(None, {"x": np.array([1, -2], np.float32)})[0].tolist() == [-1, 2]


def test_a_provider_that_is_not_installed_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"no NoSuchProvider here; available: .*CPUExecutionProvider"):
        Runner(["NoSuchProvider"])


def test_a_provider_that_does_not_start_is_not_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    open_session = onnxruntime.InferenceSession
    monkeypatch.setattr(onnxruntime, "get_available_providers", lambda: ["CUDAExecutionProvider"])

    def open_on_cpu(graph: bytes, options: object, providers: list[str]) -> object:  # as onnxruntime does
        return open_session(graph, options, providers=["CPUExecutionProvider"])

    monkeypatch.setattr(onnxruntime, "InferenceSession", open_on_cpu)
    with pytest.raises(ConfigError, match="CUDAExecutionProvider, but it does not start"):
        Runner(["CUDAExecutionProvider"]).open(negation(), "negation")


def test_threads_below_one_are_refused() -> None:
    with pytest.raises(ConfigError, match="threads must be 1 or more, got 0"):
        Runner(threads=0)


def test_what_is_no_graph_is_refused() -> None:
    with pytest.raises(BundleError, match="the thing cannot be run"):
        Runner(threads=1).open(b"no graph", "the thing")


@pytest.mark.parametrize("threads", [1, 2, 5, None])
def test_answers_keep_the_order_of_the_jobs(threads: int | None) -> None:
    jobs: list[Callable[[], int]] = [lambda n=n: n * n for n in range(20)]  # type: ignore[misc]
    assert Runner(threads=threads).map(jobs) == [n * n for n in range(20)]


def test_two_jobs_run_side_by_side() -> None:
    both = threading.Barrier(2, timeout=30)  # each waits for the other: one after the other would never end
    assert sorted(Runner(threads=2).map([both.wait, both.wait])) == [0, 1]


def test_the_error_of_a_job_comes_out() -> None:
    with pytest.raises(ZeroDivisionError):
        Runner(threads=2).map([lambda: 1 // 0, lambda: 1])


def test_the_oldest_result_goes_first() -> None:
    latest = Latest[int](2)
    for key, value in ((b"a", 1), (b"b", 2)):
        latest.put(key, value)
    assert latest.get(b"a") == 1  # now b is the older one
    latest.put(b"c", 3)
    assert [latest.get(key) for key in (b"a", b"b", b"c")] == [1, None, 3]


def test_shape_and_bytes_make_the_fingerprint() -> None:
    a = np.arange(6, dtype=np.uint8)
    assert fingerprint(a) == fingerprint(a.copy())
    assert fingerprint(a) != fingerprint(a.reshape(2, 3))
    assert fingerprint(a) != fingerprint(a[::-1])
    assert fingerprint(a[::2]) == fingerprint(np.array([0, 2, 4], np.uint8))
