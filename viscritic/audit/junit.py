"""An audit as JUnit XML: a suite a trajectory, a test a step, so that continuous integration shows failing steps."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from xml.etree import ElementTree

from viscritic.actions import describe_batch
from viscritic.audit.audit import AuditedStep, AuditedTrajectory

# Control characters and lone surrogates that no XML 1.0 may hold.
_FORBIDDEN: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_xml(audited: Sequence[AuditedTrajectory]) -> str:
    """The document as text.

    A failed step is a failure; an unsure, pending or unjudged one is skipped, with the reason.
    """
    root = ElementTree.Element("testsuites", name="viscritic audit")
    for one in audited:
        steps = one.steps
        suite = ElementTree.SubElement(
            root,
            "testsuite",
            name=_clean(one.trajectory.id),
            tests=str(len(steps)),
            failures=str(sum(step.failed for step in steps)),
            errors="0",
            skipped=str(sum(not step.failed and not _confirmed(step) for step in steps)),
            time=f"{sum(map(_seconds, steps)):.3f}",
        )
        for number, step in enumerate(steps, 1):
            _add_case(suite, step, number, one.trajectory.id)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _add_case(suite: ElementTree.Element, audited: AuditedStep, number: int, trajectory: str) -> None:
    step, verdict = audited.step, audited.verdict
    name = f"step {number}: {step.instruction or describe_batch(step.actions, step.size)}"
    case = ElementTree.SubElement(
        suite, "testcase", name=_clean(name), classname=_clean(trajectory), time=f"{_seconds(audited):.3f}"
    )
    if verdict is None:
        ElementTree.SubElement(case, "skipped", message=_clean(f"not judged: {audited.unjudged}"))
    elif audited.failed:
        failure = ElementTree.SubElement(case, "failure", type=verdict.outcome, message=_clean(verdict.note))
        failure.text = _clean(f"success {verdict.success:.3f}, progress {verdict.progress:+.2f}")
    elif not _confirmed(audited):
        ElementTree.SubElement(case, "skipped", message=_clean(f"{verdict.state}: {verdict.note}"))
    if audited.findings:
        out = ElementTree.SubElement(case, "system-out")
        out.text = _clean("\n".join(f"{finding.kind}: {finding.message}" for finding in audited.findings))


def _confirmed(step: AuditedStep) -> bool:
    return step.verdict is not None and step.verdict.state == "confirmed"


def _seconds(step: AuditedStep) -> float:
    return 0.0 if step.verdict is None else step.verdict.elapsed_ms / 1000


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text)
