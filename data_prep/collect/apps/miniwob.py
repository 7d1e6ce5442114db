"""MiniWoB++: small tasks of HTML, one application for each task type.

Driven directly: the page's own `core` starts an episode and tells the reward. What would give labels away (the panel
with the last reward, the dot at the last click, the START cover when an episode is done) is hidden, and no new episode
begins by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import ClassVar, Final

from data_prep.collect.application import Element, Intent
from data_prep.collect.view import View
from data_prep.collect.web_application import WebApplication

# Families that no training sample comes from.
TEST_FAMILIES: Final = (
    "daily-calendar", "enter-time", "find-word", "login-user", "multi", "navigate-tree", "order-food",
    "search-engine", "social-media", "use-autocomplete", "use-spinner",
)  # fmt: skip
# Families for validation.
VAL_FAMILIES: Final = ("choose-list", "click-collapsible", "copy-paste", "form-sequence", "phone-book", "text-editor")
_PREPARE: Final = """(async () => {
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


class MiniWob(WebApplication):
    """One task type; its page shows another problem for every seed."""

    folder = "miniwob/html"
    least: ClassVar[float] = 5.0
    views = (
        View(160, 210, scale=4.0), View(160, 210, scale=4.0), View(341, 213, scale=3.75), View(160, 210, scale=3.0),
        View(260, 220, scale=3.5),
    )  # fmt: skip

    def __init__(self, task: str) -> None:
        self.task = task
        self.name = f"miniwob-{task}"
        self.family = f"miniwob-{family_of(task)}"
        family = family_of(task)
        self.split = "test" if family in TEST_FAMILIES else "val" if family in VAL_FAMILIES else "train"

    def address(self, seed: int) -> str:
        """The task's page."""
        return f"/miniwob/{self.task}.html"

    def prepare(self, seed: int) -> None:
        """Hide what leaks, and start the episode of the seed."""
        self.run(_PREPARE.replace("SEED", str(seed)))

    def intents(self, elements: Sequence[Element], random: Random) -> list[Intent]:
        """Steps of the task; none when the episode is over, since a page that is done does not answer."""
        return [] if self.run("WOB_DONE_GLOBAL") else super().intents(elements, random)

    def extra(self) -> str:
        """Reward and end of the episode."""
        return "({done: WOB_DONE_GLOBAL, reward: WOB_RAW_REWARD_GLOBAL})"


def family_of(task: str) -> str:
    """Task types that look alike: what is left of the name without number, ease or delay."""
    words = [
        w for w in task.split("-") if w not in ("nodelay", "easy", "medium", "hard", "transfer") and not w.isdigit()
    ]
    name = "-".join(words)
    for prefix in (
        "email-inbox",
        "social-media",
        "click-checkboxes",
        "choose-date",
        "multi",
        "login-user",
        "click-tab",
    ):
        if name.startswith(prefix):
            return prefix
    return name


# Left out: chase-circle, moving-items and simon-says move by themselves, so that no state is the same twice.
_TYPES: Final = [
    "ascending-numbers",
    "bisect-angle",
    "book-flight",
    "book-flight-nodelay",
    "button-delay",
    "buy-ticket",
    "choose-date",
    "choose-date-easy",
    "choose-date-medium",
    "choose-date-nodelay",
    "choose-list",
    "circle-center",
    "click-button",
    "click-button-sequence",
    "click-checkboxes",
    "click-checkboxes-large",
    "click-checkboxes-soft",
    "click-checkboxes-transfer",
    "click-collapsible",
    "click-collapsible-2",
    "click-collapsible-2-nodelay",
    "click-collapsible-nodelay",
    "click-color",
    "click-dialog",
    "click-dialog-2",
    "click-link",
    "click-menu",
    "click-menu-2",
    "click-option",
    "click-pie",
    "click-pie-nodelay",
    "click-scroll-list",
    "click-shades",
    "click-shape",
    "click-tab",
    "click-tab-2",
    "click-tab-2-easy",
    "click-tab-2-hard",
    "click-tab-2-medium",
    "click-test",
    "click-test-2",
    "click-test-transfer",
    "click-widget",
    "copy-paste",
    "copy-paste-2",
    "count-shape",
    "count-sides",
    "daily-calendar",
    "drag-box",
    "drag-circle",
    "drag-cube",
    "drag-items",
    "drag-items-grid",
    "drag-shapes",
    "drag-shapes-2",
    "drag-single-shape",
    "drag-sort-numbers",
    "draw-circle",
    "draw-line",
    "email-inbox",
    "email-inbox-delete",
    "email-inbox-forward",
    "email-inbox-forward-nl",
    "email-inbox-forward-nl-turk",
    "email-inbox-important",
    "email-inbox-nl-turk",
    "email-inbox-noscroll",
    "email-inbox-reply",
    "email-inbox-star-reply",
    "enter-date",
    "enter-password",
    "enter-text",
    "enter-text-2",
    "enter-text-dynamic",
    "enter-time",
    "find-greatest",
    "find-midpoint",
    "find-word",
    "focus-text",
    "focus-text-2",
    "form-sequence",
    "form-sequence-2",
    "form-sequence-3",
    "generate-number",
    "grid-coordinate",
    "guess-number",
    "highlight-text",
    "highlight-text-2",
    "hot-cold",
    "hover-shape",
    "identify-shape",
    "login-user",
    "login-user-popup",
    "multi-layouts",
    "multi-orderings",
    "navigate-tree",
    "number-checkboxes",
    "odd-or-even",
    "order-food",
    "phone-book",
    "read-table",
    "read-table-2",
    "resize-textarea",
    "right-angle",
    "scroll-text",
    "scroll-text-2",
    "search-engine",
    "sign-agreement",
    "simple-algebra",
    "simple-arithmetic",
    "social-media",
    "social-media-all",
    "social-media-some",
    "stock-market",
    "terminal",
    "text-editor",
    "text-transform",
    "tic-tac-toe",
    "unicode-test",
    "use-autocomplete",
    "use-autocomplete-nodelay",
    "use-colorwheel",
    "use-colorwheel-2",
    "use-slider",
    "use-slider-2",
    "use-spinner",
    "visual-addition",
]

MINIWOB: Final[dict[str, Callable[[], MiniWob]]] = {f"miniwob-{task}": partial(MiniWob, task) for task in _TYPES}
