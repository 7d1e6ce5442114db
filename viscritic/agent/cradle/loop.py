"""The loop: plan one skill, do it, watch, reflect, remember."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Literal

from viscritic.actions import Action, describe_batch
from viscritic.agent.cradle.memory import EpisodicMemory
from viscritic.agent.cradle.reflection import Reflection, Reflector
from viscritic.agent.cradle.skills import Skills
from viscritic.agent.environment import Environment
from viscritic.agent.gui.model import VisionModel
from viscritic.agent.gui.protocol import ProtocolError
from viscritic.errors import AgentError
from viscritic.screen import Screen, load_screen

_MOST_REFUSALS: Final = 3
_LONG: Final = 1.0  # seconds that a key is held: from here on it is long, and done piece by piece
_PIECE: Final = 0.5  # seconds of a piece
_FAR: Final = 600.0  # pixels of a scroll that are done at once


@dataclass(frozen=True, slots=True)
class CradleResult:
    """How a run ended.

    Attributes:
        status: `done`, or `stopped`: the loop could not go on.
        steps: actions that were sent.
        note: why it was stopped.
    """

    status: Literal["done", "stopped"]
    steps: int
    note: str = ""

    def to_dict(self) -> dict[str, Any]:
        """JSON-able form."""
        return asdict(self)


class CradleAgent:
    """Does tasks with skills.

    Args:
        environment: screens and actions.
        planner: gets the prompt and the screen, and answers with one call of a skill.
        reflector: looks back at every step.
        skills: what can be called; learnt tasks among them.
        memory: what happened so far.
        most_steps: a run's bound.
        watch_seconds: after so long the last frame counts, at rest or not.
        look_every: seconds between two frames.
    """

    def __init__(
        self,
        environment: Environment,
        planner: VisionModel,
        reflector: Reflector,
        skills: Skills | None = None,
        memory: EpisodicMemory | None = None,
        *,
        most_steps: int = 50,
        watch_seconds: float = 1.5,
        look_every: float = 0.1,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._environment, self._planner, self._reflector = environment, planner, reflector
        self._skills, self._memory = skills or Skills(), memory or EpisodicMemory()
        self._most, self._looks, self._every, self._sleep = most_steps, watch_seconds, look_every, sleep
        self._steps = 0

    def run(self, task: str) -> CradleResult:
        """Do a task; when it is finished it is learnt as a skill."""
        self._steps = 0
        learnt: list[tuple[Action, str]] = []
        try:
            screen = load_screen(self._environment.screen())
            while self._steps < self._most:
                actions, said = self._plan(task, screen)
                if actions[0].kind == "done":
                    return self._finish(task, learnt, screen)
                for action in actions:
                    screen, reflection = self._do(screen, action, said, task)
                    self._memory.add(f"{describe_batch([action])} -> {reflection.sentence()}")
                    if reflection.took_effect is not False:
                        learnt.append((action, said))
                    if reflection.finished:
                        return self._finish(task, learnt, screen)
                    if reflection.took_effect is False:
                        break  # the rest of a learnt skill rests on this step
            return CradleResult("stopped", self._steps, f"the task was not finished in {self._most} steps")
        except AgentError as error:
            return CradleResult("stopped", self._steps, str(error))
        except OSError as error:  # a foreign environment's connection
            return CradleResult("stopped", self._steps, f"the environment no longer answers: {error}")
        finally:
            release = getattr(self._environment, "release", None)
            if release is not None:
                release()

    def _plan(self, task: str, screen: Screen) -> tuple[tuple[Action, ...], str]:
        problem, size = "", (screen.shape[1], screen.shape[0])
        for _ in range(_MOST_REFUSALS):
            said = self._planner.ask(self._write_prompt(task, size, problem), screen)
            call, _, why = said.strip().partition(" # ")
            try:
                return self._skills.read(call, size), why.strip()
            except ProtocolError as error:
                problem = str(error)
        raise AgentError(f"the planner called no skill {_MOST_REFUSALS} times: {problem}")

    def _write_prompt(self, task: str, size: tuple[int, int], problem: str) -> str:
        parts = [
            f"You operate a program on a screen of {size[0]} x {size[1]} pixels; you see it in the image.",
            f"Task: {task}",
            "Answer with exactly one call of a skill, then ' # ' and in a few words what it is for. Skills:",
            self._skills.describe(),
        ]
        if told := self._memory.tell():
            parts += ["What happened so far, the latest last:", told]
        if problem:
            parts.append(f"Your last answer was refused: {problem} Nothing was done.")
        return "\n".join(parts) + "\n"

    def _do(self, pre: Screen, action: Action, said: str, task: str) -> tuple[Screen, Reflection]:
        """Send an action, a long one piece by piece for as long as it should go on; reflect on all that was seen."""
        self._steps += 1
        pieces, frames = _pieces(action), list[Screen]()
        for piece in pieces:
            self._environment.act(piece)
            seen = self._watch()
            start, frames = frames[-1] if frames else pre, frames + seen
            if len(pieces) > 1 and not self._reflector.goes_on(start, seen):
                break
        return frames[-1], self._reflector.reflect(pre, frames, action, said, task, long=len(pieces) > 1)

    def _watch(self) -> list[Screen]:
        """Screens until two agree, within the bound."""
        frames = [load_screen(self._environment.screen())]
        for _ in range(round(self._looks / self._every)):
            self._sleep(self._every)
            frames.append(load_screen(self._environment.screen()))
            if (frames[-1].shape == frames[-2].shape) and (frames[-1] == frames[-2]).all():
                break
        return frames

    def _finish(self, task: str, learnt: list[tuple[Action, str]], screen: Screen) -> CradleResult:
        self._skills.learn(task, learnt, (screen.shape[1], screen.shape[0]))
        return CradleResult("done", self._steps)


def _pieces(action: Action) -> list[Action]:
    """A long action in pieces, each of which can be looked at; any other as it is."""
    seconds, far = action.seconds or 0.0, action.dy or 0.0
    if action.kind == "key" and seconds > _LONG:
        number = math.ceil(seconds / _PIECE)
        return [replace(action, seconds=seconds / number)] * number
    if action.kind == "scroll" and abs(far) > _FAR:
        number = math.ceil(abs(far) / _FAR)
        return [replace(action, dy=far / number)] * number
    return [action]
