"""Golden pairs: real screens with the answers that the bundle gave when it was exported.

`golden.npz` holds, for pair i, `i.pre` and `i.post` (encoded image bytes as uint8), `i.transition` (UTF-8 JSON with
action, instruction and task as uint8) and the answers `i.success` (logit), `i.progress`, `i.outcome` (5 logits) and
`i.attention` (one weight per place). It is read without pickle.
"""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from viscritic.actions import Action
from viscritic.errors import BundleError
from viscritic.ocr import Recognizer
from viscritic.preprocess import Arrays, PreprocessConfig, prepare
from viscritic.runtime.bundle import Bundle
from viscritic.runtime.graphs import Answer, Graphs
from viscritic.screen import load_screen

# Largest difference of success logit and progress. The kernels of int8 products round differently on other processors.
TOLERANCES: Final[Mapping[str, float]] = {"fp32": 2e-3, "int8": 0.25}


@dataclass(frozen=True, slots=True)
class Replay:
    """One golden pair replayed.

    Attributes:
        name: of the pair.
        difference: the largest absolute difference of success logit and progress from what is stored.
        passed: it is within the tolerance.
    """

    name: str
    difference: float
    passed: bool


def prepare_golden(
    pre: bytes, post: bytes, transition: Mapping[str, Any], config: PreprocessConfig, recognizer: Recognizer | None
) -> Arrays:
    """Arrays of one golden pair."""
    screens = load_screen(pre, name="pre"), load_screen(post, name="post")
    size = (screens[0].shape[1], screens[0].shape[0])
    actions = Action.parse_batch(transition["action"], dialect="viscritic", size=size)
    words = transition.get("instruction", ""), transition.get("task", "")
    return prepare(*screens, actions, *words, config, recognizer=recognizer)


def pack_golden(pairs: Sequence[tuple[bytes, bytes, Mapping[str, Any], Answer]]) -> bytes:
    """Contents of `golden.npz`."""
    arrays: dict[str, Any] = {}
    for index, (pre, post, transition, answer) in enumerate(pairs):
        text = json.dumps(dict(transition), sort_keys=True).encode()
        arrays |= {f"{index}.{name}": np.frombuffer(data, np.uint8) for name, data in
                   (("pre", pre), ("post", post), ("transition", text))}  # fmt: skip
        arrays |= {f"{index}.{name}": np.asarray(value, np.float32) for name, value in answer._asdict().items()}
    buffer = io.BytesIO()
    np.savez(buffer, **arrays)
    return buffer.getvalue()


def replay_golden(bundle: Bundle, graphs: Graphs) -> list[Replay]:
    """Judge the bundle's golden pairs again and compare.

    Raises:
        BundleError: `golden.npz` cannot be read, or holds no pair.
    """
    tolerance = TOLERANCES[bundle.config.precision]
    replays: list[Replay] = []
    for pre, post, transition, stored in _unpack_golden(bundle):
        answer = graphs.run(prepare_golden(pre, post, transition, bundle.config.preprocess, graphs.recognizer))
        # numpy's maximum keeps a NaN, which then does not pass.
        difference = float(np.abs(np.subtract((answer.success, answer.progress), stored)).max())
        replays.append(Replay(str(transition.get("id", len(replays))), difference, difference <= tolerance))
    return replays


def _unpack_golden(bundle: Bundle) -> list[tuple[bytes, bytes, dict[str, Any], tuple[float, float]]]:
    """Pre and post as image bytes, the transition, and the stored success logit and progress of every pair."""
    pairs = []
    try:
        with np.load(io.BytesIO(bundle["golden.npz"]), allow_pickle=False) as values:
            for index in range(sum(name.endswith(".pre") for name in values.files)):
                pre, post, text = (values[f"{index}.{name}"].tobytes() for name in ("pre", "post", "transition"))
                answer = float(values[f"{index}.success"]), float(values[f"{index}.progress"])
                pairs.append((pre, post, dict(json.loads(text)), answer))
    except Exception as error:  # numpy's reader raises every kind of error on hostile bytes
        raise BundleError(f"golden.npz of the bundle {bundle.source} cannot be read ({error})") from error
    if not pairs:
        raise BundleError(f"golden.npz of the bundle {bundle.source} holds no pair to replay")
    return pairs
