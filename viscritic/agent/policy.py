"""What the gate may do, and for how long: its budgets, and the rules from a judgement to a move."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Final, Literal, get_args

from viscritic.agent.environment import Judgement
from viscritic.agent.safety import Safety
from viscritic.errors import ConfigError

Move = Literal["proceed", "wait", "retry", "rollback", "replan", "stop"]
MOVES: Final[tuple[Move, ...]] = get_args(Move)


@dataclass(frozen=True, slots=True)
class GatePolicy:
    """Budgets and thresholds. All of them are bounds: what they forbid, nothing else allows.

    Attributes:
        look_every: seconds between two looks while the screen comes to rest.
        settle_seconds: after so long the last screen counts, at rest or not.
        waits: seconds to wait before the second, third, ... look at an action whose effect is not to be seen, or whose
            failure is not sure yet; after the last of them the waiting is over.
        looks: a failure is believed when it has been seen so often,
        patience: and so many seconds have been waited since the action.
        retries_per_step, retries: how often one step, and all steps together, may be repeated.
        rollbacks: how many steps may be undone.
        rollback_below: undo only where success is at most this probable: undoing what had worked does harm.
        loop: so many times the same action on the same screen is a loop; twice as many end the run.
        failures: so many failed steps in a row end the run.
        seconds: the whole run may take so long.
    """

    look_every: float = 0.08
    settle_seconds: float = 2.0
    waits: tuple[float, ...] = (0.4, 0.8, 1.6, 3.2)
    looks: int = 2
    patience: float = 1.0
    retries_per_step: int = 2
    retries: int = 20
    rollbacks: int = 10
    rollback_below: float = 0.35
    loop: int = 3
    failures: int = 8
    seconds: float = math.inf

    def __post_init__(self) -> None:
        for name in ("looks", "loop", "failures"):
            if getattr(self, name) < 1:
                raise ConfigError(f"a gate's {name} must be 1 or more, got {getattr(self, name)}")
        for name in (f.name for f in fields(self) if f.name not in ("waits", "looks", "loop", "failures")):
            if not getattr(self, name) >= 0:
                raise ConfigError(f"a gate's {name} must not be negative, got {getattr(self, name)}")
        if any(not 0 <= wait < math.inf for wait in self.waits):
            raise ConfigError(f"a gate's waits must be seconds of 0 or more, got {list(self.waits)}")
        if self.rollback_below > 1:
            raise ConfigError(f"a gate's rollback_below is a probability, got {self.rollback_below}")


@dataclass(frozen=True, slots=True)
class Situation:
    """All that the rules look at, when an action has been looked at once more.

    Attributes:
        judgement: the scorer's.
        action: the action in words, as the start of a sentence ("Click at (848, 204)").
        safety: what a repetition would do.
        looks: how often the screen has been judged since the action; 1 at first.
        waited: seconds of the policy's waits that have passed since the action.
        step_retries, retries, rollbacks: what has been used of the budgets.
        can_roll_back: whether there is a way back.
        undoes_all: the way back leads from irreversible deeds as well: the world is simulated and is made anew.
        changed: whether anything on the screen is another than before the action.
        undone: this action has led from this screen to this very one before, and was undone: to do so again would
            lead nowhere.
        repeats: how often the agent has sent this action on this very screen, this time included.
        failures: failed steps in a row before this one.
        elapsed: seconds since the run began.
    """

    judgement: Judgement
    action: str
    safety: Safety
    looks: int = 1
    waited: float = math.inf
    step_retries: int = 0
    retries: int = 0
    rollbacks: int = 0
    can_roll_back: bool = False
    undoes_all: bool = False
    changed: bool = False
    undone: bool = False
    repeats: int = 1
    failures: int = 0
    elapsed: float = 0.0


def decide(s: Situation, policy: GatePolicy) -> tuple[Move, str]:
    """The move, and a sentence or two that tell an agent why.

    `wait` means: look again after the next of the policy's waits.
    """
    state, outcome = s.judgement.state, s.judgement.outcome
    if s.elapsed > policy.seconds:
        return "stop", f"The run's time of {policy.seconds:g} s is over."
    if s.repeats >= 2 * policy.loop:
        return "stop", f"{s.action} has been sent {s.repeats} times on the very same screen: this run goes in circles."
    waits_left = s.looks <= len(policy.waits)
    working = state == "pending" or (state == "failed" and outcome == "timeout")
    if working and waits_left:
        return (
            "wait",
            f"No effect of this action is to be seen yet: {s.action}. Look again before anything is repeated.",
        )
    if state == "unsure" and waits_left and s.looks < policy.looks:
        return "wait", f"It cannot be told yet whether this worked: {s.action}."
    if s.repeats >= policy.loop:
        return "replan", (
            f"{s.action} has been sent {s.repeats} times on the same screen and leads back to it: do something else."
        )
    if working:
        return _after_failure(
            s, policy, f"After {s.looks} looks the application still seems to be working on this: {s.action}"
        )
    if state == "confirmed":
        return "proceed", f"It seems to have worked: {s.action}."
    if state == "unsure":
        return "proceed", (
            f"Unclear whether this worked: {s.action}. Count it neither as done nor as failed: look at the screen "
            "before you rely on it, and do not repeat it blindly."
        )
    if waits_left and (s.looks < policy.looks or s.waited < policy.patience):
        return "wait", f"It seems to have failed, which is looked at once more: {s.action}."
    return _decide_failure(s, policy)


def _decide_failure(s: Situation, policy: GatePolicy) -> tuple[Move, str]:
    if s.judgement.outcome == "no_op":
        what = f"Nothing came of this action: {s.action}"
        if s.changed and s.can_roll_back:  # where the critic errs, to undo does less harm than to do it again
            return _undo(s, policy, f"{what}, though the screen is another one")
        if not s.safety.repeatable:
            return _after_failure(s, policy, f"{what}. It is not repeated unasked, since {s.safety.why}")
        if budget := _retries_spent(s, policy):
            return _after_failure(s, policy, f"{what}. {budget}")
        return "retry", f"{what}. It is repeated, which is safe: {s.safety.why}."
    error = s.judgement.outcome == "page_error"
    seen = "The application shows an error after this action" if error else "Something else than was meant happened by"
    what = f"{seen}: {s.action}"
    if error and s.safety.repeatable and not _retries_spent(s, policy):
        return "retry", f"{what}. It is repeated, which is safe: {s.safety.why}."
    return _undo(s, policy, what)


def _undo(s: Situation, policy: GatePolicy, what: str) -> tuple[Move, str]:
    if not s.can_roll_back:
        return _after_failure(s, policy, what)
    if s.undone:
        return _after_failure(s, policy, f"{what}. It was undone once and has led to the very same screen again")
    if s.safety.kind == "irreversible" and not s.undoes_all:
        return _after_failure(s, policy, f"{what}. It is not undone, since {s.safety.why}")
    if s.judgement.success > policy.rollback_below:
        return _after_failure(s, policy, f"{what}. That is not sure enough to undo it")
    if s.rollbacks >= policy.rollbacks:
        return _after_failure(s, policy, f"{what}. All {policy.rollbacks} rollbacks are used up")
    return "rollback", f"{what}. It is undone."


def _retries_spent(s: Situation, policy: GatePolicy) -> str | None:
    if s.step_retries >= policy.retries_per_step:
        return f"It has been tried {s.step_retries + 1} times"
    return f"All {policy.retries} retries are used up" if s.retries >= policy.retries else None


def _after_failure(s: Situation, policy: GatePolicy, what: str) -> tuple[Move, str]:
    if s.failures + 1 >= policy.failures:
        return "stop", f"{what}. With it {s.failures + 1} steps in a row have failed: the run is stopped."
    return "replan", f"{what}. Look at the screen and find another way."
