"""Skills: Cradle's calls on the screen, and whole tasks that were learnt, by name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from viscritic.actions import Action
from viscritic.agent.gui.macros import Macro, MacroStep, MacroStore
from viscritic.agent.gui.protocol import ProtocolError
from viscritic.errors import ActionError

BASIC: Final = """click_at_position(x=0.5, y=0.2, mouse_button="left")     x, y in 0..1 of the screen
double_click_at_position(x, y, mouse_button)   move_mouse_to_position(x, y)
mouse_drag(source_x, source_y, target_x, target_y, mouse_button)
mouse_scroll_up(distance)   mouse_scroll_down(distance)
press_key(key)   press_keys_combined(keys)   type_text(text)
done()                                                   the task is finished"""
_USE: Final = re.compile(r"use_skill\(\s*(?:name\s*=\s*)?(['\"])(.+)\1\s*\)\Z")


class Skills:
    """What an agent can do.

    Args:
        store: procedural memory: finished tasks, to be used again as one skill; None remembers none.
    """

    def __init__(self, store: MacroStore | None = None) -> None:
        self._store = store

    def describe(self) -> str:
        """For the planner: a line for each kind of call, and one for each task that was learnt."""
        learnt = self._store.all() if self._store is not None else []
        return "\n".join([BASIC, *(f"use_skill('{macro.task}')   {len(macro.steps)} steps" for macro in learnt)])

    def read(self, said: str, size: tuple[int, int]) -> tuple[Action, ...]:
        """The actions that a call stands for; one `done` for `done()`.

        Args:
            size: (width, height) of the screen in pixels.

        Raises:
            ProtocolError: no call, or a skill that was not learnt on a screen of this size; the message is for the
                planner.
        """
        call = said.strip()
        if call == "done()":
            return (Action("done"),)
        if match := _USE.match(call):
            return tuple(step.action for step in self._find(match[2], size).steps)
        try:
            return Action.parse_batch(call, "cradle", size=size)
        except ActionError as error:
            raise ProtocolError(f"That is no call of a skill: {error}.") from error

    def learn(self, task: str, actions: Sequence[tuple[Action, str]], size: tuple[int, int]) -> None:
        """Keep a finished task: its actions, each with what it was for."""
        if self._store is not None and actions:
            self._store.save(task, [MacroStep(action, why) for action, why in actions], size)

    def _find(self, name: str, size: tuple[int, int]) -> Macro:
        macro = self._store.get(name) if self._store is not None else None
        if macro is None:
            raise ProtocolError(f"No skill of the name {name!r} was learnt.")
        if macro.size != size:
            raise ProtocolError(f"The skill {name!r} was learnt on a screen of {macro.size}, this is {size}.")
        return macro
