"""The bundle's three graphs as functions of arrays, run by onnxruntime."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import onnxruntime

from viscritic.errors import BundleError, MissingExtraError
from viscritic.latest import Job, Latest, fingerprint
from viscritic.ocr import Recognizer
from viscritic.preprocess import GEOMETRY_SIZE, TEXT_PARTS, Arrays, View, facts_size, tokenize
from viscritic.runner import Runner
from viscritic.runtime.bundle import GRAPHS, HASH_KEY, READER, Bundle
from viscritic.runtime.wordpiece import WordPiece, is_wordpiece

Floats = npt.NDArray[np.float32]
_LINES: Final = 4  # of text that are kept for each view of a screen


class Answer(NamedTuple):
    """What the head says of one transition."""

    success: float  # logit
    progress: float  # [-1, 1]
    outcome: Floats  # (5,) logits
    attention: Floats  # (N + K,) weights, sum to 1


class Encoded(NamedTuple):
    """Features of one transition.

    Attributes:
        pre, post: (N, d) float32 of the places, those of the thumbnail last.
        words: (T, d) float32 of each text.
    """

    pre: Floats
    post: Floats
    words: list[Floats]


class Graphs:
    """Encoder, text encoder and head of a bundle.

    Every sequence is encoded by itself: with int8 graphs the rounding depends on all that a call contains, and an
    answer shall not depend on its neighbours in a batch.

    Args:
        providers, threads: as `Runner` takes them.
        cache: keep so many results of each encoder.
    """

    def __init__(self, bundle: Bundle, providers: Sequence[str], threads: int | None, cache: int) -> None:
        self._features, self._words = Latest[Floats](cache), Latest[Floats](cache)
        self._limit = bundle.config.preprocess.text_tokens
        self._runner = Runner(providers, threads)
        self._encoder, self._text, self._head = (_open_graph(bundle, name, self._runner) for name in GRAPHS)
        widths = {i.name: i.shape[-1] for session in (self._encoder, self._head) for i in session.get_inputs()}
        wanted = {
            "patches": 3 * bundle.config.preprocess.patch**2,
            "geometry": GEOMETRY_SIZE,
            "facts": facts_size(bundle.config.preprocess),
        }
        if any(widths.get(name) != width for name, width in wanted.items()):
            raise BundleError(
                f"the bundle {bundle.source} was exported by another release, whose inputs differ: "
                f"use the bundle of this one, or export it again"
            )
        reads = bundle.config.preprocess.reader
        self.recognizer = Recognizer(bundle[READER], self._runner, _LINES * cache) if reads else None
        self._tokenizer = _open_tokenizer(bundle)

    def run(self, arrays: Arrays) -> Answer:
        """Judge one transition."""
        return self.judge(arrays, self.encode(arrays))

    def encode(self, arrays: Arrays) -> Encoded:
        """Features of both screens' places and of the texts. What is known, or asked twice, is not computed again."""
        views = (arrays.detail, arrays.thumbnail)
        jobs = [self._plan_view(patches, view) for view in views for patches in (view.pre, view.post)]
        jobs += [self._plan_text(text) for text in arrays.texts.parts()]
        pre, post, pre_thumbnail, post_thumbnail, *words = self._runner.answer(jobs)
        return Encoded(np.concatenate([pre, pre_thumbnail]), np.concatenate([post, post_thumbnail]), words)

    def judge(self, arrays: Arrays, encoded: Encoded) -> Answer:
        """The head's answer.

        Raises:
            BundleError: it is not finite.
        """
        part = np.repeat(np.arange(len(TEXT_PARTS)), [len(words) for words in encoded.words])
        geometry = np.concatenate([arrays.detail.geometry, arrays.thumbnail.geometry])
        success, progress, outcome, attention = self._head.run(
            ("success", "progress", "outcome", "attention"),
            {
                "pre": encoded.pre[None],
                "post": encoded.post[None],
                "mask": np.ones((1, len(encoded.pre)), np.bool_),
                "geometry": geometry[None],
                "text": np.concatenate(encoded.words)[None],
                "text_mask": np.ones((1, len(part)), np.bool_),
                "text_part": part[None],
                "facts": arrays.facts[None],
            },
        )
        answer = Answer(float(success[0]), float(progress[0]), outcome[0], attention[0])
        if not all(np.isfinite(value).all() for value in answer):
            raise BundleError("the bundle's graphs give no finite answer: its weights are damaged")
        return answer

    def _plan_view(self, patches: npt.NDArray[np.uint8], view: View) -> Job[Floats]:
        """(N, d) features of one screen's places."""

        def compute() -> Floats:
            if not len(patches):
                return np.zeros((0, self._width), np.float32)
            mask = np.ones((1, len(patches)), np.bool_)
            inputs = {"patches": patches[None], "place": view.place[None], "mask": mask}
            features: Floats = self._encoder.run(("features",), inputs)[0][0]
            return features

        return Job(fingerprint(patches, view.place), self._features, compute)

    def _plan_text(self, text: str) -> Job[Floats]:
        """(T, d) features of one text's word pieces."""
        ids = tokenize(self._tokenizer, text, self._limit)

        def compute() -> Floats:
            if not len(ids):
                return np.zeros((0, self._text.get_outputs()[0].shape[-1]), np.float32)
            features: Floats = self._text.run(
                ("features",), {"ids": ids[None], "mask": np.ones((1, len(ids)), np.bool_)}
            )[0][0]
            return features

        return Job(fingerprint(ids), self._words, compute)

    @property
    def _width(self) -> int:
        width: int = self._encoder.get_outputs()[0].shape[-1]
        return width


def _open_graph(bundle: Bundle, name: str, runner: Runner) -> onnxruntime.InferenceSession:
    session = runner.open(bundle[name], f"{name} of the bundle {bundle.source}")
    if session.get_modelmeta().custom_metadata_map.get(HASH_KEY) != bundle.config.digest():
        raise BundleError(f"{name} of the bundle {bundle.source} was exported for another config.json")
    return session


def _open_tokenizer(bundle: Bundle) -> Any:
    """A `WordPiece`, or a `tokenizers.Tokenizer` for a bundle that has another kind: both have `encode(text).ids`."""
    try:
        settings = json.loads(bundle["tokenizer.json"])
        if is_wordpiece(settings):
            return WordPiece(settings)
    except Exception as error:  # a damaged file may be any JSON
        raise BundleError(f"tokenizer.json of the bundle {bundle.source} cannot be read ({error!r})") from error
    try:
        from tokenizers import Tokenizer  # noqa: PLC0415  # large, and rarely wanted
    except ImportError as error:
        raise MissingExtraError(f"The tokenizer of the bundle {bundle.source}", "train", "tokenizers") from error
    try:
        tokenizer = Tokenizer.from_str(bundle["tokenizer.json"].decode())
    except Exception as error:  # the Rust side raises plain Exception
        raise BundleError(f"tokenizer.json of the bundle {bundle.source} cannot be read ({error})") from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
