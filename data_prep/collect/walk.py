"""A walk through an application: at each of its states one right step and several wrong ones, each from a replay."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

import numpy as np
import numpy.typing as npt

from data_prep.collect.application import Application, Element, Fault, Intent, State
from data_prep.collect.driver import equal, settle
from data_prep.collect.instruction import write_instruction, write_task
from data_prep.collect.judge import Facts, change_kind, field_keys, judge_clean, judge_faulted
from viscritic.actions import Action
from viscritic.sample import Change
from viscritic.screen import Screen
from viscritic.trajectory import Box, Outcome

CLEAN: Final = "clean"
NO_HANDLER: Final = "no_handler"
_NOISE_SHARE: Final = 0.25
_HELD_FOR: Final = 1.2  # seconds that a request may stay open before the step counts as waiting
_MOST_BURST: Final = 3
_CARET_PIXELS: Final = 300  # a blinking caret changes fewer
_MOST_FAILURES: Final = 4  # right steps without success before a walk ends
_NATURAL_SHARE: Final = 0.25  # of the clean steps that do nothing, so many are kept

# How often each cause is drawn, against 1 for every other. Rare in the world or slow to play: less.
WEIGHTS: Final = {
    "neighbour": 2.5, "swallowed": 1.6, "offset": 1.2, "blank": 0.7, "scaled": 0.6, "off_screen": 0.25,
    "overlay": 1.2, "late_overlay": 0.5, "overlay_beside": 1.6, "asked_500": 0.5, "asked_404": 0.3,
    "asked_refused": 0.3, "asked_offline": 0.3, "asked_held": 1.2, "asked_slow": 1.3, "twice": 1.2,
    "typed_nowhere": 2.0, "focus_stolen": 2.5,
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """One played step: the screens and the facts."""

    idle: tuple[Screen, ...]
    pre: Screen
    burst: tuple[Screen, ...]
    post: Screen
    facts: Facts
    actions: tuple[Action, ...]
    cause: str
    noise: str = ""
    noise_boxes: tuple[Box, ...] = ()

    def looks_like(self, a: Screen, b: Screen) -> bool:
        """Whether two of its screens are equal but for the noise."""
        if equal(a, b, self.noise_boxes):
            return True
        blinking = self.noise == "caret" and a.shape == b.shape
        return blinking and int((a != b).any(axis=2).sum()) < _CARET_PIXELS


@dataclass(frozen=True, slots=True, eq=False)
class Labelled:
    """A step of a walk that has a label: what becomes a `Sample`."""

    step: int
    seen: Seen
    intent: Intent
    instruction: str
    outcome: Outcome
    change: Change
    noise: str


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


@dataclass(frozen=True, slots=True)
class Noise:
    """An ambient change: its kind ("" for none), and the seed of its look."""

    kind: str = ""
    seed: int = 0


SILENCE: Final = Noise()


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
        if not fresh:
            _replay(app, seed, prefix)
        elements = app.elements()
        intents = [i for i in app.intents(elements, random) if (i.verb, i.target.key) not in tried]
        if not intents:
            break
        tried.add((intents[0].verb, intents[0].target.key))
        group = _Group(app, seed, tuple(prefix), intents[0], elements, random)
        clean, outcome = group.play_clean(walk)
        fresh = outcome == "no_op"  # nothing happened: the state is still the same
        if outcome == "success":
            group.play_faulted(walk, clean, wrong)
            prefix.append(intents[0].actions)
            purposes.append(intents[0].purpose)
            tried.clear()
            walk.steps += 1
            if walk.steps == goal:
                break
    walk.task = write_task(purposes, random) if random.random() < 0.6 else ""
    return walk


def _replay(app: Application, seed: int, prefix: Sequence[tuple[Action, ...]]) -> None:
    app.reset(seed)
    for actions in prefix:
        app.driver.act(actions)
        settle(app.driver, limit=2.0)
    app.listen()


class _Group:
    """One intent at one state: its clean step, and the faulted ones from replays of the state."""

    def __init__(
        self, app: Application, seed: int, prefix: tuple[tuple[Action, ...], ...], intent: Intent,
        elements: Sequence[Element], random: Random,
    ) -> None:  # fmt: skip
        self.app, self.seed, self.prefix, self.intent, self.elements = app, seed, prefix, intent, elements
        self.random = random
        self.start = app.state()
        self.instruction = write_instruction(intent, elements, app.driver.size, random)
        self.noise = SILENCE
        if random.random() < _NOISE_SHARE:
            self.noise = Noise(random.choice(list(app.noises())), random.randrange(1 << 30))

    def play_clean(self, walk: Walk) -> tuple[Seen, Outcome | None]:
        """The step without a fault, and its outcome; it is kept where its truth can be seen."""
        seen = play(self.app, self.intent, self.elements, self.noise, self.random)
        assert seen is not None
        outcome = judge_clean(self.intent, seen.facts)
        if outcome is None or (outcome == "no_op" and not self.intent.target.enabled):
            walk.dropped["clean: no label"] += 1
        elif outcome == "success" and (not seen.facts.shows or seen.looks_like(seen.pre, seen.post)):
            walk.dropped["clean: unobservable"] += 1
            return seen, None
        elif outcome == "no_op" and (self.random.random() > _NATURAL_SHARE or _changed_apart(seen, self.intent)):
            walk.dropped["clean: no handler"] += 1
        else:
            cause = CLEAN if outcome == "success" else NO_HANDLER if outcome == "no_op" else f"clean_{outcome}"
            self._keep(walk, replace(seen, cause=cause), outcome)
        return seen, outcome

    def play_faulted(self, walk: Walk, clean: Seen, wrong: int) -> None:
        """Steps with faults, each from a replay; those whose truth can be seen are kept."""
        for faults in _draw_faults(self.app.faults(), wrong, self.random):
            _replay(self.app, self.seed, self.prefix)
            self.app.elements()
            if not _same(self.app.state(), self.start):
                walk.dropped["unstable"] += 1
                continue
            for fault in faults:
                seen = play(self.app, self.intent, self.elements, self.noise, self.random, fault)
                if seen is not None:
                    self._judge(walk, seen, clean)
                    break

    def _judge(self, walk: Walk, seen: Seen, clean: Seen) -> None:
        outcome = judge_faulted(self.intent, seen.facts, clean.facts)
        if outcome is None:
            walk.dropped[f"{seen.cause}: no label"] += 1
        elif (outcome != "success" and equal(seen.post, clean.post)) or (outcome != "no_op" and not seen.facts.shows):
            walk.dropped[f"{seen.cause}: unobservable"] += 1
        else:
            self._keep(walk, seen, outcome)

    def _keep(self, walk: Walk, seen: Seen, outcome: Outcome) -> None:
        kind = change_kind(seen.facts)
        walk.labelled.append(Labelled(walk.steps, seen, self.intent, self.instruction, outcome, kind, self.noise.kind))


def is_observable(outcome: Outcome, seen: Seen, clean: Seen, intent: Intent) -> bool:
    """Whether the screens can tell a faulted step's outcome: pixels decide here, and nowhere else.

    A failure must differ from the clean replay, and whatever happened must show. A success must show at least a third
    of what the clean replay shows, apart from the target, where hovering shows as well: something may lie over it.
    """
    if outcome != "success":
        return (outcome == "no_op" or seen.facts.shows) and not seen.looks_like(seen.post, clean.post)
    if not seen.facts.shows or clean.pre.shape != clean.post.shape or seen.pre.shape != seen.post.shape:
        return seen.facts.shows
    wanted = _without((clean.pre != clean.post).any(axis=2), clean.noise_boxes)
    apart = _without(wanted, [intent.target.box], margin=4)
    wanted = apart if apart.any() else wanted
    found = int(((seen.pre != seen.post).any(axis=2) & wanted).sum())
    return 0 < int(wanted.sum()) <= 3 * found


def _without(mask: npt.NDArray[np.bool_], boxes: Sequence[Box], margin: int = 0) -> npt.NDArray[np.bool_]:
    """A copy of an (H, W) mask that is False in the boxes."""
    mask = mask.copy()
    for x, y, width, height in boxes:
        left, top = max(int(x) - margin, 0), max(int(y) - margin, 0)
        mask[top : int(np.ceil(y + height)) + margin, left : int(np.ceil(x + width)) + margin] = False
    return mask


def _changed_apart(seen: Seen, intent: Intent) -> bool:
    """Whether pixels changed away from the target though the state did not: then the state does not tell all."""
    if seen.pre.shape != seen.post.shape:
        return True
    x, y, width, height = intent.target.box
    around = (x - 12, y - 12, width + 24, height + 24)
    return not equal(seen.pre, seen.post, [around, *seen.noise_boxes])


def _same(a: State, b: State) -> bool:
    return (a.shown, a.truth) == (b.shown, b.truth)


def _draw_faults(faults: Sequence[Fault], wrong: int, random: Random) -> list[list[Fault]]:
    """For each wrong step the faults in the order in which they are tried: the first that applies is played."""
    order = sorted(faults, key=lambda f: -(random.random() ** (1 / WEIGHTS.get(f.cause, 1.0))))
    return [order[start::wrong] for start in range(wrong)]


def play(
    app: Application,
    intent: Intent,
    elements: Sequence[Element],
    noise: Noise,
    random: Random,
    fault: Fault | None = None,
) -> Seen | None:
    """Send the intent's actions, perhaps with a fault, and see; None where the fault does not apply."""
    actions = intent.actions if fault is None else fault.begin(app, intent, elements, random)
    if actions is None:
        return None
    try:
        driver = app.driver
        boxes = list(app.make_noise(noise.kind, noise.seed)) if noise.kind else []
        idle = list(settle(driver, limit=0.8, noise=boxes).screens)
        if noise.kind:  # a moment later, so that the ambient change shows
            driver.wait(0.25)
            idle.append(driver.screen())
        if fault is not None:
            fault.arm(app)
        if (point := actions[0].point) is not None:  # what hovering does is no effect of the action
            driver.act((Action("move", x=point[0], y=point[1]),))
            driver.wait(0.03)
        before = app.state()
        hit = app.hit(point) if point is not None else before.focus
        app.listen()
        driver.act(actions)
        screens = _settle_traffic(app, boxes)
        facts = Facts(before, app.state(), hit, app.traffic(), field_keys(elements))
    finally:
        if fault is not None:
            fault.end(app)
    cause = CLEAN if fault is None else fault.cause
    burst = tuple(screens[:-1][-_MOST_BURST:])
    shown = noise.kind if boxes else ""
    return Seen(tuple(idle[-3:-1]), idle[-1], burst, screens[-1], facts, tuple(actions), cause, shown, tuple(boxes))


def _settle_traffic(app: Application, noise: Sequence[Box]) -> list[Screen]:
    """The screens until both pixels and network rest; what is held ends the wait by its bound."""
    deadline = time.monotonic() + _HELD_FOR
    screens = list(settle(app.driver, limit=2.0, noise=noise).screens)
    while app.traffic().pending and time.monotonic() < deadline:
        screens += settle(app.driver, limit=0.4, noise=noise).screens
    if not app.traffic().pending and len(screens) > 1:
        screens += settle(app.driver, limit=1.5, noise=noise).screens
    return _thin(screens)


def _thin(screens: Sequence[Screen]) -> list[Screen]:
    """Without repetitions."""
    kept = [screens[0]]
    for screen in screens[1:]:
        if not equal(kept[-1], screen):
            kept.append(screen)
    return kept
