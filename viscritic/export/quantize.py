"""Graphs made small: int8 where it does little harm, float16 in the file where it would do some."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from viscritic.runtime.bundle import GRAPHS, READER

_LARGE: Final = 4096  # entries of a tensor from which on its size in the file matters
_TABLE: Final = 1 << 20  # entries from which on a gathered tensor is the table of word pieces


def quantize_graphs(folder: Path) -> None:
    """Turn the float32 graphs in `folder` into their int8 variant, in place.

    - The encoder, where the time goes, multiplies in int8: weights per channel, activations quantised when they come.
      Weights keep 7 bits, so that processors without VNNI, whose 8-bit products saturate, give the same answers.
    - The text encoder has outliers in its activations, which quantising whole tensors ruins: its
      weights and activations are quantised in blocks of 32, its table of word pieces row by row.
    - The head and the text recogniser keep float32 arithmetic; their weights are stored as float16.
    """
    logging.disable(logging.WARNING)  # onnxruntime tells of every node, and advises what the exporter has done already
    try:
        _quantize_encoder(folder / "encoder.onnx")
        _quantize_text(folder / "text.onnx")
    finally:
        logging.disable(logging.NOTSET)
    for name in (*GRAPHS, READER):
        if not (folder / name).is_file():
            continue
        model = onnx.load(folder / name)
        _store_half(model)
        onnx.save(model, folder / name)


def _quantize_encoder(path: Path) -> None:
    whole = path.with_suffix(".fp32.onnx")
    path.rename(whole)
    quantize_dynamic(
        whole, path, op_types_to_quantize=["MatMul", "Gemm"], per_channel=True, reduce_range=True,
        weight_type=QuantType.QInt8,
    )  # fmt: skip
    whole.unlink()


def _quantize_text(path: Path) -> None:
    quantizer = _import_block_quantizer()(onnx.load(path), bits=8, block_size=32, is_symmetric=True, accuracy_level=4)
    quantizer.process()
    model = quantizer.model.model
    _quantize_table(model)
    onnx.save(model, path)


def _import_block_quantizer() -> Any:
    """The class; importing its module turns on everybody's INFO messages, which is undone."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    from onnxruntime.quantization.matmul_nbits_quantizer import MatMulNBitsQuantizer  # noqa: PLC0415

    root.handlers[:] = handlers
    root.setLevel(level)
    return MatMulNBitsQuantizer


def _quantize_table(model: onnx.ModelProto) -> None:
    """Replace Gather(table, ids) by Gather(int8 rows, ids) * Gather(scales, ids)."""
    graph = model.graph
    weights = {t.name: t for t in graph.initializer}
    for index, node in enumerate(graph.node):
        if node.op_type != "Gather" or node.input[0] not in weights:
            continue
        table = numpy_helper.to_array(weights[node.input[0]])
        if table.size < _TABLE:
            continue
        scale = np.abs(table).max(axis=1, keepdims=True) / 127
        rows = np.round(table / np.maximum(scale, 1e-12)).astype(np.int8)
        name, (ids, out) = node.input[0], (node.input[1], node.output[0])
        graph.initializer.remove(weights[name])
        graph.initializer.extend(
            [numpy_helper.from_array(rows, f"{name}.rows"), numpy_helper.from_array(scale, f"{name}.scale")]
        )
        graph.node.remove(node)
        replacement = [
            helper.make_node("Gather", [f"{name}.rows", ids], [f"{out}.rows"]),
            helper.make_node("Cast", [f"{out}.rows"], [f"{out}.float"], to=TensorProto.FLOAT),
            helper.make_node("Gather", [f"{name}.scale", ids], [f"{out}.scale"]),
            helper.make_node("Mul", [f"{out}.float", f"{out}.scale"], [out]),
        ]
        for offset, new in enumerate(replacement):
            graph.node.insert(index + offset, new)
        return


def _store_half(model: onnx.ModelProto) -> None:
    """Store large float32 tensors as float16; the runtime casts them back once, when it loads the graph."""
    graph = model.graph
    for tensor in [t for t in graph.initializer if t.data_type == TensorProto.FLOAT and np.prod(t.dims) >= _LARGE]:
        half = numpy_helper.to_array(tensor).astype(np.float16)
        graph.initializer.remove(tensor)
        graph.initializer.append(numpy_helper.from_array(half, f"{tensor.name}.half"))
        cast = helper.make_node("Cast", [f"{tensor.name}.half"], [tensor.name], to=TensorProto.FLOAT)
        graph.node.insert(0, cast)
