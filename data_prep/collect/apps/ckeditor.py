"""CKEditor 4 in pages of our own: mail, blog, wiki, ticket. npm package `ckeditor4`, its last free version."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from data_prep.collect.apps.editor import Editor


class CkEditor(Editor):
    """The editor; a seed chooses its skin, its tools and the page around it."""

    name = "ckeditor"
    family = "ckeditor"
    folder = "npm/node_modules/ckeditor4"
    page = "ckeditor"


CKEDITOR: Final[dict[str, Callable[[], CkEditor]]] = {"ckeditor": CkEditor}
