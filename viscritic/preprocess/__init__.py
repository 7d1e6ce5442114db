"""From pixels and words to arrays: the one preprocessing of training and runtime."""

from viscritic.preprocess.config import PreprocessConfig
from viscritic.preprocess.text import TEXT_PARTS, Texts, render_texts, tokenize
from viscritic.preprocess.transition import GEOMETRY_SIZE, Arrays, View, facts_size, prepare

__all__ = [
    "GEOMETRY_SIZE",
    "TEXT_PARTS",
    "Arrays",
    "PreprocessConfig",
    "Texts",
    "View",
    "facts_size",
    "prepare",
    "render_texts",
    "tokenize",
]
