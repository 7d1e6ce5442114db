"""The golden pairs of a new bundle, taken from the example pairs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

from viscritic.errors import DataError
from viscritic.files import write_bytes
from viscritic.runtime.bundle import Bundle
from viscritic.runtime.golden import pack_golden, prepare_golden
from viscritic.runtime.graphs import Graphs

_PAIRS: Final = 4
_KEPT: Final = ("id", "action", "instruction", "task")


def write_golden(work: Path, examples: Path) -> None:
    """Judge the first example pairs with the bundle in `work` and store screens and answers.

    Raises:
        DataError: there are no example pairs.
    """
    bundle = Bundle(work)
    graphs = Graphs(bundle, (), None, 0)
    pairs = []
    for file in sorted(examples.glob("*/transition.json"))[:_PAIRS]:
        example = json.loads(file.read_text())
        pre, post = ((file.parent / example[name]).read_bytes() for name in ("pre", "post"))
        transition = {key: example[key] for key in _KEPT if key in example}
        answer = graphs.run(prepare_golden(pre, post, transition, bundle.config.preprocess, graphs.recognizer))
        pairs.append((pre, post, transition, answer))
    if not pairs:
        raise DataError(f"{examples} holds no example pairs (*/transition.json)")
    write_bytes(work / "golden.npz", pack_golden(pairs))
