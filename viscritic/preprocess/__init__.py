"""From pixels and words to arrays: the one preprocessing of training and runtime."""

from viscritic.preprocess.config import PreprocessConfig
from viscritic.preprocess.facts import FACTS_SIZE
from viscritic.preprocess.text import TEXT_PARTS, Texts, render_texts, tokenize
from viscritic.preprocess.transition import GEOMETRY_SIZE, Arrays, View, prepare

__all__ = [
    "FACTS_SIZE",
    "GEOMETRY_SIZE",
    "TEXT_PARTS",
    "Arrays",
    "PreprocessConfig",
    "Texts",
    "View",
    "prepare",
    "render_texts",
    "tokenize",
]
