"""How pixels become arrays: the settings that training and runtime share, stored in every checkpoint and bundle."""

from __future__ import annotations

from dataclasses import dataclass

from viscritic.errors import ConfigError


@dataclass(frozen=True, slots=True)
class PreprocessConfig:
    """Settings of token selection and of the texts.

    Attributes:
        patch: side of a token's patch in pixels, the backbone's patch size.
        changed_tokens: at most so many tokens cover what changed; 0 switches them off (dense mode).
        window: (columns, rows) of native-resolution tokens around the action's point; (0, 0) switches it off.
        thumbnail_tokens: at most so many tokens cover the whole screen, shrunk (256 and no others: the paper's
            dense mode, 224 x 224 for a square screen).
        tolerance: a patch has changed if some channel of some pixel differs by more than this (0..255) ...
        mean_tolerance: ... or if it differs by more than this on average, which compression noise does not reach.
        text_tokens: at most so many word pieces of each text.
        reader: read the lines around the action's point and those that changed.
    """

    patch: int = 14
    changed_tokens: int = 112
    window: tuple[int, int] = (7, 5)
    thumbnail_tokens: int = 48
    tolerance: int = 24
    mean_tolerance: float = 3.0
    text_tokens: int = 40
    reader: bool = False

    def __post_init__(self) -> None:
        bounds = {
            "patch": (4, 64),
            "changed_tokens": (0, 4096),
            "thumbnail_tokens": (1, 4096),
            "tolerance": (0, 254),
            "mean_tolerance": (0, 255),
            "text_tokens": (4, 512),
        }
        for name, (low, high) in bounds.items():
            value = getattr(self, name)
            if not low <= value <= high:
                raise ConfigError(f"preprocess.{name} must be between {low} and {high}, got {value!r}")
        if any(not 0 <= side <= 31 for side in self.window):
            raise ConfigError(f"preprocess.window must be two numbers from 0 to 31, got {list(self.window)}")
