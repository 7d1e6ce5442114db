"""From a checkpoint to the bundle that the runtime loads. Needs the extra `train`."""

from viscritic.errors import MissingExtraError

try:
    import onnx
    import onnxscript
    import torch
except ModuleNotFoundError as error:
    raise MissingExtraError("viscritic.export", "train", error.name or "onnx") from error

del onnx, onnxscript, torch
