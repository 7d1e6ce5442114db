"""Encoder, text encoder and head as ONNX graphs; apart, so that a screen's features serve again as the next pre."""

from __future__ import annotations

import io
import warnings
from collections.abc import Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, Final

import onnx
import torch
from torch import Tensor, nn

from viscritic.model.critic import CriticModel
from viscritic.model.head import CriticHead
from viscritic.preprocess import GEOMETRY_SIZE, TEXT_PARTS, facts_size

OPSET: Final = 20
_BATCH, _PLACES, _PIECES = (torch.export.Dim(name) for name in ("batch", "places", "pieces"))


class _HeadGraph(nn.Module):
    """The head without what only stage 1 reads."""

    def __init__(self, head: CriticHead) -> None:
        super().__init__()
        self.head = head

    def forward(self, *inputs: Tensor) -> tuple[Tensor, ...]:
        return tuple(self.head(*inputs)[:4])


def export_graphs(model: CriticModel, folder: Path) -> None:
    """Write encoder.onnx, text.onnx and head.onnx in float32; every axis but the widths is dynamic."""
    model = model.eval().float()
    batch, places, pieces = 2, 6, 5
    patch = 3 * model.encoder.patch**2
    mask, words = torch.ones(batch, places, dtype=torch.bool), torch.ones(batch, pieces, dtype=torch.bool)
    features = torch.randn(batch, places, model.encoder.width)
    part = torch.arange(pieces).remainder(len(TEXT_PARTS)).expand(batch, -1).contiguous()
    _export(
        model.encoder, folder / "encoder.onnx", ("features",), _PLACES,
        patches=torch.randint(0, 256, (batch, places, patch), dtype=torch.uint8),
        place=torch.rand(batch, places, 3), mask=mask,
    )  # fmt: skip
    _export(
        model.text, folder / "text.onnx", ("features",), _PIECES,
        ids=torch.ones(batch, pieces, dtype=torch.int64), mask=words,
    )  # fmt: skip
    _export(
        _HeadGraph(model.head), folder / "head.onnx", ("success", "progress", "outcome", "attention"), _PLACES,
        pre=features, post=torch.randn_like(features), mask=mask, geometry=torch.randn(batch, places, GEOMETRY_SIZE),
        text=torch.randn(batch, pieces, model.text.width), text_mask=words, text_part=part,
        facts=torch.randn(batch, facts_size(model.config.preprocess)),
    )  # fmt: skip


def tag_graph(path: Path, values: Mapping[str, str]) -> None:
    """Write `values` into the graph's metadata_props, beside what is there."""
    model = onnx.load(path)
    kept = {entry.key: entry.value for entry in model.metadata_props}
    onnx.helper.set_model_props(model, kept | dict(values))
    onnx.save(model, path)


def _export(module: nn.Module, path: Path, outputs: tuple[str, ...], second: Any, **inputs: Tensor) -> None:
    """Trace `module` with named inputs, batch and second axis dynamic, weights inside the file."""
    axes = {name: {0: _BATCH, 1: _second_axis(name, second)} for name in inputs if name != "facts"}
    axes |= {name: {0: _BATCH} for name in inputs if name == "facts"}
    dynamic: Any = (tuple(axes[name] for name in inputs),) if isinstance(module, _HeadGraph) else axes
    with warnings.catch_warnings(), redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")  # the exporter warns of its own internals
        program = torch.onnx.export(
            module, tuple(inputs.values()), dynamo=True, opset_version=OPSET, dynamic_shapes=dynamic,
            input_names=list(inputs), output_names=list(outputs), verbose=False,
        )  # fmt: skip
    assert program is not None
    program.save(path, external_data=False)
    _forget_source(path)


def _forget_source(path: Path) -> None:
    """Take out what the exporter notes of each node: lines of source, and where they lay on the machine."""
    model = onnx.load(path)
    nodes = [model.graph, *model.graph.node, *model.graph.value_info, *model.graph.initializer]
    nodes += [part for function in model.functions for part in (function, *function.node, *function.value_info)]
    for node in nodes:
        node.ClearField("metadata_props")
        node.ClearField("doc_string")
    onnx.save(model, path)


def _second_axis(name: str, default: Any) -> Any:
    return _PIECES if name.startswith("text") else default
