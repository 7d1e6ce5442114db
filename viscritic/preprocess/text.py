"""The texts of a transition and their word pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from viscritic.actions import Action, Size, describe_batch
from viscritic.errors import TextError

TEXT_PARTS: Final = ("action", "instruction", "task", "target", "before", "after")
_MAX_CHARACTERS: Final = 4000  # far beyond any token budget; bounds the tokenizer's work on hostile input


@dataclass(frozen=True, slots=True)
class Texts:
    """The words of a transition; "" where there are none.

    Attributes:
        action, instruction, task: what was done, the step's intent, the whole goal.
        target, before, after: what was read at the action's point, and where the screen changed.
    """

    action: str
    instruction: str
    task: str
    target: str = ""
    before: str = ""
    after: str = ""

    def parts(self) -> tuple[str, ...]:
        """In the order of `TEXT_PARTS`."""
        return self.action, self.instruction, self.task, self.target, self.before, self.after


def render_texts(actions: Sequence[Action], instruction: str, task: str, size: Size) -> Texts:
    """The texts as the encoder reads them.

    Any language and any length is accepted; the tokenizer cuts what exceeds its budget, at the end.

    Raises:
        TextError: instruction or task is not a str.
    """
    return Texts(describe_batch(actions, size), _clean(instruction, "instruction"), _clean(task, "task"))


def _clean(text: Any, name: str) -> str:
    if not isinstance(text, str):
        raise TextError(f"{name} must be text (str), got {type(text).__name__}")
    return " ".join(text[:_MAX_CHARACTERS].encode("utf-8", "replace").decode().split())


def tokenize(tokenizer: Any, text: str, limit: int) -> npt.NDArray[np.int64]:
    """Word piece ids (T,) of one text with the tokenizer's own special tokens, T <= limit; (0,) for "".

    Args:
        tokenizer: a `tokenizers.Tokenizer`, with neither padding nor truncation switched on.
    """
    if not text:
        return np.zeros(0, np.int64)
    ids = tokenizer.encode(text).ids
    return np.array(ids if len(ids) <= limit else [*ids[: limit - 1], ids[-1]], np.int64)
