"""A walk through an application: at each of its states one right step and several wrong ones, each from a replay."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from data_prep.collect.application import Application, Element, Fault, Intent, State
from data_prep.collect.driver import rest
from data_prep.collect.instruction import write_instruction, write_task
from data_prep.collect.judge import change_kind, has_strayed, judge_clean, judge_faulted
from data_prep.collect.mixture import draw_faults
from data_prep.collect.observe import changed_apart, is_observable, shows_effect
from data_prep.collect.play import CLEAN, Scene, Seen, play
from data_prep.collect.retell import RETOLD_RIGHT, RETOLD_WRONG, retell_as_right, retell_as_wrong
from viscritic.actions import Action
from viscritic.sample import Change
from viscritic.trajectory import Outcome

NO_HANDLER: Final = "no_handler"
UNOBSERVABLE: Final = "unobservable"  # the cause of right steps whose effect no screen shows: kept apart
_NOISE_SHARE: Final = 0.25
_DRESSED_SHARE: Final = 0.15
_MOST_FAILURES: Final = 4  # right steps without success before a walk ends
_NATURAL_SHARE: Final = 0.25  # of the clean steps that do nothing, so many are kept
_REVIVED_SHARE: Final = (
    0.4  # of the steps on something that does nothing, so many are played again with it made to work
)
_DULL_SHARE: Final = 0.25  # of the hits on another element that do nothing, so many are kept
_RETOLD_SHARE: Final = 0.6  # of the successes and of the wrong targets, so many are kept under another instruction too
_TRIES: Final = 4  # at a wrong step that shows more than that nothing happened

_SEEKING: Final = ("twin", "neighbour")  # causes that look for something that does something


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """A step of a walk that has a label: what becomes a `Sample`."""

    step: int
    seen: Seen
    intent: Intent
    instruction: str
    outcome: Outcome
    change: Change

    @property
    def retold(self) -> bool:
        """Whether it is told under an instruction that is no step of the walk."""
        return self.seen.cause in (RETOLD_RIGHT, RETOLD_WRONG)


@dataclass(slots=True, eq=False)
class Walk:
    """What a walk has yielded.

    Attributes:
        steps: how many right steps it took.
        task: the whole goal in words, "" where it has none.
        dropped: why steps gave no sample, counted.
    """

    labelled: list[Labelled] = field(default_factory=list)
    steps: int = 0
    task: str = ""
    dropped: Counter[str] = field(default_factory=Counter)


def take_walk(app: Application, seed: int, most_steps: int = 3, wrong: int = 2) -> Walk:
    """Walk from the state of a seed.

    Args:
        seed: decides the state and every choice.
        most_steps: right steps at most.
        wrong: wrong steps tried beside each right one.
    """
    random = Random(f"walk {app.name} {seed}")
    walk = Walk()
    prefix: list[tuple[Action, ...]] = []
    purposes: list[str] = []
    tried: set[tuple[str, str]] = set()
    goal = random.randint(1, most_steps)
    fresh = False
    for _ in range(goal + _MOST_FAILURES):
        if fresh:
            app.driver.park()
        else:
            _replay(app, seed, prefix)
        elements = app.elements()
        intents = [i for i in app.intents(elements, random) if (i.verb, i.target.key) not in tried]
        if not intents:
            break
        tried.add((intents[0].verb, intents[0].target.key))
        group = _Group(app, seed, tuple(prefix), intents, elements, random, walk)
        clean, outcome = group.play_clean()
        fresh = group.fresh
        if outcome == "success":
            group.play_faulted(clean, wrong)
            prefix.append(intents[0].actions)
            purposes.append(intents[0].purpose)
            tried.clear()
            walk.steps += 1
            fresh = False
            if walk.steps == goal:
                break
    walk.task = write_task(purposes, random) if random.random() < 0.6 else ""
    return walk


def _replay(app: Application, seed: int, prefix: Sequence[tuple[Action, ...]]) -> None:
    app.reset(seed)
    for actions in prefix:
        app.driver.act(actions)
        rest(app.driver)
    app.listen()


class _Group:
    """One intent at one state, the first of several: its clean step, and the faulted ones from replays of the state.

    Attributes:
        fresh: whether the application is still in the state, untouched.
    """

    def __init__(
        self, app: Application, seed: int, prefix: tuple[tuple[Action, ...], ...], intents: Sequence[Intent],
        elements: Sequence[Element], random: Random, walk: Walk,
    ) -> None:  # fmt: skip
        self.app, self.seed, self.prefix, self.elements = app, seed, prefix, elements
        self.intent, self.others = intents[0], intents[1:]
        self.random, self.walk = random, walk
        self.start = app.state()
        self.fresh = True
        self.instruction = write_instruction(self.intent, elements, app.driver.size, random)
        self.scene = Scene(seed=random.randrange(1 << 30), dressed=random.random() < _DRESSED_SHARE)

    def play_clean(self) -> tuple[Seen, Outcome | None]:
        """The step without a fault, and its outcome; it is kept where its truth can be seen."""
        seen = self._play(None)
        assert seen is not None
        outcome = judge_clean(self.intent, seen.facts)
        self.fresh = outcome == "no_op" and self._is_untouched(seen)
        if outcome is None or (outcome == "no_op" and not self.intent.target.enabled):
            self._drop(CLEAN, "no label")
        elif outcome == "success" and not shows_effect(seen):
            self._keep_apart(seen)
            return seen, None
        elif outcome == "no_op":
            self._take_dead(seen)
        else:
            self._keep(replace(seen, cause=CLEAN if outcome == "success" else f"clean_{outcome}"), outcome)
            if outcome == "success" and self.random.random() < _RETOLD_SHARE:
                other = retell_as_wrong(seen, self.intent, self.others, self.random)
                self._keep_retold(replace(seen, cause=RETOLD_WRONG), other, "wrong_target")
        return seen, outcome

    def _take_dead(self, seen: Seen) -> None:
        """A right step that does nothing: the application may do so, or be made to do something."""
        if changed_apart(seen, self.intent) or self.random.random() > _NATURAL_SHARE:
            self._drop(CLEAN, "no handler")
        else:
            self._keep(replace(seen, cause=NO_HANDLER), "no_op")
        for fault in self.app.faults():
            if _revives(fault) and self.random.random() < _REVIVED_SHARE and self._restore():
                again = self._play(fault)
                if again is not None and again.facts.hit == self.intent.target.key and again.facts.changed:
                    self._keep_revived(again)

    def _keep_revived(self, seen: Seen) -> None:
        if seen.burst or shows_effect(seen):
            self._keep(seen, "success")
        else:
            self._drop(seen.cause, "unobservable")

    def play_faulted(self, clean: Seen, wrong: int) -> None:
        """Steps with faults, each from a replay; those whose truth can be seen are kept."""
        faults = [fault for fault in self.app.faults() if not _revives(fault)]
        for some in draw_faults(faults, wrong, self.random):
            for _ in range(_TRIES):
                if not self._restore() or self._try(some, clean):
                    break

    def _try(self, faults: Sequence[Fault], clean: Seen) -> bool:
        """Play the first fault that applies; whether that is enough."""
        for fault in faults:
            seen = self._play(fault)
            if seen is not None:
                outcome = self._judge(seen, clean)
                self.fresh = outcome == "no_op" and getattr(fault, "spotless", False) and self._is_untouched(seen)
                return not (outcome is None and seen.cause in _SEEKING)
        return True

    def _judge(self, seen: Seen, clean: Seen) -> Outcome | None:
        """Keep a faulted step where its outcome is certain and can be seen; that outcome, None where it is not kept."""
        strayed = has_strayed(self.intent.actions, seen.actions)
        outcome = judge_faulted(self.intent, seen.facts, clean.facts, strayed=strayed)
        if outcome is None:
            self._drop(seen.cause, "no label")
        elif not is_observable(outcome, seen, clean, self.intent):
            self._drop(seen.cause, "unobservable")
        elif outcome == "wrong_target" and not self.instruction and seen.actions != self.intent.actions:
            self._drop(seen.cause, "nothing says what was meant")
        elif outcome in ("no_op", "page_error") and seen.cause in _SEEKING and self.random.random() > _DULL_SHARE:
            self._drop(seen.cause, "dull")
        else:
            self._keep(seen, outcome)
            if outcome == "wrong_target" and self.random.random() < _RETOLD_SHARE:
                other = retell_as_right(seen, self.intent, self.elements, self.others)
                self._keep_retold(replace(seen, cause=RETOLD_RIGHT), other, "success")
            return outcome
        return None

    def _play(self, fault: Fault | None) -> Seen | None:
        """Play a step; noise is drawn for each anew, so that it is alike in every class."""
        self.fresh = False
        scene = replace(self.scene, noises=_draw_noises(self.app, self.random))
        return play(self.app, self.intent, self.elements, scene, self.random, fault)

    def _restore(self) -> bool:
        """Bring the application back into the state; False where it does not come back."""
        if self.fresh:
            self.app.driver.park()
            return True
        _replay(self.app, self.seed, self.prefix)
        self.app.elements()
        self.fresh = _same(self.app.state(), self.start)
        if not self.fresh:
            self.walk.dropped["unstable"] += 1
        return self.fresh

    def _is_untouched(self, seen: Seen) -> bool:
        """Whether a step that did nothing also left nothing behind, no drawing and no focus."""
        plain = not seen.noise and not self.scene.dressed and seen.facts.before.focus == seen.facts.after.focus
        return plain and seen.facts.after == self.start

    def _drop(self, cause: str, why: str) -> None:
        self.walk.dropped[f"{cause}: {why}"] += 1

    def _keep(self, seen: Seen, outcome: Outcome) -> None:
        kind = change_kind(seen.facts)
        if outcome == "success" and kind == "none":  # it showed for a while
            kind = "semantic"
        self.walk.labelled.append(Labelled(self.walk.steps, seen, self.intent, self.instruction, outcome, kind))

    def _keep_retold(self, seen: Seen, intent: Intent | None, outcome: Outcome) -> None:
        """The same step, told as another; an instruction that fits the step as it was meant too is none."""
        if intent is None:
            return
        instruction = write_instruction(intent, self.elements, self.app.driver.size, self.random, without=0)
        if instruction != self.instruction:
            kind = change_kind(seen.facts)
            self.walk.labelled.append(Labelled(self.walk.steps, seen, intent, instruction, outcome, kind))

    def _keep_apart(self, seen: Seen) -> None:
        """A success that no screen shows: what was copied or saved."""
        if seen.facts.before.truth == seen.facts.after.truth or seen.noise:
            self._drop(CLEAN, "unobservable")
            return
        apart = replace(seen, cause=UNOBSERVABLE)
        self.walk.labelled.append(Labelled(self.walk.steps, apart, self.intent, self.instruction, "success", "none"))


def _draw_noises(app: Application, random: Random) -> tuple[str, ...]:
    """Kinds of noise in the order in which they are tried, () for a quiet step."""
    noises = list(app.noises()) if random.random() < _NOISE_SHARE else []
    random.shuffle(noises)
    return tuple(noises)


def _revives(fault: Fault) -> bool:
    return bool(getattr(fault, "revives", False))


def _same(a: State, b: State) -> bool:
    return (a.shown, a.truth) == (b.shown, b.truth)
