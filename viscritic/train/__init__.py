"""Training in two stages. Needs the extra `train`."""

from viscritic.errors import MissingExtraError

try:
    import hydra
    import lightning
    import torch
except ModuleNotFoundError as error:
    raise MissingExtraError("viscritic.train", "train", error.name or "lightning") from error

del hydra, lightning, torch
