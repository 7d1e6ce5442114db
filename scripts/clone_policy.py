"""Clone the pixel policy of `viscritic bench agents` from the heuristic agent's successes on MiniWoB++.

python scripts/clone_policy.py --seeds 4 --out viscritic/bench/cloned_policy.json

Demonstrations come from task types of the training split and from seeds that the benchmark does not use; some begin
with a banner that is closed. Takes minutes on one core.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random

import numpy as np
import numpy.typing as npt
from rich.progress import track

from data_prep.collect.apps import APPLICATIONS
from data_prep.collect.driver import HungError, rest
from data_prep.collect.install import default_cache
from viscritic.bench.cloned_agent import FEATURES, VERBS, Memory, Verb
from viscritic.bench.config import MINIWOB
from viscritic.bench.dom_agent import make_plan
from viscritic.bench.goals import WobGoal
from viscritic.bench.places import Place, find_places
from viscritic.bench.run import reader_of
from viscritic.bench.world import World
from viscritic.cli.ending import extra_named
from viscritic.errors import DataError
from viscritic.files import write_json
from viscritic.runtime import Critic

Choice = tuple[npt.NDArray[np.float64], npt.NDArray[np.int64], int]  # features, verbs, which one was chosen
_FIRST = 50_000  # seeds from here on
_BANNERS = 0.2  # of the steps


def main() -> None:
    """Demonstrate, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=4, help="of each task type")
    parser.add_argument("--out", type=Path, default=Path("viscritic/bench/cloned_policy.json"))
    arguments = parser.parse_args()
    reader = reader_of(Critic.load(threads=1))
    choices: list[Choice] = []
    tasks, won = [], 0
    for task in track(MINIWOB, "demonstrating"):
        app = APPLICATIONS[f"miniwob-{task}"]()
        if app.split != "train":
            continue
        tasks.append(task)
        try:
            app.start(default_cache())
            for seed in range(_FIRST, _FIRST + arguments.seeds):
                shown = _demonstrate(World(app, seed), reader, Random(seed))
                choices += shown or []
                won += shown is not None
        except (HungError, DataError) as error:
            print(f"{task}: {error}")
        finally:
            app.stop()
    weights = _fit(choices)
    right = np.mean([_scores(weights, features, verbs).argmax() == chosen for features, verbs, chosen in choices])
    print(
        f"{won} demonstrations of {len(tasks)} task types, {len(choices)} steps; the policy repeats {right:.2f} of them"
    )
    told = {verb: dict(zip(FEATURES, np.round(weights[i], 3).tolist(), strict=True)) for i, verb in enumerate(VERBS)}
    write_json(arguments.out, {"demonstrations": won, "steps": len(choices), "first_seed": _FIRST, **told})


def _demonstrate(world: World, reader: object, random: Random) -> list[Choice] | None:
    """The choices of an episode; None where it was not won."""
    goal = WobGoal(world)
    memory, choices = Memory(goal.words), list[Choice]()
    for step in make_plan(world, goal.words):
        proposal = step.ground(world)
        if proposal is None or goal.done:
            break
        if random.random() < _BANNERS and (point := world.show_banner()) is not None:
            _choose(memory, world, reader, "click", point, choices)
            world.close_banner()
        action = proposal.actions[0]
        if action.kind not in VERBS or action.point is None:
            return None
        verb: Verb = "type" if action.kind == "type" else "click"
        chosen = _choose(memory, world, reader, verb, action.point, choices)
        world.begin(proposal.actions)
        for one in proposal.actions:
            world.act(one)
        rest(world.app.driver, 1.0)
        if chosen is not None:
            memory.note(verb, chosen)
    return choices if goal.won else None


def _choose(
    memory: Memory, world: World, reader: object, verb: Verb, point: tuple[float, float], choices: list[Choice]
) -> Place | None:
    """Note the pair that the demonstration chose; None where the policy sees none there."""
    screen = world.screen()
    pairs, features = memory.describe(find_places(screen, reader), screen)  # type: ignore[arg-type]
    near = [(_distance(place, point), i) for i, (other, place) in enumerate(pairs) if other == verb]
    if not near or min(near)[0] > 1:
        return None
    index = min(near)[1]
    choices.append((features, np.array([VERBS.index(v) for v, _ in pairs]), index))
    return pairs[index][1]


def _distance(place: Place, point: tuple[float, float]) -> float:
    """Of a point from a place's middle, in half sides: at most 1 inside; small places first."""
    (x, y), (_, _, width, height) = place.centre, place.box
    away = max(abs(point[0] - x) / (width / 2 + 3), abs(point[1] - y) / (height / 2 + 3))
    return away if away > 1 else 0.5 * away + 0.5 * min(width * height / 60_000, 1)


def _fit(choices: list[Choice], rounds: int = 800, rate: float = 0.3, decay: float = 1e-3) -> npt.NDArray[np.float64]:
    """Maximum likelihood of the choices, by gradient ascent."""
    weights = np.zeros((len(VERBS), len(FEATURES)))
    for _ in range(rounds):
        slope = -decay * weights
        for features, verbs, chosen in choices:
            scores = _scores(weights, features, verbs)
            share = np.exp(scores - scores.max())
            share /= share.sum()
            share[chosen] -= 1
            for verb in range(len(VERBS)):
                slope[verb] -= share[verbs == verb] @ features[verbs == verb] / len(choices)
        weights += rate * slope
    return weights


def _scores(
    weights: npt.NDArray[np.float64], features: npt.NDArray[np.float64], verbs: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    return np.asarray((weights[verbs] * features).sum(axis=1))


if __name__ == "__main__":
    with extra_named("collect"):
        main()
