"""All episodes, one after the other; what is done is kept, so that a broken-off run goes on where it was."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Final

from data_prep.collect.application import Application
from data_prep.collect.apps import APPLICATIONS
from data_prep.collect.driver import HungError
from viscritic.agent import Scorer
from viscritic.bench.agents import Agent, PlanAgent
from viscritic.bench.cloned_agent import ClonedAgent
from viscritic.bench.config import BenchConfig
from viscritic.bench.course_agent import CourseStep
from viscritic.bench.dom_agent import make_plan
from viscritic.bench.episode import Played, Row, play
from viscritic.bench.goals import Course, CourseGoal, Goal, WobGoal, plan_course
from viscritic.bench.verifiers import Foresight, PixelScorer, SsimScorer
from viscritic.bench.world import World
from viscritic.errors import AgentError, ConfigError, DataError
from viscritic.files import write_text
from viscritic.ocr import Recognizer
from viscritic.runtime import Critic

_NAME: Final = "episodes"
_ATTEMPTS: Final = 3  # at an episode whose browser or desktop stops to answer
_SEEN: Final = {"train": "MiniWoB++, types of the training data", "val": "MiniWoB++, other types",
                "test": "MiniWoB++, other types"}  # fmt: skip
Key = tuple[str, str, str, int]


def run_bench(
    config: BenchConfig,
    critic: Critic,
    cache: Path,
    out: Path,
    tell: Callable[[int, int], None],
    part: tuple[int, int] = (1, 1),
) -> tuple[list[Row], list[str]]:
    """Play what has not been played yet; returns the rows of the configuration that there are now, and the episodes
    in which an application stopped to answer, which the next run tries again.

    Args:
        cache: where `viscritic data collect --install` put the applications.
        out: a folder; `episodes*.jsonl` in it keep the rows, one file for each part.
        tell: hears how many episodes of how many are done.
        part: (k, n): play every n-th task, beginning with the k-th; so that n processes share the work.

    Raises:
        AgentError: an application is not installed, or the rows are damaged.
        MissingExtraError: Playwright is not installed.
    """
    out.mkdir(parents=True, exist_ok=True)
    done = {row.key: row for row in read_rows(out)}
    runner = _Runner(config, critic, cache)
    tasks = config.chosen[part[0] - 1 :: part[1]]
    total = sum(len(_keys(config, task)) for task in tasks)
    number = 0
    with _open_rows(out / f"{_NAME}{'' if part[1] == 1 else f'-{part[0]}-of-{part[1]}'}.jsonl") as file:
        for task in tasks:
            with runner.task(task):
                for key in _keys(config, task):
                    if key not in done and (row := runner.play(key)) is not None:
                        done[key] = row
                        file.write(json.dumps(row.to_dict()) + "\n")
                        file.flush()
                        os.fsync(file.fileno())
                    number += 1
                    tell(number, total)
    wanted = [key for task in config.chosen for key in _keys(config, task)]
    return [done[key] for key in wanted if key in done], runner.failed


def read_rows(out: Path) -> list[Row]:
    """The rows of a run so far, of all its parts; a torn last line is left out.

    Raises:
        AgentError: a line in the middle is damaged.
    """
    return [row for path in sorted(out.glob(f"{_NAME}*.jsonl")) for row in _read(path)]


def read_part(said: str) -> tuple[int, int]:
    """ "2/3" as (2, 3).

    Raises:
        ConfigError: it is none.
    """
    number, _, parts = said.partition("/")
    if not (number.isdecimal() and parts.isdecimal() and 1 <= int(number) <= int(parts)):
        raise ConfigError(f"a part is K/N with 1 <= K <= N, such as 2/3; got {said!r}")
    return int(number), int(parts)


def reader_of(critic: Critic) -> Recognizer:
    """The recogniser of a critic's bundle.

    Raises:
        ConfigError: it has none.
    """
    reader = critic._graphs.recognizer
    if reader is None:
        raise ConfigError("this bundle cannot read, which 'before' and 'cloned' need; take another, or leave them out")
    return reader


def _keys(config: BenchConfig, task: str) -> list[Key]:
    agents = [agent for agent in config.agents if agent != "cloned" or task.startswith("miniwob-")]
    seeds = range(config.first, config.first + config.seeds)
    return [(a, v, task, seed) for seed, a, v in itertools.product(seeds, agents, config.verifiers)]


@contextmanager
def _open_rows(path: Path) -> Iterator[IO[str]]:
    """The file to append to, without the torn line of a run that was broken off."""
    write_text(path, "".join(json.dumps(row.to_dict()) + "\n" for row in _read(path)))
    with path.open("a", encoding="utf-8") as file:
        yield file


def _read(path: Path) -> list[Row]:
    if not path.exists():
        return []
    rows = []
    for number, line in enumerate(path.read_text("utf-8").split("\n")[:-1], 1):
        try:
            rows.append(Row(**json.loads(line)))
        except (ValueError, TypeError) as error:
            raise AgentError(
                f"{path}, line {number} is damaged ({error}): remove it, or name another folder"
            ) from error
    return rows


class _Runner:
    """Plays episodes; an application is started when its first one is played."""

    def __init__(self, config: BenchConfig, critic: Critic, cache: Path) -> None:
        self._config, self._critic, self._cache = config, critic, cache
        self._scorers: Mapping[str, Scorer | Foresight] = self._make_scorers()
        self._app: Application | None = None
        self._name = ""
        self._courses: dict[int, Course | None] = {}
        self.failed: list[str] = []

    def _make_scorers(self) -> dict[str, Scorer | Foresight]:
        makers: dict[str, Callable[[], Scorer | Foresight]] = {
            "before": lambda: Foresight(reader_of(self._critic)), "pixels": PixelScorer,
            "ssim": lambda: SsimScorer(self._config.ssim), "critic": lambda: self._critic,
        }  # fmt: skip
        return {name: make() for name, make in makers.items() if name in self._config.verifiers}

    @contextmanager
    def task(self, name: str) -> Iterator[None]:
        """The task whose episodes follow."""
        self._name, self._courses = name, {}
        try:
            yield
        finally:
            self._stop()

    def play(self, key: Key) -> Row | None:
        """Play an episode; None where its application has no task for the seed, or stops to answer."""
        agent, verifier, task, seed = key
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                played = self._play(agent, verifier, seed)
                break
            except HungError as error:
                self._stop()
                if attempt == _ATTEMPTS:
                    self.failed.append(f"{task}, seed {seed}, {agent} with {verifier}: {error}")
                    return None
            except DataError as error:  # not installed; or the browser does not start, on a busy machine
                self._stop()
                if attempt == _ATTEMPTS:
                    raise AgentError(
                        f"{task} cannot be played: {error}; what is done is kept, and a run goes on"
                    ) from error
        if played is None:
            return None
        split = APPLICATIONS[task]().split
        group = _SEEN[split] if task.startswith("miniwob-") else "applications"
        return Row(
            agent, verifier, task, seed, group, played.won, played.steps, round(played.seconds, 3),
            round(played.cpu, 3), played.moves,
        )  # fmt: skip

    def _play(self, agent: str, verifier: str, seed: int) -> Played | None:
        app = self._start()
        wob = self._name.startswith("miniwob-")
        if not wob and seed not in self._courses:
            self._courses[seed] = plan_course(app, seed)
        course = self._courses.get(seed)
        if not wob and course is None:
            return None
        faults = None if agent == "dom" else self._config.faults
        world = World(app, seed if course is None else course.seed, faults)
        goal: Goal = WobGoal(world) if course is None else CourseGoal(world, course)
        return play(
            world, goal, self._agent(agent, world, goal, course), verifier, self._scorers.get(verifier), self._config
        )

    def _agent(self, name: str, world: World, goal: Goal, course: Course | None) -> Agent:
        if name == "cloned":
            return ClonedAgent(world, goal.words, reader_of(self._critic))
        steps: list[Any]
        steps = make_plan(world, goal.words) if course is None else [CourseStep(stage) for stage in course.stages]
        return PlanAgent(world, steps, self._config.tries)

    def _start(self) -> Application:
        if self._app is None:
            app = APPLICATIONS[self._name]()
            app.start(self._cache)
            self._app = app
        return self._app

    def _stop(self) -> None:
        if self._app is not None:
            self._app.stop()
        self._app = None
