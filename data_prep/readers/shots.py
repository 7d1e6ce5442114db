"""Screens in a row, each with what was done on it: the next screen shows the result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from viscritic.actions import Action
from viscritic.trajectory import Box, Element, Step


@dataclass(frozen=True, slots=True)
class Shot:
    """A screen of an episode.

    Attributes:
        number: its place in the episode; only the screen with the next number shows the result of its actions.
        screen: an image file, or encoded bytes.
        size: (width, height) of the screen in pixels.
        actions: what was done; () where nothing was, or nothing that could be read. The screen still ends the step
            before it.
        after: a screen of the result that is stored with this one.
        instruction, success, box, elements: of the step, see `viscritic.trajectory.Step`.
        marked: as there, of this screen alone.
    """

    number: int
    screen: Path | bytes
    size: tuple[int, int]
    actions: tuple[Action, ...] = ()
    after: Path | bytes | None = None
    instruction: str = ""
    success: bool | None = None
    box: Box | None = None
    marked: bool = False
    elements: tuple[Element, ...] = ()


def link(shots: Iterable[Shot], *, after_first: bool = False) -> tuple[Step, ...]:
    """The steps that the screens of one episode make, in the order of their numbers.

    Args:
        after_first: whether `Shot.after` outranks the next screen, or only stands in where there is none.
    """
    ordered = sorted(shots, key=lambda shot: shot.number)
    steps: list[Step] = []
    for shot, following in zip(ordered, [*ordered[1:], None], strict=False):
        follows = following is not None and following.number == shot.number + 1
        after = following if follows and not (after_first and shot.after is not None) else None
        if shot.actions:
            step = Step(
                index=len(steps),
                pre=shot.screen,
                post=shot.after if after is None else after.screen,
                size=shot.size,
                actions=shot.actions,
                instruction=shot.instruction,
                success=shot.success,
                target_box=shot.box,
                marked=shot.marked or (after is not None and after.marked),
                elements=shot.elements if shot.box is not None else (),  # they serve to find what lies beside it
            )
            steps.append(step)
    return tuple(steps)


def succeeded(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The same steps as successes, but for those that only say that the task is over."""
    return tuple(replace(step, success=True) if step.actions[0].kind != "done" else step for step in steps)


def ended_well(steps: Sequence[Step]) -> bool | None:
    """How a demonstration ended: True where its last action says complete, False for impossible, else None."""
    last = steps[-1].actions[-1] if steps else None
    return last.text is None if last is not None and last.kind == "done" else None
