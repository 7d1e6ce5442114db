"""Write what the graphs read as JSON, for score.mjs.

Screens and words become arrays here, in Python, with the bundle's own settings: the places that changed are chosen and
cut, text lines are read, words are taken to pieces. score.mjs does the rest.
"""

from __future__ import annotations

import argparse
import base64
import json
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from viscritic import Action, VisCriticError
from viscritic.actions import may_be_invisible
from viscritic.files import write_text
from viscritic.preprocess import prepare, tokenize
from viscritic.runtime.bundle import Bundle, find_bundle
from viscritic.runtime.graphs import Graphs
from viscritic.screen import load_screen


def describe_transition(arguments: argparse.Namespace) -> dict[str, Any]:
    """Views of both screens, word pieces of each text, facts, and what a state needs beside the graphs' answer."""
    bundle = Bundle(find_bundle(arguments.bundle))
    config = bundle.config.preprocess
    pre, post = load_screen(arguments.pre, name="pre"), load_screen(arguments.post, name="post")
    actions = Action.parse_batch(arguments.action, size=(pre.shape[1], pre.shape[0]))
    reader = Graphs(bundle, (), None, 0).recognizer  # None in a bundle that does not read
    arrays = prepare(pre, post, actions, arguments.instruction, arguments.task, config, recognizer=reader)
    tokenizer = Tokenizer.from_str(bundle["tokenizer.json"].decode())
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return {
        "views": [
            {name: pack(getattr(view, name)) for name in ("pre", "post", "place", "geometry")}
            for view in (arrays.detail, arrays.thumbnail)
        ],
        "texts": [pack(tokenize(tokenizer, text, config.text_tokens)) for text in arrays.texts.parts()],
        "facts": pack(arrays.facts),
        "nothing": arrays.evidence.unchanged and not may_be_invisible(actions, arguments.instruction),
    }


def pack(array: np.ndarray[Any, Any]) -> dict[str, Any]:
    """An array as JSON: type, shape, and its little-endian bytes in base64."""
    data = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
    return {"type": str(array.dtype), "shape": list(array.shape), "data": data}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pre", help="the screen before the action")
    parser.add_argument("post", help="the screen after it")
    parser.add_argument("out", help="the JSON to write")
    parser.add_argument("--action", required=True, help="JSON or a call in any known dialect")
    parser.add_argument("--instruction", default="")
    parser.add_argument("--task", default="")
    parser.add_argument("--bundle", help="the shipped one if none")
    given = parser.parse_args()
    try:
        write_text(given.out, json.dumps(describe_transition(given)))
    except (VisCriticError, OSError) as error:
        parser.error(str(error))
