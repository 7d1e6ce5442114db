"""The gate: after every action it looks, asks the critic, and says what to do next.

Two ways in. `step` does everything: it sends the action, watches, and itself waits, repeats what is safe to repeat and
undoes what can be undone. `watch` (and `watch_async`) is for loops that send their actions themselves: it looks until
it can decide, and leaves `retry` and `rollback` to the loop.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Generator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from viscritic.actions import Action, describe_batch
from viscritic.agent.environment import Environment, Judgement, Scorer, Watch
from viscritic.agent.log import StepLog
from viscritic.agent.policy import GatePolicy, Move, Situation, decide
from viscritic.agent.rollback.ladder import Rollback
from viscritic.agent.safety import Safety, judge_safety
from viscritic.errors import LogError, RollbackError
from viscritic.screen import Screen, ScreenSource, load_screen, screen_digest
from viscritic.verdict import State

_WAITING: Final = ("wait",)  # kinds that may be sent on the same screen again and again


@dataclass(frozen=True, slots=True, eq=False)
class GateDecision:
    """What to do next, and why.

    Attributes:
        move: proceed, wait, retry, rollback, replan or stop.
        reason: why, in a sentence or two for the agent.
        actions: what was judged.
        safety: what repeating it would do.
        judgement: the scorer's last word; None where the environment gave no screen.
        screen: the last screen seen; None where there was none.
        looks: how often it was judged.
        restored: after a rollback: whether the state came back. None where nothing was undone.
        changed: whether that screen differs from the one before the action, None where nothing was judged. Where it
            does not, and the step was not safe to repeat unasked, an agent that knows better may do so.
    """

    move: Move
    reason: str
    actions: tuple[Action, ...]
    safety: Safety
    judgement: Judgement | None = None
    screen: Screen | None = field(default=None, repr=False)
    looks: int = 0
    restored: bool | None = None
    changed: bool | None = None

    @property
    def state(self) -> State | None:
        """The scorer's state; None where nothing was judged."""
        return None if self.judgement is None else self.judgement.state

    @property
    def advice(self) -> str:
        """The reason and what the critic saw: what a language model is told."""
        return self.reason if self.judgement is None else f"{self.reason} {self.judgement.note}".strip()

    @property
    def worked(self) -> bool | None:
        """True or False where the critic is sure; None where it is not: then it is neither."""
        return {"confirmed": True, "failed": False}.get(self.state or "")

    def to_dict(self) -> dict[str, Any]:
        """JSON-able form, without the screen."""
        judgement = self.judgement
        return {
            "move": self.move,
            "reason": self.reason,
            "state": self.state,
            "worked": self.worked,
            "outcome": None if judgement is None else judgement.outcome,
            "success": None if judgement is None else round(float(judgement.success), 4),
            "note": None if judgement is None else judgement.note,
            "actions": [action.to_dict() for action in self.actions],
            "safety": {"kind": self.safety.kind, "why": self.safety.why},
            "looks": self.looks,
            "restored": self.restored,
            "changed": self.changed,
        }


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """One step on its way through the gate."""

    pre: Screen
    actions: tuple[Action, ...]
    instruction: str
    safety: Safety
    idle: tuple[Screen, ...]
    rollback: Rollback | None
    repeats: int
    retries: int = 0


class CriticGate:
    """Judges the steps of one run, and keeps its budgets.

    Args:
        critic: anything with `score(...)`; a `viscritic.Critic`.
        policy: budgets and thresholds.
        task: the whole goal in words.
        log: where every decision goes.
        sleep, clock: seconds; others than the real ones serve loops that keep time themselves.
    """

    def __init__(
        self,
        critic: Scorer,
        policy: GatePolicy | None = None,
        *,
        task: str = "",
        log: StepLog | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.critic, self.policy, self.task, self.log = critic, policy or GatePolicy(), task, log
        self._sleep, self._clock = sleep, clock
        self.begin(task)

    def begin(self, task: str = "") -> None:
        """A new run: fresh budgets, nothing remembered."""
        self.task = task
        self._start = self._clock()
        self._seen: Counter[tuple[str, tuple[Action, ...]]] = Counter()
        self._undone: set[tuple[str, tuple[Action, ...], str]] = set()
        self._latest: tuple[str, tuple[Action, ...]] | None = None
        self._retries = self._rollbacks = self._failures = self._steps = 0

    def step(
        self,
        environment: Environment,
        action: Any,
        instruction: str = "",
        *,
        element: str = "",
        rollback: Rollback | None = None,
    ) -> GateDecision:
        """Send an action (or a batch), see it through, and say how it ended.

        Where the decision is `rollback`, the step has been undone already. `retry` and `wait` never come out: they have
        been done.

        Args:
            action: any form that `Action.parse_batch` reads.
            instruction: the step's intent in words.
            element: role and name of what it acts on, where known ("button 'Save'").
            rollback: a way back; none means that nothing is undone.

        Raises:
            ActionError: an action that cannot be understood; nothing was sent.
            LogError: the log cannot be written.
        """
        try:
            before = self._settle(environment.screen, "pre")
        except Exception as error:  # environments are foreign: they may raise anything
            return self._lost(environment, (), Safety("unknown", "nothing was sent"), error)
        pre = before.last
        actions = Action.parse_batch(action, size=(pre.shape[1], pre.shape[0]))
        step = self._open(pre, actions, instruction, element, before.earlier, rollback)
        try:
            mark = rollback.mark() if rollback else None
        except Exception as error:
            return self._lost(environment, actions, step.safety, error)
        while True:
            try:
                for one in actions:
                    environment.act(one)
                if rollback:
                    rollback.note(actions)
                decision = self._drive(self._look(step), environment.screen)
            except LogError:
                raise
            except Exception as error:
                return self._lost(environment, actions, step.safety, error)
            if decision.move != "retry":
                break
            step = replace(step, retries=step.retries + 1)
        if decision.move == "rollback" and rollback is not None:
            decision = self.undo(decision, rollback, mark)
        return decision

    def watch(
        self,
        pre: ScreenSource,
        look: Callable[[], ScreenSource],
        action: Any,
        instruction: str = "",
        *,
        element: str = "",
        can_roll_back: Rollback | None = None,
        idle: Sequence[ScreenSource] = (),
        tries: int = 0,
    ) -> GateDecision:
        """Judge an action that somebody else has sent just now; looks until it can decide.

        Args:
            pre: the screen before it.
            look: takes the screen now.
            can_roll_back: the way back that the caller has, if any; it is asked what it can undo, and not used.
            tries: how often this very step has been repeated by the caller already.
        """
        return self._drive(
            self._look(self._foreign(pre, action, instruction, element, can_roll_back, idle, tries)), look
        )

    async def watch_async(
        self,
        pre: ScreenSource,
        look: Callable[[], Awaitable[ScreenSource]],
        action: Any,
        instruction: str = "",
        *,
        element: str = "",
        can_roll_back: Rollback | None = None,
        idle: Sequence[ScreenSource] = (),
        tries: int = 0,
    ) -> GateDecision:
        """`watch` for loops that await."""
        looking = self._look(self._foreign(pre, action, instruction, element, can_roll_back, idle, tries))
        pause = next(looking)
        while True:
            await asyncio.sleep(pause)
            try:
                pause = looking.send(await look())
            except StopIteration as end:
                decision: GateDecision = end.value
                return decision

    def _foreign(
        self,
        pre: ScreenSource,
        action: Any,
        instruction: str,
        element: str,
        rollback: Rollback | None,
        idle: Sequence[ScreenSource],
        tries: int,
    ) -> _Step:
        screen = load_screen(pre, name="pre")
        actions = Action.parse_batch(action, size=(screen.shape[1], screen.shape[0]))
        waiting = tuple(load_screen(s, name=f"idle[{i}]") for i, s in enumerate(idle))
        if tries == 0:
            return self._open(screen, actions, instruction, element, waiting, rollback)
        safety = judge_safety(actions, instruction, element)
        repeats = self._seen[screen_digest(screen), actions]
        return _Step(screen, actions, instruction, safety, waiting, rollback, repeats, tries)

    def _open(
        self,
        pre: Screen,
        actions: tuple[Action, ...],
        instruction: str,
        element: str,
        idle: tuple[Screen, ...],
        rollback: Rollback | None,
    ) -> _Step:
        self._steps += 1
        key = (screen_digest(pre), actions)
        if not all(action.kind in _WAITING for action in actions):
            self._seen[key] += 1
        self._latest = key
        return _Step(
            pre, actions, instruction, judge_safety(actions, instruction, element), idle, rollback, self._seen[key]
        )

    def _settle(self, look: Callable[[], ScreenSource], name: str) -> Watch:
        watch, deadline = Watch([]), self._clock() + self.policy.settle_seconds
        watch.see(look(), name)
        while watch.still < 2 and self._clock() < deadline:
            self._sleep(self.policy.look_every)
            watch.see(look(), name)
        return watch

    def _look(self, step: _Step) -> Generator[float, ScreenSource, GateDecision]:
        """Yields seconds to wait before the next look, is sent what is seen, and returns the decision."""
        watch, looks, pause = Watch([]), 0, 0.0
        while True:
            watch.see((yield pause))
            deadline = self._clock() + self.policy.settle_seconds
            while watch.still < 2 and self._clock() < deadline:
                watch.see((yield self.policy.look_every))
            looks += 1
            # A screen that was watched and stayed as it was: the critic may then say that nothing will come.
            burst = watch.earlier if len(watch.screens) > 1 else (watch.last,) if looks > 1 else ()
            judgement = self.critic.score(
                step.pre, watch.last, step.actions, step.instruction, self.task, burst, step.idle
            )
            decision = self._decide(step, judgement, watch, looks, burst)
            if decision.move != "wait":
                self._count(decision)
                return decision
            pause = self.policy.waits[looks - 1]
            watch.still = 1  # one more equal look is enough

    def _decide(
        self, step: _Step, judgement: Judgement, watch: Watch, looks: int, burst: Sequence[Screen]
    ) -> GateDecision:
        changed = not np.array_equal(step.pre, watch.last)
        way = (screen_digest(step.pre), step.actions, screen_digest(watch.last)) if step.rollback else None
        situation = Situation(
            judgement=judgement,
            action=describe_batch(step.actions),
            safety=step.safety,
            looks=looks,
            waited=sum(self.policy.waits[: looks - 1]),
            step_retries=step.retries,
            retries=self._retries,
            rollbacks=self._rollbacks,
            can_roll_back=step.rollback is not None,
            undoes_all=step.rollback is not None and step.rollback.undoes_all,
            changed=changed,
            undone=way in self._undone,
            repeats=step.repeats,
            failures=self._failures,
            elapsed=self._clock() - self._start,
        )
        move, reason = decide(situation, self.policy)
        decision = GateDecision(move, reason, step.actions, step.safety, judgement, watch.last, looks, changed=changed)
        if move == "rollback" and way is not None:
            self._undone.add(way)
        self._write(
            decision, instruction=step.instruction, retry=step.retries, pre=self._keep(step.pre),
            post=self._keep(watch.last), burst=[self._keep(screen) for screen in burst],
            idle=[self._keep(screen) for screen in step.idle],
        )  # fmt: skip
        return decision

    def _count(self, decision: GateDecision) -> None:
        self._retries += decision.move == "retry"
        self._rollbacks += decision.move == "rollback"
        if decision.move == "proceed" and decision.worked:
            self._failures = 0
        elif decision.worked is False and decision.move != "retry":
            self._failures += 1

    def undo(self, decision: GateDecision, rollback: Rollback, mark: Any) -> GateDecision:
        """Undo a step for which `watch` decided `rollback`; returns the decision with what came of it."""
        try:
            rollback.undo(mark)
            if self._latest is not None and self._seen[self._latest]:
                self._seen[self._latest] -= 1  # whoever does again what was undone does not go in circles
            undone = replace(decision, restored=True, reason=f"{decision.reason} The screen is as it was before.")
        except RollbackError as error:
            reason = f"{decision.reason} That failed: {error}. Look at the screen and find another way."
            undone = replace(decision, move="replan", restored=False, reason=reason)
        self._write(undone)
        return undone

    def _lost(
        self, environment: Environment, actions: tuple[Action, ...], safety: Safety, error: Exception
    ) -> GateDecision:
        release = getattr(environment, "release", None)
        if release is not None:  # no key or button stays pressed
            try:
                release()
            except Exception as another:
                error.add_note(f"and it could not release its keys: {another}")
        reason = (
            f"The environment no longer answers ({type(error).__name__}: {_first_line(error)}): the run is stopped."
        )
        decision = GateDecision("stop", reason, actions, safety)
        self._write(decision)
        return decision

    def _keep(self, screen: Screen) -> str:
        return "" if self.log is None else self.log.keep(screen)

    def _write(self, decision: GateDecision, **more: Any) -> None:
        if self.log is not None:
            elapsed = round(self._clock() - self._start, 3)
            row = {"time": round(time.time(), 3), "elapsed": elapsed, "step": self._steps, "task": self.task}
            self.log.write(row | decision.to_dict() | more)

    def _drive(
        self, looking: Generator[float, ScreenSource, GateDecision], look: Callable[[], ScreenSource]
    ) -> GateDecision:
        pause = next(looking)
        while True:
            self._sleep(pause)
            try:
                pause = looking.send(look())
            except StopIteration as end:
                decision: GateDecision = end.value
                return decision


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else "no message"
