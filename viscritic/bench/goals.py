"""What an episode is about: the task in words, and the application's own word on whether it is reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final, Protocol

from data_prep.collect.application import Application, Element, Intent, State
from data_prep.collect.driver import rest
from data_prep.collect.instruction import write_instruction
from data_prep.collect.judge import Facts, field_keys, judge_clean
from viscritic.actions import Action
from viscritic.bench.verifiers import Judge, Plain
from viscritic.bench.world import World
from viscritic.trajectory import Box

_LENGTHS: Final = (2, 3, 4)  # steps of an application's task
_TRIES: Final = 24  # intents that are tried for one
_SEEDS: Final = 5  # states that are tried for one
_LEFT_OUT: Final = ("scroll", "drag", "right_click")


class Goal(Judge, Protocol):
    """A task under way in a world."""

    @property
    def words(self) -> str:
        """The task."""

    @property
    def done(self) -> bool:
        """Whether it is over, reached or not."""

    @property
    def won(self) -> bool:
        """Whether it is reached."""


class WobGoal:
    """An episode of MiniWoB++: the page tells the reward. Its steps are judged by the faults that they met."""

    def __init__(self, world: World) -> None:
        self._world = world
        said = world.run("core.getUtterance()")
        self.words = str(said["utterance"] if isinstance(said, dict) else said)
        world.ended = lambda: self.done

    @property
    def done(self) -> bool:
        """The page ends the episode by itself."""
        return bool(self._world.run("WOB_DONE_GLOBAL"))

    @property
    def won(self) -> bool:
        """Its reward is positive."""
        return bool(self._world.run("WOB_DONE_GLOBAL && WOB_RAW_REWARD_GLOBAL > 0"))

    def judge(self) -> Plain:
        """By the reward where the episode is over, else by the fault."""
        if self.done:
            return Plain("confirmed") if self.won else Plain("failed", "wrong_target")
        if self._world.fault == "slow":
            return Plain("pending", "timeout")
        if self._world.fault in ("drop", "popup") or self._world.covered:
            return Plain("failed", "no_op")
        return Plain("failed", "wrong_target") if self._world.fault == "miss" else Plain("confirmed")


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of an application's task, as a person would be told it, and as it is found again.

    Attributes:
        instruction: in words.
        element: what is acted on.
        actions: the right ones, where the element lay at `box` when the task was made.
        end: the state that it leads to.
    """

    instruction: str
    element: Element
    actions: tuple[Action, ...]
    end: State = field(repr=False)

    @property
    def box(self) -> Box:
        """Where the element lay."""
        return self.element.box


@dataclass(frozen=True, slots=True)
class Course:
    """A task of several steps in an application, made by a clean walk: reached when the application's state is the
    walk's last one.

    Attributes:
        seed: of the state that it begins in.
        start: that state.
    """

    seed: int
    start: State = field(repr=False)
    stages: tuple[Stage, ...]

    @property
    def words(self) -> str:
        """The whole task."""
        return "; then ".join(stage.instruction.rstrip(".") for stage in self.stages)


def plan_course(app: Application, seed: int) -> Course | None:
    """A task from the state of a seed, or of one of the next; None where none was found that comes out the same twice.

    Args:
        app: started already.
    """
    for number in range(_SEEDS):
        random = Random(f"course {app.name} {seed} {number}")
        course = _walk(app, 1000 * seed + number, random)
        if course is not None and _repeats(app, course):
            return course
    return None


def _walk(app: Application, seed: int, random: Random) -> Course | None:
    length = random.choice(_LENGTHS)
    app.reset(seed)
    start, stages = app.state(), list[Stage]()
    for _ in range(_TRIES):
        elements = app.elements()
        intents = [one for one in app.intents(elements, random) if _is_fit(one, elements, stages)]
        if not intents:
            break
        before, intent = app.state(), intents[0]
        app.listen()
        app.driver.act(intent.actions)
        rest(app.driver)
        point = intent.actions[0].point
        facts = Facts(before, app.state(), intent.target.key, app.traffic(), field_keys(elements))
        if judge_clean(intent, facts) == "success" and point is not None and _content(facts.after) != _content(before):
            words = write_instruction(intent, elements, app.driver.size, random, without=0.0)
            stages.append(Stage(words, intent.target, intent.actions, facts.after))
            if len(stages) == length:
                break
        else:
            _restore(app, seed, stages)
    if len(stages) < _LENGTHS[0] or _content(stages[-1].end) == _content(start):
        return None
    return Course(seed, start, tuple(stages))


def _is_fit(intent: Intent, elements: Sequence[Element], stages: Sequence[Stage]) -> bool:
    """Whether a step can be told in words, and is not one of the course already."""
    target = intent.target
    alike = sum((e.role, e.name, e.near) == (target.role, target.name, target.near) for e in elements)
    told = bool(target.name) and alike == 1 and intent.verb not in _LEFT_OUT
    return told and target.enabled and all(stage.element.key != target.key for stage in stages)


def _restore(app: Application, seed: int, stages: Sequence[Stage]) -> None:
    app.reset(seed)
    for stage in stages:
        app.driver.act(stage.actions)
        rest(app.driver)


def _repeats(app: Application, course: Course) -> bool:
    _restore(app, course.seed, course.stages)
    return bool(_content(app.state()) == _content(course.stages[-1].end))


def _content(state: State) -> Any:
    """What of a state a task is about: what the application keeps, and what it shows; carets and scrolling are not."""
    truth = state.truth if isinstance(state.truth, dict) else {}
    return state.shown, truth.get("extra"), truth.get("kept")


class CourseGoal:
    """A course under way. It is over when its last state is reached; the agent may also end it before."""

    def __init__(self, world: World, course: Course) -> None:
        self._world, self._course = world, course
        self.words = course.words
        self._contents = [_content(course.start), *(_content(stage.end) for stage in course.stages)]
        self._at = 0

    @property
    def done(self) -> bool:
        """An application goes on for ever."""
        return False

    @property
    def won(self) -> bool:
        """The application is in the last state of the course."""
        return bool(_content(self._world.app.state()) == self._contents[-1])

    def judge(self) -> Plain:
        """By the state that the step should have led to."""
        now = _content(self._world.app.state())
        if now in self._contents[self._at + 1 :]:
            self._at = self._contents.index(now, self._at + 1)
            return Plain("confirmed")
        if self._world.fault == "slow":
            return Plain("pending", "timeout")
        idle = now == self._contents[self._at] or self._world.covered
        return Plain("failed", "no_op" if idle else "wrong_target")
