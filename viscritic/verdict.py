"""What the critic says of a transition."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from importlib import resources
from types import MappingProxyType
from typing import Any, Final, Literal, get_args

import numpy as np
from PIL import Image

from viscritic.errors import ConfigError
from viscritic.evidence import Attention, Evidence
from viscritic.heatmap import draw_heatmap
from viscritic.screen import ScreenSource
from viscritic.trajectory import OUTCOMES, Outcome

State = Literal["confirmed", "failed", "unsure", "pending"]
STATES: Final[tuple[State, ...]] = get_args(State)


@dataclass(frozen=True, slots=True)
class Decision:
    """How probabilities become a state; chosen on validation data and stored in the bundle.

    Attributes:
        threshold: gamma; success counts as reached from here on.
        unsure: (low, high): between them the critic does not commit itself.
    """

    threshold: float
    unsure: tuple[float, float]

    def __post_init__(self) -> None:
        low, high = self.unsure
        if not 0 <= low <= self.threshold <= high <= 1:
            raise ConfigError(
                f"a decision needs 0 <= low <= threshold <= high <= 1, got low {low}, threshold {self.threshold}, "
                f"high {high}"
            )


@dataclass(frozen=True, slots=True, eq=False)
class Verdict:
    """The critic's answer on one transition.

    Attributes:
        success: calibrated probability [0, 1] that the action did what was meant.
        progress: [-1, 1], how far the task has come; negative where the step leads away.
        outcome: "success" if `ok`, else the likeliest failure.
        outcome_probs: probability of each outcome; they sum to 1, and that of "success" is `success`.
        state: "confirmed"; "failed"; "unsure" (too close to call: neither a success nor a failure); "pending"
            (nothing to be seen yet: look again, and pass what you see as `burst`).
        ok: `success` has reached the threshold.
        evidence: what was measured.
        attention: where the critic looked.
        note: the verdict in one plain sentence.
        elapsed_ms: time it took, milliseconds.
        model: name of the bundle.
    """

    success: float
    progress: float
    outcome: Outcome
    outcome_probs: Mapping[Outcome, float]
    state: State
    ok: bool
    evidence: Evidence
    attention: Attention = field(repr=False)
    note: str
    elapsed_ms: float
    model: str

    def __reduce__(self) -> tuple[Any, ...]:
        """For pickles and copies, which a read-only mapping refuses to be part of."""
        values = {one.name: getattr(self, one.name) for one in fields(self)}
        return _restore, (values | {"outcome_probs": dict(self.outcome_probs)},)

    @property
    def likeliest(self) -> Outcome:
        """The outcome of the largest probability. It is not always `outcome`, which follows the threshold."""
        return max(OUTCOMES, key=lambda name: self.outcome_probs[name])

    def heatmap(self, post: ScreenSource, point: tuple[float, float] | None = None) -> Image.Image:
        """The attention drawn over the post screen.

        Args:
            post: the screen after, as `load_screen` takes it.
            point: the action's point in pixels, to be marked.
        """
        return draw_heatmap(post, self.attention.weights, point=point)

    def to_dict(self) -> dict[str, Any]:
        """JSON-able form, described by `verdict_schema()`."""
        evidence = self.evidence
        rows, columns = self.attention.weights.shape
        return {
            "success": round(self.success, 4),
            "progress": round(self.progress, 4),
            "outcome": self.outcome,
            "outcome_probs": {name: round(self.outcome_probs[name], 4) for name in OUTCOMES},
            "state": self.state,
            "ok": self.ok,
            "evidence": {
                "changed": round(evidence.changed, 6),
                "changed_at_target": None
                if evidence.changed_at_target is None
                else round(evidence.changed_at_target, 6),
                "changed_elsewhere": round(evidence.changed_elsewhere, 6),
                "identical": evidence.identical,
                "off_screen": evidence.off_screen,
                "resized": evidence.resized,
                "texts": [{"before": t.before, "after": t.after, "box": list(t.box)} for t in evidence.texts],
            },
            "attention": {
                "shape": [rows, columns],
                "weights": [round(float(w), 6) for w in self.attention.weights.ravel()],
                "boxes": [
                    {"box": [round(float(v), 1) for v in box], "weight": round(float(weight), 6)}
                    for box, weight in zip(self.attention.boxes, self.attention.box_weights, strict=True)
                ],
            },
            "note": self.note,
            "elapsed_ms": round(self.elapsed_ms, 2),
            "model": self.model,
        }


def _restore(values: dict[str, Any]) -> Verdict:
    return Verdict(**values | {"outcome_probs": MappingProxyType(values["outcome_probs"])})


@cache
def _schema_text() -> str:
    return resources.files("viscritic").joinpath("verdict.schema.json").read_text("utf-8")


def verdict_schema() -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of `Verdict.to_dict()`."""
    schema: dict[str, Any] = json.loads(_schema_text())
    return schema


def judge(
    success: float,
    failures: Mapping[Outcome, float],
    decision: Decision,
    evidence: Evidence,
    *,
    visible: bool,
    settled: bool,
) -> tuple[State, Outcome, Mapping[Outcome, float], bool]:
    """State, outcome, outcome probabilities and `ok` from the model's numbers and what was measured.

    Args:
        success: calibrated probability.
        failures: probability of each failure, given that it failed.
        visible: the action should change something that can be seen.
        settled: the screen was watched for a while after the action (a burst was given).

    Screens between which nothing changed never confirm a visible action, whatever the model says: the most that can be
    said is "nothing yet". They count as failed once the screen was watched and stayed as it was. Nor is anything
    confirmed while a failure is likelier than success, however low the threshold, or where the action went off the
    screen: whatever changed then, it acted on nothing that was seen.
    """
    nothing = evidence.unchanged and visible
    if nothing:
        success = min(success, decision.unsure[0], np.nextafter(decision.threshold, 0).item())
        failures = {"no_op": 1.0}
    ok = success >= decision.threshold and not nothing  # a threshold of 0 is reached by anything else
    likeliest = max(failures, key=lambda name: failures[name])
    probabilities = {name: (1 - success) * failures.get(name, 0.0) for name in OUTCOMES} | {"success": success}
    outcome: Outcome = "success" if ok else likeliest
    doubted = success < probabilities[likeliest] or (evidence.off_screen and visible)
    state: State
    if nothing:
        state = "failed" if settled else "pending"
    elif decision.unsure[0] < success < decision.unsure[1] or (ok and doubted):
        state = "unsure"
    elif ok:
        state = "confirmed"
    else:
        state = "pending" if outcome == "timeout" and not settled else "failed"
    return state, outcome, MappingProxyType(probabilities), ok
