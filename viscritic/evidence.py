"""What was measured of a transition, and where the critic looked."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from viscritic.trajectory import Box


@dataclass(frozen=True, slots=True)
class TextChange:
    """Text read in one region: before, after, and where ((x, y, width, height) in pixels of pre)."""

    before: str
    after: str
    box: Box


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was measured, apart from what was judged.

    Attributes:
        changed: fraction [0, 1] of the whole screen that changed.
        changed_at_target: the same of the window around the action's point; None where it has no point on the screen.
        changed_elsewhere: the same of the rest of the screen.
        identical: the two screens are equal pixel for pixel; after a visible action, a stale capture perhaps.
        off_screen: the action's point lies outside the pre screen.
        resized: pre and post differ in size; post was scaled to pre before they were compared.
        texts: text read where it changed; empty where the bundle has no reader.
    """

    changed: float
    changed_at_target: float | None
    changed_elsewhere: float
    identical: bool
    off_screen: bool = False
    resized: bool = False
    texts: tuple[TextChange, ...] = ()

    @property
    def unchanged(self) -> bool:
        """Nothing that counts as a change: equal screens, noise alone, or what the idle screens did as well."""
        return self.changed == 0 and not self.resized


@dataclass(frozen=True, slots=True, eq=False)
class Attention:
    """Where the critic looked: one weight per token, and the box that each token covers.

    Attributes:
        weights: (h, w) float32, non-negative, sums to 1 over the screen (or to 0 where nothing was attended):
            the tokens' weights spread over a coarse grid of the pre screen.
        boxes: (N, 4) float32 x, y, width, height in pixels of pre.
        box_weights: (N,) float32, sums to 1.
    """

    weights: npt.NDArray[np.float32]
    boxes: npt.NDArray[np.float32]
    box_weights: npt.NDArray[np.float32]
