"""The critic in torch: backbone, difference encoder, text encoder, head. Needs the extra `train`."""

from viscritic.errors import MissingExtraError

try:
    import timm
    import torch
    import transformers
except ModuleNotFoundError as error:
    raise MissingExtraError("viscritic.model", "train", error.name or "torch") from error

del timm, torch, transformers
