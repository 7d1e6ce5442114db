"""The baselines as scorers: each sees the same screens as the critic, and goes through the same gate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from viscritic.agent.environment import changed_share
from viscritic.errors import MissingExtraError
from viscritic.screen import load_screen
from viscritic.trajectory import Outcome
from viscritic.verdict import State


@dataclass(frozen=True, slots=True)
class Plain:
    """A judgement without a model."""

    state: State
    outcome: Outcome = "success"
    note: str = ""

    @property
    def success(self) -> float:
        """1 where confirmed, 0 where failed."""
        return {"confirmed": 1.0, "failed": 0.0}.get(self.state, 0.5)


class PixelScorer:
    """A step worked if any pixel changed."""

    def score(
        self,
        pre: Any,
        post: Any,
        action: Any,
        instruction: str = "",
        task: str = "",
        burst: Sequence[Any] = (),
        idle: Sequence[Any] = (),
    ) -> Plain:
        """Compare."""
        if self.differ(load_screen(pre), load_screen(post)):
            return Plain("confirmed")
        return Plain("failed" if burst else "pending", "no_op")

    def differ(self, a: Any, b: Any) -> bool:
        """Whether two screens count as different."""
        return changed_share(a, b) > 0


class SsimScorer(PixelScorer):
    """A step worked if the structural similarity of the grey screens fell.

    Args:
        least: so much below 1.

    Raises:
        MissingExtraError: scikit-image is not installed.
    """

    def __init__(self, least: float) -> None:
        try:
            from skimage.metrics import structural_similarity  # noqa: PLC0415 - an extra
        except ImportError as error:
            raise MissingExtraError("SSIM", "data", "skimage") from error
        self._least, self._similarity = least, structural_similarity

    def differ(self, a: Any, b: Any) -> bool:
        """Whether they are less alike than the threshold."""
        if a.shape != b.shape:
            return True
        grey_a, grey_b = (np.asarray(s, np.float32).mean(axis=2) for s in (a, b))
        return bool(1 - self._similarity(grey_a, grey_b, data_range=255) > self._least)
