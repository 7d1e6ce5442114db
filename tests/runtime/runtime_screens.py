"""Screens and transitions for the tests of the runtime."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from toy_run import EXAMPLES

from viscritic.actions import Action
from viscritic.runtime import Transition
from viscritic.screen import load_screen
from viscritic.verdict import Verdict

NAMES = sorted(folder.parent.name for folder in EXAMPLES.glob("*/transition.json"))


@cache
def example(name: str) -> dict[str, Any]:
    """An example pair's description."""
    return json.loads((EXAMPLES / name / "transition.json").read_text())


def screen_file(name: str, part: str) -> Path:
    """The file of an example's pre or post."""
    return EXAMPLES / name / example(name)[part]


@cache
def screen(name: str, part: str) -> npt.NDArray[np.uint8]:
    """An example's pre or post as pixels."""
    return load_screen(screen_file(name, part))


def transition(name: str, **changes: Any) -> Transition:
    """An example pair as the runtime takes it."""
    described = example(name)
    values = {
        "pre": screen(name, "pre"),
        "post": screen(name, "post"),
        "action": Action.from_dict(described["action"]),
        "instruction": described.get("instruction", ""),
        "task": described.get("task", ""),
    }
    return Transition(**{**values, **changes})


def said(verdict: Verdict) -> dict[str, Any]:
    """All of a verdict but the time that it took, exactly."""
    attention = verdict.attention
    return {
        "numbers": (verdict.success, verdict.progress, dict(verdict.outcome_probs)),
        "words": (verdict.outcome, verdict.state, verdict.ok, verdict.note, verdict.model),
        "evidence": verdict.evidence,
        "attention": (attention.weights.tobytes(), attention.boxes.tobytes(), attention.box_weights.tobytes()),
    }
