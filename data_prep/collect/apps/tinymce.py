"""TinyMCE in pages of our own: mail, blog, wiki, ticket. npm package `tinymce`, version 8."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from data_prep.collect.apps.editor import Editor


class TinyMce(Editor):
    """The editor; a seed chooses its skin, its tools and the page around it."""

    name = "tinymce"
    family = "tinymce"
    folder = "npm/node_modules/tinymce"
    page = "tinymce"


TINYMCE: Final[dict[str, Callable[[], TinyMce]]] = {"tinymce": TinyMce}
