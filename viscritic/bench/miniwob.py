"""One MiniWoB++ episode in a browser: an environment for the gate, with the task's own truth, and faults if wanted."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

from viscritic.actions import Action
from viscritic.agent.page_environment import PageEnvironment
from viscritic.bench.config import Faults
from viscritic.errors import AgentError
from viscritic.screen import Screen

SCALE: Final = 3  # device pixels to a pixel of the task, which is 160x210 in all
VIEW: Final = (160, 210)  # width, height
# What gives the reward away is hidden, and no new episode begins by itself.
_START: Final = """(async () => {
  const style = document.createElement('style');
  style.textContent = '#reward-display,#click-canvas,#sync-task-cover{display:none!important}';
  document.head.append(style);
  core.EPISODE_MAX_TIME = 1e6;
  core.countdownTimer = () => {};
  Math.seedrandom(SEED);
  core.startEpisodeReal();
  core.startEpisode = () => {};
  for (let i = 0; i < 40 && !WOB_TASK_READY; i++) await new Promise(done => setTimeout(done, 50));
})()"""
# A banner as sites have them: it takes every click until it is closed.
_BANNER: Final = """(() => {
  const banner = document.createElement('div');
  banner.id = 'vc-banner';
  banner.style = 'position:fixed;inset:0;z-index:99999;background:#222b;font:11px Arial';
  banner.innerHTML = '<div style="position:absolute;left:12px;right:12px;top:70px;padding:8px;background:#fff">' +
    'We value your privacy.<br><button id=vc-accept style="margin-top:6px">Accept all</button></div>';
  for (const kind of ['click', 'mousedown', 'mouseup', 'keydown'])
    banner.addEventListener(kind, event => event.stopPropagation());
  document.documentElement.append(banner);
  document.getElementById('vc-accept').addEventListener('click', () => banner.remove());
})()"""

_CHOOSE: Final = """([name]) => {
  for (const list of document.querySelectorAll('#area select')) for (const option of list.options)
    if (option.text.trim().toLowerCase() === name.toLowerCase()) {
      list.value = option.value; list.dispatchEvent(new Event('change', {bubbles: true})); return true;
    }
  return false;
}"""


class Episode:
    """An `Environment`. Points are device pixels.

    Args:
        page: of a context with the viewport `VIEW` and the device scale `SCALE`.
        folder: MiniWoB++'s `html/miniwob`.
        faults: None for none; which step meets which is drawn from the seed, so that every verifier meets the same.
    """

    def __init__(self, page: Any, folder: Path, task: str, seed: int, faults: Faults | None = None) -> None:
        self._page, self._hands = page, PageEnvironment(page)
        self._address, self._seed, self._faults = (folder / f"{task}.html").as_uri(), seed, faults
        self._random = Random(f"{task} {seed}")
        self.start()

    def start(self) -> None:
        """The task's page in the state of the seed."""
        self._waiting: list[tuple[float, Action]] = []  # what a slow page has yet to do
        self.fault = ""
        self._page.goto(self._address)
        self._page.evaluate(_START.replace("SEED", str(self._seed)))
        self._page.mouse.move(0, 0)

    @property
    def done(self) -> bool:
        """Whether the task is over."""
        return bool(self._page.evaluate("WOB_DONE_GLOBAL"))

    @property
    def won(self) -> bool:
        """Whether it is over and was reached."""
        return bool(self._page.evaluate("WOB_DONE_GLOBAL && WOB_RAW_REWARD_GLOBAL > 0"))

    @property
    def utterance(self) -> str:
        """The task in words."""
        said = self._page.evaluate("core.getUtterance()")
        return str(said["utterance"] if isinstance(said, dict) else said)

    def ask(self, script: str, argument: Any = None) -> Any:
        """The value of a JavaScript function in the page."""
        return self._page.evaluate(script, argument)

    def screen(self) -> Screen:
        """The page now; a slow action takes effect when its time has come."""
        self._do_waiting(time.monotonic())
        return self._hands.screen()

    def act(self, action: Action) -> None:
        """Do an action, or what the fault makes of it."""
        kind = self._draw()
        self.fault = kind
        if kind == "popup":
            self._page.evaluate(_BANNER)
        elif kind == "miss" and action.point is not None:
            action = _beside(action, self._random)
        if kind == "slow" and self._faults is not None:
            self._waiting.append((time.monotonic() + self._faults.delay, action))
        elif kind != "drop":
            self._do(action)

    def flush(self) -> None:
        """Do what a slow page has yet to do."""
        self._do_waiting(float("inf"))

    def _do(self, action: Action) -> None:
        if action.kind == "select":  # the list that a select opens is drawn outside of the page
            self._page.evaluate(_CHOOSE, [action.text])
        else:
            self._hands.act(action)

    def _do_waiting(self, now: float) -> None:
        ripe = [action for due, action in self._waiting if due <= now]
        self._waiting = [(due, action) for due, action in self._waiting if due > now]
        for action in ripe:
            self.fault = ""
            self._do(action)

    def _draw(self) -> str:
        if self._faults is None:
            return ""
        roll, below = self._random.random(), 0.0
        for kind in ("drop", "miss", "slow", "popup"):
            below += getattr(self._faults, kind)
            if roll < below:
                return kind
        return ""


class TrueOutcome:
    """The upper bound: knows which fault the last action met, whether a banner lies over the page, and the reward."""

    def __init__(self, episode: Episode) -> None:
        self._episode = episode

    def score(
        self,
        pre: Any,
        post: Any,
        action: Any,
        instruction: str = "",
        task: str = "",
        burst: Sequence[Any] = (),
        idle: Sequence[Any] = (),
    ) -> Any:
        """The truth of the step."""
        from viscritic.bench.verifiers import Plain  # noqa: PLC0415  # it needs no browser

        episode = self._episode
        if episode.done:
            return Plain("confirmed" if episode.won else "failed", "success" if episode.won else "wrong_target")
        if episode.fault == "slow":
            return Plain("pending", "timeout")
        if episode.fault in ("drop", "popup") or episode.ask("() => !!document.getElementById('vc-banner')"):
            return Plain("failed", "no_op")
        return Plain("failed", "wrong_target") if episode.fault == "miss" else Plain("confirmed", "success")


def _beside(action: Action, random: Random) -> Action:
    x, y = action.point or (0.0, 0.0)
    moved = [x + random.choice((-1, 1)) * random.uniform(20, 40), y + random.choice((-1, 1)) * random.uniform(40, 80)]
    limits = (SCALE * VIEW[0] - 1, SCALE * VIEW[1] - 1)
    inside = [min(max(value, 0), limit) for value, limit in zip(moved, limits, strict=True)]
    return Action.from_dict(action.to_dict() | {"x": inside[0], "y": inside[1]})


def find_tasks(cache: Path) -> Path:
    """MiniWoB++'s pages.

    Raises:
        AgentError: they are not installed; the message names the command.
    """
    folder = cache / "miniwob" / "html" / "miniwob"
    if not folder.is_dir():
        raise AgentError(f"MiniWoB++ is not in {cache}: run  viscritic data collect --install")
    return folder
