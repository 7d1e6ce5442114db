"""An audit as JSON: what the HTML report, the server and other programs read. `audit.schema.json` describes it."""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Sequence
from importlib import resources
from typing import Any, Final

import numpy as np

import viscritic
from viscritic.actions import describe_batch
from viscritic.audit.audit import AuditedStep, AuditedTrajectory
from viscritic.audit.findings import FINDING_KINDS
from viscritic.audit.pictures import Pictures, data_url
from viscritic.evidence import Attention
from viscritic.runtime import Critic
from viscritic.verdict import STATES, Verdict, verdict_schema

SCHEMA_VERSION: Final = 1
UNJUDGED: Final = "unjudged"


def describe_audit(
    audited: Sequence[AuditedTrajectory],
    critic: Critic,
    *,
    name: str,
    format: str,  # noqa: A002
    pictures: Pictures | None = None,
) -> dict[str, Any]:
    """The whole audit, JSON-able.

    Args:
        critic: who judged.
        name: what was audited, for the title.
        format: the layout that it was read from.
        pictures: the screens, to be part of it; None leaves them out, and steps name theirs all the same.
    """
    described: dict[str, Any] = {
        "schema_version": SCHEMA_VERSION,
        "made_by": f"viscritic {viscritic.__version__}",
        "model": critic.config.name,
        "threshold": round(critic.decision.threshold, 4),
        "name": name,
        "format": format,
        "summary": _summary(audited),
        "trajectories": [_trajectory(one) for one in audited],
    }
    if pictures is not None:
        described["screens"] = {
            key: {
                "size": list(picture.size),
                "image": data_url(picture.image),
                "thumbnail": data_url(picture.thumbnail),
            }
            for key, picture in pictures.items()
        }
    return described


def audit_schema() -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of `describe_audit`'s answer; verdicts are those of `verdict_schema()`.

    Its `$defs.verdict` is the published verdict without `attention`, whose grid stands beside it as `heat`.
    """
    text = resources.files("viscritic.audit").joinpath("audit.schema.json").read_text("utf-8")
    schema: dict[str, Any] = json.loads(text)
    verdict = verdict_schema()
    schema["$defs"] |= verdict.pop("$defs")
    schema["$defs"]["verdict"] = {
        "type": "object",
        "additionalProperties": False,
        "required": [name for name in verdict["required"] if name != "attention"],
        "properties": {name: value for name, value in verdict["properties"].items() if name != "attention"},
    }
    return schema


def state_of(step: AuditedStep) -> str:
    """The verdict's state, or "unjudged"."""
    return UNJUDGED if step.verdict is None else step.verdict.state


def _summary(audited: Sequence[AuditedTrajectory]) -> dict[str, Any]:
    steps = [step for one in audited for step in one.steps]
    states = Counter(map(state_of, steps))
    findings = Counter(kind for step in steps for kind in {finding.kind for finding in step.findings})
    return {
        "trajectories": len(audited),
        "steps": len(steps),
        "states": {state: states[state] for state in (*STATES, UNJUDGED)},
        "findings": {kind: findings[kind] for kind in FINDING_KINDS},
    }


def _trajectory(audited: AuditedTrajectory) -> dict[str, Any]:
    trajectory, first = audited.trajectory, audited.first_failing
    return {
        "id": trajectory.id,
        "app": trajectory.app,
        "platform": trajectory.platform,
        "task": trajectory.task,
        "recorded_success": trajectory.success,
        "notes": list(trajectory.notes),
        "first_failing": None if first is None else first + 1,
        "steps": [_step(step, number) for number, step in enumerate(audited.steps, 1)],
    }


def _step(audited: AuditedStep, number: int) -> dict[str, Any]:
    step, verdict = audited.step, audited.verdict
    return {
        "number": number,
        "action": describe_batch(step.actions, step.size),
        "actions": [action.to_dict() for action in step.actions],
        "instruction": step.instruction,
        "size": list(step.size),
        "state": state_of(audited),
        "unjudged": audited.unjudged,
        "verdict": None if verdict is None else _verdict(verdict),
        "heat": None if verdict is None else _heat(verdict.attention),
        "findings": [
            {"kind": found.kind, "message": found.message, "steps": [position + 1 for position in found.steps]}
            for found in audited.findings
        ],
        "recorded_success": step.success,
        "pre": audited.pre,
        "post": audited.post,
    }


def _verdict(verdict: Verdict) -> dict[str, Any]:
    return {name: value for name, value in verdict.to_dict().items() if name != "attention"}


def _heat(attention: Attention) -> dict[str, Any]:
    """The grid of weights in a byte a cell, 255 for the largest: a hundredth of what the numbers would take."""
    weights = attention.weights
    largest = float(weights.max(initial=0))
    levels = np.rint(weights * (255 / largest if largest > 0 else 0)).astype(np.uint8)
    return {
        "rows": levels.shape[0],
        "columns": levels.shape[1],
        "levels": base64.b64encode(levels.tobytes()).decode(),
    }
