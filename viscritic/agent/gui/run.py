"""The loop: a macro if there is one, each step guarded; the model from the first step that fails, or from the start."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from viscritic.agent.environment import Environment
from viscritic.agent.gate import CriticGate, GateDecision
from viscritic.agent.gui.macros import Macro, MacroStep, MacroStore
from viscritic.agent.gui.model import VisionModel
from viscritic.agent.gui.protocol import ProtocolError, read_answer, write_prompt
from viscritic.agent.rollback.ladder import Rollback
from viscritic.errors import AgentError
from viscritic.screen import Screen, load_screen

Status = Literal["done", "noted", "stopped"]
_MOST_REFUSALS: Final = 3  # answers in a row that are no action


@dataclass(frozen=True, slots=True)
class RunResult:
    """How a run ended.

    Attributes:
        status: `done`; `noted`: the model gave up or had something to say; `stopped`: the loop could not go on.
        note: what the model said, or why the run was stopped.
        steps: actions that were sent.
        replayed: how many of them came from a macro.
        asked: how often the model was asked.
        saved: whether the task was saved as a macro.
    """

    status: Status
    note: str = ""
    steps: int = 0
    replayed: int = 0
    asked: int = 0
    saved: bool = False

    def to_dict(self) -> dict[str, Any]:
        """JSON-able form."""
        return {name: getattr(self, name) for name in ("status", "note", "steps", "replayed", "asked", "saved")}


@dataclass(slots=True)
class _Course:
    """What a run has done so far."""

    good: list[MacroStep] = field(default_factory=list)  # what a macro of this run would hold
    told: list[str] = field(default_factory=list)  # what the model is reminded of
    steps: int = 0
    replayed: int = 0
    asked: int = 0


class _StoppedError(Exception):
    """The loop cannot go on."""


class GuiAgent:
    """Runs tasks on one screen.

    Args:
        environment: the desktop.
        model: sees the screen and answers with one JSON action; None replays macros alone.
        gate: judges the steps.
        macros: where finished tasks are kept; None keeps none and replays none.
        rollback: a way back, if there is one.
        verify_rate: share of the model's steps that are judged; macros are always guarded.
        most_steps: a run's bound.
        seed: of the choice which steps are judged, where not all are.
    """

    def __init__(
        self,
        environment: Environment,
        model: VisionModel | None,
        gate: CriticGate,
        macros: MacroStore | None = None,
        *,
        rollback: Rollback | None = None,
        verify_rate: float = 1.0,
        most_steps: int = 50,
        seed: int = 0,
    ) -> None:
        self._environment, self._model, self._gate, self._macros = environment, model, gate, macros
        self._rollback, self._rate, self._most = rollback, verify_rate, most_steps
        self._random = random.Random(seed)

    def run(self, task: str) -> RunResult:
        """Do a task. Nothing is saved unless the model says `done` without a note."""
        self._gate.begin(task)
        course = _Course()
        try:
            macro = self._macros.get(task) if self._macros is not None else None
            if macro is not None and self._replay(macro, course):
                return self._end(course, "done")
            note = self._think(task, course)
            if note:
                return self._end(course, "noted", note)
            saved = self._macros is not None and bool(course.good)
            if saved and self._macros is not None:
                self._macros.save(task, course.good, self._size())
            return self._end(course, "done", saved=saved)
        except (_StoppedError, AgentError) as error:
            return self._end(course, "stopped", str(error))
        finally:
            release = getattr(self._environment, "release", None)
            if release is not None:
                release()

    def replay(self, macro: Macro) -> RunResult:
        """Replay a macro and nothing else."""
        self._gate.begin(macro.task)
        course = _Course()
        try:
            done = self._replay(macro, course)
        except (_StoppedError, AgentError) as error:
            return self._end(course, "stopped", str(error))
        return self._end(course, "done" if done else "stopped", "" if done else course.told[-1])

    def _replay(self, macro: Macro, course: _Course) -> bool:
        """Whether every step of the macro came through; stops at the first that did not."""
        size = self._size()
        if size != macro.size:
            course.told.append(
                f"The known way was not taken: it was found on a screen of {macro.size}, this is {size}."
            )
            return False
        for step in macro.steps:
            decision = self._send(step, course)
            course.replayed += 1
            if decision is None or decision.move != "proceed":
                return False
        return True

    def _think(self, task: str, course: _Course) -> str:
        """The model's loop; returns the note of its `done`."""
        if self._model is None:
            raise _StoppedError(course.told[-1] if course.told else "there is no macro of this task, and no model")
        problem, refusals = "", 0
        while course.steps < self._most:
            screen = self._screen()
            prompt = write_prompt(task, (screen.shape[1], screen.shape[0]), course.told, problem)
            course.asked += 1
            try:
                answer = read_answer(self._model.ask(prompt, screen))
            except ProtocolError as error:
                problem, refusals = str(error), refusals + 1
                if refusals >= _MOST_REFUSALS:
                    raise _StoppedError(f"the model gave no action {refusals} times: {problem}") from error
                continue
            problem, refusals = "", 0
            if answer.action.kind == "done":
                return answer.note
            judged = self._random.random() < self._rate
            decision = self._send(MacroStep(answer.action, answer.why), course, judged=judged)
            if decision is not None and decision.move == "stop":
                raise _StoppedError(decision.reason)
        raise _StoppedError(f"the task was not finished in {self._most} steps")

    def _send(self, step: MacroStep, course: _Course, *, judged: bool = True) -> GateDecision | None:
        """Send one action; None where it was not judged."""
        course.steps += 1
        said = f"{course.steps}. {step.action.describe()}" + (f" ({step.why})" if step.why else "")
        if not judged:
            try:
                self._environment.act(step.action)
            except Exception as error:  # environments are foreign: they may raise anything
                raise _StoppedError(f"the environment no longer answers ({type(error).__name__}: {error})") from error
            course.told.append(f"{said}: not checked")
            course.good.append(step)
            return None
        decision = self._gate.step(self._environment, step.action, step.why, rollback=self._rollback)
        course.told.append(f"{said}: {decision.advice}")
        idle = decision.worked is False and decision.judgement is not None and decision.judgement.outcome == "no_op"
        if not idle and not decision.restored:  # a wrong turn that was not undone is part of the way
            course.good.append(step)
        return decision

    def _screen(self) -> Screen:
        try:
            return load_screen(self._environment.screen())
        except Exception as error:  # environments are foreign: they may raise anything
            raise _StoppedError(f"the screen cannot be taken ({type(error).__name__}: {error})") from error

    def _size(self) -> tuple[int, int]:
        height, width = self._screen().shape[:2]
        return width, height

    @staticmethod
    def _end(course: _Course, status: Status, note: str = "", *, saved: bool = False) -> RunResult:
        return RunResult(status, note, course.steps, course.replayed, course.asked, saved)


def describe_steps(steps: Sequence[MacroStep]) -> list[str]:
    """A macro's steps in words, a line each."""
    return [
        f"{i}. {step.action.describe()}" + (f" ({step.why})" if step.why else "") for i, step in enumerate(steps, 1)
    ]
