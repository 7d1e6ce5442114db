"""The heuristic agent in applications: it is told the steps, and finds each one's element by what it is called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from data_prep.collect.application import Element
from viscritic.actions import Action
from viscritic.bench.agents import Proposal
from viscritic.bench.goals import Stage
from viscritic.bench.world import World


@dataclass(frozen=True, slots=True)
class CourseStep:
    """A stage of a course as a step of a plan."""

    stage: Stage

    def ground(self, world: World) -> Proposal | None:
        """The stage's actions where its element lies now."""
        found = find_element(world.app.elements(), self.stage.element)
        if found is None:
            return None
        old, new = self.stage.element.centre, found.centre
        actions = tuple(_move(action, new[0] - old[0], new[1] - old[1]) for action in self.stage.actions)
        return Proposal(actions, self.stage.instruction, f"{found.role} '{found.name}'")


def find_element(elements: Sequence[Element], wanted: Element) -> Element | None:
    """The element of the same role and name; of several the one with the same neighbours, then the same key."""
    alike = [e for e in elements if (e.role, e.name) == (wanted.role, wanted.name)]
    beside = [e for e in alike if e.near == wanted.near] or alike
    return next((e for e in beside if e.key == wanted.key), beside[0] if beside else None)


def _move(action: Action, dx: float, dy: float) -> Action:
    if action.point is None:
        return action
    return replace(action, x=action.point[0] + dx, y=action.point[1] + dy)
