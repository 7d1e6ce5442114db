"""The colours of attention: one scale for every picture, safe for colour-blind readers.

The scale is a path through OKLCh (Björn Ottosson, "A perceptual color space for image processing", 2020): from dark
blue over magenta and orange to light yellow. Lightness only rises along it, so the order survives every kind of colour
blindness and a grey print; the steps are evened out, so equal differences of weight look equally large.
"""

from __future__ import annotations

from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

Colour = tuple[int, int, int]

STEPS: Final = 256
_LIGHTNESS: Final = (0.34, 0.92)
_HUE: Final = (285.0, 460.0)  # degrees, through 360
_CHROMA: Final = 0.24  # cut down where sRGB has no such colour
# OKLab -> LMS' (cube roots of cone responses) and LMS -> linear sRGB, as published.
_TO_LMS: Final = np.array(
    [
        [1.0, 0.3963377774, 0.2158037573],
        [1.0, -0.1055613458, -0.0638541728],
        [1.0, -0.0894841775, -1.2914855480],
    ]
)
_TO_RGB: Final = np.array(
    [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.7076147010],
    ]
)


@cache
def heat_colours() -> npt.NDArray[np.uint8]:
    """(256, 3) sRGB: the colour of each weight from none to the largest; read-only."""
    path = _path(np.linspace(0, 1, 8 * STEPS))
    length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
    even = np.linspace(0, length[-1], STEPS)
    lab = np.stack([np.interp(even, length, path[:, axis]) for axis in range(3)], axis=1)
    linear = np.clip(_linear_rgb(lab), 0, 1)
    encoded = np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)
    table = np.round(255 * encoded).astype(np.uint8)
    table.flags.writeable = False
    return table


def _path(t: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """(N, 3) OKLab of positions (N,) in [0, 1], with the strongest chroma that sRGB holds."""
    lightness = _LIGHTNESS[0] + (_LIGHTNESS[1] - _LIGHTNESS[0]) * t
    hue = np.radians(_HUE[0] + (_HUE[1] - _HUE[0]) * t)
    direction = np.stack([np.zeros_like(t), np.cos(hue), np.sin(hue)], axis=1)
    grey = np.stack([lightness, np.zeros_like(t), np.zeros_like(t)], axis=1)
    low, high = np.zeros_like(t), np.full_like(t, _CHROMA)
    for _ in range(20):  # bisection to the border of sRGB
        middle = (low + high) / 2
        rgb = _linear_rgb(grey + middle[:, None] * direction)
        inside = ((rgb >= 0) & (rgb <= 1)).all(axis=1)
        low, high = np.where(inside, middle, low), np.where(inside, high, middle)
    strongest: npt.NDArray[np.float64] = grey + low[:, None] * direction
    return strongest


def _linear_rgb(lab: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    lms: npt.NDArray[np.float64] = (lab @ _TO_LMS.T) ** 3
    rgb: npt.NDArray[np.float64] = lms @ _TO_RGB.T
    return rgb
