"""The pretrained text recogniser that the PyPI package rapidocr_onnxruntime 1.4.4 (Apache-2.0) ships.

The graph is PP-OCRv4's mobile recogniser for Chinese and English (https://github.com/PaddlePaddle/PaddleOCR,
Apache-2.0). Of its 6,623 characters the Latin ones are kept: the last layer and its softmax shrink to them.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Final

import numpy as np
import onnx
from onnx import helper, numpy_helper

from viscritic.errors import WeightsError
from viscritic.ocr import ALPHABET_KEY

INSTALL: Final = "pip install --no-deps rapidocr_onnxruntime==1.4.4"
_GRAPH: Final = "ch_PP-OCRv4_rec_infer.onnx"
# Beside the Latin letters: bullet, ellipsis, dashes, quotation marks, euro, tick.
_OTHERS: Final = frozenset({0x2022, 0x2026, 0x2013, 0x2014, 0x201C, 0x201D, 0x2018, 0x2019, 0x20AC, 0x2713})


def load_reader() -> bytes:
    """The recogniser as an ONNX graph for `viscritic.ocr.Recognizer`.

    Raises:
        WeightsError: the package is not installed, or is another release.
    """
    spec = importlib.util.find_spec("rapidocr_onnxruntime")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        path = Path(folder) / "models" / _GRAPH
        if path.is_file():
            return _keep_latin(onnx.load(path)).SerializeToString()
    raise WeightsError(f"the text recogniser is not installed: {INSTALL}")


def _keep_latin(model: onnx.ModelProto) -> onnx.ModelProto:
    metadata = {entry.key: entry.value for entry in model.metadata_props}
    characters = ["", *metadata["character"].split("\n"), " "]  # class 0 is the blank
    kept = [0, *(i for i, c in enumerate(characters) if c and (0x20 <= ord(c[0]) < 0x250 or ord(c[0]) in _OTHERS))]
    found = 0
    for node in [node for node in model.graph.node if node.op_type == "Constant"]:
        values = numpy_helper.to_array(node.attribute[0].t)
        if len(characters) in values.shape:
            values = np.ascontiguousarray(values[..., kept])
            found += 1
        model.graph.node.remove(node)
        model.graph.initializer.append(numpy_helper.from_array(values, node.output[0]))
    if found != 2:  # the weights and the bias of the last layer
        raise WeightsError(f"the text recogniser is of another release: {INSTALL}")
    output = model.graph.output[0]
    output.type.tensor_type.shape.dim[2].dim_value = len(kept)
    del model.graph.value_info[:]
    helper.set_model_props(model, {ALPHABET_KEY: "".join(characters[i] for i in kept[1:])})
    onnx.checker.check_model(model)
    return model
