"""Playwright (sync API): `verified(page).click(...)` clicks, looks, and raises if it did not work.

    page = verified(page, task="Order a gift")
    page.fill("#name", "Ada")
    page.click("text=Add to cart")          # StepFailedError with a sentence, if nothing came of it

Playwright itself says whether an element could be clicked; this says whether the click did what was meant.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from viscritic.actions import Action
from viscritic.actions.keys import read_chord
from viscritic.agent.environment import Scorer
from viscritic.agent.gate import CriticGate, GateDecision
from viscritic.agent.log import StepLog
from viscritic.agent.page_environment import capture
from viscritic.agent.policy import GatePolicy
from viscritic.agent.rollback.browser import BrowserRollback
from viscritic.errors import StepFailedError
from viscritic.screen import Screen, load_screen

_CAPTURE: Final = 4000.0  # milliseconds that a screenshot may take
_DESCRIBE: Final = """n => {
  const tag = n.tagName.toLowerCase(), type = n.type || '';
  const role = n.getAttribute('role') || (tag === 'a' ? 'link' : tag === 'button' ? 'button' : tag === 'select' ? 'list'
    : type === 'checkbox' ? 'checkbox' : type === 'radio' ? 'radio button' : tag === 'summary' ? 'disclosure'
    : ['submit', 'button', 'reset', 'image'].includes(type) ? 'button'
    : ['input', 'textarea'].includes(tag) ? 'text field' : 'element');
  const label = n.labels && n.labels[0] ? n.labels[0].innerText : '';
  const name = n.getAttribute('aria-label') || label || n.innerText || n.placeholder || n.title || n.alt
    || (role === 'button' ? n.value : '') || n.name || '';
  return [role, String(name).trim().split('\\n')[0].slice(0, 80)];
}"""


def verified(
    page: Any,
    critic: Scorer | None = None,
    *,
    task: str = "",
    policy: GatePolicy | None = None,
    log: StepLog | None = None,
    rollback: bool = True,
) -> VerifiedPage:
    """A page whose every action is judged.

    Args:
        page: a `playwright.sync_api.Page`.
        critic: a scorer; None loads the shipped bundle.
        rollback: undo what went wrong, where that is possible.
    """
    if critic is None:
        from viscritic.runtime import Critic  # noqa: PLC0415  # a second of start-up

        critic = Critic.load()
    gate = CriticGate(critic, policy, task=task, log=log, sleep=lambda s: page.wait_for_timeout(1000 * s))
    return VerifiedPage(page, gate, rollback=rollback)


class VerifiedPage:
    """The verbs of a page, each followed by a look. What is not here is the page's own: `.page`.

    Every verb returns the gate's decision (whose `worked` is True, or None where the critic is not sure).

    Raises:
        StepFailedError: from every verb, where the gate says anything but "proceed".
    """

    def __init__(self, page: Any, gate: CriticGate, *, rollback: bool = True) -> None:
        self.page, self.gate = page, gate
        self._rollback = BrowserRollback(page, self.screen) if rollback else None
        self._last: Screen | None = None

    def click(self, target: Any, instruction: str = "", **options: Any) -> GateDecision:
        """Click an element: a selector or a Locator."""
        return self._point("click", "Click", target, instruction, lambda n: n.click(**options))

    def dblclick(self, target: Any, instruction: str = "", **options: Any) -> GateDecision:
        """Double-click it."""
        return self._point("double_click", "Double-click", target, instruction, lambda n: n.dblclick(**options))

    def check(self, target: Any, instruction: str = "", **options: Any) -> GateDecision:
        """Tick it."""
        return self._point("click", "Tick", target, instruction, lambda n: n.check(**options), "check()")

    def uncheck(self, target: Any, instruction: str = "", **options: Any) -> GateDecision:
        """Untick it."""
        return self._point("click", "Untick", target, instruction, lambda n: n.uncheck(**options), "uncheck()")

    def hover(self, target: Any, instruction: str = "", **options: Any) -> GateDecision:
        """Move the pointer over it."""
        return self._point("move", "Point at", target, instruction, lambda n: n.hover(**options))

    def fill(self, target: Any, text: str, instruction: str = "", **options: Any) -> GateDecision:
        """Replace what stands in a field."""
        locator, element, (x, y) = self._find(target)
        action = Action("type", x, y, text=text, raw="fill()")
        words = instruction or f"Type '{text}' into the {element}"
        return self._step(action, words, element, lambda: locator.fill(text, **options))

    def select_option(self, target: Any, label: str, instruction: str = "", **options: Any) -> GateDecision:
        """Choose the option of that label."""
        locator, element, (x, y) = self._find(target)
        words = instruction or f"Choose '{label}' in the {element}"
        return self._step(
            Action("select", x, y, text=label), words, element, lambda: locator.select_option(label=label, **options)
        )

    def press(self, keys: str, instruction: str = "") -> GateDecision:
        """Press a chord ("Control+S")."""
        words = instruction or f"Press {keys}"
        return self._step(Action("key", keys=read_chord(keys)), words, "", lambda: self.page.keyboard.press(keys))

    def goto(self, url: str, instruction: str = "", **options: Any) -> GateDecision:
        """Open an address; returns when the document has begun to come."""
        options.setdefault("wait_until", "commit")
        words = instruction or f"Open {url}"
        return self._step(Action("navigate", url=url), words, "", lambda: self.page.goto(url, **options))

    def screen(self) -> Screen:
        """The viewport, device pixels; while a navigation keeps the browser from drawing, what it showed last."""
        try:
            self._last = load_screen(capture(self.page, _CAPTURE))
        except Exception as error:
            if type(error).__name__ != "TimeoutError" or self._last is None:
                raise
        return self._last

    def _point(
        self,
        kind: Any,
        verb: str,
        target: Any,
        instruction: str,
        perform: Callable[[Any], Any],
        raw: str | None = None,
    ) -> GateDecision:
        locator, element, (x, y) = self._find(target)
        action = Action(kind, x, y, raw=raw)
        return self._step(action, instruction or f"{verb} the {element}", element, lambda: perform(locator))

    def _find(self, target: Any) -> tuple[Any, str, tuple[float, float]]:
        """The element ready to be acted on, its description, its centre in pixels of the screen.

        Playwright raises its own TimeoutError here where there is no such element or it is covered.
        """
        locator = self.page.locator(target) if isinstance(target, str) else target
        locator.scroll_into_view_if_needed()
        role, name = locator.evaluate(_DESCRIBE)
        box, viewport = locator.bounding_box(), self.page.viewport_size
        scale = self.screen().shape[1] / viewport["width"] if viewport else 1.0
        x, y = (scale * (box[a] + box[b] / 2) for a, b in (("x", "width"), ("y", "height")))
        return locator, f"{role} '{name}'" if name else role, (x, y)

    def _step(self, action: Action, instruction: str, element: str, perform: Callable[[], Any]) -> GateDecision:
        decision = self.gate.step(
            _Performed(self.screen, perform), action, instruction, element=element, rollback=self._rollback
        )
        if decision.move != "proceed":
            raise StepFailedError(decision.advice, decision)
        return decision


class _Performed:
    """An environment whose only action is a call of Playwright."""

    def __init__(self, screen: Callable[[], Screen], perform: Callable[[], Any]) -> None:
        self.screen, self._perform = screen, perform

    def act(self, action: Action) -> None:
        self._perform()
