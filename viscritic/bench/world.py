"""An application as an agent's environment: faults on the way to it, and a way back that replays what was done."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Final, cast

from data_prep.collect.application import Application, State
from data_prep.collect.driver import rest
from data_prep.collect.web_application import WebApplication
from viscritic.actions import Action
from viscritic.actions.action import Point
from viscritic.bench.config import Faults
from viscritic.errors import RollbackError
from viscritic.screen import Screen

# A banner as sites have them: it takes every click until it is closed.
_BANNER: Final = """(() => {
  const banner = document.createElement('div');
  banner.id = 'vc-banner';
  banner.style = 'position:fixed;inset:0;z-index:99999;background:#222b;font:11px Arial;color:#000';
  banner.innerHTML = '<div style="position:absolute;left:12px;right:12px;top:70px;padding:8px;background:#fff">' +
    'We value your privacy.<br><button id=vc-accept style="margin-top:6px">Accept all</button></div>';
  for (const kind of ['click', 'mousedown', 'mouseup', 'keydown'])
    banner.addEventListener(kind, event => event.stopPropagation());
  document.documentElement.append(banner);
  document.getElementById('vc-accept').addEventListener('click', () => banner.remove());
})()"""
_ACCEPT: Final = """(() => { const n = document.getElementById('vc-accept'); if (!n) return null;
  const r = n.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()"""
_HOLDS: Final = "!!document.getElementById('vc-banner')"

Deed = Callable[[], None]


@dataclass(frozen=True, slots=True, eq=False)
class Mark:
    """A moment to come back to: how many deeds, the state, and the slow steps that were still to come."""

    deeds: int
    state: State
    coming: tuple[tuple[Action, ...], ...]


class World:
    """An `Environment`, and a `Rollback` by replay from the seed. Points are pixels of the screen.

    Args:
        app: started already.
        seed: of the application's state, and of the faults: every verifier meets the same ones.
        faults: None for none.

    Attributes:
        fault: the one that the last step met, "" for none.
        ended: tells whether the task is over, so that nothing can be undone any more.
    """

    undoes_all = True  # a replay makes the world anew

    def __init__(self, app: Application, seed: int, faults: Faults | None = None) -> None:
        self.app, self.seed, self._faults = app, seed, faults
        self.ended: Callable[[], bool] = lambda: False
        self._random = Random(f"faults {app.name} {seed}")
        self.fault = ""
        self._deeds: list[Deed] = []
        self._slow: list[tuple[float, tuple[Action, ...]]] = []
        self._batch: list[Action] = []
        self._left = 1
        app.reset(seed)

    @property
    def web(self) -> WebApplication | None:
        """The application, if it is a page."""
        return self.app if isinstance(self.app, WebApplication) else None

    def run(self, expression: str) -> Any:
        """The JSON value of a JavaScript expression in the page."""
        return cast(WebApplication, self.app).run(expression)

    def screen(self) -> Screen:
        """The screen now; what is slow takes effect when its time has come."""
        self._do_slow(time.monotonic())
        return self.app.driver.screen()

    def begin(self, actions: Sequence[Action]) -> None:
        """The next step consists of these actions: it meets one fault at most, each time it is sent."""
        self._left, self._batch = len(actions), []

    def act(self, action: Action) -> None:
        """Take one action of the step; with the last of them the step is done, or what the fault makes of it."""
        self._batch.append(action)
        if len(self._batch) >= self._left:
            batch, self._batch = tuple(self._batch), []
            self._send(batch)

    def _send(self, batch: tuple[Action, ...]) -> None:
        self.fault = kind = self._draw()
        if kind == "miss":
            if any(action.point is not None for action in batch):
                batch = self._beside(batch)
            else:
                self.fault = ""  # keys have no place to miss
        if kind == "popup":
            self.show_banner()
        if kind == "slow" and self._faults is not None:
            self._slow.append((time.monotonic() + self._faults.delay, batch))
        elif kind != "drop":
            self._do(lambda: self.app.driver.act(_spread(batch)))

    def flush(self) -> None:
        """Do what a slow application has yet to do, and let it come to rest."""
        self._do_slow(float("inf"))
        rest(self.app.driver, 1.0)

    def show_banner(self) -> Point | None:
        """Cover the page with a banner; the point that closes it, None where the application is no page."""
        if self.web is None:
            return None
        self._do(lambda: self.run(_BANNER))
        return self._accepting()

    def close_banner(self) -> bool:
        """Close the banner that covers the page, as somebody who sees it does; whether there was one."""
        point = self._accepting() if self.web is not None else None
        if point is None:
            return False
        x, y = point
        self._do(lambda: self.app.driver.act((Action("click", x, y),)))
        rest(self.app.driver, 0.5)
        return True

    def _accepting(self) -> Point | None:
        place = self.run(_ACCEPT)
        if place is None:
            return None
        x, y, *_ = cast(WebApplication, self.app).driver.screen_box((*place, 0, 0))
        return x, y

    @property
    def covered(self) -> bool:
        """Whether a banner covers the page."""
        return self.web is not None and bool(self.run(_HOLDS))

    def mark(self) -> Mark:
        """How much has been done, the state now, and what is still to come of it."""
        return Mark(len(self._deeds), self.app.state(), tuple(batch for _, batch in self._slow))

    def note(self, actions: Sequence[Action]) -> None:
        """What was sent is known already."""

    def undo(self, mark: Mark) -> None:
        """Begin anew from the seed and do what had been done by then.

        Raises:
            RollbackError: the task is over, or the state is another one than before.
        """
        if self.ended():
            raise RollbackError("the task is over, and nothing undoes that")
        deeds, self._deeds, self._slow = self._deeds[: mark.deeds], [], []
        self.app.reset(self.seed)
        for deed in deeds:
            self._do(deed)
            rest(self.app.driver, 1.0)
        state = self.app.state()
        if (state.shown, state.truth) != (mark.state.shown, mark.state.truth):
            raise RollbackError("the application did not come back into its state")
        self._slow = [(0.0, batch) for batch in mark.coming]

    def _do(self, deed: Deed) -> None:
        self._deeds.append(deed)
        deed()

    def _do_slow(self, now: float) -> None:
        ripe = [batch for due, batch in self._slow if due <= now]
        self._slow = [(due, batch) for due, batch in self._slow if due > now]
        for batch in ripe:
            self.fault = ""
            self._do(lambda batch=batch: self.app.driver.act(_spread(batch)))  # type: ignore[misc]

    def _draw(self) -> str:
        if self._faults is None:
            return ""
        roll, below = self._random.random(), 0.0
        for kind in ("drop", "miss", "slow", "popup"):
            below += getattr(self._faults, kind)
            if roll < below:
                return "drop" if kind == "popup" and self.web is None else kind
        return ""

    def _beside(self, batch: tuple[Action, ...]) -> tuple[Action, ...]:
        """The step, all of it beside its place by the same way."""
        scale = max(getattr(getattr(self.app.driver, "view", None), "scale", 1.0), 1.5) / 3
        across = scale * self._random.choice((-1, 1)) * self._random.uniform(20, 40)
        down = scale * self._random.choice((-1, 1)) * self._random.uniform(40, 80)
        width, height = self.app.driver.size

        def shift(action: Action) -> Action:
            if action.point is None:
                return action
            x, y = action.point[0] + across, action.point[1] + down
            return replace(action, x=min(max(x, 0.0), width - 1.0), y=min(max(y, 0.0), height - 1.0))

        return tuple(shift(action) for action in batch)


def _spread(batch: Sequence[Action]) -> tuple[Action, ...]:
    """Typing at a point is a click there, and typing."""
    spread: list[Action] = []
    for action in batch:
        if action.kind == "type" and action.point is not None:
            spread += [Action("click", *action.point), replace(action, x=None, y=None)]
        else:
            spread.append(action)
    return tuple(spread)
