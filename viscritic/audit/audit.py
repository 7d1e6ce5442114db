"""Judges the steps of a trajectory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Final

from viscritic.audit.findings import Finding, Passage, find
from viscritic.audit.pictures import Pictures
from viscritic.audit.places import Places
from viscritic.errors import ScreenError, VisCriticError
from viscritic.runtime import Critic
from viscritic.screen import Screen, load_screen
from viscritic.trajectory import Step, Trajectory
from viscritic.verdict import Verdict

_NO_POST: Final = "There is no screen after this step."


@dataclass(frozen=True, slots=True, eq=False)
class AuditedStep:
    """A step with what was said of it.

    Attributes:
        step: the step itself.
        verdict: None where it could not be judged.
        unjudged: why there is no verdict; "" where there is one.
        findings: what its place among the other steps tells.
        pre, post: names of its screens in the `Pictures` of the audit; None where there is none.
    """

    step: Step
    verdict: Verdict | None
    unjudged: str
    findings: tuple[Finding, ...]
    pre: str | None
    post: str | None

    @property
    def failed(self) -> bool:
        """The critic is sure that the action did not work."""
        return self.verdict is not None and self.verdict.state == "failed"


@dataclass(frozen=True, slots=True, eq=False)
class AuditedTrajectory:
    """A trajectory with the verdicts on its steps."""

    trajectory: Trajectory
    steps: tuple[AuditedStep, ...]

    @property
    def first_failing(self) -> int | None:
        """Position, from 0, of the first step that failed."""
        return next((position for position, step in enumerate(self.steps) if step.failed), None)


@dataclass(frozen=True, slots=True)
class _Judged:
    passage: Passage
    verdict: Verdict | None
    unjudged: str
    pre: str | None
    post: str | None


class Auditor:
    """Judges trajectories step by step.

    Args:
        critic: who judges.
        pictures: takes each screen, made small, for a report; None keeps none.
        max_pixels: of a screen; None is `load_screen`'s limit.
    """

    def __init__(self, critic: Critic, pictures: Pictures | None = None, *, max_pixels: int | None = None) -> None:
        self._critic, self._pictures, self._max_pixels = critic, pictures, max_pixels
        self._latest: tuple[Path | bytes, Screen] | None = None  # one step's post is mostly the next one's pre

    def audit(self, trajectory: Trajectory, advance: Callable[[], None] = lambda: None) -> AuditedTrajectory:
        """Judge every step.

        A screen or action that the critic refuses leaves its step without a verdict; it never ends the audit.

        Args:
            advance: called after each step; what it raises ends the audit.
        """
        places = Places(self._critic.config.preprocess)
        judged: list[_Judged] = []
        for step, following in zip_longest(trajectory.steps, trajectory.steps[1:]):
            judged.append(self._judge(step, following, trajectory.task, places))
            advance()
        findings = find([step.passage for step in judged])
        steps = (
            AuditedStep(one.passage.step, one.verdict, one.unjudged, found, one.pre, one.post)
            for one, found in zip(judged, findings, strict=True)
        )
        return AuditedTrajectory(trajectory, tuple(steps))

    def _judge(self, step: Step, following: Step | None, task: str, places: Places) -> _Judged:
        try:
            pre = self._load(step.pre, "pre")
            post = None if step.post is None else self._load(step.post, "post")
        except ScreenError as error:
            return _Judged(Passage(step, None, None), None, str(error), None, None)
        before = places.number(pre, step.pre)
        after = None if post is None else places.number(post, step.post)
        names = [None if self._pictures is None or s is None else self._pictures.add(s) for s in (pre, post)]
        verdict, unjudged = None, _NO_POST
        if post is not None:
            try:
                idle = [self._load(source, "idle") for source in step.idle]
                waited = before == after and self._begins_on(following, after, places)
                verdict, unjudged = self._critic.score(
                    pre, post, step.actions, step.instruction, task, burst=[post] if waited else (), idle=idle
                ), ""  # fmt: skip
            except VisCriticError as error:
                unjudged = str(error)
        return _Judged(Passage(step, before, after), verdict, unjudged, names[0], names[1])

    def _begins_on(self, step: Step | None, place: int | None, places: Places) -> bool:
        """Whether a step was done on the screen of a place: then the run did not wait for anything else to come there,
        and a step that left its screen as it was has come to nothing."""
        if step is None:
            return False
        try:
            return places.number(self._load(step.pre, "pre"), step.pre) == place
        except ScreenError:
            return False

    def _load(self, source: Path | bytes, name: str) -> Screen:
        if self._latest is None or self._latest[0] != source:
            self._latest = (source, load_screen(source, max_pixels=self._max_pixels, name=name))
        return self._latest[1]
