"""A small GUI with known truth, and scorers that say what they are told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from viscritic.actions import Action
from viscritic.agent.environment import changed_share
from viscritic.screen import load_screen

# A page of which everything is known.
PAGE = """<!doctype html><title>Shop</title><style>body{font:18px Arial;margin:20px} main>*{display:block;margin:14px}
button,a,input,select{font:inherit;padding:6px} #dialog{position:fixed;inset:0;background:#0008;color:#fff;display:none}
</style><main><h1>Shop</h1><a id=about href="about.html">About us</a>
<button id=add onclick="count.textContent = +count.textContent + 1; count.style.fontSize = '60px'">Add to cart</button>
<button id=dead>Dead button</button>
<button id=wrong onclick="dialog.style.display = 'block'">Wrong button</button>
<button id=slow onclick="setTimeout(() => count.textContent = 'loaded at last', 700)">Load</button>
<p>In the cart: <span id=count>3</span></p>
<label><input type=checkbox id=gift> Wrap as a gift</label>
<label>Name <input id=name></label>
<select id=size aria-label=Size><option>Small<option>Medium<option>Large</select></main>
<div id=dialog>You are somewhere else</div>
<script>addEventListener('keydown', e => { if (e.key === 'Escape') dialog.style.display = 'none' })</script>"""
ABOUT = "<!doctype html><title>About</title><body style='font:40px Arial;background:#cde'><h1>About us</h1>"


@dataclass(frozen=True)
class Said:
    """A judgement."""

    state: str
    outcome: str = "success"
    success: float = 0.5
    note: str = "said"


CONFIRMED = Said("confirmed", "success", 0.95)
UNSURE = Said("unsure", "success", 0.5)
PENDING = Said("pending", "no_op", 0.1)
NO_OP = Said("failed", "no_op", 0.02)
WRONG = Said("failed", "wrong_target", 0.05)
ERROR = Said("failed", "page_error", 0.05)
TIMEOUT = Said("failed", "timeout", 0.1)


@dataclass
class Scripted:
    """Says one thing after the other, the last one for ever; remembers what it was asked."""

    says: list[Said]
    asked: list[dict[str, Any]] = field(default_factory=list)

    def score(
        self,
        pre: Any,
        post: Any,
        action: Any,
        instruction: str = "",
        task: str = "",
        burst: Sequence[Any] = (),
        idle: Sequence[Any] = (),
    ) -> Said:
        self.asked.append({"action": action, "task": task, "burst": len(burst), "idle": len(idle)})
        return self.says.pop(0) if len(self.says) > 1 else self.says[0]


class TruthfulScorer:
    """Knows the board: a click is right where it set the square under it."""

    def score(
        self,
        pre: Any,
        post: Any,
        action: Any,
        instruction: str = "",
        task: str = "",
        burst: Sequence[Any] = (),
        idle: Sequence[Any] = (),
    ) -> Said:
        before, after = load_screen(pre), load_screen(post)
        if changed_share(before, after) == 0:
            return NO_OP if burst else PENDING
        x, y = action[0].point
        return CONFIRMED if (before[int(y), int(x)] != after[int(y), int(x)]).any() else WRONG


class Board:
    """Four squares; a click colours the one under it. `faults` says what becomes of the next actions.

    "drop" loses one, "shift" hits the neighbour, "die" raises.
    """

    def __init__(self, faults: Sequence[str] = ()) -> None:
        self.faults = list(faults)
        self.cells = [0, 0, 0, 0]
        self.sent: list[Action] = []
        self.released = False

    def screen(self) -> np.ndarray:
        screen = np.full((64, 256, 3), 255, np.uint8)
        for i, value in enumerate(self.cells):
            screen[8:56, 64 * i + 8 : 64 * i + 56] = ((200 - 40 * value) % 250, 60, 60)
        return screen

    def act(self, action: Action) -> None:
        self.sent.append(action)
        fault = self.faults.pop(0) if self.faults else ""
        if fault == "die":
            raise ConnectionError("the browser has gone\nand more")
        if fault != "drop" and action.point:
            self.cells[(int(action.point[0]) // 64 + (fault == "shift")) % 4] += 1

    def release(self) -> None:
        self.released = True

    def reset(self) -> None:
        self.cells = [0, 0, 0, 0]


class Clock:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds
