"""The baselines: scorers that see what the critic sees and go through the same gate, and gating before the act."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np

from viscritic.agent.environment import changed_share
from viscritic.bench.agents import Proposal
from viscritic.errors import MissingExtraError
from viscritic.ocr import Recognizer
from viscritic.preprocess.names import find_names, find_typed
from viscritic.preprocess.reading import is_named, read_transition
from viscritic.screen import Screen, load_screen
from viscritic.trajectory import Outcome
from viscritic.verdict import State

_PATCH: Final = 14  # pixels; nothing changed, so that its size tells nothing


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


class Judge(Protocol):
    """What knows the truth of its last step."""

    def judge(self) -> Plain:
        """The truth of the last step."""


class TrueOutcome:
    """The upper bound: a scorer that asks what is played itself."""

    def __init__(self, played: Judge) -> None:
        self._played = played

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
        """The truth of the step."""
        return self._played.judge()


class Foresight:
    """Gating before the act, the paper's ablation: only the screen before is seen, and no effect can be.

    A step is doubted where the critic reads another name at its place than the one that the instruction quotes.
    """

    def __init__(self, reader: Recognizer) -> None:
        self._reader = reader

    def doubts(self, screen: Screen, proposal: Proposal) -> bool:
        """Whether it should not be sent."""
        point = proposal.actions[0].point
        names = find_names(proposal.instruction, find_typed(proposal.actions))
        if point is None or not names:
            return False
        unchanged = np.zeros((-(-screen.shape[0] // _PATCH), -(-screen.shape[1] // _PATCH)), np.bool_)
        read = read_transition(screen, screen, unchanged, point, _PATCH, names, False, self._reader).target.values()
        return bool(read) and not any(is_named(line, names, point) for line in read)
