"""The critic as agents call it."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Self

import numpy as np

from viscritic.actions import Action, may_be_invisible
from viscritic.errors import ActionError, ConfigError
from viscritic.preprocess import Arrays, prepare
from viscritic.runtime.attention import spread_attention
from viscritic.runtime.bundle import Bundle, BundleConfig, find_bundle
from viscritic.runtime.graphs import Answer, Graphs
from viscritic.runtime.note import write_note
from viscritic.screen import ScreenSource, load_screen
from viscritic.trajectory import Outcome
from viscritic.verdict import Decision, Verdict, judge


@dataclass(frozen=True, slots=True)
class Transition:
    """What `Critic.score` takes, as one object for `Critic.score_many`.

    Attributes:
        pre, post: the screens before and after: path, bytes, data-URL, PIL image or uint8 array.
        action: an Action, several of them in order, or any form that `Action.parse_batch` reads.
        instruction: the step's intent in words; "" where there is none.
        task: the whole goal in words.
        burst: screens between the action and post, oldest first.
        idle: screens before the action, while nothing was done; what changed among them is not the action's doing.
    """

    pre: ScreenSource
    post: ScreenSource
    action: Any
    instruction: str = ""
    task: str = ""
    burst: Sequence[ScreenSource] = ()
    idle: Sequence[ScreenSource] = ()


class Critic:
    """Judges whether a GUI action worked. Threads may share one.

    `Critic.load()` makes one; it keeps the features of the latest screens, so that the next step's pre costs little.
    """

    def __init__(self, bundle: Bundle, graphs: Graphs, threshold: float | None) -> None:
        self._config: BundleConfig = bundle.config
        self._graphs = graphs
        decision = bundle.config.decision
        if threshold is not None:
            if not 0 <= threshold <= 1:
                raise ConfigError(f"threshold must be between 0 and 1, got {threshold}")
            low, high = decision.unsure
            decision = replace(decision, threshold=threshold, unsure=(min(low, threshold), max(high, threshold)))
        self._decision = decision

    @classmethod
    def load(
        cls,
        source: str | os.PathLike[str] | None = None,
        *,
        threshold: float | None = None,
        providers: Sequence[str] = (),
        threads: int | None = None,
        cache: int = 32,
    ) -> Self:
        """Open a bundle.

        Args:
            source: a bundle's folder, a zip of one, or a hub id ("owner/name"); None is the shipped bundle.
            threshold: success counts as reached from here on; None takes the bundle's.
            providers: of onnxruntime ("CUDAExecutionProvider", ...); none is the CPU.
            threads: for the computation; None takes every core.
            cache: keep the features of so many latest views of screens (four to a step); 0 keeps none.

        Raises:
            BundleError: no bundle there, or one that is damaged or too new.
            ConfigError: a provider that is not installed or does not start, or a number out of range.
        """
        bundle = Bundle(find_bundle(source))
        return cls(bundle, Graphs(bundle, providers, threads, cache), threshold)

    @property
    def config(self) -> BundleConfig:
        """The bundle's settings."""
        return self._config

    @property
    def decision(self) -> Decision:
        """Threshold and unsure band in force: the bundle's, or what the caller made of them."""
        return self._decision

    def score(
        self,
        pre: ScreenSource,
        post: ScreenSource,
        action: Any,
        instruction: str = "",
        task: str = "",
        burst: Sequence[ScreenSource] = (),
        idle: Sequence[ScreenSource] = (),
    ) -> Verdict:
        """Judge one transition; the arguments are those of `Transition`.

        Screens of differing size are compared after post was scaled to pre's size. Where post shows no change but a
        screen of the burst does (a message that came and went), that screen is judged.

        Raises:
            ScreenError: a screen that cannot be read.
            ActionError: an action that cannot be understood.
            TextError: instruction or task is not text.
        """
        return self._judge(self._prepare(Transition(pre, post, action, instruction, task, burst, idle)))

    def score_many(self, transitions: Iterable[Transition]) -> list[Verdict]:
        """Judge several transitions; the next one's screens are read while one is judged. The answers are `score`'s."""
        return list(self._stream(iter(transitions)))

    def _stream(self, transitions: Iterator[Transition]) -> Iterator[Verdict]:
        with ThreadPoolExecutor(1, thread_name_prefix="viscritic-read") as pool:
            ahead = [pool.submit(self._prepare, t) for t in islice(transitions, 1)]
            while ahead:
                prepared = ahead.pop().result()
                ahead = [pool.submit(self._prepare, t) for t in islice(transitions, 1)]
                yield self._judge(prepared)

    def _prepare(self, transition: Transition) -> _Prepared:
        start = time.perf_counter()
        pre, post = load_screen(transition.pre, name="pre"), load_screen(transition.post, name="post")
        burst = [load_screen(s, name=f"burst[{i}]") for i, s in enumerate(transition.burst)]
        idle = [load_screen(s, name=f"idle[{i}]") for i, s in enumerate(transition.idle)]
        actions = Action.parse_batch(transition.action, size=(pre.shape[1], pre.shape[0]))
        if not actions:
            raise ActionError("there is no action between the screens; use kind 'wait' for none", field="action")
        arrays = prepare(
            pre, post, actions, transition.instruction, transition.task, self._config.preprocess, burst, idle,
            self._graphs.recognizer,
        )  # fmt: skip
        return _Prepared(arrays, actions, bool(burst), 1000 * (time.perf_counter() - start))

    def _judge(self, prepared: _Prepared) -> Verdict:
        start = time.perf_counter()
        arrays = prepared.arrays
        answer = self._graphs.run(arrays)
        state, outcome, probabilities, ok = judge(
            _sigmoid(answer.success / self._config.temperature),
            self._failures(answer),
            self._decision,
            arrays.evidence,
            visible=not may_be_invisible(prepared.actions, arrays.texts.instruction),
            settled=prepared.settled,
        )
        boxes = np.concatenate([arrays.detail.boxes, arrays.thumbnail.boxes])
        return Verdict(
            success=probabilities["success"],
            progress=answer.progress,
            outcome=outcome,
            outcome_probs=probabilities,
            state=state,
            ok=ok,
            evidence=arrays.evidence,
            attention=spread_attention(boxes, answer.attention, arrays.size),
            note=write_note(state, outcome, probabilities, arrays.evidence, arrays.texts.action),
            elapsed_ms=prepared.elapsed_ms + 1000 * (time.perf_counter() - start),
            model=self._config.name,
        )

    def _failures(self, answer: Answer) -> dict[Outcome, float]:
        """Probability of each failure that the training data had, given that the action failed."""
        names = [name for name in self._config.trained_outcomes if name != "success"]
        logits = np.array([answer.outcome[self._config.classes.index(name)] for name in names])
        weights = np.exp(logits - logits.max())
        return dict(zip(names, (weights / weights.sum()).tolist(), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class _Prepared:
    """A transition that has been read."""

    arrays: Arrays
    actions: tuple[Action, ...]
    settled: bool
    elapsed_ms: float


def _sigmoid(logit: float) -> float:
    return 1 / (1 + math.exp(-logit)) if logit >= 0 else math.exp(logit) / (1 + math.exp(logit))
