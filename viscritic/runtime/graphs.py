"""The bundle's three graphs as functions of arrays, run by onnxruntime."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt
import onnxruntime
from tokenizers import Tokenizer

from viscritic.errors import BundleError, ConfigError
from viscritic.ocr import Recognizer
from viscritic.preprocess import GEOMETRY_SIZE, TEXT_PARTS, Arrays, View, facts_size, tokenize
from viscritic.runtime.bundle import HASH_KEY, READER, Bundle

Floats = npt.NDArray[np.float32]
_PREFERRED: Final = ("CPUExecutionProvider",)


class Answer(NamedTuple):
    """What the head says of one transition."""

    success: float  # logit
    progress: float  # [-1, 1]
    outcome: Floats  # (5,) logits
    attention: Floats  # (N + K,) weights, sum to 1


class FeatureCache:
    """The latest results of the encoders, by their exact input. Thread-safe.

    A screen that was post becomes the next step's pre: its thumbnail is encoded once. A cached answer is the computed
    one, since equal bytes give equal features.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._entries: OrderedDict[bytes, Floats] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: bytes) -> Floats | None:
        """A stored result, which becomes the latest."""
        with self._lock:
            found = self._entries.get(key)
            if found is not None:
                self._entries.move_to_end(key)
            return found

    def put(self, key: bytes, value: Floats) -> None:
        """Store a result; the oldest goes where there are too many."""
        with self._lock:
            self._entries[key] = value
            while len(self._entries) > self._size:
                self._entries.popitem(last=False)


class Graphs:
    """Encoder, text encoder and head of a bundle.

    Every sequence is encoded by itself: with int8 graphs the rounding depends on all that a call contains, and an
    answer shall not depend on its neighbours in a batch. On a CPU one sequence fills the cores.

    Args:
        providers: of onnxruntime, in order of preference; one that is not installed is an error, never replaced.
        threads: for one operator; None leaves onnxruntime's choice.
        cache: keep so many results of each encoder.
    """

    def __init__(self, bundle: Bundle, providers: Sequence[str], threads: int | None, cache: int) -> None:
        if cache < 0:
            raise ConfigError(f"cache must be 0 or more, got {cache}")
        self._limit = bundle.config.preprocess.text_tokens
        self._encoder, self._text, self._head = (
            _open_session(bundle, name, providers, threads) for name in ("encoder.onnx", "text.onnx", "head.onnx")
        )
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
        self.recognizer = Recognizer(bundle[READER], threads) if bundle.config.preprocess.reader else None
        self._tokenizer = _open_tokenizer(bundle)
        self._features, self._words = FeatureCache(cache), FeatureCache(cache)

    def run(self, arrays: Arrays) -> Answer:
        """Judge one transition."""
        views = (arrays.detail, arrays.thumbnail)
        pre = np.concatenate([self._encode(view.pre, view) for view in views])
        post = np.concatenate([self._encode(view.post, view) for view in views])
        words = [self._read(text) for text in arrays.texts.parts()]
        part = np.repeat(np.arange(len(TEXT_PARTS)), [len(w) for w in words])
        success, progress, outcome, attention = self._head.run(
            ("success", "progress", "outcome", "attention"),
            {
                "pre": pre[None],
                "post": post[None],
                "mask": np.ones((1, len(pre)), np.bool_),
                "geometry": np.concatenate([view.geometry for view in views])[None],
                "text": np.concatenate(words)[None],
                "text_mask": np.ones((1, len(part)), np.bool_),
                "text_part": part[None],
                "facts": arrays.facts[None],
            },
        )
        answer = Answer(float(success[0]), float(progress[0]), outcome[0], attention[0])
        if not all(np.isfinite(value).all() for value in answer):
            raise BundleError("the bundle's graphs give no finite answer: its weights are damaged")
        return answer

    def _encode(self, patches: npt.NDArray[np.uint8], view: View) -> Floats:
        """(N, d) features of one screen's places."""
        if not len(patches):
            return np.zeros((0, self._width), np.float32)
        key = _fingerprint(patches, view.place)
        features = self._features.get(key)
        if features is None:
            mask = np.ones((1, len(patches)), np.bool_)
            inputs = {"patches": patches[None], "place": view.place[None], "mask": mask}
            features = self._encoder.run(("features",), inputs)[0][0]
            self._features.put(key, features)
        return features

    def _read(self, text: str) -> Floats:
        """(T, d) features of one text's word pieces."""
        ids = tokenize(self._tokenizer, text, self._limit)
        if not len(ids):
            return np.zeros((0, self._text.get_outputs()[0].shape[-1]), np.float32)
        key = _fingerprint(ids)
        features = self._words.get(key)
        if features is None:
            inputs = {"ids": ids[None], "mask": np.ones((1, len(ids)), np.bool_)}
            features = self._text.run(("features",), inputs)[0][0]
            self._words.put(key, features)
        return features

    @property
    def _width(self) -> int:
        width: int = self._encoder.get_outputs()[0].shape[-1]
        return width


def _fingerprint(*arrays: npt.NDArray[Any]) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for array in arrays:
        digest.update(str(array.shape).encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.digest()


def _open_session(
    bundle: Bundle, name: str, providers: Sequence[str], threads: int | None
) -> onnxruntime.InferenceSession:
    wanted = tuple(providers) or _PREFERRED
    missing = [p for p in wanted if p not in onnxruntime.get_available_providers()]
    if missing:
        raise ConfigError(
            f"onnxruntime has no {', '.join(missing)} here; available: "
            f"{', '.join(onnxruntime.get_available_providers())}"
        )
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads or 0
    options.log_severity_level = 3
    try:
        session = onnxruntime.InferenceSession(bundle[name], options, providers=list(wanted))
    except Exception as error:  # onnxruntime raises a dozen kinds of its own
        raise BundleError(f"{name} of the bundle {bundle.source} cannot be run ({error})") from error
    if session.get_modelmeta().custom_metadata_map.get(HASH_KEY) != bundle.config.digest():
        raise BundleError(f"{name} of the bundle {bundle.source} was exported for another config.json")
    return session


def _open_tokenizer(bundle: Bundle) -> Tokenizer:
    try:
        tokenizer = Tokenizer.from_str(bundle["tokenizer.json"].decode())
    except Exception as error:  # the Rust side raises plain Exception
        raise BundleError(f"tokenizer.json of the bundle {bundle.source} cannot be read ({error})") from error
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer
