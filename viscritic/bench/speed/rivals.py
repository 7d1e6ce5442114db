"""What people use instead of a critic, or would have to: on the same screens, in the same run."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from PIL import Image

from viscritic.screen import Screen

SSIM: Final = "scikit-image SSIM, grey"
YARDSTICK: Final = "a matrix product of 1024"  # float32, by numpy: the processor's own speed, whatever its memory does
SIAMESE: Final = "dense ViT-S/14 Siamese"
_DENSE: Final = "vit_small_patch14_dinov2.lvd142m"
_SIDE: Final = 518  # pixels, what that network takes: 37 x 37 tokens

Compare = Callable[[Screen, Screen], object]


def find_rivals(threads: int, dense: bool) -> dict[str, Compare]:
    """The rivals whose packages are installed; each takes pre and post, (H, W, 3) uint8.

    Args:
        dense: with the Siamese network.
    """
    rivals = {
        SSIM: _open_ssim(),
        SIAMESE: _open_siamese(threads) if dense else None,
        YARDSTICK: _open_product(),
    }
    return {name: compare for name, compare in rivals.items() if compare is not None}


def _open_product() -> Compare:
    matrix = np.ones((1024, 1024), np.float32)
    return lambda _, __: matrix @ matrix


def _open_ssim() -> Compare | None:
    try:
        from skimage.metrics import structural_similarity  # noqa: PLC0415  # of the extra `train`
    except ImportError:
        return None
    return lambda pre, post: structural_similarity(_grey(pre), _grey(post))


def _grey(screen: Screen) -> npt.NDArray[np.uint8]:
    return np.asarray(Image.fromarray(screen).convert("L"))


def _open_siamese(threads: int) -> Compare | None:
    """Both screens whole through a ViT-S/14; its weights are random, since they cost nothing."""
    try:
        import timm  # noqa: PLC0415  # of the extra `train`
        import torch  # noqa: PLC0415
    except ImportError:
        return None
    torch.set_num_threads(threads)
    model: Any = timm.create_model(_DENSE, pretrained=False).eval()

    def compare(pre: Screen, post: Screen) -> object:
        small = [
            np.asarray(Image.fromarray(screen).resize((_SIDE, _SIDE), Image.Resampling.BILINEAR))
            for screen in (pre, post)
        ]
        pixels = torch.from_numpy(np.stack(small).transpose(0, 3, 1, 2).astype(np.float32) / 255)
        with torch.inference_mode():
            features = model.forward_features(pixels)
        return features[1] - features[0]

    return compare
