"""Which screens of a trajectory are the same: they get the same number."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt
from PIL import Image

from viscritic.preprocess import PreprocessConfig
from viscritic.preprocess.change import change_amounts
from viscritic.screen import Screen, load_screen, screen_digest

_COARSE: Final = (48, 32)  # cells across and down of the picture that rules most screens out
_COARSE_DIFFERENCE: Final = 8  # of 255, in a cell; what the critic takes for noise never makes more
_MOST_COMPARED: Final = 8  # screens that look alike from afar and are compared patch by patch, latest first


@dataclass(slots=True)
class Places:
    """Numbers screens in the order in which they are first seen.

    Two screens are the same place where the critic's preprocessing sees no change between them: noise and compression
    do not count, a digit does. Only the sources of screens are kept, not their pixels.

    Args:
        config: the preprocessing whose measure of change is used.
    """

    config: PreprocessConfig
    _by_digest: dict[str, int] = field(default_factory=dict)
    _seen: list[tuple[int, tuple[int, ...], npt.NDArray[np.int16], object]] = field(default_factory=list)

    def number(self, screen: Screen, source: object) -> int:
        """The number of a screen's place.

        Args:
            screen: (H, W, 3) uint8.
            source: what `load_screen` made it from; it is read again where a later screen looks like it.
        """
        digest = screen_digest(screen)
        if digest not in self._by_digest:
            self._by_digest[digest] = self._find(screen, source)
        return self._by_digest[digest]

    def _find(self, screen: Screen, source: object) -> int:
        coarse = np.asarray(Image.fromarray(screen).convert("L").resize(_COARSE, Image.Resampling.BOX), np.int16)
        alike = [
            (number, other)
            for number, shape, cells, other in reversed(self._seen)
            if shape == screen.shape and np.abs(cells - coarse).max() <= _COARSE_DIFFERENCE
        ]
        for number, other in alike[:_MOST_COMPARED]:
            if not change_amounts(load_screen(other), screen, self.config).any():  # type: ignore[arg-type]
                return number
        number = len(self._seen)
        self._seen.append((number, screen.shape, coarse, source))
        return number
